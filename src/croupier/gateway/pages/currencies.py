"""Currencies as clients show them."""

from collections.abc import Mapping

from croupier.play.contract.amounts import Currency
from croupier.protocol.wire import CurrencyView


def currency_views(currencies: Mapping[str, Currency]) -> tuple[CurrencyView, ...]:
    return tuple(
        CurrencyView(each.code, each.name, each.decimals, each.symbol or each.code, each.play_money)
        for each in currencies.values()
    )

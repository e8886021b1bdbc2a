"""Limits of a table: checks of a player's whole bet, and changes of the limits."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from croupier.play.contract.amounts import RETURN_MINOR_MAX, StakeLimits
from croupier.play.contract.bets import Wager
from croupier.play.contract.game import Table
from croupier.play.tables import restrictions
from croupier.play.tables.largest_return import excessive_return_minor
from croupier.play.tables.limits import limit_errors
from croupier.refusal import Refused

LimitsByCurrency = Mapping[str, StakeLimits]
LimitsByKind = Mapping[str, LimitsByCurrency]


def check_limits(table: Table, currency: str, wagers: Sequence[Wager]) -> None:
    """Raise Refused with the bet and its limit, the table's maximum or the broken restriction."""
    if currency not in table.limits:
        raise Refused("no_such_currency", currency=currency, allowed=", ".join(table.limits))
    limits, staked_minor = table.limits_in[currency], 0
    for _, bet, stake_minor in wagers:
        if bet not in limits:
            raise Refused("no_such_bet", bet=bet)
        min_minor, max_minor = limits[bet]
        if not min_minor <= stake_minor <= max_minor:
            raise _outside(table.labels[bet], bet, stake_minor, limits[bet])
        staked_minor += stake_minor
    whole = table.table_limits.get(currency)
    if whole and staked_minor > whole.max_minor:
        raise Refused("over_table_maximum", staked_minor=staked_minor, max_minor=whole.max_minor)
    restrictions.check_bets(table.restrictions, table.coverage, {wager.bet for wager in wagers}, table.labels)


def in_currencies(tables: Mapping[str, Table], currencies: Collection[str]) -> dict[str, Table]:
    """Return the tables limited to these currencies, without the tables that accept none of them."""
    limited = {name: _in_currencies(table, currencies) for name, table in tables.items()}
    return {name: table for name, table in limited.items() if table.limits}


def _in_currencies(table: Table, currencies: Collection[str]) -> Table:
    if all(code in currencies for code in table.limits):
        return table

    def selected(limits: LimitsByCurrency) -> LimitsByCurrency:
        return {code: each for code, each in limits.items() if code in currencies}

    return replace(
        table,
        currencies={code: each for code, each in table.currencies.items() if code in currencies},
        limits=selected(table.limits),
        side_limits=selected(table.side_limits),
        kind_limits={kind: selected(each) for kind, each in table.kind_limits.items()},
        table_limits=selected(table.table_limits),
    )


def _outside(title: str, bet: str, stake_minor: int, limits: StakeLimits) -> Refused:
    min_minor, max_minor = limits
    if stake_minor < min_minor:
        return Refused("under_minimum", bet=bet, title=title, min_minor=min_minor)
    return Refused("over_maximum", bet=bet, title=title, max_minor=max_minor)


def with_limits(
    table: Table,
    limits: LimitsByCurrency,
    sides: LimitsByCurrency,
    kinds: LimitsByKind,
    whole: LimitsByCurrency,
) -> Table:
    """Return the table with all its limits replaced.

    Refused `no_such_currency` for currencies other than the table's; `wrong_limits` for a range that is
    empty or not positive, or that doesn't fit the table's bets; `return_too_large` for limits with which a
    round may return more than can be settled.
    """
    every = (limits, sides, whole, *kinds.values())
    if limits.keys() != table.limits.keys() or any(each.keys() - limits.keys() for each in every):
        raise Refused("no_such_currency", allowed=", ".join(table.limits))
    if not all(0 < min_minor <= max_minor for each in every for min_minor, max_minor in each.values()):
        raise Refused("wrong_limits")
    after = replace(
        table,
        limits=dict(limits),
        side_limits={**limits, **sides},
        kind_limits={kind: dict(each) for kind, each in kinds.items()},
        table_limits=dict(whole),
    )
    for field, _ in limit_errors(after):
        raise Refused("wrong_limits", rule=field)
    for code in after.limits:
        if largest_minor := excessive_return_minor(after, code):
            raise Refused(
                "return_too_large", currency=code, returned_minor=largest_minor, max_minor=RETURN_MINOR_MAX
            )
    return after

"""The blocks of the currencies in the server configuration file."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from croupier.play.contract.amounts import BALANCE_MINOR_MAX, CURRENCIES, DEFAULT_CURRENCIES, Currency
from croupier.play.tables.toml_blocks import InvalidField, check_known, convert, fields, read_blocks

CURRENCY_BLOCKS = "currencies"
_CODE = re.compile(r"[A-Z][A-Z0-9]{1,7}")
_GRANT = 'a text such as "1000.00"'


class CurrencyConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """A block `currencies.CODE`. Omitted fields have the defaults of its code, if that has any."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    decimals: Annotated[int, Meta(ge=0, le=8)]
    """Decimal places of the smallest unit."""
    symbol: Annotated[str, Meta(max_length=8)] = ""
    """Symbol in players' amounts; empty: the code."""
    play_money: bool = True
    """Players deposit and withdraw play money freely; other money needs a payment provider."""
    grant: Annotated[str, Meta(description=_GRANT)] = "0"
    """Balance of a new guest."""


def read_currencies(text: str, file: str) -> Mapping[str, Currency]:
    """Return the currencies of a configuration file by code; InvalidFile if one is invalid.

    Table files are read with them, and the rest of the configuration with the tables.
    """
    blocks = read_blocks(text, file, _read_if_currencies)
    return blocks.get(CURRENCY_BLOCKS) or DEFAULT_CURRENCIES


def _read_if_currencies(name: str, block: Any) -> Mapping[str, Currency] | None:
    return read_currency_blocks(block) if name == CURRENCY_BLOCKS else None


def read_currency_blocks(block: Any) -> Mapping[str, Currency]:
    """Convert the block `currencies`; InvalidField for an invalid currency."""
    if not isinstance(block, dict) or not block:
        known = ", ".join(f"[currencies.{code}]" for code in CURRENCIES)
        raise InvalidField("", f"configure at least one currency, such as {known}")
    return {code: _read(code, each) for code, each in block.items()}


def _read(code: str, block: Any) -> Currency:
    if not isinstance(block, dict):
        raise InvalidField(code, f'a currency is a block: write [currencies.{code}] above grant = "{block}"')
    try:
        return _currency(code, block)
    except InvalidField as error:
        raise InvalidField(error.field, str(error), code) from None


def _currency(code: str, block: Mapping[str, Any]) -> Currency:
    if not _CODE.fullmatch(code):
        raise InvalidField("", "a code has A-Z and 0-9 only, 2 to 8 characters, and begins with a letter")
    check_known(block, fields(CurrencyConfig))
    config = convert({**_defaults(code, play_money=block.get("play_money", True)), **block}, CurrencyConfig)
    currency = Currency(code, config.name, config.decimals, config.symbol, config.play_money)
    grant_minor = _grant_minor(currency, config.grant)
    if grant_minor and not config.play_money:
        raise InvalidField("grant", 'allowed is: "0" without play_money, since anyone can become a guest')
    return currency._replace(grant_minor=grant_minor)


def _defaults(code: str, *, play_money: object) -> Mapping[str, Any]:
    """Return the default fields of a code; only play money is granted by default."""
    known = CURRENCIES.get(code)
    if known is None:
        return {}
    named = {"name": known.name, "decimals": known.decimals, "symbol": known.symbol}
    grant = known.text(known.grant_minor).replace(",", "")
    return named | ({"grant": grant} if play_money is True else {})


def _grant_minor(currency: Currency, text: str) -> int:
    try:
        grant_minor = currency.minor(text)
    except ValueError as error:
        raise InvalidField("grant", f"{error}; allowed is: {_GRANT}") from None
    if grant_minor > BALANCE_MINOR_MAX:
        raise InvalidField("grant", f"{text!r}; allowed is: {currency.text(BALANCE_MINOR_MAX)} at most")
    return grant_minor

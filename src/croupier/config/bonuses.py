"""The blocks of the bonuses in the server configuration file."""

import re
from collections.abc import Collection, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from croupier.accounts.bonus import BonusTemplate
from croupier.config.blocks import Days
from croupier.play.contract.amounts import Currency
from croupier.play.tables.toml_blocks import InvalidField, check_known, convert, fields, read_blocks

BONUS_BLOCKS = "bonuses"
_AMOUNT = 'a text such as "20.00"'
_NAME = re.compile(r"[a-z0-9_]{1,40}")


class BonusConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """A block `bonuses.NAME`: a bonus that managers may grant."""

    title: Annotated[str, Meta(min_length=1, max_length=80)]
    currency: str
    amount: Annotated[str, Meta(description=_AMOUNT)]
    multiple: Annotated[int, Meta(ge=1, le=1_000)]
    """Times the amount that has to be staked, counted by the tables' wagering classes."""
    days: Days = 30
    """Days until the bonus expires."""
    max_bet: Annotated[str, Meta(description=_AMOUNT)] = "0"
    """Maximum stake of a round while the bonus is active; 0: none."""
    excluded: tuple[str, ...] = ()
    """Tables that can't be played while the bonus is active."""


def read_bonuses(
    text: str, file: str, currencies: Mapping[str, Currency], tables: Collection[str]
) -> Mapping[str, BonusTemplate]:
    """Return the bonuses of a configuration file by name; InvalidFile if one is invalid."""

    def read(name: str, block: Any) -> Mapping[str, BonusTemplate]:
        return _read_all(block, currencies, tables) if name == BONUS_BLOCKS else {}

    return read_blocks(text, file, read).get(BONUS_BLOCKS, {})


def _read_all(
    block: Any, currencies: Mapping[str, Currency], tables: Collection[str]
) -> Mapping[str, BonusTemplate]:
    if not isinstance(block, dict):
        raise InvalidField("", "write [bonuses.NAME] above the fields of a bonus")
    return {name: _read(name, each, currencies, tables) for name, each in block.items()}


def _read(
    name: str, block: Any, currencies: Mapping[str, Currency], tables: Collection[str]
) -> BonusTemplate:
    if not isinstance(block, dict):
        raise InvalidField(name, f"a bonus is a block: write [bonuses.{name}] above its fields")
    try:
        return _template(name, block, currencies, tables)
    except InvalidField as error:
        raise InvalidField(error.field, str(error), name) from None


def _template(
    name: str, block: Mapping[str, Any], currencies: Mapping[str, Currency], tables: Collection[str]
) -> BonusTemplate:
    if not _NAME.fullmatch(name):
        raise InvalidField("", "a bonus's name has a-z, 0-9 and _ only, 40 characters at most")
    check_known(block, fields(BonusConfig))
    config = convert(block, BonusConfig)
    if config.currency not in currencies:
        raise InvalidField("currency", f"allowed is: {', '.join(currencies)}")
    if unknown := sorted(set(config.excluded) - set(tables)):
        raise InvalidField("excluded", f"no such table: {', '.join(unknown)}")
    currency = currencies[config.currency]
    amount, max_bet = (_minor(currency, field, getattr(config, field)) for field in ("amount", "max_bet"))
    if not amount:
        raise InvalidField("amount", "a bonus is more than 0")
    return BonusTemplate(
        name, config.title, currency.code, amount, config.multiple, config.days, max_bet, config.excluded
    )


def _minor(currency: Currency, field: str, text: str) -> int:
    try:
        return currency.minor(text)
    except ValueError as error:
        raise InvalidField(field, f"{error}; allowed is: {_AMOUNT}") from None

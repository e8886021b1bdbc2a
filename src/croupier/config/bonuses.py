"""The blocks of the bonuses in the server configuration file."""

import re
from collections.abc import Collection, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from croupier.accounts.bonus import BonusTemplate, OfferedTo
from croupier.config.blocks import Days
from croupier.play.contract.amounts import AMOUNT_MINOR_MAX, BALANCE_MINOR_MAX, Currency
from croupier.play.tables.toml_blocks import (
    InvalidField,
    check_known,
    convert,
    fields,
    read_blocks,
)

BONUS_BLOCKS = "bonuses"
_AMOUNT = 'a text such as "20.00"'
_NAME = re.compile(r"[a-z0-9_]{1,40}")


class BonusConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """A block `bonuses.NAME`: a bonus that managers may grant, or that players may accept."""

    title: Annotated[str, Meta(min_length=1, max_length=80)]
    currency: str
    multiple: Annotated[int, Meta(ge=1, le=1_000)]
    """Times the amount that has to be staked, counted by the tables' wagering classes."""
    amount: Annotated[str, Meta(description=_AMOUNT)] = ""
    """Amount that is granted; not for a first deposit."""
    days: Days = 30
    """Days until the bonus expires."""
    max_bet: Annotated[str, Meta(description=_AMOUNT)] = "0"
    """Maximum stake of a round while the bonus is active; 0: none."""
    excluded: tuple[str, ...] = ()
    """Tables that can't be played while the bonus is active."""
    offer: OfferedTo = "staff"
    """`staff`: managers grant it; `account`: players accept it; `first_deposit`: they opt in and deposit."""
    match_percent: Annotated[int, Meta(ge=0, le=1_000)] = 0
    """For a first deposit: the percentage of it that is granted."""
    match_max: Annotated[str, Meta(description=_AMOUNT)] = ""
    """For a first deposit: the most that is granted."""
    jurisdictions: tuple[Annotated[str, Meta(min_length=1, max_length=40)], ...] = ()
    """Jurisdictions whose players are offered it, and granted what they have accepted; none: all."""


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
    of = _given(config)
    amount, max_bet = (_minor(currency, field, getattr(config, field)) for field in (of, "max_bet"))
    if not amount:
        raise InvalidField(of, "a bonus is more than 0")
    multiple = config.multiple
    if amount * multiple > AMOUNT_MINOR_MAX:
        most = currency.text(AMOUNT_MINOR_MAX // multiple)
        raise InvalidField(
            of, f"allowed is: {most} at most, so that {config.multiple} times it can be counted"
        )
    return BonusTemplate(
        name=name,
        title=config.title,
        currency=currency.code,
        amount_minor=amount,
        multiple=config.multiple,
        days=config.days,
        max_bet_minor=max_bet,
        excluded=config.excluded,
        offer=config.offer,
        match_percent=config.match_percent,
        jurisdictions=config.jurisdictions,
    )


def _given(config: BonusConfig) -> str:
    """Return the field with the amount; InvalidField for fields that its offer lacks, or doesn't have."""
    of_deposit: dict[str, object] = {"match_percent": config.match_percent, "match_max": config.match_max}
    is_matched = config.offer == "first_deposit"
    granted: dict[str, object] = {"amount": config.amount}
    needed, none = (of_deposit, granted) if is_matched else (granted, of_deposit)
    for field, value in needed.items():
        if not value:
            raise InvalidField(field, f'a bonus with offer = "{config.offer}" needs {field}')
    for field, value in none.items():
        if value:
            raise InvalidField(field, f'a bonus with offer = "{config.offer}" has no {field}')
    return "match_max" if is_matched else "amount"


def check_offers(bonuses: Mapping[str, BonusTemplate], paid: Collection[str]) -> None:
    """Raise InvalidField for a first deposit's bonus in a currency that has no payment provider."""
    for name, bonus in bonuses.items():
        if bonus.offer == "first_deposit" and bonus.currency not in paid:
            why = f"write [payments.currencies.{bonus.currency}]: only a provider's deposit brings a bonus"
            raise InvalidField("offer", why, name)


def _minor(currency: Currency, field: str, text: str) -> int:
    try:
        amount_minor = currency.minor(text)
    except ValueError as error:
        raise InvalidField(field, f"{error}; allowed is: {_AMOUNT}") from None
    if amount_minor > BALANCE_MINOR_MAX:
        raise InvalidField(field, f"allowed is: {currency.text(BALANCE_MINOR_MAX)} at most")
    return amount_minor

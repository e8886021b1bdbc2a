"""Limits as a table's file writes them, and what of them doesn't fit its bets."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta

from croupier.play.contract.amounts import CURRENCIES, StakeLimits
from croupier.play.contract.game import Table
from croupier.play.tables.toml_blocks import InvalidField

LimitsText = Annotated[str, Meta(description='limits such as "0.50-500"')]
KindLimits = Annotated[
    dict[str, dict[str, LimitsText]],
    Meta(description='limits by kind of bet, such as { straight = { EUR = "0.50-100" } }'),
]


def read_limits(field: str, texts: Mapping[str, str]) -> dict[str, StakeLimits]:
    """By currency; InvalidField for what are no limits."""
    return {code: _read(field, code, text) for code, text in texts.items()}


def _read(field: str, code: str, text: str) -> StakeLimits:
    if code not in CURRENCIES:
        raise InvalidField(field, f"no currency {code!r}; allowed are: {', '.join(CURRENCIES)}")
    least, dash, most = text.partition("-")
    try:
        limits = StakeLimits(CURRENCIES[code].minor(least), CURRENCIES[code].minor(most))
    except ValueError as error:
        raise InvalidField(field, f'{code}: {error}; write limits as "0.50-500"') from None
    if not (dash and 0 < limits.min_minor <= limits.max_minor):
        raise InvalidField(
            field, f'{code} = {text!r}: write the smallest and the largest stake as "0.50-500"'
        )
    return limits


def limit_errors(table: Table) -> Iterator[tuple[str, str]]:
    """Limits of what the table doesn't have, or that no single stake is within; with what is allowed."""
    kinds = sorted({bet.kind for bet in table.game.bets(table.rules) if bet.kind})
    for kind, limits in table.kind_limits.items():
        if kind not in kinds:
            yield "kind_limits", f"no kind of bet {kind!r}; allowed are: {', '.join(kinds) or 'none'}"
        yield from _strange("kind_limits", table, limits)
    yield from _strange("side_limits", table, table.side_limits)
    yield from _strange("table_limits", table, table.table_limits)
    yield from _of_whole_bets(table)


def _of_whole_bets(table: Table) -> Iterator[tuple[str, str]]:
    for code in table.limits.keys() & table.table_limits.keys():
        least, whole = table.main_limits(code).min_minor, table.table_limits[code]
        if not whole.min_minor <= least <= whole.max_minor:
            told = CURRENCIES[code].text(least)
            yield "table_limits", f"{code}: allowed are: limits that a single stake of {told} is within"


def _strange(field: str, table: Table, limits: Mapping[str, StakeLimits]) -> Iterator[tuple[str, str]]:
    for code in limits:
        if code not in table.limits:
            yield field, f"the table takes no {code}; allowed are: {', '.join(table.limits)}"

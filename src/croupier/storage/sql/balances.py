"""Balances of players, read on the writer's connection."""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from msgspec import convert

from croupier.accounts.balances import CurrencyBalance, PlayerBalances
from croupier.ledger.sql.connection import Connection, Cursor
from croupier.ledger.sql.wide_amounts import of_parts, sums

FIND_HELD = (
    "SELECT currency, kind, balance_minor FROM account WHERE owner = ? AND kind IN ('cash', 'in_play')"
)
FIND_VISIT = f"""SELECT currency, {sums("staked_minor", "returned_minor")} FROM round
    WHERE player = ? AND started_ms >= ? AND ended_ms > 0 GROUP BY currency"""  # noqa: S608 - constants
FIND_BEFORE = """SELECT id FROM round
    WHERE player = ? AND opened_seq >= (SELECT min(opened_seq) FROM round WHERE status = 'open')
    AND status || '' = 'open' AND started_ms < ?"""
"""An expression instead of `status`, so that the index of all open rounds isn't used for one player's."""


class _Asked(NamedTuple):
    """Results to be read once all queries are sent: then they take one round trip on PostgreSQL."""

    before: Cursor
    held: Cursor
    visit: Cursor


def read(connection: Connection, player: str, visit_ms: int) -> PlayerBalances:
    """Return a player's balances after the last commit."""
    return _balances(_asked(connection, player, visit_ms))


def read_all(connection: Connection, visits: Mapping[str, int]) -> dict[str, PlayerBalances]:
    """Return the balances of players, with the totals since the beginning of their visits."""
    asked = {player: _asked(connection, player, visit_ms) for player, visit_ms in visits.items()}
    return {player: _balances(results) for player, results in asked.items()}


def _asked(connection: Connection, player: str, visit_ms: int) -> _Asked:
    return _Asked(
        connection.execute(FIND_BEFORE, (player, visit_ms)),
        connection.execute(FIND_HELD, (player,)),
        connection.execute(FIND_VISIT, (player, visit_ms)),
    )


def _balances(asked: _Asked) -> PlayerBalances:
    before = frozenset(round_id for (round_id,) in asked.before)
    found = defaultdict[str, dict[str, int]](dict)
    ever_staked = set[str]()
    for currency, kind, minor in asked.held:
        found[currency][f"{kind}_minor"] = minor
        if kind == "in_play":
            ever_staked.add(currency)
    for currency, *parts in asked.visit:
        staked, returned = of_parts(parts)
        found[currency] |= {"staked_minor": staked, "returned_minor": returned}
    held = {currency: convert(amounts, CurrencyBalance) for currency, amounts in found.items()}
    return PlayerBalances(held, before, frozenset(ever_staked))

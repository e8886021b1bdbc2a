"""A player's balances, read on the writer's connection."""

from collections import defaultdict

from croupier.accounts.balances import CurrencyBalance, PlayerBalances
from croupier.ledger.sql.connection import Connection

FIND_HELD = (
    "SELECT currency, kind, balance_minor FROM account WHERE owner = ? AND kind IN ('cash', 'in_play')"
)
FIND_VISIT = """SELECT currency, SUM(staked_minor), SUM(returned_minor) FROM round
    WHERE player = ? AND started_ms >= ? AND ended_ms > 0 GROUP BY currency"""
FIND_BEFORE = """SELECT id FROM round
    WHERE player = ? AND opened_seq >= (SELECT min(opened_seq) FROM round WHERE status = 'open')
    AND status || '' = 'open' AND started_ms < ?"""
"""An expression instead of `status`, so that the index of all open rounds isn't used for one player's."""


def read(connection: Connection, player: str, visit_ms: int) -> PlayerBalances:
    """Return a player's balances after the last commit."""
    before = frozenset(round_id for (round_id,) in connection.execute(FIND_BEFORE, (player, visit_ms)))
    found = defaultdict[str, dict[str, int]](dict)
    for currency, kind, minor in connection.execute(FIND_HELD, (player,)):
        found[currency][f"{kind}_minor"] = minor
    for currency, staked, returned in connection.execute(FIND_VISIT, (player, visit_ms)):
        found[currency] |= {"staked_minor": staked, "returned_minor": returned}
    held = {currency: CurrencyBalance(**amounts) for currency, amounts in found.items()}
    return PlayerBalances(held, before)

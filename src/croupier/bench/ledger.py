"""The load test of the ledger alone: many bets, and coups that settle them. Run by `process.run_module`."""

import gc
import json
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from croupier.app.serve import open_ledger
from croupier.bench import bots
from croupier.bench.process import emit
from croupier.ledger import entries
from croupier.ledger.entries import Entry, Json, Share, Ticket
from croupier.ledger.sql.store import SqlLedger

TABLE = "infinite"
GROUP = 200
"""Bets posted in one batch."""
COUPS = 5
"""The first isn't counted: it opens the table's account, and caches are cold."""


def run(players: int, folder: Path) -> dict[str, float]:
    """Return bets placed and settled per second, with `players` who make five bets each."""
    ledger = open_ledger(folder)
    try:
        _grant(ledger, players)
        rounds = [_round(ledger, players, number) for number in range(COUPS)]
    finally:
        ledger.close()
    placing, settling = zip(*rounds[1:], strict=True)
    bets = players * (1 + len(bots.SIDE_BETS))
    return {
        "bets_placed_per_second": players / median(placing),
        "bets_settled_per_second": bets / median(settling),
    }


def _player(number: int) -> str:
    return f"p_{number:016x}"


def _grant(ledger: SqlLedger, players: int) -> None:
    ledger.post(
        [
            entries.grant(f"g{number}", 1, _player(number), bots.CURRENCY, 10**9, "welcome")
            for number in range(players)
        ]
    ).result()


def _round(ledger: SqlLedger, players: int, number: int) -> tuple[float, float]:
    """Return the seconds until all stakes are held durably, and until all are settled durably."""
    stakes = [bots.stakes(player, number) for player in range(players)]
    staked = [sum(stake.stake_minor for stake in bets) for bets in stakes]
    tickets = [
        Ticket(f"r{number}.{_player(player)}", _player(player), TABLE, bots.CURRENCY)
        for player in range(players)
    ]
    held = [
        Share(ticket.round, ticket.player, minor, 0) for ticket, minor in zip(tickets, staked, strict=True)
    ]
    shares = [
        Share(ticket.round, ticket.player, minor, (0, minor, 2 * minor)[place % 3])
        for place, (ticket, minor) in enumerate(zip(tickets, staked, strict=True))
    ]
    bets: list[Json] = [[[stake.box, stake.bet, stake.stake_minor] for stake in bets] for bets in stakes]
    coup = entries.coup(f"r{number}", 3, TABLE, bots.CURRENCY, shares, {"bets": bets})
    return _placed(ledger, held), _settled(ledger, coup)


def _placed(ledger: SqlLedger, shares: Sequence[Share]) -> float:
    begun = perf_counter()
    rest = iter(shares)
    while group := tuple(islice(rest, GROUP)):
        key = f"{group[0].round}.1"
        ledger.post([entries.stakes(key, 2, TABLE, bots.CURRENCY, group, number="#10:00:00")]).result()
    return perf_counter() - begun


def _settled(ledger: SqlLedger, coup: Entry) -> float:
    begun = perf_counter()
    ledger.post([coup]).result()
    return perf_counter() - begun


if __name__ == "__main__":
    gc.disable()  # as in the server, which collects between rounds only
    plan: Any = json.load(sys.stdin)
    with TemporaryDirectory(dir=plan["folder"]) as made:
        emit(results=run(plan["players"], Path(made)))

"""The phases of live tables when their owner fails: awaited, and found out from the journal."""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from croupier import clock
from croupier.ledger.sql.databases import PostgresqlUrl
from croupier.protocol import wire
from croupier.tables.live.phases import BETTING_PHASES, Phase
from tests.faults.bettor import Bettor
from tests.faults.failures import Plan
from tests.support.postgresql import administration

WRITTEN_S = 0.05
"""Time in which PostgreSQL ends a commit whose client was killed."""


class Sight(NamedTuple):
    """A table as its player saw it at a time."""

    table: str
    clock: wire.LiveClock
    at_ms: int

    @property
    def bets_due(self) -> bool:
        """True if the time for bets is up, and the player hasn't seen yet what follows."""
        return (closes_ms := self.clock.bets_close_ms) is not None and self.at_ms >= closes_ms

    @property
    def closed_key(self) -> str:
        return f"{self.clock.round}:closed"

    @property
    def result_key(self) -> str:
        return f"result:{self.table}:{self.clock.round}"


async def until_planned(bettor: Bettor, plan: Plan) -> None:
    """Wait for the planned moment, or the end of the bettor's round, which may lack that phase.

    Players don't see `no_more_bets`, as it lasts for a commit or two: it begins when the time for bets is up.
    """
    closes = plan.phase == "no_more_bets"
    awaited = (*(BETTING_PHASES if closes else (plan.phase,)), "pause")
    await bettor.client.player.until(
        lambda: bettor.clock.phase in awaited or bettor.clock.round != bettor.round
    )
    if closes:
        await bettor.until_bets_close()
    await asyncio.sleep(plan.delay_s)


def sights(bettors: Iterable[Bettor]) -> list[Sight]:
    now_ms = clock.now_ms()
    return [Sight(bettor.table, bettor.clock, now_ms) for bettor in bettors]


async def phases_met(url: PostgresqlUrl, seen: Sequence[Sight]) -> tuple[Phase, ...]:
    """Return the phases in which the tables are in the journal once their owner has failed."""
    await asyncio.sleep(WRITTEN_S)
    keys = [key for sight in seen for key in (sight.closed_key, sight.result_key)]
    with administration(url.text) as connection:
        rows = connection.execute("SELECT key FROM journal WHERE key = ANY(%s)", [keys]).fetchall()
    written = {key for (key,) in rows}
    return tuple(phase_met(sight, written) for sight in seen)


def phase_met(sight: Sight, written: Collection[str]) -> Phase:
    """Return a table's phase by what the player saw and the keys in the journal."""
    if sight.result_key in written:
        return "pause"
    if sight.clock.phase not in (*BETTING_PHASES, "no_more_bets"):
        return sight.clock.phase
    if sight.closed_key in written:
        return "dealing"
    return "no_more_bets" if sight.bets_due else sight.clock.phase

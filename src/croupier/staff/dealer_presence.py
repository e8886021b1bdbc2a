"""A table that a person deals stands still while he isn't at his desk, as if he had called the floor."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

from croupier.ledger.protocol import LedgerBroken
from croupier.protocol import staff_wire
from croupier.refusal import Refused
from croupier.runtime.ledger_gateway import LedgerGateway
from croupier.runtime.live.table import LiveTable
from croupier.staff.actions import INPUTS
from croupier.staff.event_log import Actor, LogLocation, log_action
from croupier.tables.live.phases import ROUND_PHASES

AWAY_REASON = "The dealer is away"
AWAY_AFTER_S = 3.0
"""A page that is loaded anew isn't missed."""
SERVER = Actor("house", "house")
PauseCommand = staff_wire.PauseTable | staff_wire.ResumeTable


class DealerPresence:
    """`there`: whether a dealer has that table's page open.

    What is ordered here stands in the event log, as the house's.
    """

    def __init__(
        self, gateway: LedgerGateway, tables: Mapping[str, LiveTable], there: Callable[[str], bool]
    ) -> None:
        self._gateway = gateway
        self._tables = tables
        self._there = there
        self._seen_s: dict[str, float] = {}
        self._jobs: dict[str, asyncio.Task[None]] = {}
        for name, live in tables.items():
            live.watch(partial(self.look, name))

    def went(self, table: str) -> None:
        """A dealer's page is gone; he may be back in a moment."""
        loop = asyncio.get_running_loop()
        self._seen_s[table] = loop.time()
        loop.call_later(AWAY_AFTER_S, self.look, table)

    def look(self, table: str) -> None:
        """Pauses the table where somebody is missed, and goes on where nobody is any more."""
        order = self._order(table)
        if order and table not in self._jobs:
            self._jobs[table] = asyncio.create_task(self._carry_out(order))

    def _order(self, table: str) -> PauseCommand | None:
        live = self._tables[table]
        missed = _needs_a_dealer(live) and self._away(table)
        if missed and not live.state.paused:
            return staff_wire.PauseTable("", table, AWAY_REASON)
        if not missed and live.state.paused == AWAY_REASON:
            return staff_wire.ResumeTable("", table)
        return None

    def _away(self, table: str) -> bool:
        missed_s = asyncio.get_running_loop().time() - self._seen_s.get(table, -AWAY_AFTER_S)
        return not self._there(table) and missed_s >= AWAY_AFTER_S

    async def _carry_out(self, order: PauseCommand) -> None:
        live = self._tables[order.table]
        where = LogLocation(order.table, live.state.round)
        try:
            await log_action(
                self._gateway, SERVER, order, lambda: live.execute(INPUTS[type(order)](order)), where
            )
        except (Refused, LedgerBroken):  # somebody was quicker, or the house closes
            return
        finally:
            del self._jobs[order.table]
        self.look(order.table)


def _needs_a_dealer(live: LiveTable) -> bool:
    """A person's table that is open, unless it only waits to be closed between two rounds."""
    phase = live.state.phase
    goes_on = phase in ROUND_PHASES or (phase != "closed" and not live.state.closing)
    return live.dealer == "person" and goes_on and not live.is_closing

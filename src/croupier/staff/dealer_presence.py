"""Pauses a table dealt by a person while no dealer has its page open."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

from croupier.action_log import Actor, LogLocation, log_action
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.dealing.live.table import LiveTable
from croupier.ledger.protocol import LedgerBroken
from croupier.protocol import staff_wire
from croupier.refusal import Refused
from croupier.staff.actions import INPUTS
from croupier.tables.live.phases import ROUND_PHASES

AWAY_REASON = "The dealer is away"
AWAY_AFTER_S = 3.0
"""Grace period, so that reloading the page doesn't pause the table."""
SERVER = Actor("house", "house")
PauseCommand = staff_wire.PauseTable | staff_wire.ResumeTable


class DealerPresence:
    """Pauses and resumes tables; the event log records this as the server's actions.

    `has_dealer` returns whether a dealer has a table's page open.
    """

    def __init__(
        self, gateway: LedgerGateway, tables: Mapping[str, LiveTable], has_dealer: Callable[[str], bool]
    ) -> None:
        self._gateway = gateway
        self._tables = tables
        self._has_dealer = has_dealer
        self._left_s: dict[str, float] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        for name, live in tables.items():
            live.watch(partial(self.check, name))

    def dealer_left(self, table: str) -> None:
        """Start the grace period after a dealer closed the page."""
        loop = asyncio.get_running_loop()
        self._left_s[table] = loop.time()
        loop.call_later(AWAY_AFTER_S, self.check, table)

    def check(self, table: str) -> None:
        """Pause the table if its dealer is away, or resume it if that is no longer so."""
        command = self._command(table)
        if command and table not in self._tasks:
            self._tasks[table] = asyncio.create_task(self._execute(command))

    def _command(self, table: str) -> PauseCommand | None:
        live = self._tables[table]
        away = _needs_a_dealer(live) and self._is_away(table)
        if away and not live.state.paused:
            return staff_wire.PauseTable("", table, AWAY_REASON)
        if not away and live.state.paused == AWAY_REASON:
            return staff_wire.ResumeTable("", table)
        return None

    def _is_away(self, table: str) -> bool:
        away_s = asyncio.get_running_loop().time() - self._left_s.get(table, -AWAY_AFTER_S)
        return not self._has_dealer(table) and away_s >= AWAY_AFTER_S

    async def _execute(self, command: PauseCommand) -> None:
        live = self._tables[command.table]
        location = LogLocation(command.table, live.state.round)
        try:
            await log_action(
                self._gateway, SERVER, command, lambda: live.execute(INPUTS[type(command)](command)), location
            )
        except (Refused, LedgerBroken):  # the state changed meanwhile, or the server is stopping
            return
        finally:
            del self._tasks[command.table]
        self.check(command.table)


def _needs_a_dealer(live: LiveTable) -> bool:
    """Return whether a person deals the table and it is open, unless it only waits to close."""
    phase = live.state.phase
    active = phase in ROUND_PHASES or (phase != "closed" and not live.state.closing)
    return live.dealer == "person" and active and not live.is_closing

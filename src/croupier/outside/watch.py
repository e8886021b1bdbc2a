"""Tells the staff when a system outside the server falls silent, and when it answers again."""

import asyncio
import logging

import msgspec

from croupier import clock
from croupier.action_log import Actor, log_action
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.ledger.protocol import DatabaseUnreachable, LedgerBroken
from croupier.outside.systems import OutsideName, OutsideSystem, OutsideSystems

LOOK_S = 0.5
SILENT_MS = 1_500
"""Time after which a system without an answer is an event: one lost answer among many isn't."""
SERVER = Actor("", "server")

log = logging.getLogger(__name__)


class OutsideSilent(msgspec.Struct, frozen=True, tag_field="t", tag="outside_silent"):
    """Record in the event log of a system that has stopped answering."""

    system: OutsideName


class OutsideAnswers(msgspec.Struct, frozen=True, tag_field="t", tag="outside_answers"):
    """Record in the event log of a system that answers again."""

    system: OutsideName
    silent_seconds: int


class OutsideWatch:
    """Logs the silence of each system once, and its end."""

    def __init__(self, systems: OutsideSystems, gateway: LedgerGateway) -> None:
        self.systems = systems
        self._gateway = gateway
        self._silent = dict[OutsideName, int]()
        """Systems whose silence is logged, and when it began."""

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self.look()
            except DatabaseUnreachable as error:
                log.debug("an outage can't be entered in the event log: %s", error)
            except LedgerBroken:
                return  # the server stops
            except Exception:
                log.exception("looking at the systems outside failed; it is tried again")

    async def look(self) -> None:
        for system in self.systems:
            since_ms = system.silent_since_ms
            if since_ms is None:
                await self._log_answers(system)
            elif clock.now_ms() - since_ms >= SILENT_MS and system.name not in self._silent:
                self._silent[system.name] = since_ms
                log.warning("%s: no answer for %d s", system.name, (clock.now_ms() - since_ms) // 1000)
                await self._enter(OutsideSilent(system.name))

    async def _log_answers(self, system: OutsideSystem) -> None:
        since_ms = self._silent.pop(system.name, None)
        if since_ms is not None:
            seconds = (clock.now_ms() - since_ms) // 1000
            log.warning("%s: answers again after %d s", system.name, seconds)
            await self._enter(OutsideAnswers(system.name, seconds))

    async def _enter(self, event: OutsideSilent | OutsideAnswers) -> None:
        await log_action(self._gateway, SERVER, event, _do_nothing)


async def _do_nothing() -> None:
    """The event has happened already."""

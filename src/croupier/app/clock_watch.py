"""Sets the server's clock at the start, and reports steps of the system clock in log and journal.

The journal's clock notes tie the server's clock to the time since the machine was booted. Until the next
boot a restarted server counts on from there, and a step of the system clock makes no difference.
"""

import asyncio
import logging
from asyncio import wrap_future
from pathlib import Path
from typing import Literal

import msgspec

from croupier.admission.ledger_gateway import LedgerGateway
from croupier.clock import CLOCK, ServerClock
from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import Ledger, LedgerBroken, LedgerReader

log = logging.getLogger(__name__)

NOTES = "clock:"
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
CHECK_EVERY_S = 1.0
LOGGED_DIFFERENCE_MS = 250


class Reading(msgspec.Struct, frozen=True):
    """The body of a clock note: simultaneous readings of the clocks.

    `boot` identifies the boot of the machine from which `elapsed_ms` counts; empty if it is unknown.
    """

    why: Literal["boot", "accepted", "step"]
    boot: str
    elapsed_ms: int
    now_ms: int
    system_ms: int
    step_ms: int = 0


def boot_id() -> str:
    try:
        return BOOT_ID.read_text().strip()
    except OSError:
        return ""


async def set_clock(ledger: Ledger, *, accept_system_time: bool = False, by: ServerClock = CLOCK) -> None:
    """Set the clock when a process opens the ledger, always to a time after the journal's last entry.

    After a new boot, or if the operator accepts the system time, the clock is set to the system clock.
    """
    now_ms = None if accept_system_time else await asyncio.to_thread(_continued_ms, ledger, by)
    if now_ms is None:
        by.set_ms(max(by.system_ms, await asyncio.to_thread(ledger.last_ms) + 1))
    else:
        by.set_ms(now_ms)
    if now_ms is None:
        note = _note(by, "accepted" if accept_system_time else "boot")
        await wrap_future(ledger.post([note]))
    if abs(by.ahead_ms) >= LOGGED_DIFFERENCE_MS:
        log.warning("The system clock differs: it is %s. %s", _distance(by), ADVICE)


def _continued_ms(ledger: LedgerReader, by: ServerClock) -> int | None:
    """Return the time counted on from the last clock note; None if the machine was booted since."""
    note = next(iter(ledger.notes(NOTES, limit=1)), None)
    last = msgspec.convert(note.body, Reading) if note else None
    passed_ms = by.elapsed_ms - last.elapsed_ms if last and last.boot and last.boot == boot_id() else -1
    return last.now_ms + passed_ms if last and passed_ms >= 0 else None


async def watch_clock(gateway: LedgerGateway, by: ServerClock = CLOCK) -> None:
    """Report each step of the system clock until cancelled."""
    while True:
        await asyncio.sleep(CHECK_EVERY_S)
        try:
            await check_clock(gateway, by)
        except LedgerBroken:
            return  # the server stops


async def check_clock(gateway: LedgerGateway, by: ServerClock = CLOCK) -> None:
    if step_ms := by.check():
        log.warning(
            "The system clock stepped by %+.3f s and is now %s. %s", step_ms / 1000, _distance(by), ADVICE
        )
        await gateway.post([_note(by, "step", step_ms)])


def _note(by: ServerClock, why: Literal["boot", "accepted", "step"], step_ms: int = 0) -> Entry:
    reading = Reading(why, boot_id(), by.elapsed_ms, by.now_ms(), by.system_ms, step_ms)
    key = f"{NOTES}{reading.now_ms:014d}"
    return entries.note(key, reading.now_ms, msgspec.to_builtins(reading))


ADVICE = (
    "The server's own clock goes on as before. "
    "If the system clock is right, restart the server with --accept-system-time."
)


def _distance(by: ServerClock) -> str:
    ahead_s = by.ahead_ms / 1000
    return f"{abs(ahead_s):.3f} s {'behind' if ahead_s > 0 else 'ahead of'} the server's"

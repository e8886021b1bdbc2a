"""The event log of staff actions, with their reasons and outcomes, stored in the journal.

A note in the journal records each action before it is executed, and another one records its answer. An
action without an answer was interrupted when the server stopped.
"""

import secrets
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

import msgspec

from croupier.clock import now_ms
from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import LedgerReader
from croupier.protocol import staff_wire
from croupier.protocol.encoding import encode
from croupier.refusal import Refused
from croupier.runtime.ledger_gateway import LedgerGateway

T = TypeVar("T")

ASKED = "staff.asked:"
ANSWERED = "staff.answered:"
OK = "ok"
LINES_PER_PAGE = 50


class ActionNote(msgspec.Struct, frozen=True):
    """Body of an action's note: the command's tag in `what`, its other fields in `details`."""

    name: str
    role: str
    what: str
    reason: str
    details: dict[str, Any]


class Actor(NamedTuple):
    """Name and role of whoever acts."""

    name: str
    role: str


class LogLocation(NamedTuple):
    """Table and round of an action; empty if it has none."""

    table: str = ""
    round: str = ""


NOWHERE = LogLocation()


async def log_action(
    gateway: LedgerGateway,
    actor: Actor,
    command: msgspec.Struct,
    execute: Callable[[], Awaitable[T]],
    location: LogLocation = NOWHERE,
) -> T:
    """Execute an action and return its result; log it durably before, and its answer afterwards."""
    action = f"{now_ms():014d}.{secrets.token_hex(4)}"
    await gateway.post([_note(action, actor, command, location)])
    answer = "malfunction"
    try:
        result = await execute()
        answer = OK
    except Refused as refused:
        answer = refused.code
        raise
    finally:
        note = entries.note(ANSWERED + action, now_ms(), {"answer": answer}, table=location.table)
        await gateway.post([note])
    return result


def _note(action: str, actor: Actor, command: msgspec.Struct, location: LogLocation) -> Entry:
    fields = msgspec.to_builtins(command)
    what = fields.pop("t")
    details = {name: value for name, value in fields.items() if name not in ("req", "table", "reason")}
    body = {**actor._asdict(), "what": what, "reason": fields.get("reason") or "", "details": details}
    return entries.note(ASKED + action, now_ms(), body, table=location.table, round_id=location.round)


def event_log_page(
    ledger: LedgerReader,
    before: str | None = None,
    table: str | None = None,
    text: str = "",
    limit: int = LINES_PER_PAGE,
) -> staff_wire.EventLogPage:
    """Return the actions before the action `before` whose notes contain `text`, newest first."""
    last = None if before is None else ASKED + before
    found = ledger.notes(ASKED, before=last, table=table, text=text, limit=limit + 1)
    return staff_wire.EventLogPage(
        tuple(_line(ledger, note) for note in found[:limit]), more=len(found) > limit
    )


def _line(ledger: LedgerReader, note: Entry) -> staff_wire.EventLogLine:
    noted = msgspec.convert(note.body, ActionNote)
    action = note.key.removeprefix(ASKED)
    answer = ledger.entry(ANSWERED + action)
    return staff_wire.EventLogLine(
        id=action,
        at_ms=note.at_ms,
        name=noted.name,
        role=noted.role,
        what=noted.what,
        table=note.table,
        round=note.round,
        reason=noted.reason,
        details={name: _text(value) for name, value in noted.details.items()},
        answer=str(answer.body["answer"]) if answer else "",
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else encode(value).decode()

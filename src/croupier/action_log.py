"""Actions noted in the journal with their reasons and outcomes: those of staff, and failed sign-ins.

A note in the journal records each action before it is executed, and another one records its answer. An
action without an answer was interrupted when the server stopped.
"""

import secrets
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

import msgspec

from croupier.admission.ledger_gateway import LedgerGateway
from croupier.clock import now_ms
from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.refusal import Refused

T = TypeVar("T")

ASKED = "staff.asked:"
ANSWERED = "staff.answered:"
OK = "ok"


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
    action = _new_id(now_ms())
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


def finished_action(
    actor: Actor, record: msgspec.Struct, at_ms: int, answer: str = OK
) -> tuple[Entry, Entry]:
    """Return the notes of something that happens in the same transaction."""
    action = _new_id(at_ms)
    answered = entries.note(ANSWERED + action, at_ms, {"answer": answer})
    return _note(action, actor, record, NOWHERE), answered


def first_id(at_ms: int) -> str:
    """Return the beginning of the ids of actions made at a time; it sorts before them and later ones."""
    return f"{at_ms:014d}"


def _new_id(at_ms: int) -> str:
    return f"{first_id(at_ms)}.{secrets.token_hex(4)}"


def _note(action: str, actor: Actor, command: msgspec.Struct, location: LogLocation) -> Entry:
    fields = msgspec.to_builtins(command)
    what = fields.pop("t")
    details = {name: value for name, value in fields.items() if name not in ("req", "table", "reason")}
    body = {**actor._asdict(), "what": what, "reason": fields.get("reason") or "", "details": details}
    return entries.note(ASKED + action, now_ms(), body, table=location.table, round_id=location.round)

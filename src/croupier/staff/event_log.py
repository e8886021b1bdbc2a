"""The event log: what staff did, when, why, and what came of it. It is kept in the journal.

An action is a note before it is carried out, and its answer another note after it. So nothing is done
that isn't in the books, and an action without an answer is one that the house was cut off in.
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
from croupier.refusal import Refused
from croupier.runtime.ledger_gateway import LedgerGateway

T = TypeVar("T")

ASKED = "staff.asked:"
ANSWERED = "staff.answered:"
OK = "ok"
LINES_PER_PAGE = 50


class ActionNote(msgspec.Struct, frozen=True):
    """The body of an action's note. `what` is done, `details` are its particulars."""

    name: str
    role: str
    what: str
    reason: str
    details: dict[str, Any]


class Actor(NamedTuple):
    """Who does something."""

    name: str
    role: str


class LogLocation(NamedTuple):
    """At which table, in which round; empty: at none."""

    table: str = ""
    round: str = ""


NOWHERE = LogLocation()


async def log_action(
    gateway: LedgerGateway,
    who: Actor,
    command: msgspec.Struct,
    do: Callable[[], Awaitable[T]],
    where: LogLocation = NOWHERE,
) -> T:
    """What `do` does and answers: in the event log, durably, before it is done, and its answer after it."""
    action = f"{now_ms():014d}.{secrets.token_hex(4)}"
    await gateway.post([_asked(action, who, command, where)])
    answer = "malfunction"
    try:
        done = await do()
        answer = OK
    except Refused as no:
        answer = no.code
        raise
    finally:
        note = entries.note(ANSWERED + action, now_ms(), {"answer": answer}, table=where.table)
        await gateway.post([note])
    return done


def _asked(action: str, who: Actor, command: msgspec.Struct, where: LogLocation) -> Entry:
    words = msgspec.to_builtins(command)
    what = words.pop("t")
    details = {name: value for name, value in words.items() if name not in ("req", "table", "reason")}
    body = {**who._asdict(), "what": what, "reason": words.get("reason") or "", "details": details}
    return entries.note(ASKED + action, now_ms(), body, table=where.table, round_id=where.round)


def event_log_page(
    books: LedgerReader,
    before: str | None = None,
    table: str | None = None,
    text: str = "",
    limit: int = LINES_PER_PAGE,
) -> staff_wire.EventLogPage:
    """Actions before the action `before`, newest first, in whose notes `text` stands."""
    last = None if before is None else ASKED + before
    found = books.notes(ASKED, before=last, table=table, text=text, limit=limit + 1)
    return staff_wire.EventLogPage(
        tuple(_line(books, note) for note in found[:limit]), more=len(found) > limit
    )


def _line(books: LedgerReader, note: Entry) -> staff_wire.EventLogLine:
    noted = msgspec.convert(note.body, ActionNote)
    action = note.key.removeprefix(ASKED)
    answer = books.entry(ANSWERED + action)
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
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()

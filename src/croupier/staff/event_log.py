"""The event log, as managers read it."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, NamedTuple

import msgspec

from croupier.action_log import ANSWERED, ASKED, OK, ActionNote, first_id
from croupier.gateway.pages.csv_files import PagedCsv, guarded, utc
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import LedgerReader
from croupier.ledger.reports import NoteFilter, Reply
from croupier.protocol import staff_wire
from croupier.protocol.encoding import encode

LINES_PER_PAGE = 50
LINES_PER_QUERY = 500
COLUMNS = ("time", "name", "role", "action", "table", "round", "player", "reason", "details", "answer")
DONE = Reply(ANSWERED, "answer", OK)


class LogSelection(NamedTuple):
    """The actions to list; empty fields select any."""

    table: str = ""
    text: str = ""
    """A text anywhere in the action's note."""
    name: str = ""
    what: str = ""
    player: str = ""
    from_ms: int = 0
    to_ms: int | None = None
    refused: bool = False
    """Only those that weren't done: refused or interrupted ones."""

    def filter(self, before: str) -> NoteFilter:
        """Return the filter of the actions before the action `before`; empty: of all."""
        ends = [before] if before else []
        ends += [] if self.to_ms is None else [first_id(self.to_ms)]
        fields = {"name": self.name, "what": self.what, "details.player": self.player}
        return NoteFilter(
            first_id(self.from_ms),
            min(ends, default=""),
            self.table,
            self.text,
            {path: wanted for path, wanted in fields.items() if wanted},
            DONE if self.refused else None,
        )


def event_log_page(
    ledger: LedgerReader, selection: LogSelection, before: str = "", limit: int = LINES_PER_PAGE
) -> staff_wire.EventLogPage:
    """Return the selected actions before the action `before`, newest first."""
    found = ledger.reports.notes(ASKED, selection.filter(before), limit=limit + 1)
    return staff_wire.EventLogPage(
        tuple(_line(ledger, note) for note in found[:limit]), more=len(found) > limit
    )


def event_log_csv(ledger: LedgerReader, paged: PagedCsv, selection: LogSelection) -> AsyncIterator[str]:
    """Yield the selected actions as CSV, newest first."""

    def page(last: staff_wire.EventLogLine | None) -> Sequence[staff_wire.EventLogLine]:
        return event_log_page(ledger, selection, last.id if last else "", LINES_PER_QUERY).lines

    return paged.text(COLUMNS, page, _row)


def _row(line: staff_wire.EventLogLine) -> Sequence[str]:
    others = ", ".join(f"{name} {value}" for name, value in line.details.items() if name != "player")
    texts = (line.name, line.role, line.what, line.table, line.round, line.details.get("player", ""))
    return (utc(line.at_ms), *(guarded(text) for text in (*texts, line.reason, others, line.answer)))


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

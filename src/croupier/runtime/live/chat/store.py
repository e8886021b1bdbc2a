"""Keeps what happens in the rooms for 90 days, and opens each room again where it was.

A note is told at once and kept with the next commit. One small write is on its way at a time, with all that
was gathered while the one before it was committed, so bets never wait for more of the chat than that.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any, get_args

import msgspec

from croupier.clock import now_ms
from croupier.ledger.protocol import LedgerBroken
from croupier.runtime.ledger_gateway import Bank
from croupier.runtime.live.chat.room import LINES_KNOWN, Note, Room, Said
from croupier.runtime.live.chat.rows import ChatRow, ChatRows

KEPT_MS = 90 * 24 * 3600 * 1000
"""Regulators ask for as much (GLI-19 A.4.7)."""
WRITTEN_AT_ONCE = 100
NOTES_READ = 4 * LINES_KNOWN
"""Of a room that opens again: its lines, and what was done about them. Who is muted is read besides."""

_KINDS: dict[str, msgspec.json.Decoder[Any]] = {
    kind.__name__: msgspec.json.Decoder(kind) for kind in get_args(Note)
}


class ChatLog:
    def __init__(self, bank: Bank, rows: ChatRows) -> None:
        self._bank = bank
        self._rows = rows
        self._gathered: list[ChatRow] = []
        self._writing: asyncio.Task[None] | None = None

    async def room(self, table: str, *, open: bool = True) -> Room:  # noqa: A002
        """The table's room as it was when it was last open; what happens in it from now on is kept."""
        room = Room(table, open=open, notes=await self._notes(table))
        room.watch(partial(self._keep, table))
        return room

    async def _notes(self, table: str) -> Sequence[Note]:
        rows = await self._bank.durable(self._rows.newest(table, NOTES_READ))
        return [_KINDS[what].decode(note) for what, note in rows]

    async def kept(self) -> None:
        """Returns when all that has happened is kept."""
        if self._writing is not None:
            await self._writing

    def _keep(self, table: str, note: Note) -> None:
        at_ms = note.line.at_ms if isinstance(note, Said) else note.at_ms
        self._gathered.append(ChatRow(table, at_ms, type(note).__name__, msgspec.json.encode(note).decode()))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        with suppress(LedgerBroken):  # the bank has said so, and the house closes
            while self._gathered:
                rows = self._gathered[:WRITTEN_AT_ONCE]
                del self._gathered[:WRITTEN_AT_ONCE]
                now = now_ms()
                await self._bank.durable(self._rows.add(rows, now, now - KEPT_MS))

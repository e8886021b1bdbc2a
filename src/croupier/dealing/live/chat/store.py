"""The record of the chat rooms: kept for 90 days, and read when a room opens again.

An event is published at once and kept with the next commit. One small write is under way at a time, with all
events since the write before it, so that bets wait for no more of the chat than that.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec

from croupier.admission.ledger_gateway import LedgerGateway
from croupier.clock import now_ms
from croupier.dealing.live.chat.room import (
    LINES_KNOWN,
    ChatEvent,
    ChatRoom,
    LinePosted,
    LineRemoved,
    LineReported,
    PlayerMuted,
    ReportsDismissed,
)
from croupier.dealing.live.chat.rows import ChatRow, ChatRows
from croupier.ledger.protocol import LedgerBroken

KEPT_MS = 90 * 24 * 3600 * 1000
"""Required by GLI-19 A.4.7."""
ROWS_PER_WRITE = 100
ROWS_READ = 4 * LINES_KNOWN
"""Rows read when a room opens: its lines, and their moderation. All mutes are read besides."""

KINDS: dict[str, type[ChatEvent]] = {
    "Said": LinePosted,
    "TakenAway": LineRemoved,
    "Muted": PlayerMuted,
    "Reported": LineReported,
    "Dismissed": ReportsDismissed,
}
"""The events by the names that stand in the database."""
_NAMES = {kind: name for name, kind in KINDS.items()}
_DECODERS: dict[str, msgspec.json.Decoder[Any]] = {
    name: msgspec.json.Decoder(kind) for name, kind in KINDS.items()
}


class ChatStore:
    def __init__(self, gateway: LedgerGateway, rows: ChatRows) -> None:
        self._gateway = gateway
        self._rows = rows
        self._unwritten: list[ChatRow] = []
        self._writing: asyncio.Task[None] | None = None

    async def room(self, table: str, *, open: bool = True) -> ChatRoom:  # noqa: A002
        """Return the table's room as it was, and keep its events from now on."""
        room = ChatRoom(table, open=open, events=await self._events(table))
        room.watch(partial(self._keep, table))
        return room

    async def _events(self, table: str) -> Sequence[ChatEvent]:
        rows = await self._gateway.durable(self._rows.newest(table, ROWS_READ))
        return [_DECODERS[kind].decode(note) for kind, note in rows]

    async def flush(self) -> None:
        """Return when all events are kept."""
        if self._writing is not None:
            await self._writing

    def _keep(self, table: str, event: ChatEvent) -> None:
        at_ms = event.line.at_ms if isinstance(event, LinePosted) else event.at_ms
        note = msgspec.json.encode(event).decode()
        self._unwritten.append(ChatRow(table, at_ms, _NAMES[type(event)], note))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        with suppress(LedgerBroken):  # the server stops
            while self._unwritten:
                rows = self._unwritten[:ROWS_PER_WRITE]
                del self._unwritten[:ROWS_PER_WRITE]
                now = now_ms()
                await self._gateway.durable(self._rows.add(rows, now, now - KEPT_MS))

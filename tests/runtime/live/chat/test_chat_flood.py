"""A thousand lines a second at a table don't delay bets. Counted, not timed."""

from collections.abc import AsyncIterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import pytest

from croupier.ledger.sqlite.store import SqliteLedger
from croupier.protocol import wire
from croupier.runtime.live.chat.room import ROOM_RATE
from tests.runtime.live.in_process import ManualServer, guest_of, manual_server
from tests.runtime.live.player import INFINITE, Player, req

pytestmark = pytest.mark.anyio

CROWD = 50
LINES_EACH = 20
MAIN = (0, "main", 1_000)


class Writes:
    """The order of the writes to the database, and the number of chat writes under way."""

    def __init__(self, hands: ManualServer, monkeypatch: pytest.MonkeyPatch) -> None:
        self.chat_before_bets: list[int] = []
        self._chat = 0
        self._gateway = hands.house.gateway
        self._post_each = self._gateway.post_each
        rows = hands.house.chat._rows
        self._add = rows.add
        monkeypatch.setattr(rows, "add", self.add)
        monkeypatch.setattr(self._gateway, "post_each", self.post_each)

    def add(self, *rows: Any) -> Future[None]:
        self._chat += 1
        written = self._add(*rows)
        written.add_done_callback(self._done)
        return written

    def _done(self, _: Future[None]) -> None:
        self._chat -= 1

    async def post_each(self, posted: Any) -> Any:
        self.chat_before_bets.append(self._chat)
        return await self._post_each(posted)


@pytest.fixture
async def hands(tmp_path: Path, speculate: None) -> AsyncIterator[ManualServer]:
    async with manual_server(tmp_path) as hands:
        yield hands


async def arrived(hands: ManualServer) -> Player:
    player = await (await guest_of(hands.house)).dial()
    assert await player.join() == ""
    return player


async def test_bets_do_not_wait_for_the_chat(hands: ManualServer, monkeypatch: pytest.MonkeyPatch) -> None:
    await hands.until("betting")
    bettors = [await arrived(hands) for _ in range(5)]
    crowd = [await arrived(hands) for _ in range(CROWD)]
    writes = Writes(hands, monkeypatch)
    for number in range(LINES_EACH):
        said = [one.asked(wire.PostChat(req(), INFINITE, f"line {number}")) for one in crowd]
        if number < len(bettors):
            assert await bettors[number].bet(MAIN) == ""
            assert bettors[number].mine[INFINITE].held_minor == 1_000
        for answer in said:
            await answer
    assert writes.chat_before_bets
    assert max(writes.chat_before_bets) <= 1, "one small write of the chat is on its way at most"
    await hands.house.chat.flush()
    ledger = hands.house.ledger
    assert isinstance(ledger, SqliteLedger)
    kept = await hands.house.gateway.durable(ledger.run(_kept))
    for one in (*bettors, *crowd):  # delivery is in batches
        await one.until(partial(has_heard, one, kept))
    told = bettors[0].chat[INFINITE]
    assert ROOM_RATE.burst <= len(told) < CROWD * LINES_EACH / 2, "the room is quieter than the crowd"
    assert [line.line for line in told] == sorted(line.line for line in told)
    assert all(one.chat[INFINITE] == told for one in crowd)


def has_heard(player: Player, lines: int) -> bool:
    return len(player.chat[INFINITE]) == lines


def _kept(books: Connection) -> int:
    return int(books.execute("SELECT count(*) FROM chat WHERE what = 'Said'").fetchone()[0])

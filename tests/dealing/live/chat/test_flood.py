"""A thousand chat lines a second at a table don't delay bets. The test counts; it doesn't measure time."""

from concurrent.futures import Future
from functools import partial
from typing import Any

import pytest

from croupier.admission.ledger_gateway import LedgerGateway
from croupier.dealing.live.chat.room import ROOM_RATE
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.protocol import wire
from tests.dealing.live.in_process import MAIN_BET, ManualServer, join_table
from tests.dealing.live.player import INFINITE, Player, req

pytestmark = pytest.mark.anyio

CHATTERS = 50
LINES_EACH = 20


class Writes:
    """Counts the chat writes that are under way when a bet is posted."""

    def __init__(self, manual: ManualServer, monkeypatch: pytest.MonkeyPatch) -> None:
        self.chat_writes_at_bets: list[int] = []
        self._under_way = 0
        rows = manual.server.chat._rows
        self._add = rows.add
        monkeypatch.setattr(rows, "add", self.add)
        post_each = LedgerGateway.post_each

        async def counted(gateway: LedgerGateway, posted: Any) -> Any:
            self.chat_writes_at_bets.append(self._under_way)
            return await post_each(gateway, posted)

        monkeypatch.setattr(LedgerGateway, "post_each", counted)  # each table has a gateway of its own

    def add(self, *rows: Any) -> Future[None]:
        self._under_way += 1
        written = self._add(*rows)
        written.add_done_callback(self._done)
        return written

    def _done(self, _: Future[None]) -> None:
        self._under_way -= 1


async def test_bets_do_not_wait_for_the_chat(manual: ManualServer, monkeypatch: pytest.MonkeyPatch) -> None:
    bettors = [(await join_table(manual))[1] for _ in range(5)]
    chatters = [(await join_table(manual))[1] for _ in range(CHATTERS)]
    writes = Writes(manual, monkeypatch)
    for number in range(LINES_EACH):
        answers = [chatter.submit(wire.PostChat(req(), INFINITE, f"line {number}")) for chatter in chatters]
        if number < len(bettors):
            assert await bettors[number].bet(MAIN_BET) == ""
            assert bettors[number].mine[INFINITE].held_minor == 1_000
        for answer in answers:
            await answer
    assert writes.chat_writes_at_bets
    assert max(writes.chat_writes_at_bets) <= 1, "at most one small chat write is under way"
    await manual.server.chat.flush()
    ledger = manual.server.ledger
    assert isinstance(ledger, SqliteLedger)
    stored = await manual.server.gateway.durable(ledger.run(_stored_lines))
    for player in (*bettors, *chatters):  # delivery is in batches
        await player.until(partial(has_received, player, stored))
    lines = bettors[0].chat[INFINITE]
    assert ROOM_RATE.burst <= len(lines) < CHATTERS * LINES_EACH / 2, "the room refuses most lines"
    assert [line.line for line in lines] == sorted(line.line for line in lines)
    assert all(chatter.chat[INFINITE] == lines for chatter in chatters)


def has_received(player: Player, lines: int) -> bool:
    return len(player.chat[INFINITE]) == lines


def _stored_lines(database: Connection) -> int:
    return int(database.execute("SELECT count(*) FROM chat WHERE what = 'Said'").fetchone()[0])

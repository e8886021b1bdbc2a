"""Chat events are kept for their time, and no bet waits for them."""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from sqlite3 import Connection
from typing import Any, TypeVar

import pytest

from croupier.app.serve import open_books
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.ledger.sqlite.transactions import Transactions
from croupier.runtime.ledger_gateway import LedgerGateway, standalone_gateway
from croupier.runtime.live.chat import store
from croupier.runtime.live.chat.room import ChatRoom
from croupier.runtime.live.chat.rows import ChatRow, ChatRows
from croupier.runtime.live.chat.store import KEPT_MS, ROWS_PER_WRITE, ChatStore
from croupier.storage.sqlite.chat_rows import SqliteChatRows

pytestmark = pytest.mark.anyio

Result = TypeVar("Result")
T = 1_764_028_800_000
DAY_MS = 24 * 3600 * 1000


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "now_ms", lambda: T)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqliteLedger]:
    ledger = open_books(tmp_path)
    yield ledger
    ledger.close()


@pytest.fixture
def gateway(ledger: SqliteLedger) -> LedgerGateway:
    return standalone_gateway(ledger)


@pytest.fixture
def chat(ledger: SqliteLedger) -> ChatRows:
    return SqliteChatRows(ledger)


def speak(room: ChatRoom, lines: int, *, now_ms: int = T) -> None:
    """Post one line each by so many players, so that none is too fast."""
    for number in range(lines):
        room.post(f"p{number}", f"Player {number}", f"line {number}", now_ms + number * 50)


def rows(ledger: SqliteLedger) -> list[Any]:
    return ledger.run(
        lambda books: books.execute("SELECT table_id, at_ms, what FROM chat ORDER BY seq").fetchall()
    ).result()


async def test_a_room_is_as_before_after_a_restart(gateway: LedgerGateway, chat: ChatRows) -> None:
    log = ChatStore(gateway, chat)
    before, elsewhere = await log.room("infinite"), await log.room("seven_seat")
    speak(before, 7)
    elsewhere.post("ann", "Ann", "Hello", T)
    rude, muted = before.lines[2], before.lines[3]
    before.report("p0", rude.line, T)
    before.report("p1", before.lines[4].line, T)
    before.remove(rude.line, T)
    before.mute(muted.player, T + DAY_MS, T)
    await log.flush()
    again = await ChatStore(gateway, chat).room("infinite", open=False)
    assert (again.lines, again.reports) == (before.lines, before.reports)
    assert not again.open
    with pytest.raises(ValueError, match="chat_muted"):
        (await ChatStore(gateway, chat).room("infinite")).post("p3", "Player 3", "Hello?", T)


async def test_a_player_stays_muted_however_many_lines_follow(
    gateway: LedgerGateway, chat: ChatRows, ledger: SqliteLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "ROWS_READ", 5)
    log = ChatStore(gateway, chat)
    room = await log.room("infinite")
    muted = room.post("ann", "Ann", "Rude words", T)
    room.mute(muted.player, T + DAY_MS, T)
    speak(room, 30)
    await log.flush()
    again = await ChatStore(gateway, chat).room("infinite")
    assert len(again.lines) == 5
    assert again.lines == room.lines[-5:]
    with pytest.raises(ValueError, match="chat_muted"):
        again.post("ann", "Ann", "Hello?", T)


async def test_a_stored_line_names_its_player(
    gateway: LedgerGateway, chat: ChatRows, ledger: SqliteLedger
) -> None:
    log = ChatStore(gateway, chat)
    (await log.room("infinite")).post("p_ann", "Ann", "Hello", T)
    await log.flush()
    note = ledger.run(lambda books: books.execute("SELECT note FROM chat").fetchone()[0]).result()
    assert '"p_ann"' in note
    assert '"Hello"' in note


async def test_rows_are_kept_for_ninety_days(
    gateway: LedgerGateway, chat: ChatRows, ledger: SqliteLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = ChatStore(gateway, chat)
    room = await log.room("infinite")
    speak(room, 3)
    await log.flush()
    for now_ms, left in ((T + KEPT_MS, 4), (T + KEPT_MS + 51, 3), (T + KEPT_MS + DAY_MS, 3)):
        monkeypatch.setattr(store, "now_ms", lambda now_ms=now_ms: now_ms)
        room.post_notice("paused", {}, now_ms)
        await log.flush()
        assert len(rows(ledger)) == left
    assert [at_ms for _, at_ms, _ in rows(ledger)] == [
        T + KEPT_MS,
        T + KEPT_MS + 51,
        T + KEPT_MS + DAY_MS,
    ]


class Watched(SqliteChatRows):
    """Count the writes under way, and the rows of each."""

    def __init__(self, store: Transactions) -> None:
        super().__init__(store)
        self.order: list[str] = []

    def newest(self, table: str, most: int) -> Future[list[tuple[str, str]]]:
        return self._watched(super().newest(table, most))

    def add(self, rows: Sequence[ChatRow], at_ms: int, forget_ms: int) -> Future[None]:
        return self._watched(super().add(rows, at_ms, forget_ms))

    def _watched(self, written: Future[Result]) -> Future[Result]:
        self.order.append("begun")
        written.add_done_callback(lambda _: self.order.append("done"))
        return written


async def test_one_small_write_is_under_way_at_a_time(ledger: SqliteLedger, gateway: LedgerGateway) -> None:
    """A bet finds at most one of them before it in the queue."""
    chat = Watched(ledger)
    log = ChatStore(gateway, chat)
    room = await log.room("infinite")
    speak(room, 3 * ROWS_PER_WRITE)
    await log.flush()
    assert chat.order == ["begun", "done"] * (1 + 3)
    assert len(rows(ledger)) == 3 * ROWS_PER_WRITE


async def test_a_bet_overtakes_later_chat(
    ledger: SqliteLedger, gateway: LedgerGateway, chat: ChatRows
) -> None:
    """A thousand lines wait behind the write that is under way; a bet doesn't."""
    log = ChatStore(gateway, chat)
    room = await log.room("infinite")
    held = Future[None]()
    ledger.run(lambda _: held.result())
    speak(room, 1000)
    await asyncio.sleep(0)
    bet = ledger.run(_lines_kept)
    held.set_result(None)
    await log.flush()
    assert bet.result() <= ROWS_PER_WRITE
    assert len(rows(ledger)) == 1000


def _lines_kept(books: Connection) -> int:
    return int(books.execute("SELECT count(*) FROM chat").fetchone()[0])


async def test_a_broken_ledger_stops_the_writes(
    ledger: SqliteLedger, gateway: LedgerGateway, chat: ChatRows
) -> None:
    log = ChatStore(gateway, chat)
    room = await log.room("infinite")
    ledger.close()
    room.post("ann", "Ann", "Hello", T)
    await log.flush()
    assert gateway.broken.is_set()


def test_event_names_in_the_database_do_not_change() -> None:
    names = {name: kind.__name__ for name, kind in store.KINDS.items()}
    assert names == {
        "Said": "LinePosted",
        "TakenAway": "LineRemoved",
        "Muted": "PlayerMuted",
        "Reported": "LineReported",
        "Dismissed": "ReportsDismissed",
    }

"""Chat events are stored for ninety days, and no bet waits for their writes."""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import pytest

from croupier.admission.ledger_gateway import LedgerGateway, standalone_gateway
from croupier.app.serve import open_ledger
from croupier.dealing.live.chat import store
from croupier.dealing.live.chat.room import ChatRoom
from croupier.dealing.live.chat.rows import ChatRow, ChatRows
from croupier.dealing.live.chat.store import KEPT_MS, ROWS_PER_WRITE, ChatStore
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.store import SqlLedger
from croupier.ledger.sql.transactions import Transactions
from croupier.storage.sql.chat_rows import SqlChatRows

pytestmark = pytest.mark.anyio

Result = TypeVar("Result")
T = 1_764_028_800_000
DAY_MS = 24 * 3600 * 1000


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "now_ms", lambda: T)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqlLedger]:
    ledger = open_ledger(tmp_path)
    yield ledger
    ledger.close()


@pytest.fixture
def gateway(ledger: SqlLedger) -> LedgerGateway:
    return standalone_gateway(ledger)


@pytest.fixture
def chat(ledger: SqlLedger) -> ChatRows:
    return SqlChatRows(ledger)


def post_lines(room: ChatRoom, lines: int, *, now_ms: int = T) -> None:
    """Post each line as another player, so that none is refused as too fast."""
    for number in range(lines):
        room.post(f"p{number}", f"Player {number}", f"line {number}", now_ms + number * 50)


def rows(ledger: SqlLedger) -> list[Any]:
    return ledger.run(
        lambda database: database.execute("SELECT table_id, at_ms, what FROM chat ORDER BY seq").fetchall()
    ).result()


async def test_a_room_is_restored_after_a_restart(gateway: LedgerGateway, chat: ChatRows) -> None:
    chat_store = ChatStore(gateway, chat)
    before, other_table = await chat_store.room("infinite"), await chat_store.room("seven_seat")
    post_lines(before, 7)
    other_table.post("ann", "Ann", "Hello", T)
    rude, muted = before.lines[2], before.lines[3]
    before.report("p0", rude.line, T)
    before.report("p1", before.lines[4].line, T)
    before.remove(rude.line, T)
    before.mute(muted.player, T + DAY_MS, T)
    await chat_store.flush()
    again = await ChatStore(gateway, chat).room("infinite", open=False)
    assert (again.lines, again.reports) == (before.lines, before.reports)
    assert not again.open
    with pytest.raises(ValueError, match="chat_muted"):
        (await ChatStore(gateway, chat).room("infinite")).post("p3", "Player 3", "Hello?", T)


async def test_a_player_stays_muted_however_many_lines_follow(
    gateway: LedgerGateway, chat: ChatRows, ledger: SqlLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "ROWS_READ", 5)
    chat_store = ChatStore(gateway, chat)
    room = await chat_store.room("infinite")
    muted = room.post("ann", "Ann", "Rude words", T)
    room.mute(muted.player, T + DAY_MS, T)
    post_lines(room, 30)
    await chat_store.flush()
    again = await ChatStore(gateway, chat).room("infinite")
    assert len(again.lines) == 5
    assert again.lines == room.lines[-5:]
    with pytest.raises(ValueError, match="chat_muted"):
        again.post("ann", "Ann", "Hello?", T)


async def test_a_stored_line_names_its_player(
    gateway: LedgerGateway, chat: ChatRows, ledger: SqlLedger
) -> None:
    chat_store = ChatStore(gateway, chat)
    (await chat_store.room("infinite")).post("p_ann", "Ann", "Hello", T)
    await chat_store.flush()
    note = ledger.run(lambda database: database.execute("SELECT note FROM chat").fetchone()[0]).result()
    assert '"p_ann"' in note
    assert '"Hello"' in note


async def test_rows_are_kept_for_ninety_days(
    gateway: LedgerGateway, chat: ChatRows, ledger: SqlLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat_store = ChatStore(gateway, chat)
    room = await chat_store.room("infinite")
    post_lines(room, 3)
    await chat_store.flush()
    for now_ms, rows_left in ((T + KEPT_MS, 4), (T + KEPT_MS + 51, 3), (T + KEPT_MS + DAY_MS, 3)):
        monkeypatch.setattr(store, "now_ms", lambda now_ms=now_ms: now_ms)
        room.post_notice("paused", {}, now_ms)
        await chat_store.flush()
        assert len(rows(ledger)) == rows_left
    assert [at_ms for _, at_ms, _ in rows(ledger)] == [
        T + KEPT_MS,
        T + KEPT_MS + 51,
        T + KEPT_MS + DAY_MS,
    ]


class WatchedChatRows(SqlChatRows):
    """Records in `order` when each access begins and ends."""

    def __init__(self, store: Transactions) -> None:
        super().__init__(store)
        self.order: list[str] = []

    def newest(self, table: str, limit: int) -> Future[list[tuple[str, str]]]:
        return self._watched(super().newest(table, limit))

    def add(self, rows: Sequence[ChatRow], at_ms: int, forget_ms: int) -> Future[None]:
        return self._watched(super().add(rows, at_ms, forget_ms))

    def _watched(self, written: Future[Result]) -> Future[Result]:
        self.order.append("begun")
        written.add_done_callback(lambda _: self.order.append("done"))
        return written


async def test_one_small_write_is_under_way_at_a_time(ledger: SqlLedger, gateway: LedgerGateway) -> None:
    """At most one of them is ahead of a bet in the writer's queue."""
    chat = WatchedChatRows(ledger)
    chat_store = ChatStore(gateway, chat)
    room = await chat_store.room("infinite")
    post_lines(room, 3 * ROWS_PER_WRITE)
    await chat_store.flush()
    assert chat.order == ["begun", "done"] * (1 + 3)
    assert len(rows(ledger)) == 3 * ROWS_PER_WRITE


async def test_a_bet_overtakes_waiting_chat(
    ledger: SqlLedger, gateway: LedgerGateway, chat: ChatRows
) -> None:
    """A thousand lines wait for the write that is under way to end; a bet doesn't."""
    chat_store = ChatStore(gateway, chat)
    room = await chat_store.room("infinite")
    blocking = Future[None]()
    ledger.run(lambda _: blocking.result())
    post_lines(room, 1000)
    await asyncio.sleep(0)
    bet = ledger.run(_stored_lines)
    blocking.set_result(None)
    await chat_store.flush()
    assert bet.result() <= ROWS_PER_WRITE
    assert len(rows(ledger)) == 1000


def _stored_lines(database: Connection) -> int:
    return int(database.execute("SELECT count(*) FROM chat").fetchone()[0])


async def test_a_broken_ledger_stops_the_writes(
    ledger: SqlLedger, gateway: LedgerGateway, chat: ChatRows
) -> None:
    chat_store = ChatStore(gateway, chat)
    room = await chat_store.room("infinite")
    ledger.close()
    room.post("ann", "Ann", "Hello", T)
    await chat_store.flush()
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

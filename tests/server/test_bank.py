"""What may wait, waits while the books are written."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection
from threading import Event

import pytest

from croupier.server.bank import Bank
from croupier.server.seal import Seal
from croupier.server.serve import KEY, open_books

pytestmark = pytest.mark.anyio


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    books = open_books(tmp_path)
    yield Bank(books, Seal.of_file(tmp_path / KEY))
    books.close()


async def test_what_may_wait_comes_next_when_nothing_is_written(bank: Bank) -> None:
    called = list[str]()
    bank.rests(lambda: called.append("told"))
    assert called == []
    await asyncio.sleep(0)
    assert called == ["told"]


class Held:
    """A write that ends when it is told to."""

    def __init__(self) -> None:
        self._begun, self._may_end = Event(), Event()

    def __call__(self, _: Connection) -> None:
        self._begun.set()
        self._may_end.wait()

    async def begun(self) -> None:
        await asyncio.to_thread(self._begun.wait)

    def end(self) -> None:
        self._may_end.set()


async def test_what_may_wait_comes_after_the_commit_that_is_made(bank: Bank) -> None:
    called, work = list[str](), Held()
    writing = asyncio.create_task(bank.run(work))
    await work.begun()
    bank.rests(lambda: called.append("told"))
    await asyncio.sleep(0.01)
    assert called == []
    work.end()
    await writing
    await asyncio.sleep(0)
    assert called == ["told"]


async def test_it_doesnt_wait_for_the_commit_behind_that_one(bank: Bank) -> None:
    called, work, behind = list[str](), Held(), Held()
    writing = asyncio.create_task(bank.run(work))
    await work.begun()
    bank.rests(lambda: called.append("told"))
    next_one = asyncio.create_task(bank.run(behind))
    work.end()
    await writing
    await behind.begun()
    assert called == ["told"]
    behind.end()
    await next_one

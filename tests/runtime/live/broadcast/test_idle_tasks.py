"""Idle tasks run when the event loop has nothing else to do, or after a maximum wait."""

import asyncio
from collections.abc import Callable
from functools import partial
from time import perf_counter

import pytest

from croupier.runtime.live.broadcast import idle_tasks

pytestmark = pytest.mark.anyio

WORK_S = 0.001


async def done(did: list[str], things: int) -> list[str]:
    """Wait until so many things are done."""
    async with asyncio.timeout(60):
        while len(did) < things:  # noqa: ASYNC110 - turn by turn is what is tested
            await asyncio.sleep(0)
    return did


def works(turns: int, ends: Callable[[], None]) -> None:
    """Take so many turns of the event loop, one after the other."""
    until = perf_counter() + WORK_S
    while perf_counter() < until:
        pass
    if turns == 1:
        ends()
    else:
        asyncio.get_running_loop().call_soon(works, turns - 1, ends)


async def test_other_work_comes_first_however_many_turns_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle_tasks, "PATIENCE_S", 60.0)
    monkeypatch.setattr(idle_tasks, "IDLE_S", WORK_S)
    did = list[str]()
    asyncio.get_running_loop().call_soon(works, 10, lambda: did.append("served"))
    idle_tasks.IdleTasks()(lambda: did.append("told"))
    assert await done(did, 2) == ["served", "told"]


async def test_a_busy_loop_delays_a_call_only_for_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle_tasks, "PATIENCE_S", 5 * WORK_S)
    monkeypatch.setattr(idle_tasks, "IDLE_S", WORK_S)
    did = list[str]()
    asyncio.get_running_loop().call_soon(works, 100, lambda: did.append("served"))
    idle_tasks.IdleTasks()(lambda: did.append("told"))
    assert await done(did, 2) == ["told", "served"]


async def test_a_call_has_a_turn_of_its_own() -> None:
    called = list[str]()
    idle_tasks.IdleTasks()(lambda: called.append("told"))
    assert called == []
    await done(called, 1)


async def test_repeated_calls_alternate() -> None:
    did, when_quiet = list[str](), idle_tasks.IdleTasks()

    def tells(hall: str, pieces: int) -> None:
        did.append(hall)
        if pieces > 1:
            when_quiet(partial(tells, hall, pieces - 1))

    when_quiet(partial(tells, "large", 4))
    when_quiet(partial(tells, "small", 2))
    assert await done(did, 6) == ["large", "small", "large", "small", "large", "large"]


async def test_a_failing_call_stops_no_other() -> None:
    did, why, when_quiet = list[str](), list[object](), idle_tasks.IdleTasks()
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    loop.set_exception_handler(lambda _loop, context: why.append(context["exception"]))
    when_quiet(partial(did.remove, "what isn't there"))
    when_quiet(partial(did.append, "told"))
    assert await done(did, 1) == ["told"]
    loop.set_exception_handler(before)
    assert [type(each) for each in why] == [ValueError]

"""Idle tasks run when the event loop has nothing else to do, or after a maximum wait."""

import asyncio
from collections.abc import Callable
from functools import partial
from time import perf_counter

import pytest

from croupier import idle_tasks

pytestmark = pytest.mark.anyio

WORK_S = 0.001


async def wait_for(called: list[str], count: int) -> list[str]:
    """Wait until `count` tasks have run."""
    async with asyncio.timeout(60):
        while len(called) < count:  # noqa: ASYNC110 - the test is about single turns of the loop
            await asyncio.sleep(0)
    return called


def work(turns: int, on_end: Callable[[], None]) -> None:
    """Keep the event loop busy for a number of consecutive turns."""
    until = perf_counter() + WORK_S
    while perf_counter() < until:
        pass
    if turns == 1:
        on_end()
    else:
        asyncio.get_running_loop().call_soon(work, turns - 1, on_end)


async def test_other_work_runs_first_however_many_turns_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle_tasks, "PATIENCE_S", 60.0)
    monkeypatch.setattr(idle_tasks, "IDLE_S", WORK_S)
    called = list[str]()
    asyncio.get_running_loop().call_soon(work, 10, lambda: called.append("other work"))
    idle_tasks.IdleTasks()(lambda: called.append("idle task"))
    assert await wait_for(called, 2) == ["other work", "idle task"]


async def test_a_busy_loop_delays_an_idle_task_up_to_a_maximum(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(idle_tasks, "PATIENCE_S", 5 * WORK_S)
    monkeypatch.setattr(idle_tasks, "IDLE_S", WORK_S)
    called = list[str]()
    asyncio.get_running_loop().call_soon(work, 100, lambda: called.append("other work"))
    idle_tasks.IdleTasks()(lambda: called.append("idle task"))
    assert await wait_for(called, 2) == ["idle task", "other work"]


async def test_an_idle_task_runs_in_a_later_turn() -> None:
    called = list[str]()
    idle_tasks.IdleTasks()(lambda: called.append("idle task"))
    assert called == []
    await wait_for(called, 1)


async def test_idle_tasks_of_two_callers_alternate() -> None:
    called, run_when_idle = list[str](), idle_tasks.IdleTasks()

    def repeat(name: str, times: int) -> None:
        called.append(name)
        if times > 1:
            run_when_idle(partial(repeat, name, times - 1))

    run_when_idle(partial(repeat, "large", 4))
    run_when_idle(partial(repeat, "small", 2))
    assert await wait_for(called, 6) == ["large", "small", "large", "small", "large", "large"]


async def test_a_failing_idle_task_stops_no_other() -> None:
    called, errors, run_when_idle = list[str](), list[object](), idle_tasks.IdleTasks()
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    loop.set_exception_handler(lambda _loop, context: errors.append(context["exception"]))
    run_when_idle(partial(called.remove, "missing"))
    run_when_idle(partial(called.append, "idle task"))
    assert await wait_for(called, 1) == ["idle task"]
    loop.set_exception_handler(before)
    assert [type(error) for error in errors] == [ValueError]

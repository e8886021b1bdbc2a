"""Processes of the bench: where they run, what they cost, what they tell."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

CLOSES_WITHIN_S = 30.0
LOG_SHOWN = 2_000
"""Characters of it, at most."""


class Placement(NamedTuple):
    """Where a process runs: on which processor, and how far before whatever else the machine does.

    `priority` is a real-time one, for those who may ask for it; 0: as everybody else.
    """

    core: int
    priority: int = 0


class Placements(NamedTuple):
    """A server has the first processor for itself; its second process shares the other with the crowd."""

    server: Placement
    second: Placement
    clients: Placement


RAISED = Placements(Placement(0), Placement(1, 2), Placement(1, 1))
"""The crowd gives way to the server's second process, and everything else to both. The server isn't in real
time: it may have too much to do, and the kernel would stop it then, for 50 ms each second."""
UNRAISED = Placements(Placement(0), Placement(1), Placement(1))
SESSION = Path("/proc/self/autogroup")
MOST_WEIGHT = "-20"
ASKS_AGAIN_S = 0.02


class ProcessFailed(Exception):
    """A process of the bench didn't do what it is for; the text says which and why."""


StatusCallback = Callable[[str], None]
"""Told what is being done, for whoever waits."""


def most_descriptors() -> int:
    """How many files and sockets a process may have open; from now on this one may, and its children."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most


@contextmanager
def started_at(place: Placement) -> Iterator[None]:
    """Children that are started inside run there: on that processor alone, if there is more than one."""
    allowed, policy, param = os.sched_getaffinity(0), os.sched_getscheduler(0), os.sched_getparam(0)
    _put(0, place)
    try:
        yield
    finally:
        os.sched_setscheduler(0, policy, param)
        os.sched_setaffinity(0, allowed)


def pin(process: int, place: Placement) -> None:
    """A process that runs already."""
    for task in Path(f"/proc/{process}/task").iterdir():
        _put(int(task.name), place)


def _put(task: int, place: Placement) -> None:
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) > 1:
        os.sched_setaffinity(task, {allowed[place.core]})
    if place.priority:
        with suppress(PermissionError):
            os.sched_setscheduler(task, os.SCHED_RR, os.sched_param(place.priority))


@contextmanager
def session_priority() -> Iterator[bool]:
    """Until left, the processes of this session have the most weight beside others: whether they do.

    They don't where Linux doesn't group processes by their sessions, or this user may not ask for it.
    """
    try:
        before = _session_weight()
        _weigh(MOST_WEIGHT)
    except OSError:
        yield False
        return
    try:
        yield True
    finally:
        _weigh(before)


def _session_weight() -> str:
    """OSError for those who descend from the machine's first process with no session of their own between.

    They are in no group: the file is there, and empty.
    """
    told = SESSION.read_text()
    if not told:
        raise OSError("this process is in no group of a session")
    return told.split()[-1]


def _weigh(weight: str) -> None:
    """Who isn't Linux' administrator may ask ten times a second; sooner, he is told to come again."""
    while True:
        with suppress(BlockingIOError):
            SESSION.write_text(weight)
            return
        time.sleep(ASKS_AGAIN_S)


def is_real_time() -> bool:
    """Whether this process goes before all those that don't."""
    return os.sched_getscheduler(0) == os.SCHED_RR


def can_raise_priority() -> bool:
    """Whether this user may ask for real time, and for more weight than others have."""
    with started_at(RAISED.clients), session_priority() as weighs:
        return weighs and is_real_time()


@contextmanager
def server(
    command: Sequence[str | Path], log: Path, place: Placement
) -> Iterator[tuple[int, dict[str, Any]]]:
    """A server at its place until left: its process id, and the line of JSON it prints when it serves.

    Failed when it doesn't serve. What fails while it does, or should, is told with the end of its log.
    """
    with log.open("wb") as errors, started_at(place):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)  # noqa: S603
    try:
        yield process.pid, _serves(process)
    except ProcessFailed as failed:
        state = "runs" if process.poll() is None else "has ended"
        said = log.read_text()[-LOG_SHOWN:]
        raise ProcessFailed(f"{failed}. The server {state}; it said last: {said}") from failed
    finally:
        process.terminate()
        try:
            process.communicate(timeout=CLOSES_WITHIN_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _serves(process: "subprocess.Popen[bytes]") -> dict[str, Any]:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise ProcessFailed("a server doesn't serve")
    told: dict[str, Any] = json.loads(line)
    return told


def run_module(module: str, plan: Mapping[str, Any], say: StatusCallback, place: Placement) -> Any:
    """Runs a module of this package at a place with a plan; the answer is what it found.

    It reads the plan as JSON and prints lines of it: what it does (`saying`), at last what it `found`.
    """
    command = [sys.executable, "-m", f"croupier.bench.{module}"]
    with started_at(place):
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(BrokenPipeError), process.stdin:  # who doesn't read to the end has failed
        json.dump(plan, process.stdin)
    found = None
    with process.stdout:
        for line in process.stdout:
            told = json.loads(line)
            found = told.get("found")
            if found is None:
                say(told["saying"])
    if process.wait() or found is None:
        raise ProcessFailed(f"croupier.bench.{module} failed; what it said stands above")
    return found


def emit(**told: Any) -> None:
    """How a module speaks to `finding`; its plan is on standard input."""
    print(json.dumps(told), flush=True)


def children(process: int) -> Sequence[int]:
    """The processes that it has started."""
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def yield_processor() -> None:
    """A crowd that may not go before others runs only while no other of its processor has anything to do.

    It hardly sleeps, and the server's second process is there.
    """
    if not is_real_time():
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def cpu_s(process: int) -> float:
    """Seconds that the threads of a process, and of those it has started, have been on a processor."""
    told = [
        told.read_text()
        for each in (process, *children(process))
        for told in Path(f"/proc/{each}/task").glob("*/schedstat")
    ]
    return sum(int(each.split()[0]) for each in told) / 1e9


def memory_kib(process: int) -> int:
    """What of a process, and of those it has started, is in memory and its own."""
    told = [Path(f"/proc/{each}/smaps_rollup").read_text() for each in (process, *children(process))]
    lines = [line for each in told for line in each.splitlines()]
    return sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Clean", "Private_Dirty")))

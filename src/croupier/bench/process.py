"""Processes of the load test: priorities, resource usage and communication."""

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

STOP_TIMEOUT_S = 30.0
LOG_CHARS_MAX = 2_000
"""Maximum characters of a log in an error message."""


class Placement(NamedTuple):
    """The processor (None: any) and the real-time priority of a process; priority 0: the normal scheduler."""

    core: int | None
    priority: int = 0


class Placements(NamedTuple):
    """The server has the first processor to itself; its second process shares the other with the clients."""

    server: Placement
    second: Placement
    clients: Placement


RAISED = Placements(Placement(0), Placement(1, 2), Placement(1, 1))
"""Real-time priorities for the server's second process and, below it, the clients. The server itself stays
normal: under full load, the kernel would throttle a real-time process for 50 ms each second.
"""
ANYWHERE = Placements(Placement(None), Placement(None), Placement(None))
"""No priorities and no processors of their own: for several servers on one machine."""
UNRAISED = Placements(Placement(0), Placement(1), Placement(1))
SESSION = Path("/proc/self/autogroup")
WEIGHT_MAX = "-20"
RETRY_S = 0.02


class ProcessFailed(Exception):
    """A process of the load test failed; the text says which and why."""


StatusCallback = Callable[[str], None]
"""Called with a description of the current step."""


def raise_descriptor_limit() -> int:
    """Raise this process's limit on open files to the maximum, and return it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


@contextmanager
def started_at(place: Placement) -> Iterator[None]:
    """Start child processes on that processor (if there are several) with that priority."""
    allowed, policy, param = os.sched_getaffinity(0), os.sched_getscheduler(0), os.sched_getparam(0)
    _pin_task(0, place)
    try:
        yield
    finally:
        os.sched_setscheduler(0, policy, param)
        os.sched_setaffinity(0, allowed)


def pin(process: int, place: Placement) -> None:
    """Move a running process."""
    for task in Path(f"/proc/{process}/task").iterdir():
        _pin_task(int(task.name), place)


def _pin_task(task: int, place: Placement) -> None:
    allowed = sorted(os.sched_getaffinity(0))
    if place.core is not None and len(allowed) > 1:
        os.sched_setaffinity(task, {allowed[place.core]})
    if place.priority:
        with suppress(PermissionError):
            os.sched_setscheduler(task, os.SCHED_RR, os.sched_param(place.priority))


@contextmanager
def session_priority() -> Iterator[bool]:
    """Give this session's processes the highest autogroup weight; yield whether that succeeded.

    It fails without autogroups, and without the privilege to raise the weight.
    """
    try:
        before = _session_weight()
        _set_session_weight(WEIGHT_MAX)
    except OSError:
        yield False
        return
    try:
        yield True
    finally:
        _set_session_weight(before)


def _session_weight() -> str:
    """Return the session's weight. Raises OSError if this process belongs to no autogroup.

    The file is empty for descendants of the init process without a session of their own.
    """
    text = SESSION.read_text()
    if not text:
        raise OSError("this process is in no group of a session")
    return text.split()[-1]


def _set_session_weight(weight: str) -> None:
    """Write the weight; unprivileged users may do so only ten times a second."""
    while True:
        with suppress(BlockingIOError):
            SESSION.write_text(weight)
            return
        time.sleep(RETRY_S)


def is_real_time() -> bool:
    """Return whether this process has a real-time priority."""
    return os.sched_getscheduler(0) == os.SCHED_RR


def is_normal() -> bool:
    """Return whether this process has no other scheduling than the normal one."""
    return os.sched_getscheduler(0) == os.SCHED_OTHER


def can_raise_priority() -> bool:
    """Return whether this user may use real-time priorities and raise the session's weight."""
    with started_at(RAISED.clients), session_priority() as raised:
        return raised and is_real_time()


@contextmanager
def server(
    command: Sequence[str | Path], log: Path, place: Placement
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Run a server; yield its process id and the JSON line that it prints when ready.

    Raises ProcessFailed if it doesn't start. Failures inside the block are raised with the end of its log.
    """
    with log.open("wb") as errors, started_at(place):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)  # noqa: S603
    try:
        yield process.pid, _startup_record(process)
    except ProcessFailed as failed:
        state = "is running" if process.poll() is None else "has stopped"
        end = log.read_text()[-LOG_CHARS_MAX:]
        raise ProcessFailed(f"{failed}. The server {state}; the end of its log: {end}") from failed
    finally:
        process.terminate()
        try:
            process.communicate(timeout=STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _startup_record(process: "subprocess.Popen[bytes]") -> dict[str, Any]:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise ProcessFailed("a server didn't start")
    record: dict[str, Any] = json.loads(line)
    return record


def run_module(module: str, plan: Mapping[str, Any], status: StatusCallback, place: Placement) -> Any:
    """Run a module of this package with a plan, and return its result.

    The module reads the plan as JSON and prints JSON lines: its `status`, and finally its `results`.
    """
    command = [sys.executable, "-m", f"croupier.bench.{module}"]
    with started_at(place):
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(BrokenPipeError), process.stdin:  # a process that doesn't read its plan has failed
        json.dump(plan, process.stdin)
    results = None
    with process.stdout:
        for line in process.stdout:
            record = json.loads(line)
            results = record.get("results")
            if results is None:
                status(record["status"])
    if process.wait() or results is None:
        raise ProcessFailed(f"croupier.bench.{module} failed; see its output above")
    return results


def emit(**fields: Any) -> None:
    """Print a line for `run_module`."""
    print(json.dumps(fields), flush=True)


def children(process: int) -> Sequence[int]:
    """Return the child processes."""
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def yield_processor() -> None:
    """Run only when no other process of this processor needs to, unless this one has a real-time priority.

    The clients hardly sleep, and the server's second process runs on the same processor.
    """
    if not is_real_time():
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def cpu_s(process: int) -> float:
    """Return the processor seconds of a process and its children."""
    texts = [
        text.read_text()
        for each in (process, *children(process))
        for text in Path(f"/proc/{each}/task").glob("*/schedstat")
    ]
    return sum(int(each.split()[0]) for each in texts) / 1e9


def memory_kib(process: int) -> int:
    """Return the private memory of a process and its children."""
    texts = [Path(f"/proc/{each}/smaps_rollup").read_text() for each in (process, *children(process))]
    lines = [line for each in texts for line in each.splitlines()]
    return sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Clean", "Private_Dirty")))

"""Processor affinity and priority of the bench's processes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.bench.process import (
    RAISED,
    SESSION,
    UNRAISED,
    Placement,
    can_raise_priority,
    is_real_time,
    session_priority,
    started_at,
)

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the bench runs on Linux only")
PRINT_PLACEMENT = (
    "import os; print(os.sched_getaffinity(0), os.sched_getscheduler(0), os.sched_getparam(0).sched_priority)"
)
NOBODY = 65_534
PRINT_CAN_RAISE = f"""
import os, resource
from croupier.bench.process import can_raise_priority
resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))
if os.getuid() == 0:
    os.setuid({NOBODY})
print(can_raise_priority())
"""
RAISE_AFTER_250_MS = """
import time
from croupier.bench.process import session_priority
time.sleep(0.25)
with session_priority():
    pass
"""


def output_of(program: str, *before: str) -> str:
    command = [*before, sys.executable, "-c", program]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


def placement() -> str:
    return f"{os.sched_getaffinity(0)} {os.sched_getscheduler(0)} {os.sched_getparam(0).sched_priority}\n"


@pytest.mark.parametrize("place", [*RAISED, *UNRAISED])
def test_only_children_started_in_the_context_are_placed(place: Placement) -> None:
    before = placement()
    with started_at(place):
        child, inside = output_of(PRINT_PLACEMENT), placement()
    assert child == inside
    assert placement() == before == output_of(PRINT_PLACEMENT)
    with started_at(RAISED.clients):
        priority = place.priority if is_real_time() else 0
    assert child.endswith(f" {os.SCHED_RR if priority else os.SCHED_OTHER} {priority}\n")


def test_the_session_has_priority_only_within_the_context() -> None:
    before = SESSION.read_text() if SESSION.exists() else ""
    with session_priority() as raised:
        inside = SESSION.read_text() if SESSION.exists() else ""
    assert inside.endswith("nice -20\n") or not raised
    assert (SESSION.read_text() if SESSION.exists() else "") == before


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/dev/null", id="no session between init and this process"),
        pytest.param("/proc/self/no such file", id="kernel without session groups"),
        pytest.param("/proc/self/status", id="file not writable"),
    ],
)
def test_without_session_groups_no_priority_is_raised(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setattr("croupier.bench.process.SESSION", Path(path))
    with session_priority() as raised:
        assert not raised
    assert not can_raise_priority()


@pytest.mark.skipif(
    os.getuid() != 0 or shutil.which("setpriv") is None, reason="needs root, to drop a capability"
)
def test_a_rejected_priority_is_written_again() -> None:
    before = SESSION.read_text() if SESSION.exists() else ""
    output_of(RAISE_AFTER_250_MS, "setpriv", "--bounding-set", "-sys_admin")
    assert (SESSION.read_text() if SESSION.exists() else "") == before


def test_an_unprivileged_user_cannot_raise_the_priority() -> None:
    assert output_of(PRINT_CAN_RAISE) == "False\n"

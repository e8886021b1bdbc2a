"""Where the bench's processes run, and before whom."""

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
WHERE = (
    "import os; print(os.sched_getaffinity(0), os.sched_getscheduler(0), os.sched_getparam(0).sched_priority)"
)
NOBODY = 65_534
ALIKE = f"""
import os, resource
from croupier.bench.process import can_raise_priority
resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))
if os.getuid() == 0:
    os.setuid({NOBODY})
print(can_raise_priority())
"""
TWICE_AT_ONCE = """
import time
from croupier.bench.process import session_priority
time.sleep(0.25)
with session_priority():
    pass
"""


def said(program: str, *before: str) -> str:
    command = [*before, sys.executable, "-c", program]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


def where() -> str:
    return f"{os.sched_getaffinity(0)} {os.sched_getscheduler(0)} {os.sched_getparam(0).sched_priority}\n"


@pytest.mark.parametrize("place", [*RAISED, *UNRAISED])
def test_only_children_that_are_started_inside_are_placed(place: Placement) -> None:
    before = where()
    with started_at(place):
        child, inside = said(WHERE), where()
    assert child == inside
    assert where() == before == said(WHERE)
    with started_at(RAISED.clients):
        first = place.priority if is_real_time() else 0
    assert child.endswith(f" {os.SCHED_RR if first else os.SCHED_OTHER} {first}\n")


def test_the_session_has_most_weight_until_it_is_left() -> None:
    before = SESSION.read_text() if SESSION.exists() else ""
    with session_priority() as weighs:
        inside = SESSION.read_text() if SESSION.exists() else ""
    assert inside.endswith("nice -20\n") or not weighs
    assert (SESSION.read_text() if SESSION.exists() else "") == before


@pytest.mark.parametrize(
    "told",
    [
        pytest.param("/dev/null", id="descends from the machine's first process with no session between"),
        pytest.param("/proc/self/no such file", id="built without groups of sessions"),
        pytest.param("/proc/self/status", id="may not be written"),
    ],
)
def test_where_linux_gives_no_weight_nobody_has_it(monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    monkeypatch.setattr("croupier.bench.process.SESSION", Path(told))
    with session_priority() as weighs:
        assert not weighs
    assert not can_raise_priority()


@pytest.mark.skipif(os.getuid() != 0 or shutil.which("setpriv") is None, reason="takes a right from root")
def test_a_rejected_weight_is_written_again() -> None:
    before = SESSION.read_text() if SESSION.exists() else ""
    said(TWICE_AT_ONCE, "setpriv", "--bounding-set", "-sys_admin")
    assert (SESSION.read_text() if SESSION.exists() else "") == before


def test_who_may_not_go_first_goes_among_others() -> None:
    assert said(ALIKE) == "False\n"

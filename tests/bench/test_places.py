"""Where the bench's processes run, and before whom."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.bench.process import (
    AMONG_OTHERS,
    FIRST,
    SESSION,
    Place,
    at,
    in_real_time,
    may_go_first,
    session_first,
)

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the bench runs on Linux only")
WHERE = (
    "import os; print(os.sched_getaffinity(0), os.sched_getscheduler(0), os.sched_getparam(0).sched_priority)"
)
NOBODY = 65_534
ALIKE = f"""
import os, resource
from croupier.bench.process import may_go_first
resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))
if os.getuid() == 0:
    os.setuid({NOBODY})
print(may_go_first())
"""
TWICE_AT_ONCE = """
import time
from croupier.bench.process import session_first
time.sleep(0.25)
with session_first():
    pass
"""


def said(program: str, *before: str) -> str:
    command = [*before, sys.executable, "-c", program]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


def where() -> str:
    return f"{os.sched_getaffinity(0)} {os.sched_getscheduler(0)} {os.sched_getparam(0).sched_priority}\n"


@pytest.mark.parametrize("place", [*FIRST, *AMONG_OTHERS])
def test_only_children_that_are_started_inside_are_placed(place: Place) -> None:
    before = where()
    with at(place):
        child, inside = said(WHERE), where()
    assert child == inside
    assert where() == before == said(WHERE)
    with at(FIRST.crowd):
        first = place.priority if in_real_time() else 0
    assert child.endswith(f" {os.SCHED_RR if first else os.SCHED_OTHER} {first}\n")


def test_the_session_has_most_weight_until_it_is_left() -> None:
    before = SESSION.read_text() if SESSION.exists() else ""
    with session_first() as weighs:
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
    with session_first() as weighs:
        assert not weighs
    assert not may_go_first()


@pytest.mark.skipif(os.getuid() != 0 or shutil.which("setpriv") is None, reason="takes a right from root")
def test_who_is_told_to_come_again_does() -> None:
    before = SESSION.read_text() if SESSION.exists() else ""
    said(TWICE_AT_ONCE, "setpriv", "--bounding-set", "-sys_admin")
    assert (SESSION.read_text() if SESSION.exists() else "") == before


def test_who_may_not_go_first_goes_among_others() -> None:
    assert said(ALIKE) == "False\n"

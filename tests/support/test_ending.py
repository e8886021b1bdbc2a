"""Tests that are terminated end with the servers that they started, also where Ctrl-C is ignored."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support import waiting

DEADLINE_S = 60.0
"""On a busy machine; a quiet one takes 2 s to start and 1 s to end."""
IGNORING = (
    "import signal, sys, pytest; signal.signal(signal.SIGINT, signal.SIG_IGN); pytest.main(sys.argv[1:])"
)
"""A shell starts processes in the background like this."""


def wait_until_text(path: Path) -> str:
    until = time.monotonic() + DEADLINE_S
    while time.monotonic() < until:
        if path.exists() and (text := path.read_text()).endswith("\n"):
            return text
        time.sleep(0.05)
    raise AssertionError("the test didn't start its server")


@pytest.mark.skipif(sys.platform != "linux", reason="the death of a parent is signalled on Linux only")
def test_terminated_tests_end_with_their_servers(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    command = [sys.executable, "-c", IGNORING, "--numprocesses=1", "--quiet", str(waiting.__file__)]
    environment = os.environ | {"CROUPIER_TEST_PID": str(pid_file)}
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT"):
        environment.pop(name, None)
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as running:
        processes = [Path("/proc", pid) for pid in wait_until_text(pid_file).split()]
        assert all(process.exists() for process in processes)
        running.send_signal(signal.SIGTERM)
    until = time.monotonic() + DEADLINE_S
    while any(process.exists() for process in processes) and time.monotonic() < until:
        time.sleep(0.05)
    assert [process for process in processes if process.exists()] == []

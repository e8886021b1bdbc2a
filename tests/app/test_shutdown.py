"""A server that gets a stop signal at any moment finishes its current step, then stops in order."""

import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from croupier.app.serve import DATABASE
from croupier.ledger.sql.verify import verify
from tests.support import preloaded

PROGRAM = """
import logging
import os
import signal
import subprocess
from contextlib import suppress

import uvicorn
from croupier.cli.main import main
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.gateway.server import Server

processes = [os.getpid()]
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored if the tests run in the background

class Popen(subprocess.Popen):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        processes.append(self.pid)

subprocess.Popen = Popen

def signal_once(owner, name):
    before = getattr(owner, name)

    def wrapper(*args, **options):
        done = before(*args, **options)
        if signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:  # else nothing is open yet
            setattr(owner, name, before)
            for process in {receivers}:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.{signal})
        return done

    setattr(owner, name, wrapper)

for owner, name in {moments}:
    signal_once(owner, name)
main()
"""
RECEIVERS = {"SIGTERM": "processes", "SIGINT": "processes[:1]"}
"""A service manager signals all processes of the server; Ctrl-C signals the server process alone."""
MOMENTS = {
    "its writer process starts": "(subprocess.Popen, '__init__')",
    "the database is open": "(SqliteLedger, '__init__')",
    "the server is created": "(Server, '__init__')",
    "its tables open": "(Server, 'start')",
    "a log handler is created": "(logging.Handler, '__init__')",
    "the pages open": "(uvicorn.Server, 'startup')",
}
ENDING = {
    "the pages close": "(uvicorn.Server, 'shutdown')",
    "the tables close": "(Server, 'stop')",
    "the database is closed": "(SqliteLedger, 'close')",
}
STOP_TIMEOUT_S = 60


def run_signalled(data: Path, signal: str, *moments: str) -> CompletedProcess[str]:
    program = PROGRAM.format(signal=signal, receivers=RECEIVERS[signal], moments=f"[{', '.join(moments)}]")
    serve = ("serve", "--port", "0", "--socket-port", "0", "--data", data)
    return preloaded.run([sys.executable, "-c", program, *serve], timeout=STOP_TIMEOUT_S)


def assert_clean_stop(server: CompletedProcess[str], data: Path) -> None:
    assert (server.returncode, server.stderr) == (0, "")
    assert "The server has stopped" in server.stdout
    assert verify(data / DATABASE).bad is None


BOTH_SIGNALS = {"its writer process starts", "the database is open", "the pages open"}
"""Moments before and after which the other process, too, is there to get the signal."""


STARTS = [
    pytest.param(
        moment,
        signal,
        id=f"{moment}-{signal}",
        marks=() if signal == "SIGTERM" or moment in BOTH_SIGNALS else pytest.mark.campaign,
    )
    for moment in MOMENTS
    for signal in RECEIVERS
]


@pytest.mark.parametrize(("moment", "signal"), STARTS)
def test_a_starting_server_stops_in_order(tmp_path: Path, moment: str, signal: str) -> None:
    assert_clean_stop(run_signalled(tmp_path, signal, MOMENTS[moment]), tmp_path)


@pytest.mark.parametrize("moment", ENDING)
def test_a_stopping_server_that_gets_another_signal_stops_in_order(tmp_path: Path, moment: str) -> None:
    assert_clean_stop(run_signalled(tmp_path, "SIGTERM", MOMENTS["the pages open"], ENDING[moment]), tmp_path)


def test_a_second_ctrl_c_does_not_wait(tmp_path: Path) -> None:
    server = run_signalled(tmp_path, "SIGINT", MOMENTS["the server is created"], ENDING["the tables close"])
    assert server.returncode != 0
    assert "The server has stopped" not in server.stdout
    assert verify(tmp_path / DATABASE).bad is None

"""A house that is told to close in the midst of something does that to its end first, and is closed then."""

import subprocess
import sys
from pathlib import Path

import pytest

from croupier.app.serve import BOOKS
from croupier.ledger.sqlite.verify import verify

PROGRAM = """
import logging
import os
import signal
import subprocess
from contextlib import suppress

import uvicorn
from croupier.cli.main import main
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.runtime.server import Server

everybody = [os.getpid()]
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background

class Popen(subprocess.Popen):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        everybody.append(self.pid)

subprocess.Popen = Popen

def tell_once(owner, name):
    before = getattr(owner, name)

    def does(*args, **options):
        done = before(*args, **options)
        if signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:  # else nothing is open yet
            setattr(owner, name, before)
            for process in {told}:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.{signal})
        return done

    setattr(owner, name, does)

for owner, name in {moments}:
    tell_once(owner, name)
main()
"""
TOLD = {"SIGTERM": "everybody", "SIGINT": "everybody[:1]"}
"""A service manager tells all processes of the house; Ctrl-C reaches the house alone."""
MOMENTS = {
    "its writer process starts": "(subprocess.Popen, '__init__')",
    "the books are open": "(SqliteLedger, 'open_with_writer_process')",
    "the house is set up": "(Server, '__init__')",
    "its tables open": "(Server, 'start')",
    "a log is half made": "(logging.Handler, '__init__')",
    "the pages open": "(uvicorn.Server, 'startup')",
}
ENDING = {
    "the pages close": "(uvicorn.Server, 'shutdown')",
    "the tables close": "(Server, 'stop')",
    "the books are closed": "(SqliteLedger, 'close')",
}
CLOSES_WITHIN_S = 60


def told(data: Path, signal: str, *moments: str) -> "subprocess.CompletedProcess[str]":
    program = PROGRAM.format(signal=signal, told=TOLD[signal], moments=f"[{', '.join(moments)}]")
    command = [
        sys.executable,
        "-c",
        program,
        "serve",
        "--port",
        "0",
        "--socket-port",
        "0",
        "--data",
        str(data),
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=CLOSES_WITHIN_S, check=False)


def is_in_order(house: "subprocess.CompletedProcess[str]", data: Path) -> None:
    assert (house.returncode, house.stderr) == (0, "")
    assert "The server has stopped" in house.stdout
    assert verify(data / BOOKS).bad is None


@pytest.mark.parametrize("signal", ["SIGTERM", "SIGINT"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_house_that_still_opens_closes_in_order(tmp_path: Path, moment: str, signal: str) -> None:
    is_in_order(told(tmp_path, signal, MOMENTS[moment]), tmp_path)


@pytest.mark.parametrize("moment", ENDING)
def test_a_house_that_is_told_again_closes_in_order(tmp_path: Path, moment: str) -> None:
    is_in_order(told(tmp_path, "SIGTERM", MOMENTS["the pages open"], ENDING[moment]), tmp_path)


def test_a_second_ctrl_c_does_not_wait(tmp_path: Path) -> None:
    house = told(tmp_path, "SIGINT", MOMENTS["the house is set up"], ENDING["the tables close"])
    assert house.returncode != 0
    assert "The server has stopped" not in house.stdout
    assert verify(tmp_path / BOOKS).bad is None

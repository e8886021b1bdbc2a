"""Campaigns run as the commands that the handbook names, without pytest and its set-up."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "command",
    [("kill", "--kills", "1", "--seed", "38"), ("outside", "--system", "wallet", "--sample", "1")],
    ids=lambda command: command[0],
)
def test_a_campaign_runs_as_a_command(command: tuple[str, ...]) -> None:
    name, *options = command
    words = [sys.executable, "-m", f"tests.faults.{name}", *options]
    done = subprocess.run(words, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr

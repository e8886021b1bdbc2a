"""Every example in the help of the mathematics and in its guide runs as it is written, with fewer rounds."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.cli import compare, odds, report, rtp, simulate, strategy
from croupier.cli.main import app

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "mathematics-commands.md"
SETS_UP = "croupier strategy premium --chart my-chart.txt"
"""Writes the file that other examples read."""


def examples() -> Iterator[str]:
    for command in (rtp.rtp, strategy.strategy, odds.odds, compare.compare, simulate.simulate, report.report):
        yield from re.findall(r"`(croupier [^`]+)`", str(command.__doc__).partition("Examples:")[2])
    for block in re.findall(r"```sh\n(.*?)```", GUIDE.read_text(), re.DOTALL):
        yield from block.splitlines()
    questions = GUIDE.read_text().partition("\n## ")[0]
    yield from re.findall(r"`(croupier [^`]+)`", questions)


def shortened(command: str, *words: str) -> tuple[str, ...]:
    """With few rounds, and by a strategy that is compiled sooner; the last of an option counts."""
    if command == "report":
        return (command, *words, "--rounds", "0")
    if command != "simulate":
        return (command, *words)
    quick = () if {"--bet", "--strategy"} & {*words} else ("--strategy", "mimic")
    return (command, *words, "--rounds", "1e5", *quick)


def test_examples_run_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = dict.fromkeys(shortened(*shlex.split(one, comments=True)[1:]) for one in (SETS_UP, *examples()))
    assert len(found) > 18
    for words in found:
        if words[0] != "bench":
            done = CliRunner().invoke(app, words)
            assert done.exit_code == 0, (words, done.output)

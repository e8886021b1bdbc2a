"""The examples in the help and the guide of the mathematics run as written, with fewer rounds."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.cli import compare, odds, report, rtp, simulate, strategy
from croupier.cli.main import app

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "mathematics-commands.md"
CHART_EXAMPLE = "croupier strategy premium --chart my-chart.txt"
"""An example that writes the file that other examples read."""
CHART = "my-chart.txt"
QUICK = ("--set", "splits=none")
"""Rules whose chart is compiled at once; with splits, that takes seconds."""


def examples() -> Iterator[str]:
    for command in (rtp.rtp, strategy.strategy, odds.odds, compare.compare, simulate.simulate, report.report):
        yield from re.findall(r"`(croupier [^`]+)`", str(command.__doc__).partition("Examples:")[2])
    for block in re.findall(r"```sh\n(.*?)```", GUIDE.read_text(), re.DOTALL):
        yield from block.splitlines()
    questions = GUIDE.read_text().partition("\n## ")[0]
    yield from re.findall(r"`(croupier [^`]+)`", questions)


def with_few_rounds(command: str, *arguments: str) -> tuple[str, ...]:
    """Append options for few rounds and a strategy that compiles quickly; the last of an option counts."""
    if CHART in arguments:
        arguments = (*arguments, *QUICK)
    if command == "report":
        return (command, *arguments, "--rounds", "0")
    if command != "simulate":
        return (command, *arguments)
    quick = () if {"--bet", "--strategy"} & {*arguments} else ("--strategy", "mimic")
    return (command, *arguments, "--rounds", "1e5", *quick)


def test_examples_run_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = dict.fromkeys(
        with_few_rounds(*shlex.split(example, comments=True)[1:]) for example in (CHART_EXAMPLE, *examples())
    )
    assert len(commands) > 18
    for arguments in commands:
        if arguments[0] != "bench":
            done = CliRunner().invoke(app, arguments)
            assert done.exit_code == 0, (arguments, done.output)

"""The tests that can show a mutant, and the order in which they run."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

FOLDERS = {
    "croupier/games": ("tests/games", "tests/play", "tests/conformance", "tests/tables"),
    "croupier/tables": ("tests/tables", "tests/play", "tests/dealing/live/money"),
    "croupier/ledger/posting": (
        "tests/ledger/test_rules.py",
        "tests/ledger/test_coups.py",
        "tests/ledger/test_model.py",
        "tests/ledger/test_entries.py",
        "tests/ledger/sqlite/test_movements.py",
        "tests/ledger/sqlite/test_speculation.py",
    ),
}
"""The folders of tests for each part of the sources, most specific first."""


class Measured(msgspec.Struct):
    """The results of one run without a mutant."""

    seconds: dict[str, float]
    """Processor time of each test that passed."""
    lines: dict[str, dict[str, list[str]]]
    """By file and line: the tests that ran it."""
    failed: list[str]


class Choice(NamedTuple):
    """Tests in the order in which they run, and how long they take without a mutant."""

    tests: list[str]
    seconds: float


def choose(path: str, lines: Sequence[int], measured: Measured, seconds_max: float) -> Choice:
    """Choose the tests that run one of the lines, quickest first, up to a time.

    Lines that only run when their module is imported can be shown by any test of the most specific folder.
    """
    folders = next(folders for part, folders in FOLDERS.items() if path.startswith(part))
    covered = measured.lines.get(path, {})
    covering = {name for line in lines for name in covered.get(str(line), ()) if name.startswith(folders)}
    names = covering or {name for name in measured.seconds if name.startswith(folders[0])}
    chosen: list[str] = []
    spent = 0.0
    for name in sorted(names, key=lambda name: (measured.seconds[name], name)):
        if chosen and spent + measured.seconds[name] > seconds_max:
            break
        spent += measured.seconds[name]
        chosen.append(name)
    return Choice(chosen, spent)

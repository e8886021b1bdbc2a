"""Which tests can show a mutant, and in which order they run."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

FOLDERS = {
    "croupier/games": ("tests/games", "tests/play", "tests/conformance", "tests/tables"),
    "croupier/tables": ("tests/tables", "tests/play", "tests/runtime/own", "tests/runtime/live/money"),
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
    """What one run without a mutant showed."""

    seconds: dict[str, float]
    """Of each test that passed."""
    lines: dict[str, dict[str, list[str]]]
    """By file and line: the tests that ran it."""
    failed: list[str]


class Choice(NamedTuple):
    """Tests in the order in which they run, and how long they take without a mutant."""

    tests: list[str]
    seconds: float


def choose(path: str, lines: Sequence[int], measured: Measured, seconds_max: float) -> Choice:
    """Choose the tests that run one of the lines, most specific folder first up to a time.

    They are in the order of the time they take. Lines that only run when their module is imported can be
    shown by any test of the most specific folder.
    """
    folders = next(folders for part, folders in FOLDERS.items() if path.startswith(part))
    covered = measured.lines.get(path, {})
    covering = {name for line in lines for name in covered.get(str(line), ())}
    names = covering or {name for name in measured.seconds if name.startswith(folders[0])}
    known = [name for name in names if _rank(name, folders) < len(folders)]
    chosen = _quickest(known, folders, measured.seconds, seconds_max)
    chosen.sort(key=measured.seconds.__getitem__)
    return Choice(chosen, sum(measured.seconds[name] for name in chosen))


def _quickest(
    names: Iterable[str], folders: Sequence[str], seconds: Mapping[str, float], seconds_max: float
) -> list[str]:
    chosen: list[str] = []
    spent = 0.0
    for name in sorted(names, key=lambda name: (_rank(name, folders), seconds[name], name)):
        spent += seconds[name]
        if chosen and spent > seconds_max:
            break
        chosen.append(name)
    return chosen


def _rank(name: str, folders: Sequence[str]) -> int:
    return next((rank for rank, folder in enumerate(folders) if name.startswith(folder)), len(folders))

"""The report of a campaign: what became of each mutant, and the score of each folder."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec


class Result(msgspec.Struct):
    """The outcome of one mutant."""

    path: str
    line: int
    column: int
    operator: str
    occurrence: int
    digest: str
    """Of the unchanged file."""
    killed: bool
    seconds: float
    killer: str
    """The test that failed first."""
    change: str
    """The line before and after."""
    tests: int
    """The number of tests chosen."""


class Report(msgspec.Struct):
    """All results of a campaign."""

    seed: int
    results: list[Result]
    broken: int
    """Mutants left out because their module can't be imported."""


def write_report(report: Report, file: Path) -> None:
    file.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1))


def read_report(file: Path) -> Report:
    return msgspec.json.decode(file.read_bytes(), type=Report)


def folder_of(path: str) -> str:
    """Return croupier/games/roulette for each file in it, and croupier/tables for its own files."""
    return path.rpartition("/")[0]


def summary(results: Iterable[Result]) -> Iterator[str]:
    """Yield a line for each folder, and one for all."""
    killed = Counter[str]()
    tried = Counter[str]()
    for result in results:
        for folder in (folder_of(result.path), "all"):
            tried[folder] += 1
            killed[folder] += result.killed
    for folder in sorted(tried, key=lambda folder: (folder == "all", folder)):
        score = 100 * killed[folder] / tried[folder]
        yield f"{folder:36} {killed[folder]:4} of {tried[folder]:4} killed  {score:5.1f} %"

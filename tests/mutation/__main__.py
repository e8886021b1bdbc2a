"""Measure how many small faults in the rules the tests notice: `python -m tests.mutation`."""

import signal
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from tests.mutation.mutants import (
    Mutant,
    digest_of,
    lines_of_statement,
    mutants_of,
    mutated,
    read,
    runs_at_import,
    shuffled,
)
from tests.mutation.report import Report, Result, read_report, summary, write_report
from tests.mutation.tests_of_lines import FOLDERS, Measured, choose
from tests.mutation.trial import Trial, trial_of

ROOT = Path(__file__).parents[2]
SLOW = "croupier/games/blackjack/exact/"
"""Left out: each mutant of a compiled loop is compiled again, which takes a minute."""


def main(
    sample: Annotated[int, typer.Option(help="How many mutants to try.")] = 300,
    seed: Annotated[int, typer.Option(help="Which sample.")] = 1,
    seconds: Annotated[
        float, typer.Option(help="Processor time of the tests that are chosen for a mutant.")
    ] = 60,
    json: Annotated[Path | None, typer.Option(help="Write all results to this file.")] = None,
    only: Annotated[
        Path | None, typer.Option(help="Try the mutants that survived in this file of results.")
    ] = None,
    measured: Annotated[
        Path | None, typer.Option(help="Keep in this file which tests run which lines.")
    ] = None,
    checkout: Annotated[Path, typer.Option(help="Use the sources and the tests of this checkout.")] = ROOT,
) -> None:
    """Change a copy of the sources in one place at a time, and run the tests that run the place."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the copy is deleted then too
    with trial_of(checkout) as trial:
        files = list(_files(trial.folder))
        report = Report(seed, [], 0)
        if only:
            mutants: Iterable[tuple[Mutant, str]] = _survivors(trial, read_report(only).results)
        else:
            mutants = islice(_sampled(trial, files, report), sample)
        covered = _measure(trial, measured)
        print(f"{len(covered.seconds)} tests in {sum(covered.seconds.values()):.0f} s", flush=True)
        for name in covered.failed:
            print(f"fails without a mutant: {name}", flush=True)
        for number, (mutant, source) in enumerate(mutants, 1):
            result = _try(trial, mutant, source, covered, seconds)
            report.results.append(result)
            print(f"{number:4} {_line(mutant, result)}", flush=True)
            if json:
                write_report(report, json)
        print(*summary(report.results), sep="\n")
        print(f"{report.broken} mutants left out: their modules can't be imported")


def _measure(trial: Trial, file: Path | None) -> Measured:
    """Run all tests once, or read what an earlier run showed."""
    if file and file.exists():
        return msgspec.json.decode(file.read_bytes(), type=Measured)
    folders = dict.fromkeys(folder for folders in FOLDERS.values() for folder in folders)
    measured = trial.measure([folder for folder in folders if (trial.checkout / folder).exists()])
    if file:
        file.write_bytes(msgspec.json.encode(measured))
    return measured


def _files(sources: Path) -> Iterator[str]:
    """Yield the files that are mutated."""
    for file in sorted(sources.rglob("croupier/**/*.py")):
        path = file.relative_to(sources).as_posix()
        if path.startswith(tuple(FOLDERS)) and not path.startswith(SLOW):
            yield path


def _sampled(trial: Trial, files: Iterable[str], report: Report) -> Iterator[tuple[Mutant, str]]:
    """Yield random mutants with their sources, and count those that can't be imported."""
    mutants = [mutant for path in files for mutant in mutants_of(path, read(trial.folder, path))]
    for variants in shuffled(mutants, report.seed):
        for mutant in variants:
            original = read(trial.folder, mutant.path)
            source = mutated(mutant, original)
            if source is None:
                continue
            if runs_at_import(mutant, original) and not _imports(trial, mutant, source):
                report.broken += 1
                continue
            yield mutant, source
            break


def _imports(trial: Trial, mutant: Mutant, source: str) -> bool:
    with trial.change(mutant.path, source):
        return trial.imports(mutant.path)


def _survivors(trial: Trial, results: Iterable[Result]) -> Iterator[tuple[Mutant, str]]:
    """Yield the mutants that survived, if this checkout has the same file."""
    for result in results:
        if result.killed:
            continue
        mutant = Mutant(
            result.path, result.line, result.column, result.operator, result.occurrence, result.digest
        )
        file = trial.folder / mutant.path
        original = file.read_text(encoding="utf-8") if file.exists() else ""
        source = mutated(mutant, original) if digest_of(original) == mutant.digest else None
        if source is None:
            print(f"     differs here: {mutant}", flush=True)
        else:
            yield mutant, source


def _try(trial: Trial, mutant: Mutant, source: str, measured: Measured, seconds_max: float) -> Result:
    original = read(trial.folder, mutant.path)
    choice = choose(mutant.path, lines_of_statement(original, mutant.line), measured, seconds_max)
    with trial.change(mutant.path, source):
        outcome = trial.test(choice)
    return Result(
        *mutant,
        killed=outcome.killed,
        seconds=round(outcome.seconds, 1),
        killer=outcome.killer,
        change=_change(original, source),
        tests=len(choice.tests),
    )


def _change(before: str, after: str) -> str:
    """Return the first changed line before and after."""
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    old, new = next((old, new) for old, new in pairs if old != new)
    return f"{old.strip()}  ->  {new.strip()}"


def _line(mutant: Mutant, result: Result) -> str:
    what = "killed  " if result.killed else "SURVIVED"
    by = f"  by {result.killer}" if result.killed else f"  {result.tests} tests: {result.change}"
    return f"{what} {result.seconds:5.1f} s  {mutant}{by}"


if __name__ == "__main__":
    typer.run(main)

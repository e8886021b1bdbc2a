"""The work that tests do, counted by folder and held against `tests/budget.toml`.

Counts are the same on every machine, unlike seconds: a folder that exceeds a budget by half fails the run.
Servers that a worker's tests share are counted where the first of these tests is.
"""

import os
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

BUDGET = Path(__file__).parents[1] / "budget.toml"
TOLERANCE = 1.5
SHARED_MAX = 12
"""Servers that all workers together may start for the tests of several folders."""
_done = Counter[str]()


def record(kind: str) -> None:
    """Count one server or one page for the folder of the test that runs."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "")
    if folder := folder_of(test):
        _done[f"{folder}.{kind}"] += 1


def folder_of(test: str) -> str:
    """Return `ledger` for `tests/ledger/test_model.py::test_posts`, and `` for a test in no folder."""
    parts = test.partition("::")[0].split("/")
    return parts[1] if len(parts) > 2 else ""


def exceeded(done: Mapping[str, int], budget: Mapping[str, int]) -> Iterator[str]:
    """Yield a sentence for each count that is too high; a kind of work without a budget has none of it."""
    for name, number in sorted(done.items()):
        allowed = budget.get(name, 0)
        if number > TOLERANCE * allowed + SHARED_MAX:
            folder, kind = name.split(".")
            yield f"tests/{folder} used {number} {kind}; its budget in {BUDGET.name} is {allowed}"


def read_budget() -> dict[str, int]:
    folders = tomllib.loads(BUDGET.read_text())
    return {f"{folder}.{kind}": number for folder, kinds in folders.items() for kind, number in kinds.items()}


def _exceeded(config: pytest.Config) -> Iterator[str]:
    """Campaigns have no budget."""
    if config.option.markexpr == "not campaign":
        yield from exceeded(_done, read_budget())


def pytest_runtest_teardown(item: pytest.Item) -> None:
    record("tests")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand the counts to the controller, or compare all counts there."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["work"] = dict(_done)
        return
    if list(_exceeded(session.config)) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    _done.update(getattr(node, "workeroutput", {}).get("work", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for sentence in _exceeded(terminalreporter.config):
        terminalreporter.write_line(sentence, red=True)
    if os.environ.get("CROUPIER_TEST_WORK"):
        terminalreporter.write_line(f"work: {dict(sorted(_done.items()))}")

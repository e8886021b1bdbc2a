"""A folder that works half as much again as its budget fails the run."""

import pytest

from tests.support.work import BUDGET, SHARED_MAX, exceeded, folder_of, read_budget


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (150 + SHARED_MAX, []),
        (151 + SHARED_MAX, ["tests/browser used 163 pages; its budget in budget.toml is 100"]),
    ],
)
def test_a_folder_may_exceed_its_budget_by_half(number: int, said: list[str]) -> None:
    assert list(exceeded({"browser.pages": number}, {"browser.pages": 100})) == said


def test_work_without_a_budget_is_not_allowed() -> None:
    assert list(exceeded({"style.servers": SHARED_MAX + 1}, {})) == [
        "tests/style used 13 servers; its budget in budget.toml is 0"
    ]


def test_every_folder_with_tests_has_a_budget() -> None:
    tests = BUDGET.parent
    parts = [path.relative_to(tests).parts for path in tests.rglob("test_*.py")]
    folders = {folder for folder, *further in parts if further}
    assert folders == {name.partition(".")[0] for name in read_budget()}


@pytest.mark.parametrize(
    ("test", "folder"),
    [
        ("tests/ledger/sqlite/test_kill.py::test_a (call)", "ledger"),
        ("tests/test_api.py::test_a", ""),
        ("", ""),
    ],
)
def test_a_test_counts_for_its_first_folder(test: str, folder: str) -> None:
    assert folder_of(test) == folder

"""Limits on the length of files and functions."""

import ast
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
GENERATED = ("web/src/wire.ts", "web/src/staff/wire.ts")
LINES_MAX = 400
FUNCTION_LINES_MEDIAN_MAX = 12
FUNCTION_LINES_P99_MAX = 60


def function_lengths(source: str) -> Iterator[int]:
    """Yield the number of lines of each function, with its signature and docstring."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield node.end_lineno - node.lineno + 1


@pytest.fixture(scope="module")
def lengths() -> list[int]:
    return [length for path in SOURCES for length in function_lengths(path.read_text())]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: "/".join(path.parts[-3:]))
def test_files_are_short(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= LINES_MAX


def long_files(folder: str, pattern: str) -> dict[str, int]:
    """Return the lines of each file that is too long, by its path; generated files are left out."""
    lengths = {
        path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines())
        for path in (ROOT / folder).rglob(pattern)
    }
    return {name: lines for name, lines in lengths.items() if lines > LINES_MAX and name not in GENERATED}


@pytest.mark.parametrize(
    ("folder", "pattern"),
    [("tests", "*.py"), ("tools", "*.py"), ("web/src", "*.ts"), ("web/src", "*.svelte")],
)
def test_files_of_tests_tools_and_client_are_short(folder: str, pattern: str) -> None:
    assert long_files(folder, pattern) == {}


def test_the_median_function_is_short(lengths: list[int]) -> None:
    assert median(lengths) < FUNCTION_LINES_MEDIAN_MAX


def test_few_functions_are_long(lengths: list[int]) -> None:
    assert quantiles(lengths, n=100)[-1] < FUNCTION_LINES_P99_MAX


def test_lengths_include_signature_and_docstring() -> None:
    assert list(function_lengths('def f():\n    """Return 1."""\n\n    return 1\n\nx = 2\n')) == [4]
    assert list(function_lengths("class C:\n    async def g(self):\n        return 1\n")) == [2]

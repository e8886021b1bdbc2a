"""The tool that measures how many small faults tests notice, on a rule of two lines."""

from pathlib import Path

import pytest

from tests.mutation.mutants import Mutant, lines_of_statement, mutants_of, mutated, runs_at_import
from tests.mutation.tests_of_lines import Choice, choose
from tests.mutation.trial import trial_of

PATH = "croupier/games/planted.py"
RULE = "def is_bust(total: int | None) -> bool:\n    return total is not None and total > 21\n"
TESTS = """
from croupier.games.planted import is_bust

def test_far_from_the_limit():
    assert is_bust(30) and not is_bust(3)

def test_at_the_limit():
    assert is_bust(22) and not is_bust(21)
"""
FAR, AT = (f"tests/games/test_planted.py::test_{name}_the_limit" for name in ("far_from", "at"))


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a checkout with one rule and its tests."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # they take a second to import
    files = {f"src/{PATH}": RULE, "src/croupier/__init__.py": "", "tests/games/test_planted.py": TESTS}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def mutant_by(operator: str) -> Mutant:
    return next(mutant for mutant in mutants_of(PATH, RULE) if mutant.operator.endswith(operator))


def test_a_mutant_is_killed_by_a_test_that_checks_its_line_only(checkout: Path) -> None:
    changed = mutated(mutant_by("Gt_GtE"), RULE)
    assert changed == RULE.replace(">= 21", "> 21").replace("total > 21", "total >= 21")
    with trial_of(checkout) as trial:
        measured = trial.measure(["tests/games"])
        choice = choose(PATH, [2], measured, 60)
        assert set(choice.tests) == {FAR, AT}
        with trial.change(PATH, changed):
            assert trial.imports(PATH)
            assert not trial.test(Choice([FAR], 1)).killed
            assert trial.test(choice)[::2] == (True, AT)
    assert (checkout / "src" / PATH).read_text() == RULE


def test_annotations_are_not_mutated() -> None:
    assert mutated(mutant_by("BitOr_BitAnd"), RULE) is None


def test_what_no_right_program_notices_is_not_mutated() -> None:
    source = "class Card(Struct, frozen=True, tag=True):\n    @cache\n    def pips(self): ...\n"
    changed = [mutated(mutant, source) for mutant in mutants_of(PATH, source)]
    assert set(changed) == {None, source.replace("tag=True", "tag=False")}
    assert len(changed) == 3


def test_every_other_mutant_of_the_rule_changes_it() -> None:
    mutants = [mutant for mutant in mutants_of(PATH, RULE) if mutant.line == 2]
    changed = [mutated(mutant, RULE) for mutant in mutants]
    assert len(set(changed)) == len(mutants) > 5
    assert RULE not in changed


def test_lines_are_those_of_the_statement() -> None:
    source = "if (\n    a\n):\n    b = (\n        1\n    )\n"
    assert [list(lines_of_statement(source, line)) for line in (2, 5)] == [[1, 2, 3], [4, 5, 6]]


def test_what_runs_at_import_is_told_from_what_a_function_does() -> None:
    first, second = (next(mutant for mutant in mutants_of(PATH, RULE) if mutant.line == n) for n in (1, 2))
    assert runs_at_import(first, RULE)
    assert not runs_at_import(second, RULE)

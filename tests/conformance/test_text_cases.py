"""Play every text case of every game; a wrong case fails."""

from pathlib import Path

import pytest

from tests.conformance.text_cases import Case, CaseRun, all_cases, read_cases

OPERATOR_CASES = [Path(__file__).with_name(name) for name in ("corner_shop.txt", "other_coups.txt")]
"""Cases of tables that aren't published."""
CASES = [
    *all_cases(),
    *(case for file in OPERATOR_CASES for case in read_cases(file.name, file.read_text(encoding="utf-8"))),
]

CORRECT = """
# 000 2.7b: a double that wins
table classic
bets main 10000
cards 6H 9D 5S (8C) TD
do double
dealer 9D 8C
settles main 20000 won 40000
net +20000
"""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Case) -> None:
    CaseRun(case)


def parse_case(text: str) -> Case:
    (case,) = read_cases("written.txt", text)
    return case


def test_the_case_that_is_altered_below_is_correct() -> None:
    CaseRun(parse_case(CORRECT))


@pytest.mark.parametrize(
    ("right", "wrong", "why"),
    [
        ("won 40000", "won 40001", "settles"),
        ("net +20000", "net +20001", "net"),
        ("(8C) TD", "(8C) TD 2H", "1 left undealt"),
        ("(8C) TD", "(8C)", "shoe_empty"),
        ("(8C)", "8C", "dealt face down"),
        ("dealer 9D 8C", "dealer 9D", "dealer"),
        ("do double\n", "do split\n", "not_offered"),
        ("do double\n", "offers hit stand\ndo double\n", "offers"),
        ("do double\n", "asks 0.1\ndo double\n", "asks"),
        ("do double\n", "refused hit: not_offered\ndo double\n", "not refused"),
        ("do double\n", "refused split: not_offered by splits\ndo double\n", "by rule split"),
        ("do double\n", "peeks no\ndo double\n", "peeks"),
        ("settles main 20000 won 40000\nnet +20000\n", "", "now"),
        ("net", "nett", "unknown line"),
        ("# 000 2.7b: ", "# ", "begins with"),
    ],
)
def test_a_wrong_case_fails(right: str, wrong: str, why: str) -> None:
    assert right in CORRECT
    with pytest.raises(AssertionError, match=why):
        CaseRun(parse_case(CORRECT.replace(right, wrong)))

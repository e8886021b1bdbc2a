"""The pages of docs/rules cover every clause and every field, and the tables are as published."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from croupier.games import games, published_tables
from tests.conformance.text_cases import Case, case_files, read_cases
from tests.games.tables_page import page

FOLDER = Path(__file__).parents[2] / "docs" / "rules"
CLAUSE = re.compile(r"^\| ((?:00\d|[A-Z]{2}) [^|]+) \| [^|]+ \| ([^|]+) \|$", re.MULTILINE)
READINGS = re.compile(r"\(readings? (\w(?:, \w)*(?: and \w)?)[):]")
SHOE_CLAUSES = {"blackjack": {"000 2.1b", "003 Shuffling"}, "baccarat": {"004 3"}}
"""Clauses that no text case can show."""


def rules_doc(game: str) -> str:
    """Return the game's page."""
    return (FOLDER / f"{game.replace('_', '-')}.md").read_text()


def clauses(game: str) -> dict[str, str]:
    """Return the fields that implement each clause, by clause."""
    rows = CLAUSE.findall(rules_doc(game))
    assert len(rows) == len(dict(rows)) > 1, "a clause is listed twice"
    return dict(rows)


def cases(game: str) -> list[Case]:
    return [
        case
        for ending in (".txt", ".shared")
        for file in case_files(game, ending)
        for case in read_cases(file.name, file.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize("game", games())
def test_text_cases_cite_exactly_the_listed_clauses(game: str) -> None:
    cited = {case.clause for case in cases(game)}
    assert cited <= clauses(game).keys()
    assert clauses(game).keys() - cited == SHOE_CLAUSES.get(game, set())


@pytest.mark.parametrize("game", games())
def test_clauses_are_implemented_by_exactly_the_fields_of_the_rules(game: str) -> None:
    named = {field for cell in clauses(game).values() for field in re.findall(r"`(\w+)`", cell)}
    assert named == set(games()[game].rules.__struct_fields__)


@pytest.mark.parametrize("game", games())
def test_a_clause_lists_fields_or_always(game: str) -> None:
    for cell in clauses(game).values():
        assert re.fullmatch(r"`\w+`(, `\w+`)*|always", cell)


def test_every_cited_reading_is_given_once() -> None:
    pages = [rules_doc(game) for game in games()]
    titles = [case.title for game in games() for case in cases(game)]
    given = Counter(
        letter for text in pages for letter in re.findall(r"^- \*\*(\w)\*\* ", text, re.MULTILINE)
    )
    cited = {
        letter
        for text in pages + titles
        for listed in READINGS.findall(text)
        for letter in re.findall(r"\b\w\b", listed)
    }
    assert set(given.values()) == {1}
    assert len(given) > 10
    assert cited <= given.keys()


def test_the_tables_page_is_current() -> None:
    assert page() == (FOLDER / "tables.md").read_text(), (
        "python -m tests.games.tables_page > docs/rules/tables.md"
    )


# --- facts as published, which no text case shows ------------------------------------------------

PUBLISHED: dict[str, dict[str, Any]] = {
    "classic": {"decks": 6, "shuffle": "every_round", "GC": (1_000, 100_000), "SC": (50, 50_000)},
    "premium": {"decks": 6, "shuffle": "every_round", "GC": (10_000, 10_000_000), "SC": (2_500, 100_000)},
    "multihand": {"decks": 6, "shuffle": "every_round", "EUR": (100, 50_000)},
    "double_exposure": {"decks": 5, "shuffle": "every_round"},
    "infinite": {"decks": 8, "shuffle": "at_cut_card", "shoes": 2, "USD": (100, 500_000)},
    "seven_seat": {"decks": 8, "shuffle": "at_cut_card", "shoes": 1},
}
RETURNS = {
    ("multihand", "main"): "99.59",
    ("infinite", "main"): "99.47",
    ("infinite", "any_pair"): "95.90",
    ("infinite", "twenty_one_plus_three"): "96.30",
    ("infinite", "hot_3"): "94.60",
    ("infinite", "bust_it"): "94.12",
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_decks_shuffle_and_limits_are_as_published(name: str) -> None:
    table = published_tables()[name]
    for field, value in PUBLISHED[name].items():
        actual = table.limits[field] if field.isupper() else getattr(table.rules, field)
        assert actual == value, field


def test_returns_are_as_published() -> None:
    tables = published_tables()
    assert [name for name, table in tables.items() if table.game.name == "blackjack"] == list(PUBLISHED)
    assert {(name, line.bet): line.percent for name in tables for line in tables[name].published} == RETURNS
    assert "total stake" in tables["multihand"].published[0].of
    assert "initial stake" in tables["infinite"].published[0].of


def test_own_tables_are_as_published() -> None:
    tables = published_tables().values()
    own = {table.id for table in tables if table.game.name == "blackjack" and table.dealing == "own"}
    assert own == {"classic", "premium", "multihand", "double_exposure"}

"""docs/rules: every field and every clause is told, none is made up, and the tables are as published."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from croupier.games import games, published_tables
from tests.conformance.text_cases import Case, case_files, read_cases
from tests.games.rules_page import page

FOLDER = Path(__file__).parents[2] / "docs" / "rules"
CLAUSE = re.compile(r"^\| ((?:00\d|[A-Z]{2}) [^|]+) \| [^|]+ \| ([^|]+) \|$", re.MULTILINE)
READINGS = re.compile(r"\(readings? (\w(?:, \w)*(?: and \w)?)[):]")
OF_THE_SHOE = {"blackjack": {"000 2.1b", "003 Shuffling"}, "baccarat": {"004 3"}}
"""Clauses that no round shows."""


def told(game: str) -> str:
    """The game's page."""
    return (FOLDER / f"{game.replace('_', '-')}.md").read_text()


def clauses(game: str) -> dict[str, str]:
    """By what each is told."""
    rows = CLAUSE.findall(told(game))
    assert len(rows) == len(dict(rows)) > 1, "a clause stands there twice"
    return dict(rows)


def cases(game: str) -> list[Case]:
    return [
        case
        for ending in (".txt", ".shared")
        for file in case_files(game, ending)
        for case in read_cases(file.name, file.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize("game", games())
def test_every_case_names_a_clause_and_every_clause_is_played(game: str) -> None:
    played = {case.clause for case in cases(game)}
    assert played <= clauses(game).keys()
    assert clauses(game).keys() - played == OF_THE_SHOE.get(game, set())


@pytest.mark.parametrize("game", games())
def test_every_field_is_named_beside_a_clause_and_nothing_else_is(game: str) -> None:
    named = {field for cell in clauses(game).values() for field in re.findall(r"`(\w+)`", cell)}
    assert named == set(games()[game].rules.__struct_fields__)


@pytest.mark.parametrize("game", games())
def test_a_clause_is_told_by_fields_or_holds_always(game: str) -> None:
    for cell in clauses(game).values():
        assert re.fullmatch(r"`\w+`(, `\w+`)*|always", cell)


def test_every_reading_that_is_cited_is_given_once() -> None:
    pages = [told(game) for game in games()]
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
        "python -m tests.games.rules_page > docs/rules/tables.md"
    )


# --- what no round shows, as it was published ---------------------------------------------------

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
        found = table.limits[field] if field.isupper() else getattr(table.rules, field)
        assert found == value, field


def test_returns_are_as_published() -> None:
    tables = published_tables()
    assert [name for name, table in tables.items() if table.game.name == "blackjack"] == list(PUBLISHED)
    assert {(name, line.bet): line.percent for name in tables for line in tables[name].published} == RETURNS
    assert "total stake" in tables["multihand"].published[0].of
    assert "initial stake" in tables["infinite"].published[0].of


def test_who_has_a_table_of_his_own() -> None:
    tables = published_tables().values()
    own = {table.id for table in tables if table.game.name == "blackjack" and table.dealing == "own"}
    assert own == {"classic", "premium", "multihand", "double_exposure"}

"""Wagering classes: the share of a stake that counts, and the class of each table (004 5)."""

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games import published_tables
from croupier.play.tables.wagering import contribution_minor, wagering_classes, wagering_errors

CLASSES = {
    # the way of dealing, the percentage, and the number of games that the source names
    "slots": ("own", 100, 1),
    "live_casino": ("live", 15, 0),
    "live_shows": ("live", 50, 24),
    "rng_tables": ("own", 10, 4),
    "rng_poker": ("own", 10, 6),
    "rng_cards": ("own", 5, 6),
}
OWN = {"blackjack": "rng_cards", "baccarat": "rng_cards", "roulette": "rng_tables"}
"""The class of own tables of each game that the source names."""


def test_the_classes_are_those_of_the_source() -> None:
    found = {name: (one.dealing, one.percent, len(one.names)) for name, one in wagering_classes().items()}
    assert found == CLASSES


def test_no_game_is_in_two_classes() -> None:
    names = Counter(name.lower() for one in wagering_classes().values() for name in one.names)
    assert set(names.values()) == {1}


@pytest.mark.parametrize("game", OWN)
def test_the_class_of_own_tables_names_their_game(game: str) -> None:
    assert game in [name.lower() for name in wagering_classes()[OWN[game]].names]


@pytest.mark.parametrize("name", published_tables())
def test_the_class_of_a_published_table_fits_how_it_is_dealt(name: str) -> None:
    table = published_tables()[name]
    if table.dealing == "live":
        assert table.wagering == "live_casino"
    else:
        assert table.wagering == OWN.get(table.game.name, table.wagering) != ""
    assert not list(wagering_errors(table.wagering, table.dealing))


@pytest.mark.parametrize(
    ("wagering", "stake_minor", "counts_minor"),
    [
        ("slots", 1, 1),
        ("live_casino", 100, 15),
        ("live_casino", 99, 14),
        ("live_shows", 3, 1),
        ("rng_tables", 10_009, 1_000),
        ("rng_cards", 19, 0),
        ("rng_cards", 20, 1),
        ("", 1_000_000, 0),
    ],
)
def test_the_share_that_counts_is_rounded_down(wagering: str, stake_minor: int, counts_minor: int) -> None:
    assert contribution_minor(wagering, stake_minor) == counts_minor


@given(st.sampled_from(["", *CLASSES]), st.integers(0, 2**53), st.integers(0, 2**53))
def test_separate_stakes_count_no_more_than_their_sum(wagering: str, one: int, other: int) -> None:
    separate = contribution_minor(wagering, one) + contribution_minor(wagering, other)
    together = contribution_minor(wagering, one + other)
    assert 0 <= separate <= together <= separate + 1
    assert together <= one + other


@pytest.mark.parametrize(
    ("wagering", "dealing"), [("live_casino", "own"), ("slots", "live"), ("free", "own")]
)
def test_a_wrong_class_is_reported_with_the_allowed_ones(wagering: str, dealing: str) -> None:
    ((field, message),) = wagering_errors(wagering, dealing)  # type: ignore[arg-type]
    assert field == "wagering"
    assert wagering in message
    allowed = [name for name, (dealt, _, _) in CLASSES.items() if dealt == dealing]
    assert message.endswith(f"allowed are: {', '.join(allowed)}")


def test_the_documentation_lists_every_class() -> None:
    page = (Path(__file__).parents[3] / "docs" / "rules" / "wagering.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (own|live) \| (\d+) % \|", page, re.MULTILINE)
    assert rows == [(name, dealt, str(percent)) for name, (dealt, percent, _) in CLASSES.items()]

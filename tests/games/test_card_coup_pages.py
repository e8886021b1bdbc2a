"""The rules pages of the card coups state the rules: each changed rule changes the page."""

from dataclasses import replace as with_fields
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.games import published_tables
from croupier.gateway.pages.rules import markdown
from croupier.play.contract.game import Table

TABLES = published_tables()
SHOE = {"shoes": 2, "cut_card_from_back": 60, "rounds_after_cut": 3}
CHANGES: dict[str, dict[str, Any]] = {
    "baccarat": {
        "decks": 6,
        "naturals": (9,),
        "player_draws": (0, 1, 2, 3, 4),
        "banker_draws": ("0: - 1 2", "4: 2", "6: -"),
        "player": ("player_wins 1:1", "tie half back"),
        "banker": ("banker_wins_6 1:2", "banker_wins 1:1", "tie push"),
        "tie": ("tie 9:1",),
        "player_pair": ("player_pair 12:1",),
        "banker_pair": (),
    },
    "live_baccarat": SHOE | {"burn": "none"},
    "dragon_tiger": {
        "decks": 1,
        "ace": "high",
        "dragon": ("dragon_wins 1:1", "tie push"),
        "tiger": ("tiger_wins 1:1",),
        "tie": ("tie 8:1",),
        "suited_tie": (),
    },
    "live_dragon_tiger": SHOE | {"burn": "by_first_card"},
    "football_studio": {
        "decks": 1,
        "ace": "low",
        "home": ("home_wins 1:1", "draw push"),
        "away": ("away_wins 1:1",),
        "draw": ("draw 10:1",),
    },
    "live_football_studio": SHOE | {"burn": "by_first_card"},
}
SENTENCES = {
    "baccarat": (
        "If either hand has 8 or 9 with two cards",
        "a third card if it has 0, 1, 2, 3, 4 or 5, and stands if not",
        "| 3 | draws to 0, 1, 2, 3, 4, 5, 6, 7, 9 | draws |",
        "| 6 | draws to 6, 7 | stands |",
        "| Banker | Banker wins | 19:20 | 195 |",
        "keeps 5 as its commission",
        "| Tie | 85.640 % |",
        "| Player pair | Player pair | 11:1 | 1,200 |",
        "| Player pair, Banker pair | 89.639 % |",
        "two kings are one, a ten and a king aren't",
    ),
    "live_baccarat": (
        "in front of the last 7 cards",
        "Then 1 more is dealt, if the shoe still holds all that a coup may take",
        "A coup that is void isn't counted as one dealt after the cut card",
        "as many cards as it counts are put aside unseen",
        "Player and Banker can't be bet on in the same round",
    ),
    "dragon_tiger": (
        "An ace is the lowest card",
        "| Tiger | Tie | half back | 50 |",
        "| Suited tie | Suited tie | 50:1 | 5,100 |",
        "This table pays as live tables of this game commonly do",
        "| Dragon, Tiger | 96.265 % |",
    ),
    "football_studio": (
        "an ace the highest",
        "| Draw | Draw | 11:1 | 1,200 |",
        "This table pays as live tables of this game commonly do",
    ),
}


def page(table: Table) -> str:
    return " ".join(markdown(table).split())


def page_with(name: str, **rules: Any) -> str:
    return page(with_fields(TABLES[name], rules=replace(TABLES[name].rules, **rules)))


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [(name, field, value) for name, fields in CHANGES.items() for field, value in fields.items()],
)
def test_a_changed_rule_changes_the_page(name: str, field: str, value: Any) -> None:
    assert page_with(name, **{field: value}) != page(TABLES[name])


def test_every_rule_is_changed_at_some_table() -> None:
    for game in ("baccarat", "dragon_tiger", "football_studio"):
        changed = CHANGES[game] | CHANGES[f"live_{game}"]
        assert {*changed, "shuffle"} == set(TABLES[game].rules.__struct_fields__)


@pytest.mark.parametrize(("name", "sentences"), SENTENCES.items(), ids=SENTENCES)
def test_a_page_has_the_sentences_of_its_rules(name: str, sentences: tuple[str, ...]) -> None:
    text = page(TABLES[name])
    assert [sentence for sentence in sentences if sentence not in text] == []


@pytest.mark.parametrize("name", CHANGES)
def test_a_page_of_coups_mentions_no_decisions(name: str) -> None:
    text = page(TABLES[name])
    assert "decision" not in text
    assert "decide for" not in text


def test_a_page_without_pair_bets_does_not_mention_them() -> None:
    without_pairs = page_with("baccarat", player_pair=(), banker_pair=())
    assert "A pair is" not in without_pairs
    assert "| Player pair | Player pair |" not in without_pairs


def test_unusual_payouts_are_not_called_common() -> None:
    assert "commonly" not in page_with("dragon_tiger", tie=("tie 8:1",))
    assert "commonly" not in page_with("football_studio", draw=("draw 10:1",))


def test_without_commission_the_page_states_the_payout_for_a_six() -> None:
    text = page_with("baccarat", banker=("banker_wins_6 1:2", "banker_wins 1:1", "tie push"))
    assert "| Banker | Banker wins with 6 | 1:2 | 150 |" in text
    assert "Banker wins with 6 pays 1:2: of every 100 that would be won at 1:1 the casino keeps 50" in text

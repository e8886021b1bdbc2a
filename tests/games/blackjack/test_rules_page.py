"""The rules page of a table of blackjack states every rule that applies to it, and no other."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from croupier.games import published_tables
from croupier.games.blackjack.boxes import Box
from croupier.games.blackjack.labels import OUTCOMES
from croupier.games.blackjack.options import offered_options
from croupier.games.blackjack.rules import ANY_TOTAL, Rules
from croupier.gateway.pages.rules import markdown
from croupier.play.contract.game import Table

_TABLES = published_tables()
_SEVEN_SEAT = _TABLES["seven_seat"]
_WHOLE_SHOE = structs.replace(_SEVEN_SEAT.rules, cut_card_percent=100)
_PUBLISHED = {name: table for name, table in _TABLES.items() if table.game == _SEVEN_SEAT.game}
TABLES = _PUBLISHED | {"whole_shoe": replace(_SEVEN_SEAT, id="whole_shoe", rules=_WHOLE_SHOE)}
"""The published tables of blackjack, and one whose shuffle can be changed without other rules."""

VALUES: dict[str, tuple[Any, ...]] = {
    "decks": (1, 2, 5, 6, 8),
    "shuffle": ("every_round", "at_cut_card"),
    "cut_card_percent": (37, 50, 100),
    "shoes": (1, 2),
    "dealer_hits_soft_17": (False, True),
    "hole_card": ("face_down", "face_up"),
    "peek": ("never", "ace", "ace_or_ten"),
    "dealer_blackjack_takes": ("everything", "initial_stake"),
    "blackjack_pays": ("1:1", "3:2", "6:5"),
    "blackjack_beats_blackjack": (False, True),
    "ties": ("push", "dealer_wins"),
    "insurance": ("none", "without_blackjack", "always"),
    "insurance_pays": ("2:1", "9:4"),
    "even_money": (False, True),
    "double_low_totals": ((), (11,), (9, 10, 11), ANY_TOTAL),
    "double_for_less": (False, True),
    "double_after_split": (False, True),
    "split": ("equal_value", "equal_rank"),
    "splits": ("none", "one_per_round", "one_per_hand"),
    "split_aces_one_card": (False, True),
    "stand_on_21": (False, True),
    "charlie_cards": (0, 5, 6, 7),
    "split_hands_decide": ("in_turn", "together"),
    "boxes": (1, 2, 3, 7),
    **{bet: ((), (f"{lines[0]} 13:2",), (f"{lines[-1]} 8:3",)) for bet, lines in OUTCOMES.items()},
}
"""Values to set each rule to."""

WITHOUT_EFFECT: dict[str, Callable[[Rules, Rules], bool]] = {
    # A box with a blackjack is offered even money instead of insurance.
    "insurance": lambda rules, changed: (
        rules.even_money and "none" not in (rules.insurance, changed.insurance)
    ),
    "insurance_pays": lambda rules, _: rules.insurance == "none",
    # A dealer who peeks under aces and tens, or has no hidden card, never shows a blackjack after play.
    "dealer_blackjack_takes": lambda rules, _: rules.hole_card == "face_up" or rules.peek == "ace_or_ten",
}
"""Conditions by rule: changing it has no effect beside the table's other rules, so that the page omits it."""

SENTENCES: dict[str, dict[Any, str]] = {
    "shuffle": {"every_round": "shuffled before every round", "at_cut_card": "A cut card lies behind"},
    "dealer_hits_soft_17": {True: "draws to a soft 17", False: "stands on a soft 17"},
    "hole_card": {"face_down": "second card stays face down", "face_up": "dealer's cards are dealt face up"},
    "blackjack_pays": {"3:2": "Blackjack pays **3 to 2**", "1:1": "Blackjack pays **1 to 1**"},
    "blackjack_beats_blackjack": {True: "paid against a dealer's blackjack", False: "blackjack is a push"},
    "ties": {"push": "Equal totals are a push", "dealer_wins": "Equal totals lose"},
    "even_money": {True: "the box is paid 1 to 1 at once and is out of the round"},
    "double_for_less": {True: "double for less", False: "equal to the first. The hand"},
    "double_after_split": {True: "may be doubled as well", False: "Hands of a split can't be doubled"},
    "double_low_totals": {ANY_TOTAL: "on any first two cards", (9, 10, 11): "that total 9, 10 or 11"},
    "split": {"equal_value": "cards that count the same", "equal_rank": "a ten and a king may not"},
    "splits": {"one_per_round": "There is one split in a round", "one_per_hand": "A box may be split once"},
    "split_aces_one_card": {True: "Split aces get one card each", False: "played on like other hands"},
    "stand_on_21": {True: "21 stands automatically", False: "21 doesn't stand automatically"},
    "charlie_cards": {6: "## 6-card Charlie"},
    "split_hands_decide": {"in_turn": "played to its end before", "together": "in the same window"},
    "shoes": {2: "2 shoes take turns"},
    "decks": {5: "- 5 decks", 6: "- 6 decks", 8: "- 8 decks"},
    "any_pair": {("suited_pair 25:1", "pair 8:1"): "### Any Pair"},
}
"""Sentences for values of a rule; the page has the one for its value and not the others."""

SENTENCES_BY_TABLE = {
    "classic": (
        "doesn't check the second card",
        "you also lose what you added",
        "Insurance is settled when",
        "## Even Play",
        "you may take Even Play: the box",
        "the dealer turns the second card at once, and your blackjack is settled like any other",
        "- Even Play: decline it.",
        "insure your box for half its stake. -",
        "An ace and a 10 that come together",
        "A decision that has reached the server",
        "the dealer shows the second card and draws no cards. ##",
        "There is one split in a round. -",
        "| the main bet | 1,000 to 100,000 | 0.50 to 500.00 | These are limits",
        "dealt by the random number generator*: 5 % of what you stake",
    ),
    "premium": (
        "With an ace or a card that counts 10 showing",
        "## Even Play",
        "- If you decline, your blackjack is settled like any other.",
        "You play 1 box",
        "can't be insured",
        "before the dealer checks the second card",
    ),
    "multihand": (
        "from 1 to 3 boxes",
        "## Even money",
        "you may take even money: the box",
        "99.59 %",
        "insure each box",
        "1.00 to 500.00",
        "as well, except split aces",
        "| the main bet of each box |",
    ),
    "double_exposure": (
        "from 1 to 5 boxes",
        "the round ends before anyone plays",
        "your own table",
        "the dealer draws no cards",
    ),
    "infinite": (
        "Any number of players",
        "| Side bet | Return | House edge | |---|---|---| | Any Pair | 95.904 % | 4.096 % |",
        "| Bust It | 94.117 % | 5.883 % |",
        "behind 50 % of the shoe",
        "can be insured too",
        "draws no cards, unless a bet on the dealer going bust is still open",
        "Each hand of a split counts its cards",
        "breaks before betting closes",
        "| Bets are open | 15 s | | of these, the light is yellow | 5 s |",
        "| To answer an offer of insurance | 7 s |",
        "| For a decision | 12 s | | From the result to the next round | 5 s |",
        "A hand of 11 or less hits, and a hand of 12 or more stands.",
        "how many of the players who have the same cards",
        "If the server stops or fails during a round, the round is void and every stake is returned",
        "up to 200 characters",
        "kept for 90 days",
        "The server deals the cards",
    ),
    "seven_seat": (
        "The table has 7 boxes",
        "the dealer doesn't check",
        "### Perfect Pairs",
        "| Perfect Pairs | 95.904 % | 4.096 % | | 21+3 | 96.296 % | 3.704 % |",
        "may double for less",
        "You may take one seat.",
        "Hands are played in the order of the seats",
    ),
}
"""Sentences of published tables that depend on several rules."""


def page(table: Table) -> str:
    """Return the page on one line, so that wrapped sentences are found."""
    return " ".join(markdown(table).split())


def with_rules(table: Table, **changed: Any) -> Table:
    return replace(table, rules=structs.replace(table.rules, **changed))


def changed_rules(without_effect: bool) -> Iterator[Any]:
    """Yield every table with one rule changed, if the game allows it."""
    for table in TABLES.values():
        for field, values in VALUES.items():
            for value in values:
                changed = structs.replace(table.rules, **{field: value})
                has_no_effect = field in WITHOUT_EFFECT and WITHOUT_EFFECT[field](table.rules, changed)
                allowed = not list(table.game.rule_errors(changed, table.dealing))
                if changed != table.rules and allowed and without_effect == has_no_effect:
                    yield pytest.param(table.id, field, value, id=f"{table.id}-{field}-{value}")


def test_every_rule_has_values_and_is_changed_at_some_table() -> None:
    assert set(VALUES) == set(Rules.__struct_fields__)
    assert {case.values[1] for case in changed_rules(without_effect=False)} == set(Rules.__struct_fields__)


@pytest.mark.parametrize(("table", "field", "value"), tuple(changed_rules(without_effect=False)))
def test_a_changed_rule_changes_the_page(table: str, field: str, value: Any) -> None:
    assert page(with_rules(TABLES[table], **{field: value})) != page(TABLES[table])


@pytest.mark.parametrize(("table", "field", "value"), tuple(changed_rules(without_effect=True)))
def test_a_rule_without_effect_is_not_mentioned(table: str, field: str, value: Any) -> None:
    assert page(with_rules(TABLES[table], **{field: value})) == page(TABLES[table])


@pytest.mark.parametrize("table", tuple(TABLES.values()), ids=TABLES)
@pytest.mark.parametrize("field", tuple(SENTENCES))
def test_the_page_states_the_value_of_each_rule(table: Table, field: str) -> None:
    value = getattr(table.rules, field)
    if SENTENCES[field].get(value) is not None:
        assert SENTENCES[field][value] in page(table)
    others = [sentence for other, sentence in SENTENCES[field].items() if other != value]
    assert not [sentence for sentence in others if sentence in page(table)]


@pytest.mark.parametrize(("table", "sentences"), tuple(SENTENCES_BY_TABLE.items()), ids=SENTENCES_BY_TABLE)
def test_the_page_of_a_published_table_has_its_sentences(table: str, sentences: tuple[str, ...]) -> None:
    assert set(SENTENCES_BY_TABLE) == set(_PUBLISHED)
    assert not [sentence for sentence in sentences if sentence not in page(TABLES[table])]


def test_one_split_per_round_applies_to_all_boxes_together() -> None:
    text = page(with_rules(TABLES["multihand"], splits="one_per_round"))
    assert "There is one split in a round, for all boxes together." in text


@pytest.mark.parametrize(
    ("table", "changed", "absent"),
    [
        ("classic", {"insurance": "none"}, ("nsurance", "insure")),
        ("classic", {"even_money": False}, ("ven money", "Even Play")),
        ("classic", {"double_low_totals": ()}, ("Doubling", "may be doubled")),
        ("infinite", {"charlie_cards": 0}, ("Charlie itself", "Charlie -")),
        ("seven_seat", {"perfect_pairs": (), "twenty_one_plus_three": ()}, ("ide bet", "only to")),
        ("infinite", {"splits": "none"}, ("Splitting", "a split", "Split aces")),
        ("classic", {"splits": "none"}, ("Splitting", "a split", "Split aces")),
    ],
)
def test_bets_and_actions_not_offered_are_not_mentioned(
    table: str, changed: dict[str, Any], absent: tuple[str, ...]
) -> None:
    text = page(replace(with_rules(TABLES[table], **changed), id="own", line="", title="A table"))
    assert not [word for word in absent if word in text]


@pytest.mark.parametrize("table", tuple(TABLES.values()), ids=TABLES)
def test_every_line_of_every_paytable_is_listed(table: Table) -> None:
    for bet in table.game.bets(table.rules):
        for outcome, odds in bet.pays:
            row = f"| {table.labels[outcome]} | {odds} | {odds.winnings(100):,} |"
            assert row in page(table)


@pytest.mark.parametrize(
    ("changed", "absent"),
    [
        ({"splits": "none"}, "split"),
        ({"double_low_totals": ()}, "double"),
        ({"insurance": "none"}, "nsurance"),
    ],
)
def test_automatic_decisions_mention_only_actions_of_the_table(changed: dict[str, Any], absent: str) -> None:
    table = with_rules(TABLES["infinite"], **changed)
    section = " ".join(markdown(table).split()).partition("## The time")[2].partition("## What others")[0]
    assert absent not in section


@pytest.mark.parametrize("table", tuple(TABLES.values()), ids=TABLES)
@pytest.mark.parametrize("insurance", VALUES["insurance"])
def test_the_page_states_that_a_stake_of_one_unit_cant_be_insured(table: Table, insurance: str) -> None:
    changed = with_rules(table, insurance=insurance, even_money=False)
    offered = {stake: offered_options(changed.rules, Box(0, stake)) for stake in (1, 2)}
    stated = "A stake of one smallest unit has no such half, so it can't be insured." in page(changed)
    assert stated == (offered[1] == () != offered[2])

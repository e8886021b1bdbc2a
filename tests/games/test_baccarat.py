"""Baccarat: the configured tableau, compared with a reference written from the clauses, and other rules."""

from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.equipment.cards import RANKS, Card
from croupier.games import games, published_tables
from croupier.games.baccarat.coup import rank_groups
from croupier.games.baccarat.labels import OUTCOMES
from croupier.games.baccarat.rules import BANKER, PLAYER, VALUE, Rules
from croupier.games.baccarat.view import BaccaratView
from croupier.play.contract.bets import Settled, Wager
from croupier.play.contract.wants import DealCard
from croupier.play.coup.coup import Coup
from croupier.play.tables.files import InvalidTables, with_rules

GAME = games()["baccarat"]
TABLE = published_tables()["baccarat"]
RULES: Rules = TABLE.rules
WAGERS = (Wager(0, "player", 100), Wager(0, "banker", 100), Wager(0, "tie", 100))
RANK_OF_VALUE = {value: rank for rank, value in VALUE.items()}
"""A rank for each value."""
POINTS = range(10)


def reference(player: int, banker: int, third_cards: tuple[int, int]) -> tuple[int, int, str]:
    """Return the final points and who drew, following 004 3.2 sentence by sentence."""
    player_third, banker_third = third_cards
    with_third = (banker + banker_third) % 10
    if player >= 8 or banker >= 8:
        return player, banker, ""
    if player in (6, 7):
        return (player, with_third, "b") if banker <= 5 else (player, banker, "")
    after = (player + player_third) % 10
    return (after, with_third, "pb") if banker_draws(banker, player_third) else (after, banker, "p")


def banker_draws(banker: int, player_third: int) -> bool:
    """Return whether the banker draws after the player's third card."""
    if banker in (0, 1, 2):
        return True
    if banker == 3:
        return player_third != 8
    if banker == 4:
        return 2 <= player_third <= 7
    if banker == 5:
        return 4 <= player_third <= 7
    return banker == 6 and player_third in (6, 7)


def card_with(points: int) -> Card:
    return Card(RANK_OF_VALUE[points], "S")


def play_coup(rules: Rules, player: int, banker: int, third_cards: tuple[int, int]) -> Coup:
    """Play a coup with these points of the first two cards of each hand, and these third cards."""
    coup: Coup = GAME.start(rules, WAGERS)
    for points in (player, banker, 0, 0):
        coup = coup.answer(coup.wants()[0], card_with(points))
    for to, points in zip((PLAYER, BANKER), third_cards, strict=True):
        if coup.wants() == (DealCard(to),):
            coup = coup.answer(DealCard(to), card_with(points))
    assert coup.ended
    return coup


def result_of(coup: Coup) -> tuple[int, int, str]:
    view: BaccaratView = GAME.show(coup, 0)  # type: ignore[assignment]
    drew = "p" * (len(view.player.cards) - 2) + "b" * (len(view.banker.cards) - 2)
    return view.player.totals[-1], view.banker.totals[-1], drew


@pytest.mark.parametrize("player", POINTS)
def test_the_tableau_follows_the_clauses(player: int) -> None:
    for banker, player_third, banker_third in product(POINTS, POINTS, POINTS):
        dealt = (player, banker, (player_third, banker_third))
        assert result_of(play_coup(RULES, *dealt)) == reference(*dealt), dealt


def test_a_wrong_row_of_the_tableau_is_detected() -> None:
    rows = RULES.banker_draws
    faulty = replace(RULES, banker_draws=(*rows[:6], "6: 7"))
    assert result_of(play_coup(faulty, 0, 6, (6, 1))) != reference(0, 6, (6, 1))
    assert result_of(play_coup(faulty, 0, 6, (7, 1))) == reference(0, 6, (7, 1))


RESULTS = {0: ("T", [100, 100, 900]), 1: ("P", [200, 0, 0]), -1: ("B", [0, 195, 0])}
"""By the sign of the difference in points: the result's letter, and the returns of 100 on each bet."""


@pytest.mark.parametrize("player", POINTS)
def test_every_coup_is_settled_by_its_points(player: int) -> None:
    for banker, player_third, banker_third in product(POINTS, POINTS, POINTS):
        coup = play_coup(RULES, player, banker, (player_third, banker_third))
        player_points, banker_points, _ = reference(player, banker, (player_third, banker_third))
        letter, expected = RESULTS[(player_points > banker_points) - (player_points < banker_points)]
        assert [line.returned_minor for line in GAME.settle(coup)] == expected
        result = coup.definition.result(RULES, coup.dealt)
        assert result.rstrip("pb") == f"{letter}{max(player_points, banker_points)}"


@pytest.mark.parametrize(
    ("ranks", "points"), [("AK", 1), ("9T", 9), ("TJ", 0), ("QK", 0), ("56", 1), ("99", 8)]
)
def test_points_are_the_last_digit_of_the_sum(ranks: str, points: int) -> None:
    coup = GAME.start(RULES, WAGERS)
    for rank in (ranks[0], "2", ranks[1], "2"):
        coup = coup.answer(coup.wants()[0], Card(rank, "H"))
    assert GAME.show(coup, 0).player.totals[1] == points  # type: ignore[attr-defined]


# --- other rules, as configured ------------------------------------------------------------------


def banker_settlement(rules: Rules, first: tuple[int, int], third_cards: tuple[int, int] = (0, 0)) -> Settled:
    return GAME.settle(play_coup(rules, *first, third_cards))[1]


NO_COMMISSION = replace(RULES, banker=("banker_wins_6 1:2", "banker_wins 1:1", "tie push"))
PUSH_ON_SEVEN = replace(RULES, banker=("banker_wins_7_of_3 push", "banker_wins 1:1", "tie push"))


def test_without_commission_a_banker_win_with_six_pays_half() -> None:
    assert banker_settlement(NO_COMMISSION, (0, 6)).outcome == "banker_wins_6"
    assert banker_settlement(NO_COMMISSION, (0, 6)).returned_minor == 150
    assert banker_settlement(NO_COMMISSION, (0, 7)).returned_minor == 200
    assert banker_settlement(NO_COMMISSION, (9, 6)).returned_minor == 0
    assert banker_settlement(NO_COMMISSION, (6, 6)).returned_minor == 100


def test_a_banker_win_with_seven_of_three_cards_may_push() -> None:
    assert banker_settlement(PUSH_ON_SEVEN, (0, 7)).returned_minor == 200
    three_cards = banker_settlement(PUSH_ON_SEVEN, (0, 2), (0, 5))
    assert (three_cards.outcome, three_cards.returned_minor) == ("banker_wins_7_of_3", 100)


def test_the_tie_and_pair_bets_may_be_left_out() -> None:
    without_pairs = replace(RULES, tie=(), player_pair=(), banker_pair=())
    assert [bet.name for bet in GAME.bets(without_pairs)] == ["player", "banker"]


@pytest.mark.parametrize(("first", "second"), [*product(RANKS, RANKS)])
def test_a_pair_depends_on_the_ranks_only(first: str, second: str) -> None:
    """Deal the two ranks to one hand, and no pair to the other."""
    for pair, others in (("player_pair", (0, 1)), ("banker_pair", (1, 0))):
        coup = GAME.start(RULES, [Wager(0, pair, 10)])
        hands = [Card(first, "S"), Card(second, "H")], [Card("5", "C"), Card("4", "D")]
        for place in range(4):
            coup = coup.answer(coup.wants()[0], hands[others[place % 2]][place // 2])
        while wants := coup.wants():
            coup = coup.answer(wants[0], Card(first, "D"))
        (line,) = GAME.settle(coup)
        assert line.returned_minor == (120 if first == second else 0)


def test_ranks_are_distinct_only_if_a_bet_depends_on_them() -> None:
    without_pairs = replace(RULES, player_pair=(), banker_pair=())
    assert rank_groups(RULES) == tuple(RANKS)
    assert rank_groups(without_pairs) == ("A", "2", "3", "4", "5", "6", "7", "8", "9", "TJQK")
    assert rank_groups(replace(without_pairs, tie=("player_pair 20:1", "tie 8:1"))) == tuple(RANKS)


@pytest.mark.parametrize("decks", [1, 6, 20])
def test_the_number_of_decks_is_configurable(decks: int) -> None:
    table = with_rules(TABLE, {"decks": decks})
    assert GAME.decks(table.rules) == decks


INVALID: list[tuple[dict[str, Any], str]] = [
    ({"banker": []}, "banker: .*length"),
    ({"banker": ["banker_wins 19"]}, "banker: "),
    ({"tie": ["dragon 8:1"]}, "tie: no outcome 'dragon'; allowed are: player_wins"),
    ({"tie": ["tie 8:1", "tie 9:1"]}, "tie: 'tie' stands there twice"),
    ({"banker_draws": ["6: 6 7", "6: 7"]}, "banker_draws: the banker's total 6 has 2 rows"),
    ({"banker_draws": ["six: 6"]}, "banker_draws: .*the banker's total, then"),
    ({"player_draws": [10]}, "player_draws: "),
    ({"burn": "by_first_card"}, "burn: allowed is: 'none', since the cards are shuffled every round"),
]


@pytest.mark.parametrize(("changes", "message"), INVALID)
def test_an_invalid_rule_is_refused_with_its_field(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidTables, match=message):
        with_rules(TABLE, changes)


def test_a_cut_card_leaves_enough_cards_for_a_coup() -> None:
    live = published_tables()["live_baccarat"]
    assert with_rules(live, {"cut_card_from_back": 5}).rules.cut_card_from_back == 5
    with pytest.raises(InvalidTables, match="cut_card_from_back: allowed is: a whole number from 5 to 415"):
        with_rules(live, {"cut_card_from_back": 4})


# --- labels and prompts --------------------------------------------------------------------------


def test_every_outcome_has_a_label() -> None:
    for player, banker in product(POINTS, POINTS):
        coup = play_coup(RULES, player, banker, (3, 4))
        assert {line.outcome for line in GAME.settle(coup)} <= {*OUTCOMES, "lost"}
    assert GAME.labels["banker_wins_6"] == "Banker wins with 6"
    for points in POINTS:
        assert GAME.labels[f"tie_{points}_of_3"] == f"Tie with {points} in three cards"


def test_the_cloth_states_the_payouts() -> None:
    assert GAME.cloth(RULES) == (
        "Player pays 1 to 1",
        "Banker pays 19 to 20",
        "Tie pays 8 to 1",
        "Player pair pays 11 to 1",
        "Banker pair pays 11 to 1",
    )
    assert "Banker wins with 6 pays 1 to 2" in GAME.cloth(NO_COMMISSION)


def test_the_dealer_is_prompted_card_by_card() -> None:
    coup, prompts = GAME.start(RULES, WAGERS), []
    while wants := coup.wants():
        assert GAME.live
        prompts.append(GAME.live.dealer_prompt(coup, wants[0]))
        coup = coup.answer(wants[0], Card("A", "S"))
    assert prompts == [
        "the player's first card",
        "the banker's first card",
        "the player's second card",
        "the banker's second card",
        "the player's third card",
        "the banker's third card",
    ]


def test_both_hands_have_labels() -> None:
    assert {place: GAME.labels[place] for place in ("0.0", "1.0")} == {"0.0": "Player", "1.0": "Banker"}

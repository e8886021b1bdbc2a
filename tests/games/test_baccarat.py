"""Baccarat's tableau, which is data, against its clauses written out plainly; and rules of other houses."""

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
LAID = (Wager(0, "player", 100), Wager(0, "banker", 100), Wager(0, "tie", 100))
WORTH = {value: rank for rank, value in VALUE.items()}
"""A rank for each value."""
POINTS = range(10)


def plain(player: int, banker: int, thirds: tuple[int, int]) -> tuple[int, int, str]:
    """Points in the end, and who drew, told from 004 3.2 sentence by sentence."""
    his, bankers = thirds
    with_third = (banker + bankers) % 10
    if player >= 8 or banker >= 8:
        return player, banker, ""
    if player in (6, 7):
        return (player, with_third, "b") if banker <= 5 else (player, banker, "")
    after = (player + his) % 10
    return (after, with_third, "pb") if banker_draws(banker, his) else (after, banker, "p")


def banker_draws(banker: int, his: int) -> bool:
    """After the player's third card."""
    if banker in (0, 1, 2):
        return True
    if banker == 3:
        return his != 8
    if banker == 4:
        return 2 <= his <= 7
    if banker == 5:
        return 4 <= his <= 7
    return banker == 6 and his in (6, 7)


def of(points: int) -> Card:
    return Card(WORTH[points], "S")


def dealt(rules: Rules, player: int, banker: int, thirds: tuple[int, int]) -> Coup:
    """A coup in which the first two cards have these points, and the third cards these."""
    coup: Coup = GAME.start(rules, LAID)
    for points in (player, banker, 0, 0):
        coup = coup.answer(coup.wants()[0], of(points))
    for to, points in zip((PLAYER, BANKER), thirds, strict=True):
        if coup.wants() == (DealCard(to),):
            coup = coup.answer(DealCard(to), of(points))
    assert coup.ended
    return coup


def ended(coup: Coup) -> tuple[int, int, str]:
    view: BaccaratView = GAME.show(coup, 0)  # type: ignore[assignment]
    drew = "p" * (len(view.player.cards) - 2) + "b" * (len(view.banker.cards) - 2)
    return view.player.totals[-1], view.banker.totals[-1], drew


@pytest.mark.parametrize("player", POINTS)
def test_the_tableau_is_the_clauses(player: int) -> None:
    for banker, his, bankers in product(POINTS, POINTS, POINTS):
        told = plain(player, banker, (his, bankers))
        assert ended(dealt(RULES, player, banker, (his, bankers))) == told, (banker, his, bankers)


def test_a_wrong_row_is_seen() -> None:
    rows = RULES.banker_draws
    wrong = replace(RULES, banker_draws=(*rows[:6], "6: 7"))
    assert ended(dealt(wrong, 0, 6, (6, 1))) != plain(0, 6, (6, 1))
    assert ended(dealt(wrong, 0, 6, (7, 1))) == plain(0, 6, (7, 1))


ENDS = {0: ("T", [100, 100, 900]), 1: ("P", [200, 0, 0]), -1: ("B", [0, 195, 0])}
"""By who is ahead: the letter of the result, and what 100 on each bet returns."""


@pytest.mark.parametrize("player", POINTS)
def test_every_end_is_settled_as_the_points_say(player: int) -> None:
    for banker, his, bankers in product(POINTS, POINTS, POINTS):
        coup = dealt(RULES, player, banker, (his, bankers))
        one, other, _ = plain(player, banker, (his, bankers))
        letter, told = ENDS[(one > other) - (one < other)]
        assert [line.returned_minor for line in GAME.settle(coup)] == told
        assert coup.definition.result(RULES, coup.dealt).rstrip("pb") == f"{letter}{max(one, other)}"


@pytest.mark.parametrize(
    ("ranks", "points"), [("AK", 1), ("9T", 9), ("TJ", 0), ("QK", 0), ("56", 1), ("99", 8)]
)
def test_points_are_the_last_digit_of_the_sum(ranks: str, points: int) -> None:
    coup = GAME.start(RULES, LAID)
    for rank in (ranks[0], "2", ranks[1], "2"):
        coup = coup.answer(coup.wants()[0], Card(rank, "H"))
    assert GAME.show(coup, 0).player.totals[1] == points  # type: ignore[attr-defined]


# --- rules of other houses, as data --------------------------------------------------------------


def banker_returns(rules: Rules, first: tuple[int, int], thirds: tuple[int, int] = (0, 0)) -> Settled:
    return GAME.settle(dealt(rules, *first, thirds))[1]


NO_COMMISSION = replace(RULES, banker=("banker_wins_6 1:2", "banker_wins 1:1", "tie push"))
PUSH_ON_SEVEN = replace(RULES, banker=("banker_wins_7_of_3 push", "banker_wins 1:1", "tie push"))


def test_without_commission_a_six_pays_half() -> None:
    assert banker_returns(NO_COMMISSION, (0, 6)).outcome == "banker_wins_6"
    assert banker_returns(NO_COMMISSION, (0, 6)).returned_minor == 150
    assert banker_returns(NO_COMMISSION, (0, 7)).returned_minor == 200
    assert banker_returns(NO_COMMISSION, (9, 6)).returned_minor == 0
    assert banker_returns(NO_COMMISSION, (6, 6)).returned_minor == 100


def test_a_seven_of_three_cards_may_push() -> None:
    assert banker_returns(PUSH_ON_SEVEN, (0, 7)).returned_minor == 200
    of_three = banker_returns(PUSH_ON_SEVEN, (0, 2), (0, 5))
    assert (of_three.outcome, of_three.returned_minor) == ("banker_wins_7_of_3", 100)


def test_a_table_may_offer_no_tie_and_no_pairs() -> None:
    bare = replace(RULES, tie=(), player_pair=(), banker_pair=())
    assert [bet.name for bet in GAME.bets(bare)] == ["player", "banker"]


@pytest.mark.parametrize(("first", "second"), [*product(RANKS, RANKS)])
def test_a_pair_goes_by_ranks_and_by_nothing_else(first: str, second: str) -> None:
    """In either hand, beside two cards of the other that are none."""
    for pair, others in (("player_pair", (0, 1)), ("banker_pair", (1, 0))):
        coup = GAME.start(RULES, [Wager(0, pair, 10)])
        hands = [Card(first, "S"), Card(second, "H")], [Card("5", "C"), Card("4", "D")]
        for place in range(4):
            coup = coup.answer(coup.wants()[0], hands[others[place % 2]][place // 2])
        while wants := coup.wants():
            coup = coup.answer(wants[0], Card(first, "D"))
        (line,) = GAME.settle(coup)
        assert line.returned_minor == (120 if first == second else 0)


def test_ranks_are_told_apart_only_where_a_bet_goes_by_them() -> None:
    bare = replace(RULES, player_pair=(), banker_pair=())
    assert rank_groups(RULES) == tuple(RANKS)
    assert rank_groups(bare) == ("A", "2", "3", "4", "5", "6", "7", "8", "9", "TJQK")
    assert rank_groups(replace(bare, tie=("player_pair 20:1", "tie 8:1"))) == tuple(RANKS)


@pytest.mark.parametrize("decks", [1, 6, 20])
def test_any_number_of_decks(decks: int) -> None:
    table = with_rules(TABLE, {"decks": decks})
    assert GAME.decks(table.rules) == decks


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"banker": []}, "banker: .*length"),
    ({"banker": ["banker_wins 19"]}, "banker: "),
    ({"tie": ["dragon 8:1"]}, "tie: no outcome 'dragon'; allowed are: player_wins"),
    ({"tie": ["tie 8:1", "tie 9:1"]}, "tie: 'tie' stands there twice"),
    ({"banker_draws": ["6: 6 7", "6: 7"]}, "banker_draws: the banker's total 6 has 2 rows"),
    ({"banker_draws": ["six: 6"]}, "banker_draws: .*the banker's total, then"),
    ({"player_draws": [10]}, "player_draws: "),
    ({"burn": "by_first_card"}, "burn: allowed is: 'none', since the cards are shuffled every round"),
]


@pytest.mark.parametrize(("changes", "why"), WRONG)
def test_what_is_wrong_is_refused_by_field(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidTables, match=why):
        with_rules(TABLE, changes)


def test_a_cut_card_leaves_enough_to_end_the_coup() -> None:
    live = published_tables()["live_baccarat"]
    assert with_rules(live, {"cut_card_from_back": 5}).rules.cut_card_from_back == 5
    with pytest.raises(InvalidTables, match="cut_card_from_back: allowed is: a whole number from 5 to 415"):
        with_rules(live, {"cut_card_from_back": 4})


# --- words ---------------------------------------------------------------------------------------


def test_every_end_of_every_coup_has_its_words() -> None:
    for player, banker in product(POINTS, POINTS):
        coup = dealt(RULES, player, banker, (3, 4))
        assert {line.outcome for line in GAME.settle(coup)} <= {*OUTCOMES, "lost"}
    assert GAME.labels["banker_wins_6"] == "Banker wins with 6"


def test_the_cloth_says_what_is_paid() -> None:
    assert GAME.cloth(RULES) == (
        "Player pays 1 to 1",
        "Banker pays 19 to 20",
        "Tie pays 8 to 1",
        "Player pair pays 11 to 1",
        "Banker pair pays 11 to 1",
    )
    assert "Banker wins with 6 pays 1 to 2" in GAME.cloth(NO_COMMISSION)


def test_the_dealer_is_asked_card_by_card() -> None:
    coup, asked = GAME.start(RULES, LAID), []
    while wants := coup.wants():
        assert GAME.live
        asked.append(GAME.live.dealer_prompt(coup, wants[0]))
        coup = coup.answer(wants[0], Card("A", "S"))
    assert asked == [
        "the player's first card",
        "the banker's first card",
        "the player's second card",
        "the banker's second card",
        "the player's third card",
        "the banker's third card",
    ]


def test_hands_have_names_where_their_cards_are_told() -> None:
    assert {place: GAME.labels[place] for place in ("0.0", "1.0")} == {"0.0": "Player", "1.0": "Banker"}

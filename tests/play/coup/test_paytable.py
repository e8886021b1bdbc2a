"""Paytables: the first line that came up is paid, and a bet without lines isn't offered."""

from typing import Any

import pytest
from msgspec import Struct

from croupier.play.contract.bets import Bet, Pay
from croupier.play.contract.odds import HALF_BACK, PUSH, Odds
from croupier.play.coup.paytable import (
    cloth_lines,
    first_line_hit,
    parse_paytable,
    paytable_bets,
    paytable_errors,
    paytable_outcome,
)

COMMISSION = parse_paytable(("banker_wins_6 1:2", "banker_wins 1:1", "tie push", "storm half back"))


class Rules(Struct, frozen=True):
    red: tuple[str, ...] = ("red_wins 1:1", "draw half back")
    draw: tuple[str, ...] = ()


def test_lines_are_parsed_in_order() -> None:
    assert list(COMMISSION) == [
        Pay("banker_wins_6", Odds(1, 2)),
        Pay("banker_wins", Odds(1, 1)),
        Pay("tie", PUSH),
        Pay("storm", HALF_BACK),
    ]


@pytest.mark.parametrize(
    ("came_up", "line"),
    [
        (("banker_wins", "banker_wins_6"), "banker_wins_6"),
        (("banker_wins_6", "banker_wins"), "banker_wins_6"),
        (("banker_wins", "banker_wins_7"), "banker_wins"),
        (("tie", "tie_6"), "tie"),
        (("player_wins",), None),
        ((), None),
    ],
)
def test_the_first_line_that_came_up_is_paid(came_up: tuple[str, ...], line: str | None) -> None:
    assert first_line_hit(COMMISSION, came_up) == line


def test_each_field_with_lines_is_a_bet() -> None:
    bets = paytable_bets({"red": "colour", "draw": "draw"})
    red = Bet("red", main=True, pays=parse_paytable(Rules().red), kind="colour")
    draw = Bet("draw", main=True, pays=parse_paytable(("draw 11:1",)), kind="draw")
    assert bets(Rules()) == (red,)
    assert bets(Rules(draw=("draw 11:1",))) == (red, draw)


def test_a_bet_uses_the_lines_of_its_own_field() -> None:
    def came_up(_rules: Any, _dealt: Any) -> tuple[str, ...]:
        return ("draw",)

    outcome = paytable_outcome(came_up)
    assert outcome(Rules(), "red", ()) == "draw"
    assert outcome(Rules(red=("red_wins 1:1",)), "red", ()) is None


def test_unknown_and_duplicate_outcomes_are_reported() -> None:
    found = list(
        paytable_errors(
            "red", parse_paytable(("red_wins 1:1", "red_wins 2:1", "green_wins 1:1")), ("red_wins", "draw")
        )
    )
    assert ("red", "no outcome 'green_wins'; allowed are: red_wins, draw") in found
    assert ("red", "'red_wins' stands there twice; allowed is: once") in found
    assert not list(paytable_errors("red", parse_paytable(Rules().red), ("red_wins", "draw")))


def test_the_cloth_omits_lines_that_only_return_the_stake() -> None:
    labels = {"red": "Red", "red_wins": "Red wins", "red_wins_6": "Red wins with 6", "draw": "Draw"}
    bets = paytable_bets({"red": "colour"})
    assert cloth_lines(bets(Rules()), labels) == ("Red pays 1 to 1",)
    by_line = Rules(red=("red_wins_6 1:2", "red_wins 1:1", "draw push"))
    assert cloth_lines(bets(by_line), labels) == ("Red wins with 6 pays 1 to 2", "Red wins pays 1 to 1")

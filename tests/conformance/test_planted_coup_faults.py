"""Plausible faults in coups are caught by checks that correct coups pass."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from itertools import repeat
from typing import Any

import pytest
from msgspec import structs

from croupier.games.baccarat import rules as baccarat
from croupier.games.roulette import coup as roulette
from croupier.games.roulette import layout
from croupier.games.sic_bo import bets as sic_bo
from croupier.maths.exact.walk import Belief, chances, uniform_policy
from croupier.play.contract.bets import Pay, Settled, Wager
from croupier.play.contract.odds import PUSH, Odds
from croupier.play.contract.wants import RollDice
from croupier.play.coup import coup, paytable, shared
from croupier.play.coup.coup import Coup, CoupStep
from croupier.play.driving.dealing import replay
from tests.conformance.checks import check_settlements
from tests.conformance.planting import (
    Fault,
    assert_caught,
    one_round,
    predrawn,
    shoe_of_cards,
    text_case,
)
from tests.conformance.strategies import TABLES

DICE = [Wager(0, "big", 100), Wager(0, "pair_4_6", 100)]
ROLLED = one_round("sic_bo", predrawn("4-6-3"), DICE)


def with_rules(table: str, **fields: Any) -> Fault:
    """Replace rules of the table."""
    other = replace(TABLES[table], rules=structs.replace(TABLES[table].rules, **fields))
    return lambda patch: patch.setitem(TABLES, table, other)


def with_settled(table: str, settled: Callable[[Any], tuple[Settled, ...]]) -> Fault:
    """Replace the settlement of the table's game."""
    game = replace(TABLES[table].game, settle=settled)
    return lambda patch: patch.setitem(TABLES, table, replace(TABLES[table], game=game))


# --- rules, caught by the text case of their clause ---------------------------------------------


def test_a_wrong_row_of_the_tableau_is_caught() -> None:
    rows = tuple(row.replace("3: - 0 1 2 3 4 5 6 7 9", "3: - 0 1 2 3 4 5 6 7 8 9") for row in TABLEAU)
    case = "tableau.txt 004 3.2 banker 3: after a third card of 8 the banker stands on 3"
    assert_caught(text_case(case), with_rules("baccarat", banker_draws=rows), "shoe_empty")


TABLEAU: tuple[str, ...] = TABLES["baccarat"].rules.banker_draws


def test_a_third_card_after_a_natural_is_caught() -> None:
    case = "deal.txt 004 3.2 natural: a banker's nine leaves the player no third card"
    assert_caught(text_case(case), with_rules("baccarat", naturals=(8,)), "shoe_empty")


def test_an_eight_of_three_cards_treated_as_a_natural_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(baccarat, "is_natural", lambda rules, held: baccarat.points(held) in rules.naturals)

    case = "deal.txt 004 3.2 natural: an eight of three cards is none, and the banker draws on"
    assert_caught(text_case(case), plant, "at 1.0")


def test_a_forgotten_commission_is_caught() -> None:
    free = with_rules("baccarat", banker=("banker_wins 1:1", "tie push"))
    assert_caught(text_case("deal.txt 004 3.3: the banker's pays 1:1 less 5 %"), free, "banker_wins")


def test_a_forgotten_push_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        right = paytable.first_line_hit

        def first_line_hit(table: Iterable[Pay], outcomes: Collection[str]) -> str | None:
            return right([pay for pay in table if pay.odds != PUSH], outcomes)

        patch.setattr(paytable, "first_line_hit", first_line_hit)

    case = "deal.txt 004 3.3: a tie pays 8:1, and the other two bets come back"
    assert_caught(text_case(case), plant, "lost 0")


def test_half_a_stake_rounded_up_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(Odds, "winnings", lambda odds, stake: -(-stake * odds.wins // odds.staked))

    assert_caught(text_case("dragon_tiger.txt DT 4: and half of an odd stake is rounded down"), plant, "tie")


def test_a_zero_taken_for_an_even_number_is_caught() -> None:
    right = layout.positions

    def positions(rules: Any) -> dict[str, Any]:
        even = right(rules)["even"]
        return {**right(rules), "even": even._replace(pockets=("0", *even.pockets))}

    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(roulette, "positions", positions)

    assert_caught(
        text_case("roulette.txt 004 2.1 Outside: zero loses all of them"), plant, "even 100 win 200"
    )


def test_a_triple_that_is_big_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(sic_bo, "is_triple", lambda _: False)

    assert_caught(text_case("sic_bo.txt SB 2: big: loses to a triple"), plant, "big 100 win 200")


def test_a_combination_of_one_number_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        either = sic_bo.KINDS["combination"]._replace(hit=lambda faces, both: any(n in faces for n in both))
        patch.setitem(sic_bo.KINDS, "combination", either)

    assert_caught(
        text_case("sic_bo.txt SB 9: combination: one number twice is not the other"), plant, "win 600"
    )


# --- faults possible in any coup, caught by the conformance suite --------------------------------


def test_a_bet_paid_twice_is_caught() -> None:
    twice = with_settled("sic_bo", lambda end: (*coup.settle(end), coup.settle(end)[-1]))
    assert_caught(ROLLED, twice, "settled stakes don't add up")


def test_a_lost_bet_that_is_not_settled_is_caught() -> None:
    only_winners = with_settled(
        "sic_bo", lambda end: tuple(line for line in coup.settle(end) if line.returned_minor)
    )
    assert_caught(one_round("sic_bo", predrawn("1-2-3"), DICE), only_winners, "settled stakes don't add up")


def test_winnings_paid_twice_are_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        right = coup._line
        patch.setattr(coup, "_line", lambda *args: _with_winnings_twice(right(*args)))

    assert_caught(ROLLED, plant, "the paytable requires")


def _with_winnings_twice(line: Settled) -> Settled:
    winnings = max(0, line.returned_minor - line.stake_minor)
    return line._replace(returned_minor=line.returned_minor + winnings)


def test_an_answer_that_is_not_validated_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(
            Coup, "answer", lambda now, want, what: replace(now, dealt=(*now.dealt, CoupStep(want.to, what)))
        )

    assert_caught(ROLLED, plant, "accepted")


def test_a_coup_that_never_ends_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(Coup, "wants", lambda _: (RollDice(3),))
        patch.setattr("tests.conformance.checks.MAX_STEPS", 20)

    source = predrawn("4-6-3", *repeat("1-1-1", 30))
    start = TABLES["sic_bo"].game.start(TABLES["sic_bo"].rules, DICE)
    assert start.wants() == (RollDice(3),)
    assert_caught(one_round("sic_bo", source, DICE), plant, "doesn't end")


def test_a_unit_stake_that_causes_rounding_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(shared, "unit_stake", lambda _: 1)

    bets = [Wager(0, "banker", 100)]
    assert_caught(
        one_round("live_baccarat", shoe_of_cards("2S 4S 5S 5D"), bets),
        plant,
        "the shared deal returns",
    )


def test_a_shared_deal_that_forgets_a_card_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(shared.SharedCoup, "answer", lambda deal, _: deal)

    assert_caught(
        one_round("live_dragon_tiger", shoe_of_cards("KS 7S"), [Wager(0, "tiger", 5)]),
        plant,
        "another round",
    )


def with_shown(table: str, **fields: Any) -> Fault:
    """Replace fields of the views of the table's game."""
    right = TABLES[table].game.show
    game = replace(TABLES[table].game, show=lambda now, of: structs.replace(right(now, of), **fields))
    return lambda patch: patch.setitem(TABLES, table, replace(TABLES[table], game=game))


def test_a_view_with_a_return_before_the_end_is_caught() -> None:
    assert_caught(ROLLED, with_shown("sic_bo", returned_minor=800), "returned before the end: 800")


def test_a_view_with_a_wrong_stake_is_caught() -> None:
    assert_caught(ROLLED, with_shown("sic_bo", staked_minor=100), "the view is")


def test_a_view_with_a_wrong_sum_is_caught() -> None:
    def check() -> None:
        game, rules = TABLES["sic_bo"].game, TABLES["sic_bo"].rules
        rolled = replay(game.start(rules, DICE), ["dice 4-6-3"])
        check_settlements(TABLES["sic_bo"], DICE, rolled)

    assert_caught(check, with_shown("sic_bo", returned_minor=100), "the view has another sum")


# --- probabilities ------------------------------------------------------------------------------


def test_a_wheel_whose_pockets_are_miscounted_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        right = Belief._equally_likely
        patch.setattr(Belief, "_equally_likely", lambda now, answers, number: right(now, answers, number + 1))

    def check() -> None:
        table = TABLES["american_roulette"]
        start = table.game.start(table.rules, [Wager(0, "straight_00", 1)])
        assert sum(chances(start, Belief.of(()), uniform_policy, hash).values()) == 1, (
            "the probabilities don't sum to 1"
        )

    assert_caught(check, plant, "don't sum to 1")

"""Plausible faults in rules are caught by checks that correct rules pass.

Every test runs its check without the fault, where it must pass, and with the fault, where it must fail.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import pytest

from croupier.equipment.cards import cards
from croupier.games.blackjack import boxes, options, settlement
from croupier.games.blackjack import round as round_module
from croupier.games.blackjack.hands import total
from croupier.maths.exact.walk import Belief, chances, uniform_policy
from croupier.play.contract import wants
from croupier.play.contract.bets import Wager
from croupier.play.contract.odds import Odds
from croupier.play.contract.wants import DEALER, At, Choice, DealCard, DealFaceDown, Want
from croupier.play.driving.dealing import DealtRound, RoundStep
from croupier.refusal import Refused
from tests.conformance.checks import check_moment
from tests.conformance.hidden_cards import check_hidden, face_down_card
from tests.conformance.planting import assert_caught, ignore, one_round, shoe_of_cards, text_case
from tests.conformance.strategies import TABLES

MAIN = [Wager(0, "main", 100)]


# --- rules, caught by the text case of their clause ---------------------------------------------


def test_a_push_paid_as_a_win_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        right = settlement._by_total
        patch.setattr(settlement, "_by_total", lambda table, player, dealer: right(table, player + 1, dealer))

    assert_caught(text_case("classic.txt 000 2.4d: equal totals push"), plant, "won 20000")


def test_a_dealer_who_draws_to_17_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(round_module, "dealer_draws", lambda _, held: total(held) < 18)

    assert_caught(text_case("classic.txt 000 2.1e: the dealer stands on a hard 17"), plant, "shoe_empty")


def test_an_option_offered_on_21_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(options, "is_complete", lambda _, box, place: box.hands[place].stood)

    assert_caught(
        text_case("multihand.txt 001 Game rules: a hand of 21 stands by itself"), plant, "asks nobody"
    )


def test_a_hole_card_dealt_face_up_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(round_module, "DealFaceDown", DealCard)

    case = "premium.txt 000 2.1c: two cards each, the dealer's second face down"
    assert_caught(text_case(case), plant, "dealer 6S")


def test_a_resplit_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(options, "_no_split", lambda *_: "")

    assert_caught(text_case("classic.txt 000 2.8a: only one split a round"), plant, "offers")


def test_a_blackjack_of_a_split_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(boxes.Hand, "blackjack", property(lambda hand: total(hand.cards) == 21))

    case = "premium.txt 000 2.8e: an ace and a ten after a split are 21, paid 1:1"
    assert_caught(text_case(case), plant, "blackjack 25000")


def test_a_payout_rounded_up_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(Odds, "winnings", lambda odds, stake: -(-stake * odds.wins // odds.staked))

    case = "classic.txt 000 2.6: winnings that aren't whole are rounded down (reading f)"
    assert_caught(text_case(case), plant, "25003")


# --- faults possible in any game, caught by the conformance suite --------------------------------


def test_a_lost_insurance_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        right = settlement.settle
        game = TABLES["premium"].game
        without_insurance = replace(
            game, settle=lambda end: tuple(line for line in right(end) if line.bet != "insurance")
        )
        patch.setitem(TABLES, "premium", replace(TABLES["premium"], game=without_insurance))

    assert_caught(
        one_round("premium", shoe_of_cards("TS AS 9S TD"), MAIN, [0]),
        plant,
        "settled stakes don't add up",
    )


def after_a_refusal(patch: pytest.MonkeyPatch, instead: Callable[[Any], Any]) -> None:
    """Make a round do something else instead of refusing a decision."""
    right = round_module.Round._decide

    def decide(round_: Any, want: Any, choice: Choice) -> Any:
        try:
            return right(round_, want, choice)
        except Refused:
            return instead(round_)

    patch.setattr(round_module.Round, "_decide", decide)


def test_a_refusal_that_leaves_a_trace_is_caught() -> None:
    def insure(round_: Any) -> Any:
        object.__setattr__(round_, "boxes", tuple(replace(box, insured=True) for box in round_.boxes))
        raise Refused("not_offered")

    check = one_round("classic", shoe_of_cards("TS 7S 9S TD"), MAIN, [1])
    assert_caught(check, partial(after_a_refusal, instead=insure), "changed by a refused answer")


def test_accepting_an_action_that_is_not_offered_is_caught() -> None:
    check = one_round("classic", shoe_of_cards("TS 7S 9S TD"), MAIN, [1])
    assert_caught(check, partial(after_a_refusal, instead=lambda round_: round_), "accepted")


def test_a_decision_that_decides_nothing_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setitem(options.APPLY, "hit", lambda box, *_: box)

    assert_caught(one_round("classic", shoe_of_cards("TS 7S 9S TD"), MAIN, [1]), plant, "decides nothing")


def test_a_double_that_costs_nothing_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(boxes.Box, "raise_minor", lambda *_: 0)

    assert_caught(
        one_round("classic", shoe_of_cards("TS 7S 9S TD"), MAIN, [1]), plant, "costs something else"
    )


def test_a_refusal_by_an_unknown_rule_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(options, "forbidden", lambda *_: {"split": "custom_rule"})

    assert_caught(
        one_round("classic", shoe_of_cards("TS 7S 9S TD"), MAIN, [1]),
        plant,
        "unknown rule 'custom_rule'",
    )


def test_a_decision_without_an_option_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(options, "available_options", lambda *_: ())

    assert_caught(
        one_round("classic", shoe_of_cards("TS 7S 9S TD"), MAIN, [1]), plant, "without a legal option"
    )


def test_an_undeclared_want_is_caught() -> None:
    @dataclass(frozen=True)
    class Burn:
        to: At

    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(round_module, "_STAGES", (lambda _: (Burn(DEALER),),))

    def check() -> None:
        start = TABLES["classic"].game.start(TABLES["classic"].rules, MAIN)
        check_moment(TABLES["classic"], start)

    assert_caught(check, plant, "undeclared wants")


def test_a_round_that_never_ends_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setitem(
            options.APPLY, "stand", lambda box, place, _: box.with_hand(place, boxes.Hand(box.hands[0].cards))
        )
        patch.setattr("tests.conformance.checks.check_options", ignore)

    assert_caught(one_round("classic", shoe_of_cards("TS 7S 9S TD"), MAIN, [1] * 1000), plant, "doesn't end")


def test_a_record_that_forgets_how_much_was_staked_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(wants.Choice, "__str__", lambda choice: choice.action)

    assert_caught(one_round("seven_seat", shoe_of_cards("6S 7S 5S TD TS"), MAIN, [3]), plant, "another round")


# --- leaks --------------------------------------------------------------------------------------


class LeakyDeal(DealtRound[Any]):
    """A driver that puts the face-down card into the round, where players see it."""

    def answer_from_source(self, want: Want) -> Self:
        deal = super().answer_from_source(want)
        if isinstance(want, DealFaceDown):
            return replace(deal, round=replace(deal.round, dealer=(*deal.round.dealer, face_down_card(deal))))
        return deal


class RecordingDeal(DealtRound[Any]):
    """A driver that writes the face-down card into the record."""

    def answer_from_source(self, want: Want) -> Self:
        deal = super().answer_from_source(want)
        if isinstance(want, DealFaceDown):
            return replace(deal, steps=(*self.steps, RoundStep(want, face_down_card(deal))))
        return deal


@pytest.mark.parametrize("driver", [LeakyDeal, RecordingDeal])
@pytest.mark.parametrize("table", ["classic", "premium", "infinite", "seven_seat"])
def test_a_driver_that_shows_the_hole_card_is_caught(driver: type[DealtRound[Any]], table: str) -> None:
    start = TABLES[table].game.start(TABLES[table].rules, MAIN)
    deal = DealtRound(start, shoe_of_cards("TS 7S 9S TD 8D 2C 3C")).deal().decide(At(0), Choice("stand"))
    check_hidden(TABLES[table], DealtRound, start, deal, sorted)
    with pytest.raises(AssertionError, match="hidden cards show"):
        check_hidden(TABLES[table], driver, start, deal, sorted)


def test_a_peek_before_the_insurance_is_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        first, offers, peek, *rest = round_module._STAGES
        patch.setattr(round_module, "_STAGES", (first, peek, offers, *rest))

    case = "premium.txt 000 2.9c: insurance comes before the dealer looks; 5,000 wins 10,000"
    assert_caught(text_case(case), plant, "peeks never")


# --- probabilities ------------------------------------------------------------------------------


def test_probabilities_that_do_not_sum_to_1_are_caught() -> None:
    def plant(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(Belief, "_count_among", lambda belief, _: sum(count for _, count in belief.unseen))

    def check() -> None:
        start = TABLES["premium"].game.start(TABLES["premium"].rules, MAIN)
        found = chances(start, Belief.of(cards("TS TS TS TS TS TS TS TS AS 9S")), uniform_policy, lambda _: 0)
        assert found == {0: 1}, "the probabilities don't sum to 1"

    assert_caught(check, plant, "don't sum to 1")

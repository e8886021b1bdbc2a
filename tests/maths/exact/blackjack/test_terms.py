"""The tables that the fast analysis uses, compared with the rules for every hand."""

import numpy as np
import pytest

from croupier.games.blackjack.exact import reference
from croupier.games.blackjack.exact.dealer import seen, trees
from croupier.games.blackjack.exact.kernels import END_COUNT
from croupier.games.blackjack.exact.solution import ends_of, lanes_of
from croupier.games.blackjack.exact.space import CELLS, SINGLE, rows, space
from croupier.games.blackjack.exact.terms import rule_tables
from croupier.games.blackjack.hands import is_bust, is_soft, total
from croupier.games.blackjack.outcomes import (
    ENDS,
    actions_of,
    box_with_hand,
    end_of,
    net_result,
    offer_name,
    unit_box,
)
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.rules import Rules, dealer_draws
from croupier.games.blackjack.shoe import CARDS, RankCounts, cards_of, less, low_total, plus_one
from tests.maths.exact.blackjack.small_shoes import RULES

HANDS = [counts for counts in rows() if low_total(counts) <= 21]
CHARLIE = Rules(decks=6, charlie_cards=5, stand_on_21=False, double_after_split=False)
ACES = Rules(decks=6, split_aces_one_card=False, dealer_blackjack_takes="initial_stake")
ALL_RULES = {**RULES, "five-card Charlie": CHARLIE, "split aces may be drawn to": ACES}


@pytest.mark.parametrize("rules", ALL_RULES.values(), ids=ALL_RULES)
def test_the_rule_tables_have_the_options_of_every_hand(rules: Rules) -> None:
    tables = rule_tables(rules)
    for row, counts in enumerate(HANDS):
        cards = cards_of(counts)
        actions = actions_of(rules, *box_with_hand(rules, 0, cards))
        assert (not actions, "double" in actions) == (tables.complete[0, row], tables.double[0, row])
        for value in [place for place, count in enumerate(counts) if count]:
            first = (CARDS[value], *cards_of(less(counts, CARDS[value])))
            actions = actions_of(rules, *box_with_hand(rules, 1, first))
            assert (not actions, "double" in actions) == (
                tables.complete[value + 1, row],
                tables.double[value + 1, row],
            )


@pytest.mark.parametrize("rules", ALL_RULES.values(), ids=ALL_RULES)
def test_the_rule_tables_have_the_payouts_of_every_hand(rules: Rules) -> None:
    tables = rule_tables(rules)
    for row, counts in list(enumerate(HANDS))[::7]:
        for part in range(3):
            for stakes in (1, 2):
                box, hand = box_with_hand(rules, part, cards_of(counts), doubled=stakes == 2)
                paid = [float(net_result(rules, box, hand, end)) for end in range(len(ENDS))]
                assert tables.pays[part, stakes - 1, row].tolist() == paid


def test_the_space_has_every_hand_in_order() -> None:
    tables = space()
    assert len(HANDS) == 3082
    for row, counts in enumerate(HANDS):
        cards = cards_of(counts)
        assert (
            tables.cell[row] == SINGLE
            if len(cards) == 1
            else CELLS[tables.cell[row]] == (is_soft(cards), total(cards))
        )
        for value in range(10):
            after = plus_one(counts, value)
            assert tables.child[row, value] == (-1 if is_bust(cards_of(after)) else rows()[after])
            assert tables.child[row, value] < row


@pytest.mark.parametrize("hits_soft_17", [False, True])
def test_the_trees_count_the_orders_of_dealer_hands(hits_soft_17: bool) -> None:
    """Count card by card, applying the rule to each hand in the order dealt."""
    rules = Rules(decks=6, dealer_hits_soft_17=hits_soft_17)

    def endings(cards: tuple[object, ...]) -> list[int]:
        if len(cards) > 1 and not dealer_draws(rules, cards):  # type: ignore[arg-type]
            return [end_of(cards)]  # type: ignore[arg-type]
        return [end for card in CARDS for end in endings((*cards, card))]

    for upcards, tree in zip(seen(1), trees(rules), strict=True):
        if upcards[0].rank in "6789T":
            ends = endings(upcards)
            assert [ends.count(end) for end in range(1, END_COUNT)] == [
                tree.orders[tree.end == end].sum() for end in range(1, END_COUNT)
            ]


@pytest.mark.parametrize("upcard", [CARDS[0], CARDS[5], CARDS[9]], ids=str)
def test_dealer_endings_equal_the_reference_on_a_full_shoe(upcard: object) -> None:
    rules, shoe = RULES["classic"], RankCounts.of_decks(6)
    number = [upcards[0] for upcards in seen(1)].index(upcard)  # type: ignore[arg-type]
    counts = HANDS[100]
    fast = ends_of(trees(rules)[number], lanes_of(shoe.counts, np.array([counts])))[0]
    exact = reference.ends(rules, less(shoe.counts, *cards_of(counts), CARDS[number]), (CARDS[number],))
    assert np.abs(fast - np.array([float(chance) for chance in exact])).max() < 1e-14


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_offers_equal_those_of_the_round_for_every_hand(rules: Rules) -> None:
    for dealer in seen(2 if rules.hole_card == "face_up" else 1):
        for hand in seen(2):
            box = unit_box(rules, hand)
            wants = Round(rules, (box,), dealer, face_down=len(dealer) == 1).wants()
            actions = {option.action for want in wants for option in getattr(want, "options", ())}
            offers = {"insure": "insurance", "take_even_money": "even_money"}
            offered = "".join(name for action, name in offers.items() if action in actions)
            assert offer_name(rules, dealer, blackjack=box.hands[0].blackjack) == offered

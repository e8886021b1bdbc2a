"""What the fast analysis is made from, asked of every hand and not only of one of each kind."""

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
from tests.maths.exact.shoes import TABLES

HANDS = [held for held in rows() if low_total(held) <= 21]
CHARLIE = Rules(decks=6, charlie_cards=5, stand_on_21=False, double_after_split=False)
ACES = Rules(decks=6, split_aces_one_card=False, dealer_blackjack_takes="initial_stake")
RULES = {**TABLES, "charlie of five": CHARLIE, "aces drawn to": ACES}


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_every_hand_may_do_what_the_tables_say(rules: Rules) -> None:
    made = rule_tables(rules)
    for row, held in enumerate(HANDS):
        cards = cards_of(held)
        can = actions_of(rules, *box_with_hand(rules, 0, cards))
        assert (not can, "double" in can) == (made.complete[0, row], made.double[0, row])
        for value in [place for place, count in enumerate(held) if count]:
            first = (CARDS[value], *cards_of(less(held, CARDS[value])))
            can = actions_of(rules, *box_with_hand(rules, 1, first))
            assert (not can, "double" in can) == (made.complete[value + 1, row], made.double[value + 1, row])


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_every_hand_is_paid_what_the_tables_say(rules: Rules) -> None:
    made = rule_tables(rules)
    for row, held in list(enumerate(HANDS))[::7]:
        for part in range(3):
            for stakes in (1, 2):
                box, spot = box_with_hand(rules, part, cards_of(held), doubled=stakes == 2)
                paid = [float(net_result(rules, box, spot, end)) for end in range(len(ENDS))]
                assert made.pays[part, stakes - 1, row].tolist() == paid


def test_the_hands_are_all_and_in_order() -> None:
    made = space()
    assert len(HANDS) == 3082
    for row, held in enumerate(HANDS):
        cards = cards_of(held)
        assert (
            made.cell[row] == SINGLE
            if len(cards) == 1
            else CELLS[made.cell[row]] == (is_soft(cards), total(cards))
        )
        for value in range(10):
            then = plus_one(held, value)
            assert made.child[row, value] == (-1 if is_bust(cards_of(then)) else rows()[then])
            assert made.child[row, value] < row


@pytest.mark.parametrize("hits_soft_17", [False, True])
def test_dealer_hands_are_finished_in_so_many_orders(hits_soft_17: bool) -> None:
    """Counted anew, card after card, with the rule asked of each hand in the order in which it came."""
    rules = Rules(decks=6, dealer_hits_soft_17=hits_soft_17)

    def finished(cards: tuple[object, ...]) -> list[int]:
        if len(cards) > 1 and not dealer_draws(rules, cards):  # type: ignore[arg-type]
            return [end_of(cards)]  # type: ignore[arg-type]
        return [end for card in CARDS for end in finished((*cards, card))]

    for known, tree in zip(seen(1), trees(rules), strict=True):
        if known[0].rank in "6789T":
            ends = finished(known)
            assert [ends.count(end) for end in range(1, END_COUNT)] == [
                tree.orders[tree.end == end].sum() for end in range(1, END_COUNT)
            ]


@pytest.mark.parametrize("up", [CARDS[0], CARDS[5], CARDS[9]], ids=str)
def test_dealer_ends_equal_the_twins_on_a_full_shoe(up: object) -> None:
    rules, shoe = TABLES["classic"], RankCounts.of_decks(6)
    number = [known[0] for known in seen(1)].index(up)  # type: ignore[arg-type]
    held = HANDS[100]
    fast = ends_of(trees(rules)[number], lanes_of(shoe.counts, np.array([held])))[0]
    slow = reference.ends(rules, less(shoe.counts, *cards_of(held), CARDS[number]), (CARDS[number],))
    assert np.abs(fast - np.array([float(chance) for chance in slow])).max() < 1e-14


@pytest.mark.parametrize("rules", TABLES.values(), ids=TABLES)
def test_offers_are_the_same_for_every_hand(rules: Rules) -> None:
    for dealer in seen(2 if rules.hole_card == "face_up" else 1):
        for hand in seen(2):
            box = unit_box(rules, hand)
            wants = Round(rules, (box,), dealer, face_down=len(dealer) == 1).wants()
            actions = {option.action for want in wants for option in getattr(want, "options", ())}
            named = {"insure": "insurance", "take_even_money": "even_money"}
            found = "".join(name for action, name in named.items() if action in actions)
            assert offer_name(rules, dealer, blackjack=box.hands[0].blackjack) == found

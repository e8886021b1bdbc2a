"""The exhaustive walk, compared with a reference that deals every order of the shoe."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import pytest

from croupier.equipment.cards import Card, cards
from croupier.games import published_tables
from croupier.maths.exact.walk import Belief, best, chances, uniform_policy
from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import (
    DEALER,
    At,
    Choice,
    DealCard,
    DealFaceDown,
    Decision,
    Peek,
    Pocket,
    Roll,
    RollDice,
    SpinWheel,
    TurnCard,
)
from croupier.refusal import Refused

TABLES = published_tables()
WITH_CARDS = [name for name, table in TABLES.items() if table.game.decks(table.rules)]


class Order(NamedTuple):
    """One order of a shoe, and the card dealt from it face down."""

    remaining: tuple[Card, ...]
    face_down: Card | None = None


def orders(shoe: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """Yield every distinct order of the shoe; each represents equally many of all n! orders."""
    if not shoe:
        yield ()
    for first in sorted(set(shoe)):
        index = shoe.index(first)
        for rest in orders(shoe[:index] + shoe[index + 1 :]):
            yield first, *rest


def group_by_answer(want: object, shoes: list[Order]) -> dict[Any, list[Order]]:
    """Return the orders that remain possible after each answer."""
    groups: defaultdict[Any, list[Order]] = defaultdict(list)
    for shoe in shoes:
        match want:
            case DealCard():
                groups[shoe.remaining[0]].append(shoe._replace(remaining=shoe.remaining[1:]))
            case DealFaceDown():
                groups[None].append(Order(shoe.remaining[1:], shoe.remaining[0]))
            case Peek(_, ranks):
                assert shoe.face_down
                groups[shoe.face_down.rank in ranks].append(shoe)
            case TurnCard():
                groups[shoe.face_down].append(shoe._replace(face_down=None))
    return groups


def sum_over_orders(
    round_: Any,
    shoes: list[Order],
    value: Callable[[Any], int],
    decide: Callable[[list[Fraction]], Fraction],
) -> Fraction:
    """Sum the values over all orders; `decide` combines the sums of a decision's options."""
    wants = round_.wants()
    if not wants:
        return Fraction(value(round_) * len(shoes))
    want = wants[0]
    if isinstance(want, Decision):
        choices = (Choice(option.action) for option in want.options)
        return decide(
            [sum_over_orders(round_.answer(want, choice), shoes, value, decide) for choice in choices]
        )
    return sum(
        (
            sum_over_orders(round_.answer(want, answer), group, value, decide)
            for answer, group in group_by_answer(want, shoes).items()
        ),
        start=Fraction(),
    )


def average(sums: list[Fraction]) -> Fraction:
    return sum(sums, start=Fraction()) / len(sums)


def new_round(table: str, *wagers: Wager) -> tuple[Any, Callable[[Any], int]]:
    game = TABLES[table].game
    all_main_bets = [Wager(0, bet.name, 10) for bet in game.bets(TABLES[table].rules) if bet.main]
    start = game.start(TABLES[table].rules, wagers or all_main_bets)
    return start, lambda round_: sum(line.returned_minor - line.stake_minor for line in game.settle(round_))


SHOES = {
    "one ace": "AS TS TS TS 9S 9S 8S",
    "pairs": "8S 8S TS TS AS TS 7S",
    "stiffs": "6S 6S TS TS TS TS 9S",
}
FIRST_CARDS = {"against a seven": "TS 7S", "against an ace": "9S AS", "against a ten": "8S TS"}


def after_first_cards(round_: Any, first_cards: str) -> Any:
    """Deal the first card of the box and of the dealer, which leaves fewer orders."""
    for card in cards(first_cards):
        (want,) = round_.wants()
        round_ = round_.answer(want, card)
    return round_


def mean(distribution: dict[int, Fraction]) -> Fraction:
    assert sum(distribution.values()) == 1
    return sum((net * chance for net, chance in distribution.items()), start=Fraction())


@pytest.mark.parametrize("shoe", SHOES.values(), ids=SHOES)
@pytest.mark.parametrize("first", FIRST_CARDS.values(), ids=FIRST_CARDS)
@pytest.mark.parametrize("table", WITH_CARDS)
def test_the_walk_agrees_with_every_order_of_the_shoe(table: str, first: str, shoe: str) -> None:
    start, value = new_round(table)
    start = after_first_cards(start, first)
    all_orders = [Order(order) for order in orders(cards(shoe))]
    belief = Belief.of(cards(shoe))
    walked = mean(chances(start, belief, uniform_policy, value))
    assert walked == sum_over_orders(start, all_orders, value, average) / len(all_orders)
    assert (
        best(start, belief, value)
        == sum_over_orders(start, all_orders, value, max) / len(all_orders)
        >= walked
    )


@pytest.mark.parametrize("first", FIRST_CARDS.values(), ids=FIRST_CARDS)
def test_the_whole_distribution_agrees(first: str) -> None:
    start, value = new_round("premium")
    start, shoe = after_first_cards(start, first), cards(SHOES["pairs"])
    all_orders = [Order(order) for order in orders(shoe)]
    walked = chances(start, Belief.of(shoe), uniform_policy, value)
    assert len(walked) > 5
    for net, chance in walked.items():
        assert chance == sum_over_orders(start, all_orders, partial(has_value, net, value), average) / len(
            all_orders
        )


def has_value(net: int, value: Callable[[Any], int], end: Any) -> int:
    return int(value(end) == net)


def test_several_boxes_and_side_bets_agree() -> None:
    shoe = cards("TS TS TH TH TH 8S 8D")
    start, value = new_round(
        "seven_seat", Wager(0, "main", 10), Wager(2, "main", 6), Wager(2, "twenty_one_plus_three", 1)
    )
    start = after_first_cards(start, "9S 7S AS")
    all_orders = [Order(order) for order in orders(shoe)]
    assert mean(chances(start, Belief.of(shoe), uniform_policy, value)) == sum_over_orders(
        start, all_orders, value, average
    ) / len(all_orders)


class ForgetfulBelief(Belief):
    """A belief that forgets the result of a peek."""

    def _next_card(self) -> Iterator[tuple[Fraction, Any, Any]]:
        yield from self._draw(self.unseen, sum(count for _, count in self.unseen))


def test_a_walk_that_forgets_the_peek_is_detected() -> None:
    start, value = new_round("premium")
    start, shoe = after_first_cards(start, "8S TS"), cards(SHOES["pairs"])
    all_orders = [Order(order) for order in orders(shoe)]
    exact = sum_over_orders(start, all_orders, value, average) / len(all_orders)
    assert mean(chances(start, Belief.of(shoe), uniform_policy, value)) == exact
    assert mean(chances(start, ForgetfulBelief.of(shoe), uniform_policy, value)) != exact


def test_the_best_play_does_not_know_the_face_down_card() -> None:
    """With 16 against a ten, stand with a hole card of 6 and hit with a 10; unknown, one choice for both."""
    shoe = cards("6S TS TS 5S 5S")
    start, value = new_round("seven_seat")
    for text in ("9S", "TS", "7S"):
        (want,) = start.wants()
        start = start.answer(want, *cards(text))
    all_orders = [Order(order) for order in orders(shoe)]
    with_known_card = sum(
        (sum_over_orders(start, [order], value, max) for order in all_orders), start=Fraction()
    ) / len(all_orders)
    assert (
        best(start, Belief.of(shoe), value)
        == sum_over_orders(start, all_orders, value, max) / len(all_orders)
        < with_known_card
    )


def test_a_shoe_that_is_too_small_is_refused() -> None:
    start, value = new_round("premium")
    with pytest.raises(Refused, match="shoe_empty"):
        chances(start, Belief.of(cards("2S 2S 3S 3S 4S")), uniform_policy, value)
    with pytest.raises(Refused, match="shoe_empty"):
        best(start, Belief.of(cards("2S 2S")), value)


def test_a_decision_has_no_random_answers() -> None:
    with pytest.raises(TypeError, match="isn't decided by chance"):
        Belief.of(cards("2S")).answers(Decision(At(0), ()))
    assert [chance for chance, *_ in Belief.of(cards("2S 3S")).answers(DealCard(DEALER))] == [
        Fraction(1, 2)
    ] * 2


def test_all_rolls_are_equally_likely() -> None:
    answers = [(chance, answer) for chance, answer, _ in Belief.of(()).answers(RollDice(2))]
    faces = range(1, 7)
    assert answers == [(Fraction(1, 36), Roll((first, second))) for first in faces for second in faces]


def test_all_pockets_are_equally_likely_and_independent() -> None:
    wheel, unseen = SpinWheel(("0", "32", "15")), Belief.of(cards("2S"))
    for pocket, (chance, answer, belief) in zip(wheel.pockets, unseen.answers(wheel), strict=True):
        assert (chance, answer, belief) == (Fraction(1, 3), Pocket(pocket), unseen)


def test_a_coup_of_dice_agrees_with_a_count_of_its_rolls() -> None:
    """27 rolls total 11: 6 orders each of 146, 236, 245 and 3 each of 155, 335, 344."""
    start, value = new_round("sic_bo", Wager(0, "total_11", 10))
    assert chances(start, Belief.of(()), uniform_policy, value) == {
        60: Fraction(27, 216),
        -10: Fraction(189, 216),
    }
    assert best(start, Belief.of(()), value) == Fraction(60 * 27 - 10 * 189, 216)

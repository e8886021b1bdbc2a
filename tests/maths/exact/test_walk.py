"""The walk, compared with a reference that deals every order of the shoe."""

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
    """One order of a shoe, and the card put aside from it."""

    left: tuple[Card, ...]
    aside: Card | None = None


def orders(shoe: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """Every different order of the shoe; each stands for equally many of all n! orders."""
    if not shoe:
        yield ()
    for first in sorted(set(shoe)):
        place = shoe.index(first)
        for rest in orders(shoe[:place] + shoe[place + 1 :]):
            yield first, *rest


def parted(want: object, shoes: list[Order]) -> dict[Any, list[Order]]:
    """The orders that are still possible after each answer."""
    parts: defaultdict[Any, list[Order]] = defaultdict(list)
    for shoe in shoes:
        match want:
            case DealCard():
                parts[shoe.left[0]].append(shoe._replace(left=shoe.left[1:]))
            case DealFaceDown():
                parts[None].append(Order(shoe.left[1:], shoe.left[0]))
            case Peek(_, ranks):
                assert shoe.aside
                parts[shoe.aside.rank in ranks].append(shoe)
            case TurnCard():
                parts[shoe.aside].append(shoe._replace(aside=None))
    return parts


def naive(round_: Any, shoes: list[Order], value: Callable[[Any], int], decide: Any) -> Fraction:
    """The sum of values over all orders; `decide` makes one of the sums of the options."""
    wants = round_.wants()
    if not wants:
        return Fraction(value(round_) * len(shoes))
    want = wants[0]
    if isinstance(want, Decision):
        choices = (Choice(option.action) for option in want.options)
        return decide([naive(round_.answer(want, choice), shoes, value, decide) for choice in choices])  # type: ignore[no-any-return]
    return sum(
        (
            naive(round_.answer(want, answer), part, value, decide)
            for answer, part in parted(want, shoes).items()
        ),
        start=Fraction(),
    )


def average(sums: list[Fraction]) -> Fraction:
    return sum(sums, start=Fraction()) / len(sums)


def opened(table: str, *wagers: Wager) -> tuple[Any, Callable[[Any], int]]:
    game = TABLES[table].game
    on_all = [Wager(0, bet.name, 10) for bet in game.bets(TABLES[table].rules) if bet.main]
    start = game.start(TABLES[table].rules, wagers or on_all)
    return start, lambda round_: sum(line.returned_minor - line.stake_minor for line in game.settle(round_))


SHOES = {
    "one ace": "AS TS TS TS 9S 9S 8S",
    "pairs": "8S 8S TS TS AS TS 7S",
    "stiffs": "6S 6S TS TS TS TS 9S",
}
FIRST_CARDS = {"under a seven": "TS 7S", "under an ace": "9S AS", "under a ten": "8S TS"}


def seen(round_: Any, first_cards: str) -> Any:
    """The box's and the dealer's first card are known, which leaves fewer orders."""
    for card in cards(first_cards):
        (want,) = round_.wants()
        round_ = round_.answer(want, card)
    return round_


def mean(distribution: dict[int, Fraction]) -> Fraction:
    assert sum(distribution.values()) == 1
    return sum((worth * chance for worth, chance in distribution.items()), start=Fraction())


@pytest.mark.parametrize("shoe", SHOES.values(), ids=SHOES)
@pytest.mark.parametrize("first", FIRST_CARDS.values(), ids=FIRST_CARDS)
@pytest.mark.parametrize("table", WITH_CARDS)
def test_agrees_with_every_order_of_the_shoe(table: str, first: str, shoe: str) -> None:
    start, value = opened(table)
    start = seen(start, first)
    every = [Order(order) for order in orders(cards(shoe))]
    belief = Belief.of(cards(shoe))
    walked = mean(chances(start, belief, uniform_policy, value))
    assert walked == naive(start, every, value, average) / len(every)
    assert best(start, belief, value) == naive(start, every, value, max) / len(every) >= walked


@pytest.mark.parametrize("first", FIRST_CARDS.values(), ids=FIRST_CARDS)
def test_the_whole_distribution_agrees(first: str) -> None:
    start, value = opened("premium")
    start, shoe = seen(start, first), cards(SHOES["pairs"])
    every = [Order(order) for order in orders(shoe)]
    walked = chances(start, Belief.of(shoe), uniform_policy, value)
    assert len(walked) > 5
    for worth, chance in walked.items():
        assert chance == naive(start, every, partial(is_worth, worth, value), average) / len(every)


def is_worth(worth: int, value: Callable[[Any], int], end: Any) -> int:
    return int(value(end) == worth)


def test_several_boxes_and_side_bets() -> None:
    shoe = cards("TS TS TH TH TH 8S 8D")
    start, value = opened(
        "seven_seat", Wager(0, "main", 10), Wager(2, "main", 6), Wager(2, "twenty_one_plus_three", 1)
    )
    start = seen(start, "9S 7S AS")
    every = [Order(order) for order in orders(shoe)]
    assert mean(chances(start, Belief.of(shoe), uniform_policy, value)) == naive(
        start, every, value, average
    ) / len(every)


class Careless(Belief):
    """Forgets the result of a peek."""

    def _next_card(self) -> Iterator[tuple[Fraction, Any, Any]]:
        yield from self._draw(self.unseen, sum(count for _, count in self.unseen))


def test_a_walk_that_forgets_the_peek_is_caught() -> None:
    start, value = opened("premium")
    start, shoe = seen(start, "8S TS"), cards(SHOES["pairs"])
    every = [Order(order) for order in orders(shoe)]
    right = naive(start, every, value, average) / len(every)
    assert mean(chances(start, Belief.of(shoe), uniform_policy, value)) == right
    assert mean(chances(start, Careless.of(shoe), uniform_policy, value)) != right


def test_the_face_down_card_is_unknown_to_the_best_play() -> None:
    """16 against a ten: a hole card of 6 says stand, one of 10 says hit; not knowing, one choice for both."""
    shoe = cards("6S TS TS 5S 5S")
    start, value = opened("seven_seat")
    for text in ("9S", "TS", "7S"):
        (want,) = start.wants()
        start = start.answer(want, *cards(text))
    every = [Order(order) for order in orders(shoe)]
    seeing = sum((naive(start, [order], value, max) for order in every), start=Fraction()) / len(every)
    assert best(start, Belief.of(shoe), value) == naive(start, every, value, max) / len(every) < seeing


def test_a_shoe_that_is_too_small_is_refused() -> None:
    start, value = opened("premium")
    with pytest.raises(Refused, match="shoe_empty"):
        chances(start, Belief.of(cards("2S 2S 3S 3S 4S")), uniform_policy, value)
    with pytest.raises(Refused, match="shoe_empty"):
        best(start, Belief.of(cards("2S 2S")), value)


def test_what_chance_decides_isnt_asked_of_a_player() -> None:
    with pytest.raises(TypeError, match="no matter of chance"):
        Belief.of(cards("2S")).answers(Decision(At(0), ()))
    assert [chance for chance, *_ in Belief.of(cards("2S 3S")).answers(DealCard(DEALER))] == [
        Fraction(1, 2)
    ] * 2


def test_dice_show_every_roll_alike() -> None:
    answers = [(chance, answer) for chance, answer, _ in Belief.of(()).answers(RollDice(2))]
    faces = (1, 2, 3, 4, 5, 6)
    assert answers == [(Fraction(1, 36), Roll((one, other))) for one in faces for other in faces]


def test_a_wheel_shows_every_pocket_alike_and_remembers_nothing() -> None:
    wheel, unseen = SpinWheel(("0", "32", "15")), Belief.of(cards("2S"))
    for pocket, (chance, answer, then) in zip(wheel.pockets, unseen.answers(wheel), strict=True):
        assert (chance, answer, then) == (Fraction(1, 3), Pocket(pocket), unseen)


def test_a_coup_of_dice_agrees_with_counting_its_rolls() -> None:
    """A total of 11 comes of 27 rolls: 6 orders of 146, 236, 245 and 3 of 155, 335, 344."""
    start, value = opened("sic_bo", Wager(0, "total_11", 10))
    assert chances(start, Belief.of(()), uniform_policy, value) == {
        60: Fraction(27, 216),
        -10: Fraction(189, 216),
    }
    assert best(start, Belief.of(()), value) == Fraction(60 * 27 - 10 * 189, 216)

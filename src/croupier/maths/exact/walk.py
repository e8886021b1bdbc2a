"""The exhaustive walk: plays a round with every card, weighted, and every option, in exact fractions.

A slow reference implementation that the fast analyses are tested against. It drives any game's round without
knowing its rules. Its belief about the face-down card is the player's: after a negative peek, the remaining
cards stay as likely as their counts, and later cards don't change that.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple, Self, TypeVar

from croupier.equipment.cards import Card
from croupier.equipment.dice import FACES
from croupier.play.contract.game import Round
from croupier.play.contract.wants import (
    Answer,
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
    Want,
)
from croupier.refusal import Refused

R = TypeVar("R", bound=Round)
Value = Callable[[R], int]
"""The value of an ended round, such as its net result in minor units."""
Policy = Callable[[R, Decision], Mapping[Choice, Fraction]]
"""The probability of each choice; the probabilities sum to 1."""

ONE = Fraction(1)


class Belief(NamedTuple):
    """The unseen cards and, if a card lies face down, those it may be."""

    unseen: tuple[tuple[Card, int], ...]
    face_down: frozenset[Card] | None = None

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Self:
        """Return the belief about a shoe of these cards in unknown order."""
        return cls(tuple(sorted(Counter(cards).items())))

    def answers(self, want: Want) -> Iterator[tuple[Fraction, Answer, Self]]:
        """Yield every random answer to a want, its probability, and the belief after it."""
        match want:
            case DealCard():
                return self._next_card()
            case DealFaceDown():
                return iter(
                    [(ONE, None, self._replace(face_down=frozenset(card for card, _ in self.unseen)))]
                )
            case Peek(_, ranks):
                return self._peek(ranks)
            case TurnCard():
                return self._turn_card()
            case SpinWheel(pockets):
                return self._equally_likely(map(Pocket, pockets), len(pockets))
            case RollDice(dice):
                return self._equally_likely(map(Roll, product(range(1, FACES + 1), repeat=dice)), FACES**dice)
        raise TypeError(f"{want} isn't decided by chance")

    def _equally_likely(
        self, answers: Iterable[Answer], number: int
    ) -> Iterator[tuple[Fraction, Answer, Self]]:
        """Weigh all answers equally and leave the belief as it is: wheels and dice have no memory."""
        return ((Fraction(1, number), answer, self) for answer in answers)

    def _next_card(self) -> Iterator[tuple[Fraction, Answer, Self]]:
        """Weigh cards that may lie face down less: one of their kind may not be in the shoe."""
        unseen = sum(count for _, count in self.unseen)
        if self.face_down is None:
            yield from self._draw(self.unseen, unseen)
            return
        may = self._count_among(self.face_down)
        weighed = ((card, count * (may - (card in self.face_down))) for card, count in self.unseen)
        yield from self._draw(weighed, may * (unseen - 1))

    def _turn_card(self) -> Iterator[tuple[Fraction, Answer, Self]]:
        face_down = self._face_down_cards()
        may = ((card, count) for card, count in self.unseen if card in face_down)
        for chance, card, belief in self._draw(may, self._count_among(face_down)):
            yield chance, card, belief._replace(face_down=None)

    def _peek(self, ranks: str) -> Iterator[tuple[Fraction, Answer, Self]]:
        face_down = self._face_down_cards()
        yes = frozenset(card for card in face_down if card.rank in ranks)
        for answer, cards in ((True, yes), (False, face_down - yes)):
            if likely := self._count_among(cards):
                yield Fraction(likely, self._count_among(face_down)), answer, self._replace(face_down=cards)

    def _draw(self, weights: Iterable[tuple[Card, int]], total: int) -> Iterator[tuple[Fraction, Card, Self]]:
        if not total:
            raise Refused("shoe_empty")
        for card, weight in weights:
            if weight:
                yield Fraction(weight, total), card, self._without(card)

    def _without(self, card: Card) -> Self:
        less = ((other, count - (other == card)) for other, count in self.unseen)
        return self._replace(unseen=tuple((other, count) for other, count in less if count))

    def _count_among(self, cards: frozenset[Card]) -> int:
        """Return the number of unseen cards among these."""
        return sum(count for card, count in self.unseen if card in cards)

    def _face_down_cards(self) -> frozenset[Card]:
        assert self.face_down is not None, "a face-down card is wanted before one was dealt"
        return self.face_down


def uniform_policy(_round: Round, decision: Decision) -> dict[Choice, Fraction]:
    """Choose every option with the same probability."""
    return {Choice(option.action): Fraction(1, len(decision.options)) for option in decision.options}


def chances(round_: R, belief: Belief, policy: Policy[R], value: Value[R]) -> dict[int, Fraction]:
    """Return the probability of each value under a policy. Raises Refused `shoe_empty`."""

    @cache
    def after(round_: R, belief: Belief) -> dict[int, Fraction]:
        if not (wants := round_.wants()):
            return {value(round_): ONE}
        found: defaultdict[int, Fraction] = defaultdict(Fraction)
        for chance, answer, then in _branches(wants[0], belief, lambda want: policy(round_, want)):
            for worth, likely in after(round_.answer(wants[0], answer), then).items():
                found[worth] += chance * likely
        return dict(found)

    return after(round_, belief)


def best(round_: R, belief: Belief, value: Value[R]) -> Fraction:
    """Return the expected value under the best decisions given the player's knowledge."""

    @cache
    def after(round_: R, belief: Belief) -> Fraction:
        if not (wants := round_.wants()):
            return Fraction(value(round_))
        want = wants[0]
        if isinstance(want, Decision):
            choices = (Choice(option.action) for option in want.options)
            return max(after(round_.answer(want, choice), belief) for choice in choices)
        drawn = belief.answers(want)
        worth = (chance * after(round_.answer(want, answer), then) for chance, answer, then in drawn)
        return sum(worth, start=Fraction())

    return after(round_, belief)


def _branches(
    want: Want, belief: Belief, policy: Callable[[Decision], Mapping[Choice, Fraction]]
) -> Iterator[tuple[Fraction, Answer, Belief]]:
    if isinstance(want, Decision):
        return ((chance, choice, belief) for choice, chance in policy(want).items() if chance)
    return belief.answers(want)

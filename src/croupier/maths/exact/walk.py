"""The exhaustive walk: a round with all that may come up, weighted, and every option, exactly.

Slow and obviously right: the fast analysers are held against it. It drives any game's round and knows
nothing of its rules. What it keeps of the face-down card is what a player knows: after a peek said no,
all cards of other ranks are still as likely as their numbers, and cards dealt later don't change that.
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
"""What an ended round is worth: its net result in smallest units, say."""
Policy = Callable[[R, Decision], Mapping[Choice, Fraction]]
"""How likely a player decides what; the chances sum to 1."""

ONE = Fraction(1)


class Belief(NamedTuple):
    """The cards nobody has seen, where there are any; which may be the face-down one, if one lies there."""

    unseen: tuple[tuple[Card, int], ...]
    face_down: frozenset[Card] | None = None

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Self:
        """A shoe of these cards in unknown order."""
        return cls(tuple(sorted(Counter(cards).items())))

    def answers(self, want: Want) -> Iterator[tuple[Fraction, Answer, Self]]:
        """Every answer of chance to a want, how likely it is, and what is believed then."""
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
        raise TypeError(f"{want} is no matter of chance")

    def _equally_likely(
        self, answers: Iterable[Answer], number: int
    ) -> Iterator[tuple[Fraction, Answer, Self]]:
        """Each as likely as another, and the next time again: a wheel and dice remember nothing."""
        return ((Fraction(1, number), answer, self) for answer in answers)

    def _next_card(self) -> Iterator[tuple[Fraction, Answer, Self]]:
        """A card that might be the face-down one is less likely to come: one of its kind may lie there."""
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
        for said, cards in ((True, yes), (False, face_down - yes)):
            if likely := self._count_among(cards):
                yield Fraction(likely, self._count_among(face_down)), said, self._replace(face_down=cards)

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
        """How many of the unseen cards are among these."""
        return sum(count for card, count in self.unseen if card in cards)

    def _face_down_cards(self) -> frozenset[Card]:
        assert self.face_down is not None, "a face-down card is wanted before one was dealt"
        return self.face_down


def uniform_policy(_round: Round, decision: Decision) -> dict[Choice, Fraction]:
    """The policy of one who takes any option as soon as another."""
    return {Choice(option.action): Fraction(1, len(decision.options)) for option in decision.options}


def chances(round_: R, belief: Belief, policy: Policy[R], value: Value[R]) -> dict[int, Fraction]:
    """How likely each value is under a policy. Refused `shoe_empty` when the cards may run out."""

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
    """The expected value when every decision is the best for what the player knows then."""

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

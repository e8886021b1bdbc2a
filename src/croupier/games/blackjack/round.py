"""A round of blackjack: an immutable value that lists what it wants next.

The first stage below that wants something determines the state of the round. A round holds only seen cards,
so everything in it may be shown.
"""

from dataclasses import dataclass, field, replace
from typing import Self

from croupier.equipment.cards import Card
from croupier.games.blackjack import options
from croupier.games.blackjack.boxes import Box
from croupier.games.blackjack.hands import blackjack_ranks, is_natural
from croupier.games.blackjack.rules import Rules, dealer_draws, peeks_under
from croupier.play.contract.wants import (
    DEALER,
    Answer,
    At,
    Choice,
    DealCard,
    DealFaceDown,
    Decision,
    Peek,
    TurnCard,
    Want,
)
from croupier.refusal import Refused

_NO_WINDOW = 99
"""More cards than a hand can have."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round. `dealer` has the face-up cards; `peeked` is the result of the dealer's peek."""

    rules: Rules
    boxes: tuple[Box, ...]
    dealer: tuple[Card, ...] = ()
    face_down: bool = False
    peeked: bool | None = None
    _wants: tuple[Want, ...] | None = field(default=None, init=False, repr=False, compare=False)
    """Kept by `wants`, as drivers, views and records ask each round several times."""

    def wants(self) -> tuple[Want, ...]:
        """Return what may be answered now, in the order of play; empty once the round has ended."""
        wanted = self._wants
        if wanted is None:
            wanted = next(filter(None, (stage(self) for stage in _STAGES)), ())
            object.__setattr__(self, "_wants", wanted)
        return wanted

    @property
    def ended(self) -> bool:
        return not self.wants()

    @property
    def staked_minor(self) -> int:
        """The total at risk so far: stakes, side bets, doubles, splits, insurance."""
        return sum(box.staked_minor for box in self.boxes)

    @property
    def dealer_blackjack(self) -> bool:
        """True if the dealer's blackjack is known."""
        return bool(self.peeked) or is_natural(self.dealer)

    def box(self, number: int) -> Box:
        return next(box for box in self.boxes if box.number == number)

    def with_box(self, box: Box) -> Self:
        return replace(self, boxes=tuple(box if old.number == box.number else old for old in self.boxes))

    def answer(self, want: Want, answer: Answer) -> Self:
        """Return the round after `answer`; Refused if it isn't wanted or not allowed."""
        if want not in self.wants():
            raise Refused("not_wanted", want=type(want).__name__, to=str(want.to))
        match want, answer:
            case DealCard(to), Card():
                return self._deal(to, answer)
            case DealFaceDown(), None:
                return replace(self, face_down=True)
            case Peek(), bool():
                return replace(self, peeked=answer)
            case TurnCard(), Card():
                return self._turn(answer)
            case Decision(), Choice():
                return self._decide(want, answer)
        raise Refused("wrong_answer", want=type(want).__name__, answer=type(answer).__name__)

    def _deal(self, to: At, card: Card) -> Self:
        if to == DEALER:
            return replace(self, dealer=(*self.dealer, card))
        box = self.box(to.box)
        return self.with_box(box.with_hand(to.hand, box.hands[to.hand].dealt(card)))

    def _turn(self, card: Card) -> Self:
        if self.peeked is not None and self.peeked != (card.rank in blackjack_ranks(self.dealer[0])):
            raise Refused("peeked_otherwise", rule="peek", card=str(card))
        return replace(self, dealer=(*self.dealer, card), face_down=False)

    def _decide(self, want: Decision, choice: Choice) -> Self:
        self.check_offered(want, choice)
        box = self.box(want.to.box)
        return self.with_box(options.APPLY[choice.action](box, want.to.hand, choice.stake_minor))

    def check_offered(self, want: Decision, choice: Choice) -> None:
        """Refuse a choice that isn't available, or not at that stake."""
        option = want.option(choice.action)
        if option is None:
            box = self.box(want.to.box)
            rule = options.forbidden(self.rules, box, want.to.hand, self.split_made).get(choice.action, "")
            raise Refused("not_offered", rule=rule, action=choice.action)
        options.check_stake(option, choice.stake_minor)

    def decision_ahead(self, to: At) -> Decision | None:
        """Return the next decision of a hand that has all its cards; None if it has none."""
        box = self.box(to.box)
        if to.hand >= len(box.hands) or self.dealer_blackjack:
            return None
        hand = box.hands[to.hand]
        undecided = len(hand.cards) > 1 and not (hand.owed or options.is_complete(self.rules, box, to.hand))
        return _decision(self, box, to.hand) if undecided else None

    @property
    def split_made(self) -> bool:
        return any(len(box.hands) > 1 for box in self.boxes)


def _opening(round_: Round) -> tuple[Want, ...]:
    """Deal one card to each box and one to the dealer, twice (003, 004 1.2)."""
    if round_.face_down or len(round_.dealer) > 1:
        return ()
    for count in (1, 2):
        for box in round_.boxes:
            if len(box.hands[0].cards) < count:
                return (DealCard(At(box.number)),)
        if len(round_.dealer) < count:
            hidden = count == 2 and round_.rules.hole_card == "face_down"
            return (DealFaceDown(DEALER) if hidden else DealCard(DEALER),)
    return ()


def _offers(round_: Round) -> tuple[Want, ...]:
    """Offer insurance or even money under an ace, box by box, before the peek (000 2.5c, 2.10)."""
    if not round_.face_down or round_.dealer[0].rank != "A":
        return ()
    return tuple(
        Decision(At(box.number), offer)
        for box in round_.boxes
        if box.offer_open and (offer := options.offered_options(round_.rules, box))
    )


def _peek(round_: Round) -> tuple[Want, ...]:
    """Peek for a blackjack, unless every box has taken even money (000 2.9)."""
    if round_.face_down and round_.peeked is None and _in_play(round_):
        upcard = round_.dealer[0]
        return (Peek(DEALER, blackjack_ranks(upcard)),) if peeks_under(round_.rules, upcard) else ()
    return ()


def _play(round_: Round) -> tuple[Want, ...]:
    """Deal requested cards and ask for decisions, box by box."""
    if round_.dealer_blackjack:
        return ()
    for box in round_.boxes:
        if wanted := _of_box(round_, box):
            return wanted
    return ()


def _of_box(round_: Round, box: Box) -> tuple[Want, ...]:
    owed = tuple(DealCard(At(box.number, place)) for place, hand in enumerate(box.hands) if hand.owed)
    if round_.rules.split_hands_decide == "in_turn":
        return owed[:1] or _decisions(round_, box)[:1]
    window = min((len(hand.cards) for hand in box.hands if hand.owed), default=_NO_WINDOW)
    return _decisions(round_, box, window) or owed[:1]


def _decisions(round_: Round, box: Box, window: int = _NO_WINDOW) -> tuple[Want, ...]:
    """Return the decisions of the box's hands, except hands with more cards than the window."""
    return tuple(
        _decision(round_, box, place)
        for place, hand in enumerate(box.hands)
        if not (hand.owed or len(hand.cards) > window or options.is_complete(round_.rules, box, place))
    )


def _decision(round_: Round, box: Box, place: int) -> Decision:
    return Decision(
        At(box.number, place), options.available_options(round_.rules, box, place, round_.split_made)
    )


def _dealer(round_: Round) -> tuple[Want, ...]:
    """Turn the face-down card, then draw if any bet depends on the total (000 2.1e; 003 Outcome)."""
    if not _in_play(round_):
        return ()
    if round_.face_down:
        return (TurnCard(DEALER),)
    draws = dealer_draws(round_.rules, round_.dealer) and any(
        options.needs_dealer(round_.rules, box) for box in round_.boxes
    )
    return (DealCard(DEALER),) if draws else ()


def _in_play(round_: Round) -> bool:
    """Return whether any box is still in play: even money ends its round (000 2.10a)."""
    return not all(box.even_money for box in round_.boxes)


_STAGES = (_opening, _offers, _peek, _play, _dealer)

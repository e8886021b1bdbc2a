"""Exact values of the options of one decision, from the seen cards, in plain Python.

The sums are those of `exact/`, for one decision and without arrays: every unseen card is equally likely to
come next, and the hand continues with the best play. Cards of other hands and boxes count as seen. After a
peek without a blackjack, values are conditional on that. Open side bets are ignored.
"""

from collections.abc import Collection, Hashable
from functools import lru_cache
from typing import NamedTuple

from croupier.games.blackjack.dealer_ends import Chances, dealer_ends, dealer_tree
from croupier.games.blackjack.hands import blackjack_ranks, is_bust, low_total
from croupier.games.blackjack.outcomes import (
    BLACKJACK,
    ENDS,
    Cards,
    accept_offer,
    actions_of,
    box_with_hand,
    finds_blackjack,
    net_result,
    unit_box,
)
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.shoe import CARDS, Counts, RankCounts, held_of, less, place
from croupier.play.contract.wants import Decision

PAIR = 2
OFFERS = {"insure": "insurance", "take_even_money": "even_money"}
"""Offers by the action that accepts them."""


def option_values(round_: Round, decision: Decision) -> dict[str, float]:
    """Return the average net result of each option, in initial stakes, with the best play afterwards."""
    box, spot = round_.box(decision.to.box), decision.to.hand
    seen = _Seen(round_.rules, _plain(round_.dealer), _unseen(round_))
    hand = _plain(box.hands[spot].cards)
    for option in decision.options:
        if name := OFFERS.get(option.action):
            declined = _declined(seen, hand, actions_of(round_.rules, box, spot))
            accepted = _accepted(seen, hand, name, declined)
            return {one.action: accepted if one == option else declined for one in decision.options}
    play = _Play(seen, spot + 1 if box.hands[spot].of_split else 0)
    live = seen.live(seen.unseen)
    return {option.action: play.after(option.action, hand, seen.unseen) / live for option in decision.options}


def _declined(seen: "_Seen", hand: Cards, can: Collection[str]) -> float:
    """Return the value of the hand without the offer, including a blackjack found at once."""
    play = _Play(seen, 0)
    ways = [play.after(action, hand, seen.unseen) for action in can]
    best = max(ways) if ways else play.settled(hand, seen.unseen)
    return best + (1 - seen.live(seen.unseen)) * _terms(seen.rules, 0).nets(hand)[BLACKJACK]


def _accepted(seen: "_Seen", hand: Cards, name: str, declined: float) -> float:
    box, chances = accept_offer(unit_box(seen.rules, hand), name), seen.ends(seen.unseen)
    bet = "main" if name == "even_money" else name
    gain = sum(
        chance * float(net_result(seen.rules, box, 0, end, bet))
        for end, chance in enumerate(chances)
        if chance
    )
    return gain if bet == "main" else declined + gain


def _plain(cards: Cards) -> Cards:
    """Return the cards with normalized suits and tens; the first stays first, as splits depend on it."""
    return tuple(CARDS[place(card)] for card in cards)


def _unseen(round_: Round) -> Counts:
    """Return a fresh shoe without the face-up cards."""
    hands = (hand.cards for box in round_.boxes for hand in box.hands)
    return less(
        RankCounts.of_decks(round_.rules.decks).counts,
        *round_.dealer,
        *(card for hand in hands for card in hand),
    )


class _Seen(NamedTuple):
    """The dealer's face-up cards, and all unseen cards."""

    rules: Rules
    dealer: Cards
    unseen: Counts

    @property
    def completes(self) -> int:
        """The value that completes the blackjack for which the dealer peeks; -1 if there is none."""
        ranks = blackjack_ranks(self.dealer[0])
        found = ranks and len(self.dealer) == 1 and finds_blackjack(self.rules, self.dealer)
        return next(value for value, card in enumerate(CARDS) if card.rank in ranks) if found else -1

    def live(self, counts: Counts) -> float:
        """Return the chance that no blackjack is found before play."""
        return 1 - counts[self.completes] / sum(counts) if self.completes >= 0 else 1.0

    def ends(self, counts: Counts) -> Chances:
        return dealer_ends(dealer_tree(self.rules, held_of(self.dealer)), counts)


class _Play:
    """The best play of one hand: as dealt (`part` 0), or the first or second half of a split.

    All sums are over the rounds in which no blackjack is found.
    """

    def __init__(self, seen: _Seen, part: int) -> None:
        self._seen = seen
        self._terms = _terms(seen.rules, part)
        self._best: dict[Cards, float] = {}
        self._ends = BLACKJACK if seen.completes >= 0 else len(ENDS)

    def after(self, action: str, hand: Cards, counts: Counts) -> float:
        match action:
            case "stand":
                return self.settled(hand, counts)
            case "hit":
                return sum(chance * self._played(then, left) for chance, then, left in _drawn(hand, counts))
            case "double":
                return sum(
                    chance * self.settled(then, left, 2) for chance, then, left in _drawn(hand, counts)
                )
            case "split":
                halves = (_Play(self._seen, part) for part in (1, 2))
                return sum(half.after("hit", hand[:1], counts) for half in halves)
        raise AssertionError(f"{action} isn't an action of a hand")

    def _played(self, hand: Cards, counts: Counts) -> float:
        """Return the value of the hand with the best play; the order of its cards doesn't matter."""
        key = (hand[0], *sorted(hand[1:]))
        if key not in self._best:
            ways = [self.after(action, key, counts) for action in self._terms.can(key)]
            self._best[key] = max(ways) if ways else self.settled(key, counts)
        return self._best[key]

    def settled(self, hand: Cards, counts: Counts, stakes: int = 1) -> float:
        nets = self._terms.nets(hand, stakes)
        if is_bust(hand):
            return self._seen.live(counts) * nets[0]
        chances = self._seen.ends(counts)
        return sum(chances[end] * nets[end] for end in range(self._ends))


def _drawn(hand: Cards, counts: Counts) -> list[tuple[float, Cards, Counts]]:
    """Return each next card as its chance, the hand with it, and the counts without it."""
    unseen = sum(counts)
    return [
        (count / unseen, (*hand, card), less(counts, card))
        for card, count in zip(CARDS, counts, strict=True)
        if count > 0
    ]


class _Terms:
    """Cached rules of hands as dealt, or of the first or second half of a split."""

    def __init__(self, rules: Rules, part: int) -> None:
        self._rules = rules
        self._part = part
        self._can: dict[Hashable, frozenset[str]] = {}
        self._nets: dict[Hashable, Chances] = {}

    def can(self, hand: Cards) -> frozenset[str]:
        """Return the actions of the hand; none once it is complete."""
        alike = (low_total(hand), CARDS[0] in hand, len(hand)) if len(hand) > PAIR else hand
        if alike not in self._can:
            self._can[alike] = actions_of(self._rules, *box_with_hand(self._rules, self._part, hand))
        return self._can[alike]

    def nets(self, hand: Cards, stakes: int = 1) -> Chances:
        """Return the net result of the hand for each end, with one stake or two."""
        alike = low_total(hand), CARDS[0] in hand, len(hand), stakes
        if alike not in self._nets:
            box, spot = box_with_hand(self._rules, self._part, hand, doubled=stakes > 1)
            self._nets[alike] = tuple(
                float(net_result(self._rules, box, spot, end)) for end in range(len(ENDS))
            )
        return self._nets[alike]


@lru_cache(maxsize=256)
def _terms(rules: Rules, part: int) -> _Terms:
    return _Terms(rules, part)

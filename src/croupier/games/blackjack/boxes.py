"""Boxes and their hands."""

from dataclasses import dataclass, replace
from typing import Self

from croupier.equipment.cards import Card
from croupier.games.blackjack.hands import is_natural
from croupier.games.blackjack.rules import insurance_stake
from croupier.play.contract.bets import Wager


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand. `owed`: a requested card is still to come. `less_minor`: doubled for less than the stake."""

    cards: tuple[Card, ...] = ()
    of_split: bool = False
    stood: bool = False
    doubled: bool = False
    less_minor: int = 0
    owed: bool = False

    @property
    def blackjack(self) -> bool:
        """True for an ace and a ten; after a split they are 21, not blackjack (000 2.8e)."""
        return not self.of_split and is_natural(self.cards)

    def dealt(self, card: Card) -> Self:
        return replace(self, cards=(*self.cards, card), owed=False)


@dataclass(frozen=True, slots=True)
class Box:
    """A betting spot. `insured` and `even_money` are None until the player answers the offer."""

    number: int
    stake_minor: int
    side_bets: tuple[Wager, ...] = ()
    hands: tuple[Hand, ...] = (Hand(),)
    insured: bool | None = None
    even_money: bool | None = None

    @property
    def offer_open(self) -> bool:
        return self.insured is None and self.even_money is None

    @property
    def first_two(self) -> tuple[Card, Card]:
        """The two cards dealt first, which decide side bets, also after a split."""
        if len(self.hands) == 2:
            return self.hands[0].cards[0], self.hands[1].cards[0]
        return self.hands[0].cards[0], self.hands[0].cards[1]

    @property
    def insurance_minor(self) -> int:
        return insurance_stake(self.stake_minor) if self.insured else 0

    @property
    def staked_minor(self) -> int:
        sides = sum(wager.stake_minor for wager in self.side_bets)
        return sides + self.insurance_minor + sum(self.hand_stake(hand) for hand in self.hands)

    def raise_minor(self, hand: Hand) -> int:
        """Return the stake added by doubling a hand."""
        return (hand.less_minor or self.stake_minor) if hand.doubled else 0

    def hand_stake(self, hand: Hand) -> int:
        return self.stake_minor + self.raise_minor(hand)

    def with_hand(self, place: int, hand: Hand) -> Self:
        return replace(self, hands=(*self.hands[:place], hand, *self.hands[place + 1 :]))

"""The rules of blackjack as data: one flat record a table, and the predicates that read it.

Each field's docstring says what it decides and names the clauses of the published rules. `variants.toml` has
the published tables, an operator's file their own.
"""

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.equipment.cards import Card
from croupier.games.blackjack.hands import VALUE, is_soft, low_total, total
from croupier.play.contract.odds import Odds

OddsText = Annotated[str, Meta(pattern=r"^[1-9][0-9]*:[1-9][0-9]*$", description='odds such as "3:2"')]
PayText = Annotated[
    str,
    Meta(pattern=r"^[a-z0-9_]+ [1-9][0-9]*:[1-9][0-9]*$", description='a line such as "suited_pair 25:1"'),
]
DoubleTotal = Annotated[int, Meta(ge=2, le=20)]
ANY_TOTAL = tuple(range(2, 21))


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """Every rule in which the published tables differ. The hash is cached, as rules are cache keys."""

    decks: Annotated[int, Meta(ge=1, le=8)]
    """Decks of 52 cards, no jokers (000 2.1b; 001; 002; 003; 004 1.2)."""

    shuffle: Literal["every_round", "at_cut_card"] = "every_round"
    """The time of shuffling (000 2.1b; 003 Shuffling)."""

    cut_card_percent: Annotated[int, Meta(ge=10, le=100)] = 100
    """Percent of the shoe dealt before the cut card comes out; the round is finished then."""

    shoes: Annotated[int, Meta(ge=1, le=2)] = 1
    """Shoes that take turns, one dealt while the other is shuffled (003 Shuffling)."""

    dealer_hits_soft_17: bool = False
    """True if the dealer draws to a soft 17 (000 2.1e; 002 General rules)."""

    hole_card: Literal["face_down", "face_up"] = "face_down"
    """The position of the dealer's second card (000 2.1c; 002: both face up)."""

    peek: Literal["never", "ace", "ace_or_ten"] = "never"
    """The upcards under which the dealer peeks for a blackjack before play (000 2.9; 003 Insurance)."""

    dealer_blackjack_takes: Literal["everything", "initial_stake"] = "everything"
    """Stakes lost to a blackjack found after play: with doubles and splits, or not (000 2.7b iii)."""

    blackjack_pays: OddsText = "3:2"
    """Odds of a blackjack (000 2.6; 002: 1:1)."""

    blackjack_beats_blackjack: bool = False
    """True if the player's blackjack is paid against the dealer's too, instead of a push (002)."""

    ties: Literal["push", "dealer_wins"] = "push"
    """The result of equal totals (000 2.4d; 002: the dealer wins)."""

    insurance: Literal["none", "without_blackjack", "always"] = "none"
    """Hands that may be insured under an ace: none, those without blackjack, or all (000 2.5c; 003)."""

    insurance_pays: OddsText = "2:1"
    """Odds of insurance (000 2.6)."""

    even_money: bool = False
    """True if a blackjack against an ace may be paid 1:1 at once; insurance isn't offered then (000 2.10)."""

    double_low_totals: Annotated[tuple[DoubleTotal, ...], Meta(max_length=19)] = ANY_TOTAL
    """Two-card totals, aces as 1, that may be doubled (000 2.7a: any; 002: 9, 10, 11, soft hands too)."""

    double_for_less: bool = False
    """True if a double may stake less than the initial stake (004 1.2)."""

    double_after_split: bool = True
    """True if a hand of a split may be doubled (000 2.7a; 003: no)."""

    split: Literal["equal_value", "equal_rank"] = "equal_value"
    """Pairs that may be split; equal rank excludes unlike tens (000 1; 002 Split 2)."""

    splits: Literal["none", "one_per_round", "one_per_hand"] = "one_per_hand"
    """The number of splits allowed (000 2.8a; 001)."""

    split_aces_one_card: bool = True
    """True if split aces get one card each and are then complete (000 2.8d)."""

    stand_on_21: bool = True
    """True if a hand of 21 stands automatically (000 2.1d: no; 001: yes)."""

    charlie_cards: Literal[0, 5, 6, 7] = 0
    """Number of cards that win at once without a bust, even against a blackjack; 0: no such rule (003)."""

    split_hands_decide: Literal["in_turn", "together"] = "in_turn"
    """Order of split hands: the second waits for the first, or decides in the same window (000 2.8c; 003)."""

    boxes: Annotated[int, Meta(ge=1, le=7)] = 1
    """Boxes a player may open in a round (001: 1-3; 002)."""

    any_pair: tuple[PayText, ...] = ()
    """Paytable of Any Pair; empty: not offered (003 Payouts)."""

    perfect_pairs: tuple[PayText, ...] = ()
    """Paytable of Perfect Pairs; empty: not offered (004 1.5)."""

    twenty_one_plus_three: tuple[PayText, ...] = ()
    """Paytable of 21+3; empty: not offered (003 Payouts; 004 1.5)."""

    hot_3: tuple[PayText, ...] = ()
    """Paytable of Hot 3; empty: not offered (003 Payouts)."""

    bust_it: tuple[PayText, ...] = ()
    """Paytable of Bust It; empty: not offered (003 Payouts)."""

    def insurable(self, stake_minor: int) -> bool:
        """Return whether the table insures a stake: half of it must come to a smallest unit or more."""
        return self.insurance != "none" and insurance_stake(stake_minor) > 0


@cache
def odds(text: str) -> Odds:
    """Parse the odds of a rules field."""
    return Odds.parse(text)


def insurance_stake(stake_minor: int) -> int:
    """Return half the stake, rounded down to a whole smallest unit (000 1 Insurance)."""
    return stake_minor // 2


def dealer_draws(rules: Rules, cards: Sequence[Card]) -> bool:
    """Return whether the dealer draws: to 16 or less, and to a soft 17 if the table says so (000 2.1e)."""
    points = total(cards)
    return points < 17 or (points == 17 and rules.dealer_hits_soft_17 and is_soft(cards))


def peeks_under(rules: Rules, upcard: Card) -> bool:
    value = VALUE[upcard.rank]
    return (value == 1 and rules.peek != "never") or (value == 10 and rules.peek == "ace_or_ten")


def is_charlie(rules: Rules, cards: Sequence[Card]) -> bool:
    return 0 < rules.charlie_cards <= len(cards) and low_total(cards) <= 21


def splittable(rules: Rules, cards: Sequence[Card]) -> bool:
    """Return whether the table's rules allow splitting these two cards."""
    one, other = cards
    return one.rank == other.rank or (rules.split == "equal_value" and VALUE[one.rank] == VALUE[other.rank])

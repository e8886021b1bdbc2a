"""A reference implementation of the card coups: returns for a stake of 1, from the cards alone.

It uses none of croupier's rules; the payouts are those of the tables' rules pages.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from croupier.play.contract.bets import Wager

Hand = Sequence[str]
Returned = dict[str, Fraction]
HALF, EVEN = Fraction(1, 2), Fraction(2)


def points(hand: Hand) -> int:
    """Return the points of a hand of baccarat."""
    return sum("A23456789".find(card[0]) + 1 for card in hand) % 10


def pair_return(hand: Hand) -> Fraction:
    """Return what a bet on a pair returns."""
    first, second, *_ = hand
    return Fraction(12 if first[0] == second[0] else 0)


def baccarat(player: Hand, banker: Hand) -> tuple[str, Returned]:
    pairs = {"player_pair": pair_return(player), "banker_pair": pair_return(banker)}
    lost = dict.fromkeys(("player", "banker", "tie"), Fraction()) | pairs
    player_points, banker_points = points(player), points(banker)
    if player_points == banker_points:
        return f"T{player_points}", lost | {"player": Fraction(1), "banker": Fraction(1), "tie": Fraction(9)}
    if player_points > banker_points:
        return f"P{player_points}", lost | {"player": EVEN}
    return f"B{banker_points}", lost | {"banker": Fraction(195, 100)}


def dragon_tiger(dragon: Hand, tiger: Hand) -> tuple[str, Returned]:
    (first_card,), (second_card,) = dragon, tiger
    ranks = first_card[0] + second_card[0]
    lost = dict.fromkeys(("dragon", "tiger", "tie", "suited_tie"), Fraction())
    if first_card[0] == second_card[0]:
        suited = Fraction(51 if first_card == second_card else 0)
        return f"={ranks}", {"dragon": HALF, "tiger": HALF, "tie": Fraction(12), "suited_tie": suited}
    order = "A23456789TJQK"
    if order.index(first_card[0]) > order.index(second_card[0]):
        return f"D{ranks}", lost | {"dragon": EVEN}
    return f"T{ranks}", lost | {"tiger": EVEN}


def football_studio(home: Hand, away: Hand) -> tuple[str, Returned]:
    (first_card,), (second_card,) = home, away
    ranks = first_card[0] + second_card[0]
    lost = dict.fromkeys(("home", "away", "draw"), Fraction())
    if first_card[0] == second_card[0]:
        return f"={ranks}", {"home": HALF, "away": HALF, "draw": Fraction(12)}
    order = "23456789TJQKA"
    if order.index(first_card[0]) > order.index(second_card[0]):
        return f"H{ranks}", lost | {"home": EVEN}
    return f"A{ranks}", lost | {"away": EVEN}


REFERENCE: dict[str, Callable[[Hand, Hand], tuple[str, Returned]]] = {
    "baccarat": baccarat,
    "dragon_tiger": dragon_tiger,
    "football_studio": football_studio,
}
"""By game: the function that returns the result's text and the return of each bet."""


def hands_of(steps: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the cards of both hands from a record."""
    first, second = (
        [step.split()[1] for step in steps if step.startswith(place)] for place in ("0.0 ", "1.0 ")
    )
    return first, second


def returns(game: str, steps: Sequence[str], wagers: Sequence[Wager]) -> tuple[int, int]:
    """Return the total stake and the total return, with each bet rounded down."""
    _, returned = REFERENCE[game](*hands_of(steps))
    staked = sum(wager.stake_minor for wager in wagers)
    return staked, sum(int(wager.stake_minor * returned[wager.bet]) for wager in wagers)

"""The card coups told once more, plainly: what each bet returns of a stake of 1, from the cards alone.

Nothing of the house's rules is used; what the tables pay stands here as their pages give it.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from croupier.play.contract.bets import Wager

Hand = Sequence[str]
Returned = dict[str, Fraction]
HALF, EVEN = Fraction(1, 2), Fraction(2)


def points(hand: Hand) -> int:
    """Of a hand of baccarat."""
    return sum("A23456789".find(card[0]) + 1 for card in hand) % 10


def pair(hand: Hand) -> Fraction:
    """What a bet on a pair returns."""
    first, second, *_ = hand
    return Fraction(12 if first[0] == second[0] else 0)


def baccarat(player: Hand, banker: Hand) -> tuple[str, Returned]:
    pairs = {"player_pair": pair(player), "banker_pair": pair(banker)}
    lost = dict.fromkeys(("player", "banker", "tie"), Fraction()) | pairs
    mine, his = points(player), points(banker)
    if mine == his:
        return f"T{mine}", lost | {"player": Fraction(1), "banker": Fraction(1), "tie": Fraction(9)}
    if mine > his:
        return f"P{mine}", lost | {"player": EVEN}
    return f"B{his}", lost | {"banker": Fraction(195, 100)}


def dragon_tiger(dragon: Hand, tiger: Hand) -> tuple[str, Returned]:
    (one,), (other,) = dragon, tiger
    ranks = one[0] + other[0]
    lost = dict.fromkeys(("dragon", "tiger", "tie", "suited_tie"), Fraction())
    if one[0] == other[0]:
        suited = Fraction(51 if one == other else 0)
        return f"={ranks}", {"dragon": HALF, "tiger": HALF, "tie": Fraction(12), "suited_tie": suited}
    order = "A23456789TJQK"
    if order.index(one[0]) > order.index(other[0]):
        return f"D{ranks}", lost | {"dragon": EVEN}
    return f"T{ranks}", lost | {"tiger": EVEN}


def football_studio(home: Hand, away: Hand) -> tuple[str, Returned]:
    (one,), (other,) = home, away
    ranks = one[0] + other[0]
    lost = dict.fromkeys(("home", "away", "draw"), Fraction())
    if one[0] == other[0]:
        return f"={ranks}", {"home": HALF, "away": HALF, "draw": Fraction(12)}
    order = "23456789TJQKA"
    if order.index(one[0]) > order.index(other[0]):
        return f"H{ranks}", lost | {"home": EVEN}
    return f"A{ranks}", lost | {"away": EVEN}


PLAIN: dict[str, Callable[[Hand, Hand], tuple[str, Returned]]] = {
    "baccarat": baccarat,
    "dragon_tiger": dragon_tiger,
    "football_studio": football_studio,
}
"""By the game: the result's word, and what comes back."""


def hands_of(steps: Sequence[str]) -> tuple[list[str], list[str]]:
    """The cards of both hands from a record."""
    first, second = (
        [step.split()[1] for step in steps if step.startswith(place)] for place in ("0.0 ", "1.0 ")
    )
    return first, second


def returns(game: str, steps: Sequence[str], wagers: Sequence[Wager]) -> tuple[int, int]:
    """All that was staked, and all that comes back, bet by bet rounded down."""
    _, back = PLAIN[game](*hands_of(steps))
    staked = sum(wager.stake_minor for wager in wagers)
    return staked, sum(int(wager.stake_minor * back[wager.bet]) for wager in wagers)

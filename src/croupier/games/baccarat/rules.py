"""The rules of baccarat as data, and the predicates that read them.

The drawing rules are data: `banker_draws` has for each of the banker's totals the player's third cards after
which the banker draws.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated

from msgspec import Meta

from croupier.equipment.cards import RANKS, Card
from croupier.play.contract.wants import At
from croupier.play.coup.paytable import PaytableLines
from croupier.play.coup.shoe_rules import ShoeRules

PLAYER, BANKER = At(0), At(1)
VALUE = {rank: place if place < 10 else 0 for place, rank in enumerate(RANKS, 1)}
"""An ace counts 1, tens and face cards count nothing (004 3.2)."""
STOOD = "-"
"""Entry in a row of the tableau for a player without a third card."""

Points = Annotated[int, Meta(ge=0, le=9)]
Totals = Annotated[tuple[Points, ...], Meta(max_length=10)]
Row = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]:( -)?( [0-9])*$",
        description="the banker's total, then the player's third cards after which the banker draws,"
        ' - for none: "6: 6 7"',
    ),
]


class Rules(ShoeRules, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """Every rule of a table of baccarat."""

    naturals: Totals = (8, 9)
    """Two-card totals of either hand after which neither hand draws (004 3.2)."""

    player_draws: Totals = (0, 1, 2, 3, 4, 5)
    """Two-card totals to which the player draws a third card (004 3.2)."""

    banker_draws: Annotated[tuple[Row, ...], Meta(max_length=10)] = (
        "0: - 0 1 2 3 4 5 6 7 8 9",
        "1: - 0 1 2 3 4 5 6 7 8 9",
        "2: - 0 1 2 3 4 5 6 7 8 9",
        "3: - 0 1 2 3 4 5 6 7 9",
        "4: - 2 3 4 5 6 7",
        "5: - 4 5 6 7",
        "6: 6 7",
    )
    """The tableau: a row for each two-card total to which the banker may draw (004 3.2)."""

    player: Annotated[PaytableLines, Meta(min_length=1)] = ("player_wins 1:1", "tie push")
    """Paytable of the player's hand (004 3.3)."""

    banker: Annotated[PaytableLines, Meta(min_length=1)] = ("banker_wins 19:20", "tie push")
    """Paytable of the banker's hand: 1:1 less a commission of 5 % (004 3.3)."""

    tie: PaytableLines = ("tie 8:1",)
    """Paytable of a tie; empty: not offered (004 3.3)."""

    player_pair: PaytableLines = ()
    """Paytable of a pair in the player's hand; empty: not offered (BP 1)."""

    banker_pair: PaytableLines = ()
    """Paytable of a pair in the banker's hand; empty: not offered (BP 1)."""


def points(cards: Sequence[Card]) -> int:
    """Return the last digit of the sum (004 3.1)."""
    return sum(VALUE[card.rank] for card in cards) % 10


@cache
def tableau(rows: tuple[str, ...]) -> Mapping[int, frozenset[str]]:
    """Return, by the banker's total, the player's third cards after which the banker draws."""
    parted = (row.partition(":") for row in rows)
    return {int(total): frozenset(thirds.split()) for total, _, thirds in parted}


def is_pair(cards: Sequence[Card]) -> bool:
    """Return whether the first two cards have the same rank; a ten and a king don't (BP 1)."""
    return len(cards) > 1 and cards[0].rank == cards[1].rank


def is_natural(rules: Rules, cards: Sequence[Card]) -> bool:
    return points(cards[:2]) in rules.naturals


def next_to_draw(rules: Rules, player: Sequence[Card], banker: Sequence[Card]) -> At | None:
    """Return the hand that draws a third card next; None if both hands are complete (004 3.2)."""
    if is_natural(rules, player) or is_natural(rules, banker) or len(banker) > 2:
        return None
    if len(player) == 2 and points(player) in rules.player_draws:
        return PLAYER
    third = str(points(player[2:])) if len(player) > 2 else STOOD
    return BANKER if third in tableau(rules.banker_draws).get(points(banker), ()) else None

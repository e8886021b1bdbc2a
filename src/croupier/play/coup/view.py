"""The common part of the views of coups: bets and result. A game's own view extends it."""

from msgspec import Struct

from croupier.play.coup.coup import Coup, lines_hit, settle


class BetView(Struct, frozen=True):
    """A bet that was placed; at a live table, one that returned something to somebody."""

    bet: str
    stake_minor: int
    returned_minor: int | None
    """Null until the coup has ended."""
    outcome: str | None
    """The paytable's line that came up, or `lost`."""


class CoupView(Struct, frozen=True):
    """A round without decisions."""

    bets: tuple[BetView, ...]
    ended: bool
    staked_minor: int
    returned_minor: int
    """0 until the coup has ended."""
    won: tuple[str, ...]
    """All bets of the table that won, laid or not; empty until the coup has ended."""
    result: str
    """The result as a word; empty until the coup has ended."""


CoupFields = tuple[tuple[BetView, ...], bool, int, int, tuple[str, ...], str]


def coup_fields(coup: Coup) -> CoupFields:
    """Return the fields of CoupView."""
    if not coup.ended:
        placed = tuple(BetView(wager.bet, wager.stake_minor, None, None) for wager in coup.wagers)
        return placed, False, coup.staked_minor, 0, (), ""
    lines = settle(coup)
    bets = tuple(BetView(line.bet, line.stake_minor, line.returned_minor, line.outcome) for line in lines)
    returned = sum(line.returned_minor for line in lines)
    result = coup.definition.result(coup.rules, coup.dealt)
    won = tuple(bet for bet, pay in lines_hit(coup) if pay.odds.wins > 0)
    return bets, True, coup.staked_minor, returned, won, result

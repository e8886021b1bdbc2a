"""Bets, wagers and what they return."""

from typing import NamedTuple

from croupier.play.contract.odds import Odds


class Pay(NamedTuple):
    """One line of a paytable: the outcome's name and the odds it pays."""

    outcome: str
    odds: Odds


class Bet(NamedTuple):
    """A proposition of a table: `main` opens the box, the others stand beside a main bet.

    Bets of one `kind` have limits in common where a table sets them for it: all splits of a roulette.
    """

    name: str
    main: bool
    pays: tuple[Pay, ...]
    kind: str = ""


class Wager(NamedTuple):
    """A stake on a bet of a box."""

    box: int
    bet: str
    stake_minor: int


class Settled(NamedTuple):
    """What became of one stake: `returned_minor` is the stake that comes back plus the winnings."""

    box: int
    hand: int
    bet: str
    stake_minor: int
    returned_minor: int
    outcome: str

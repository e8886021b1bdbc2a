"""Bets, wagers and their settlement."""

from typing import NamedTuple

from croupier.play.contract.odds import Odds


class Pay(NamedTuple):
    """One line of a paytable: the outcome's name and the odds it pays."""

    outcome: str
    odds: Odds


class Bet(NamedTuple):
    """A proposition of a table: `main` bets open a box, side bets need a main bet in the box.

    A table may set limits for all bets of one `kind`, such as all splits of roulette.
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
    """The settlement of one stake: `returned_minor` is the returned stake plus the winnings."""

    box: int
    hand: int
    bet: str
    stake_minor: int
    returned_minor: int
    outcome: str

"""Comparison of the returns that a table publishes with the exact ones."""

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import NamedTuple

from croupier.play.contract.figures import Figures
from croupier.play.contract.game import Table

DIGITS = 12
"""Decimal places of exact figures in JSON."""


class Claim(NamedTuple):
    """A published return and the exact return of the same bet, per unit staked."""

    bet: str
    percent: str
    """The percentage as published."""
    of: str
    """The base of the percentage, in the table's wording."""
    found: Fraction | float

    @property
    def reproduced(self) -> bool:
        """Return whether the exact return, rounded, matches every published digit."""
        return percent_of(self.found, Decimal(self.percent)) == Decimal(self.percent)


def percent_of(part: Fraction | float, like: Decimal) -> Decimal:
    """Convert to percent, rounded to the precision of `like`."""
    exact = Fraction(part)
    with localcontext(prec=60):
        return (100 * Decimal(exact.numerator) / exact.denominator).quantize(like)


def claims(table: Table, figures: Figures) -> tuple[Claim, ...]:
    """Return the table's published returns in order, each with its exact counterpart."""
    return tuple(
        Claim(line.bet, line.percent, line.of, _found(figures, line.bet, line.of)) for line in table.published
    )


def _found(figures: Figures, bet: str, of: str) -> Fraction | float:
    """Return the exact return of a bet; `of` selects the stake it is relative to if there are decisions."""
    for odds in figures.bets:
        if odds.bet == bet:
            return odds.returned
    best = figures.best
    return best.return_per_total_stake if of.startswith("total stake") else best.return_per_initial_stake

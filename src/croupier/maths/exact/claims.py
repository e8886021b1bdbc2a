"""What a table's rules publish, beside what is found: the figure a reader can hold the house to."""

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import NamedTuple

from croupier.play.contract.figures import Figures
from croupier.play.contract.game import Table

DIGITS = 12
"""So many digits of an exact figure are told after the point."""


class Claim(NamedTuple):
    """A published return and what the mathematics finds for the same thing; 1 is the stake."""

    bet: str
    percent: str
    """As it is printed."""
    of: str
    """What it refers to, in the words of the table."""
    found: Fraction | float

    @property
    def reproduced(self) -> bool:
        """Whether what is found, rounded, has every printed digit."""
        return percent_of(self.found, Decimal(self.percent)) == Decimal(self.percent)


def percent_of(part: Fraction | float, like: Decimal) -> Decimal:
    """In percent, rounded to as many digits as `like`."""
    exact = Fraction(part)
    with localcontext(prec=60):
        return (100 * Decimal(exact.numerator) / exact.denominator).quantize(like)


def claims(table: Table, figures: Figures) -> tuple[Claim, ...]:
    """All that the table publishes, in its order."""
    return tuple(
        Claim(line.bet, line.percent, line.of, _found(figures, line.bet, line.of)) for line in table.published
    )


def _found(figures: Figures, bet: str, of: str) -> Fraction | float:
    """A bet that can be played well or badly returns more of all that is staked than of its first stake."""
    for odds in figures.bets:
        if odds.bet == bet:
            return odds.returned
    best = figures.best
    return best.return_per_total_stake if of.startswith("total stake") else best.return_per_initial_stake

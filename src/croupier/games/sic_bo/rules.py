"""The rules of Sic Bo as data: the odds of each kind of bet. `bets.py` decides which line a roll hits.

None of the cited documents has the rules of Sic Bo; the published tables use the paytable common in Atlantic
City (`docs/rules/sic-bo.md`).
"""

from typing import Annotated

from msgspec import Meta, Struct

from croupier.play.coup.paytable import OddsText

DICE = 3
FACES = range(1, 7)
TOTALS = range(4, 18)
"""3 and 18 aren't bets, as they are triples."""


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """Every rule in which tables differ. The hash is cached, as rules are frequent cache keys."""

    even_chance_pays: OddsText
    """Odds of big, small, odd and even; all of them lose to a triple (SB 2, SB 3)."""

    total_pays: Annotated[tuple[OddsText, ...], Meta(min_length=7, max_length=7)]
    """Odds of the totals 4 and 17, 5 and 16, 6 and 15, 7 and 14, 8 and 13, 9 and 12, 10 and 11 (SB 4)."""

    single_pays: Annotated[tuple[OddsText, ...], Meta(min_length=3, max_length=3)]
    """Odds of a number that one die, two dice or all three show (SB 5)."""

    double_pays: OddsText
    """Odds of a number that two or more dice show (SB 6)."""

    triple_pays: OddsText
    """Odds of a number that all three dice show (SB 7)."""

    any_triple_pays: OddsText
    """Odds of any three equal dice (SB 8)."""

    combination_pays: OddsText
    """Odds of two different numbers that are both shown (SB 9)."""


def total_pays(rules: Rules, total: int) -> str:
    """Return the odds of a total; totals at the same distance from the middle pay the same."""
    return rules.total_pays[min(total, 21 - total) - TOTALS.start]

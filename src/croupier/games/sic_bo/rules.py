"""The rules of Sic Bo as data: what each kind of bet pays. What comes up is told in `bets.py`.

No document of rules that this house follows tells Sic Bo's; the defaults of the published tables are the
paytable that is common in Atlantic City (`docs/rules/sic-bo.md`).
"""

from typing import Annotated

from msgspec import Meta, Struct

from croupier.play.coup.paytable import OddsText

DICE = 3
FACES = range(1, 7)
TOTALS = range(4, 18)
"""3 and 18 are no bets: they are triples."""


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """Every rule in which tables differ. Immutable; hashed once, as much is kept by them."""

    even_chance_pays: OddsText
    """What big, small, odd and even pay; all of them lose to a triple (SB 2, SB 3)."""

    total_pays: Annotated[tuple[OddsText, ...], Meta(min_length=7, max_length=7)]
    """What the totals 4 and 17, 5 and 16, 6 and 15, 7 and 14, 8 and 13, 9 and 12, 10 and 11 pay (SB 4)."""

    single_pays: Annotated[tuple[OddsText, ...], Meta(min_length=3, max_length=3)]
    """What a number pays that one die, two dice and all three show (SB 5)."""

    double_pays: OddsText
    """What a number pays that two dice or more show (SB 6)."""

    triple_pays: OddsText
    """What a number pays that all three dice show (SB 7)."""

    any_triple_pays: OddsText
    """What three dice alike pay, whatever they show (SB 8)."""

    combination_pays: OddsText
    """What two different numbers pay that are both shown (SB 9)."""


def total_pays(rules: Rules, total: int) -> str:
    """Totals as far from the middle pay the same: 4 as 17, 10 as 11."""
    return rules.total_pays[min(total, 21 - total) - TOTALS.start]

"""The rules of Dragon Tiger as data: one flat record a table."""

from typing import Annotated

from msgspec import Meta

from croupier.play.coup.high_card import Ace
from croupier.play.coup.paytable import PaytableLines
from croupier.play.coup.shoe_rules import ShoeRules


class Rules(ShoeRules, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """Every rule of a table of Dragon Tiger. For its clauses see docs/rules/dragon-tiger.md."""

    ace: Ace = "low"
    """Rank of an ace: below the two, or above the king (DT 2)."""

    dragon: Annotated[PaytableLines, Meta(min_length=1)] = ("dragon_wins 1:1", "tie half back")
    """Paytable of the dragon (DT 3, DT 4)."""

    tiger: Annotated[PaytableLines, Meta(min_length=1)] = ("tiger_wins 1:1", "tie half back")
    """Paytable of the tiger (DT 3, DT 4)."""

    tie: PaytableLines = ("tie 11:1",)
    """Paytable of a tie; empty: not offered (DT 5)."""

    suited_tie: PaytableLines = ("suited_tie 50:1",)
    """Paytable of a suited tie; empty: not offered (DT 6)."""

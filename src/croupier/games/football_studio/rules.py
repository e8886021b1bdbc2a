"""The rules of Football Studio as data: one flat record a table."""

from typing import Annotated

from msgspec import Meta

from croupier.play.coup.high_card import Ace
from croupier.play.coup.paytable import PaytableLines
from croupier.play.coup.shoe_rules import ShoeRules


class Rules(ShoeRules, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True):
    """Every rule of a table of Football Studio. For its clauses see docs/rules/football-studio.md."""

    ace: Ace = "high"
    """Rank of an ace: below the two, or above the king (FS 2)."""

    home: Annotated[PaytableLines, Meta(min_length=1)] = ("home_wins 1:1", "draw half back")
    """Paytable of the home side (FS 3, FS 4)."""

    away: Annotated[PaytableLines, Meta(min_length=1)] = ("away_wins 1:1", "draw half back")
    """Paytable of the away side (FS 3, FS 4)."""

    draw: PaytableLines = ("draw 11:1",)
    """Paytable of a draw; empty: not offered (FS 5)."""

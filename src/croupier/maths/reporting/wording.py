"""Formatting of figures, bets and rules for terminals and reports."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from croupier.play.contract.figures import BetOdds, PlayFigures
from croupier.play.contract.game import Table

NAMED_MAX = 3
"""Maximum number of bets that are listed by name."""


def percent(part: float | Fraction) -> str:
    return f"{100 * float(part):.4f} %"


def signed(net: float) -> str:
    """Format a net result with a sign and a typographic minus."""
    return f"{net:+g}".replace("-", "\N{MINUS SIGN}") if net else "0"


def bets_label(table: Table, alike: Sequence[BetOdds]) -> str:
    """Name bets that have the same figures: individually, or by kind if there are many."""
    if len(alike) > NAMED_MAX:
        return f"{alike[0].kind.replace('_', ' ').capitalize()}: {len(alike)} bets"
    return ", ".join(table.labels[odds.bet] for odds in alike)


def format_rule(value: Any) -> str:
    """Format a rule's value for one line."""
    match value:
        case bool():
            return "yes" if value else "no"
        case []:
            return "none"
        case [int(first), *_, int(last)] if len(value) == last - first + 1:
            return f"{first} to {last}"
        case [*_]:
            return ", ".join(map(str, value))
    return str(value)


MEASURES: Mapping[str, Callable[[PlayFigures], str]] = {
    "return per initial stake": lambda played: percent(played.return_per_initial_stake),
    "return per total stake": lambda played: percent(played.return_per_total_stake),
    "house edge": lambda played: percent(played.house_edge),
    "element of risk": lambda played: percent(played.element_of_risk),
    "stake per round": lambda played: f"{played.stake_per_round:.6f}",
    "standard deviation": lambda played: f"{played.standard_deviation:.6f}",
}
"""Figures shown for a way to play, with their formats."""

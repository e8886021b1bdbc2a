"""Labels of bets and outcomes, lines of the cloth, and checks of a roulette table's rules."""

from collections.abc import Iterator

from croupier.games.roulette.layout import INSIDE, Position, positions
from croupier.games.roulette.rules import WHEELS, Rules
from croupier.play.contract.game import Dealing
from croupier.play.coup.paytable import parse_paytable, paytable_errors

KINDS = {
    "straight": "Straight up",
    "split": "Split",
    "street": "Street",
    "corner": "Corner",
    "five_number": "Five numbers",
    "six_line": "Six line",
}
"""Labels of the inside bets; the pockets follow."""
NAMED = {
    "street_0_1_2": "Trio 0/1/2",
    "street_0_2_3": "Trio 0/2/3",
    "street_0_00_2": "Trio 0/00/2",
    "street_00_2_3": "Trio 00/2/3",
    "corner_0_1_2_3": "First four 0/1/2/3",
    "column_1": "First column",
    "column_2": "Second column",
    "column_3": "Third column",
    "dozen_1": "First dozen (1 to 12)",
    "dozen_2": "Second dozen (13 to 24)",
    "dozen_3": "Third dozen (25 to 36)",
    "red": "Red",
    "black": "Black",
    "odd": "Odd",
    "even": "Even",
    "low": "Low (1 to 18)",
    "high": "High (19 to 36)",
    "win": "Win",
    "zero": "Zero",
}
OUTCOMES = dict.fromkeys((*INSIDE, "column", "dozen"), ("win",)) | {"even_chance": ("win", "zero")}
"""The possible paytable lines of each kind."""


def _title(position: Position) -> str:
    return f"{KINDS[position.kind]} {'/'.join(position.pockets)}"


def _titles() -> dict[str, str]:
    every = (position for wheel in WHEELS for position in positions(Rules(wheel=wheel)).values())
    return {position.name: _title(position) for position in every if position.kind in KINDS}


LABELS = _titles() | NAMED


def cloth(rules: Rules) -> tuple[str, ...]:
    """Return the lines printed on the cloth, the most prominent first."""
    zeros = "one zero" if rules.wheel == "single_zero" else "two zeros"
    on_zero = "give half back" if len(rules.even_chance) > 1 else "lose"
    return (
        f"Straight up pays {parse_paytable(rules.straight)[0].odds}",
        f"A wheel with {zeros}",
        f"On zero even chances {on_zero}",
    )


def rule_errors(rules: Rules, _dealing: Dealing) -> Iterator[tuple[str, str]]:
    """Yield fields that don't go together."""
    for kind, known in OUTCOMES.items():
        yield from paytable_errors(kind, parse_paytable(getattr(rules, kind)), known)
    if rules.five_number and rules.wheel == "single_zero":
        yield "five_number", "allowed is: an empty list, since the wheel has one zero only"

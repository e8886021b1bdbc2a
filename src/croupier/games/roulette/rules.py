"""The rules of a roulette table: its wheel, and the paytable of each kind of bet."""

from typing import Literal

from msgspec import Struct

from croupier.equipment.wheel import DOUBLE_ZERO, SINGLE_ZERO
from croupier.play.coup.paytable import PaytableLines

Wheel = Literal["single_zero", "double_zero"]
WHEELS: dict[Wheel, tuple[str, ...]] = {"single_zero": SINGLE_ZERO, "double_zero": DOUBLE_ZERO}


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A paytable's outcomes are `win` (a pocket of the bet) and, of even chances, `zero`."""

    wheel: Wheel = "single_zero"
    """The pockets and their order (004 2.3: 37, numbers 1 to 36 and 0)."""

    straight: PaytableLines = ("win 35:1",)
    """Paytable of one pocket (004 2.4 Straight)."""

    split: PaytableLines = ("win 17:1",)
    """Paytable of two pockets side by side on the layout (004 2.4 Split)."""

    street: PaytableLines = ("win 11:1",)
    """Paytable of three pockets: a row, or two numbers with a zero (004 2.4 Street)."""

    corner: PaytableLines = ("win 8:1",)
    """Paytable of four pockets that meet in a corner, or the first four (004 2.4 4-Number)."""

    five_number: PaytableLines = ()
    """Paytable of both zeros with 1, 2 and 3; empty: not offered (004 2.1 Five number bet)."""

    six_line: PaytableLines = ("win 5:1",)
    """Paytable of two rows side by side (004 2.4 6-Number)."""

    column: PaytableLines = ("win 2:1",)
    """Paytable of a column of twelve numbers (004 2.4 Column)."""

    dozen: PaytableLines = ("win 2:1",)
    """Paytable of the first, second or third twelve numbers (004 2.4 Dozen)."""

    even_chance: PaytableLines = ("win 1:1",)
    """Paytable of red, black, odd, even, low and high (004 2.4)."""


def pockets(rules: Rules) -> tuple[str, ...]:
    """Return the pockets clockwise from zero."""
    return WHEELS[rules.wheel]

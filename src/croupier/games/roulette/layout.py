"""The layout: every position on which a bet may be placed, and the pockets it covers.

The numbers 1 to 36 form rows of three and columns of twelve; the neighbours of a zero depend on the wheel.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from croupier.equipment.wheel import RED
from croupier.games.roulette.rules import Rules, Wheel, pockets

NUMBERS = range(1, 37)
ROW = 3
AT_ZERO: dict[Wheel, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "single_zero": (
        ("split", ("0 1", "0 2", "0 3")),
        ("street", ("0 1 2", "0 2 3")),
        ("corner", ("0 1 2 3",)),
    ),
    "double_zero": (
        ("split", ("0 00", "0 1", "0 2", "00 2", "00 3")),
        ("street", ("0 00 2", "0 1 2", "00 2 3")),
        ("five_number", ("0 00 1 2 3",)),
    ),
}
"""Positions on the edges and corners of a zero, by wheel and kind of bet (004 2.1)."""
INSIDE = ("straight", "split", "street", "corner", "five_number", "six_line")
EVEN_CHANCES = {
    "red": frozenset(number for number in NUMBERS if str(number) in RED),
    "black": frozenset(number for number in NUMBERS if str(number) not in RED),
    "odd": frozenset(NUMBERS[::2]),
    "even": frozenset(NUMBERS[1::2]),
    "low": frozenset(NUMBERS[:18]),
    "high": frozenset(NUMBERS[18:]),
}


class Position(NamedTuple):
    """A position on the layout; `pockets` in the order of the layout, zeros first."""

    name: str
    kind: str
    pockets: tuple[str, ...]


@cache
def positions(rules: Rules) -> dict[str, Position]:
    """Return positions by bet: straights in the order of the wheel, then other inside and outside bets."""
    straights = (_inside("straight", (pocket,)) for pocket in pockets(rules))
    every = (*straights, *_across_zero(rules), *_across_numbers(), *_outside())
    found = {position.name: position for position in every}
    return {name: found[name] for name in sorted(found, key=lambda name: _ORDER.index(found[name].kind))}


_ORDER = (*INSIDE, "column", "dozen", "even_chance")


def _across_zero(rules: Rules) -> Iterator[Position]:
    for kind, lines in AT_ZERO[rules.wheel]:
        yield from (_inside(kind, line.split()) for line in lines)


def _across_numbers() -> Iterator[Position]:
    for number in NUMBERS:
        last_row, edge = number > NUMBERS[-ROW - 1], number % ROW == 0
        if not edge:
            yield _of("split", (number, number + 1))
        if not last_row:
            yield _of("split", (number, number + ROW))
        if not (edge or last_row):
            yield _of("corner", (number, number + 1, number + ROW, number + ROW + 1))
    for first in NUMBERS[::ROW]:
        yield _of("street", range(first, first + ROW))
        if first + ROW in NUMBERS:
            yield _of("six_line", range(first, first + 2 * ROW))


def _outside() -> Iterator[Position]:
    for place in range(3):
        yield Position(f"column_{place + 1}", "column", _texts(NUMBERS[place::ROW]))
        yield Position(f"dozen_{place + 1}", "dozen", _texts(NUMBERS[12 * place : 12 * place + 12]))
    for name, numbers in EVEN_CHANCES.items():
        yield Position(name, "even_chance", _texts(sorted(numbers)))


def _of(kind: str, numbers: Iterable[int]) -> Position:
    return _inside(kind, _texts(numbers))


def _inside(kind: str, names: Iterable[str]) -> Position:
    """Name an inside bet by its kind and all of its pockets: `split_17_20`."""
    return Position("_".join((kind, *names)), kind, tuple(names))


def _texts(numbers: Iterable[int]) -> tuple[str, ...]:
    return tuple(map(str, numbers))

"""The bets of the layout: their numbers, the lines that a roll hits, and their odds."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import combinations
from typing import NamedTuple

from croupier.games.sic_bo.rules import FACES, TOTALS, Rules, total_pays
from croupier.play.contract.bets import Bet, Pay
from croupier.play.contract.odds import Odds

Faces = Sequence[int]
Numbers = Sequence[int]

WIN = ("win",)
SINGLE = ("one_die", "two_dice", "three_dice")


class Kind(NamedTuple):
    """Common properties of the bets of one kind."""

    lines: tuple[str, ...]
    """The lines of their paytable."""
    hit: Callable[[Faces, Numbers], int]
    """Return the line that a roll hits, counted from 1; 0 if the bet is lost."""
    pays: Callable[[Rules, Numbers], Sequence[str]]
    """Return the odds of each line."""


class Spot(NamedTuple):
    """A spot of the layout, with its faces or totals."""

    kind: str
    numbers: Numbers


def is_triple(faces: Faces) -> bool:
    return len(set(faces)) == 1


def _shown(least: int, faces: Faces, numbers: Numbers) -> bool:
    """Return whether at least `least` dice show one of the numbers."""
    return any(faces.count(number) >= least for number in numbers)


KINDS = {
    "even_chance": Kind(
        WIN,
        lambda faces, totals: sum(faces) in totals and not is_triple(faces),
        lambda rules, _: [rules.even_chance_pays],
    ),
    "double": Kind(WIN, partial(_shown, 2), lambda rules, _: [rules.double_pays]),
    "triple": Kind(WIN, partial(_shown, 3), lambda rules, _: [rules.triple_pays]),
    "any_triple": Kind(WIN, partial(_shown, 3), lambda rules, _: [rules.any_triple_pays]),
    "total": Kind(
        WIN,
        lambda faces, totals: sum(faces) in totals,
        lambda rules, totals: [total_pays(rules, totals[0])],
    ),
    "combination": Kind(
        WIN, lambda faces, both: set(both) <= set(faces), lambda rules, _: [rules.combination_pays]
    ),
    "single": Kind(
        SINGLE, lambda faces, numbers: faces.count(numbers[0]), lambda rules, _: rules.single_pays
    ),
}


def _spots() -> Iterator[tuple[str, Spot]]:
    """Yield the spots in reading order of the layout."""
    yield "small", Spot("even_chance", TOTALS[:7])
    yield "big", Spot("even_chance", TOTALS[7:])
    yield "odd", Spot("even_chance", TOTALS[1::2])
    yield "even", Spot("even_chance", TOTALS[::2])
    yield from ((f"double_{face}", Spot("double", (face,))) for face in FACES)
    yield from ((f"triple_{face}", Spot("triple", (face,))) for face in FACES)
    yield "any_triple", Spot("any_triple", FACES)
    yield from ((f"total_{total}", Spot("total", (total,))) for total in TOTALS)
    yield from ((f"pair_{one}_{other}", Spot("combination", (one, other))) for one, other in PAIRS)
    yield from ((f"single_{face}", Spot("single", (face,))) for face in FACES)


PAIRS = tuple(combinations(FACES, 2))
SPOTS = dict(_spots())


@cache
def bets(rules: Rules) -> tuple[Bet, ...]:
    """Return the bets of all spots, in the order of the layout."""
    return tuple(
        Bet(name, main=True, pays=_pays(rules, spot), kind=spot.kind) for name, spot in SPOTS.items()
    )


def _pays(rules: Rules, spot: Spot) -> tuple[Pay, ...]:
    lines, _, pays = KINDS[spot.kind]
    return tuple(map(Pay, lines, map(Odds.parse, pays(rules, spot.numbers))))


def line_hit(bet: str, faces: Faces) -> str | None:
    """Return the paytable line that a roll hits; None if the bet is lost."""
    kind, numbers = SPOTS[bet]
    lines, hit, _ = KINDS[kind]
    place = hit(faces, numbers)
    return lines[place - 1] if place else None

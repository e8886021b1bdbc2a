"""Plots as SVG to stand in a page: bars, and a running figure with its error."""

from collections.abc import Iterator, Sequence
from html import escape
from math import log10
from typing import NamedTuple

WIDTH, HEIGHT = 720, 260
LEFT, BOTTOM, TOP, RIGHT = 64, 34, 12, 12
INK, SOFT, FAINT = "#26453c", "#9ec5b5", "#dcd7cd"


class Running(NamedTuple):
    """What a simulation had found after so many rounds."""

    rounds: int
    figure: float
    error: float


def bars(values: Sequence[tuple[str, float]], says: str) -> str:
    """One bar a value, in percent; `says` is what a screen reader hears."""
    top = max(value for _, value in values) * 1.05 or 1.0
    step = (WIDTH - LEFT - RIGHT) / len(values)
    marks = "".join(_bar(place, step, name, value / top) for place, (name, value) in enumerate(values))
    scale = "".join(_level(_y(part), f"{100 * top * part:.1f} %") for part in (0, 0.25, 0.5, 0.75, 1))
    return _svg(scale + marks, says)


def _bar(place: int, step: float, name: str, part: float) -> str:
    x, y = LEFT + step * (place + 0.1), _y(part)
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{0.8 * step:.1f}" height="{_y(0) - y:.1f}" fill="{SOFT}"/>'
        f'<text x="{x + 0.4 * step:.1f}" y="{HEIGHT - 14}" text-anchor="middle">{escape(name)}</text>'
    )


def convergence(points: Sequence[Running], exact: float, says: str) -> str:
    """The running figure, two errors either side, over the powers of ten of rounds; `exact` in the middle."""
    first, last = log10(points[0].rounds), log10(points[-1].rounds)
    reach = max(abs(point.figure - exact) + 2 * point.error for point in points) or 1.0

    def at(rounds: int, figure: float) -> str:
        across = (log10(rounds) - first) / ((last - first) or 1)
        return f"{LEFT + across * (WIDTH - LEFT - RIGHT):.1f},{_y(0.5 + (figure - exact) / (2 * reach)):.1f}"

    band = [at(point.rounds, point.figure + 2 * point.error) for point in points]
    band += [at(point.rounds, point.figure - 2 * point.error) for point in reversed(points)]
    line = " ".join(at(point.rounds, point.figure) for point in points)
    levels = (exact + reach * part for part in (-1, -0.5, 0, 0.5, 1))
    scale = "".join(
        _level(_y(0.5 + (level - exact) / (2 * reach)), f"{100 * level:.3f} %") for level in levels
    )
    ends = (
        f'<text x="{LEFT}" y="{HEIGHT - 14}">{points[0].rounds:,} rounds</text>'
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 14}" text-anchor="end">{points[-1].rounds:,} rounds</text>'
    )
    drawn = f'<polygon points="{" ".join(band)}" fill="{SOFT}" opacity="0.5"/>'
    drawn += f'<polyline points="{line}" fill="none" stroke="{INK}" stroke-width="2"/>'
    return _svg(scale + drawn + ends, says)


def _level(y: float, text: str) -> str:
    return (
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="{FAINT}"/>'
        f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{escape(text)}</text>'
    )


def _y(part: float) -> float:
    """Where a part of the height lies, from the top of the picture."""
    return HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP)


def _svg(content: str, says: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(says)}" '
        f'font-size="12" fill="{INK}">{content}</svg>'
    )


def thinned(points: Sequence[Running], most: int = 200) -> Iterator[Running]:
    """At most so many of them, evenly on a scale of powers of ten, the last among them."""
    least = log10(points[0].rounds)
    width = (log10(points[-1].rounds) - least) / most or 1.0
    taken = -1
    for point in points:
        place = int((log10(point.rounds) - least) / width)
        if place > taken or point is points[-1]:
            taken = place
            yield point

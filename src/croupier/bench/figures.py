"""The figures of `croupier bench live`, with targets and the results of the peers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from msgspec import Struct

Found = Mapping[str, Any]
"""Results of `play`, `echo` or `ledger`."""


class Figure(Struct, frozen=True):
    """A figure in `unit`, with an optional target `reach` and the peers' figures by name.

    `most`: whether `reach` is an upper bound rather than a lower one.
    """

    work: str
    measured: float
    unit: str
    reach: float | None = None
    most: bool = True
    peers: Mapping[str, float] = {}

    @property
    def reached(self) -> bool | None:
        if self.reach is None:
            return None
        return self.measured <= self.reach if self.most else self.measured >= self.reach


class FigureSpec(NamedTuple):
    """The location of a figure in the server's results and in a peer's."""

    work: str
    unit: str
    ours: Callable[[Found], float]
    theirs: Callable[[Found], float] | None = None
    reach: float | None = None
    most: bool = True

    def figure(self, found: Found, peers: Mapping[str, Found]) -> Figure:
        theirs = {name: self.theirs(one) for name, one in peers.items()} if self.theirs else {}
        return Figure(self.work, self.ours(found), self.unit, self.reach, self.most, theirs)


def _worst(name: str, worst: Callable[[Iterable[float]], float] = max) -> Callable[[Found], float]:
    return lambda found: worst(one[name] for one in found["rounds"])


def _median(name: str) -> Callable[[Found], float]:
    return lambda found: median(one[name] for one in found["rounds"])


def _of(what: str, name: str) -> Callable[[Found], float]:
    """Return NaN if nothing of the kind happened."""
    return lambda found: float(found[what].get(name, "nan"))


def _each(name: str) -> Callable[[Found], float]:
    return lambda found: float(found[name])


FIGURES = (
    FigureSpec("players who received one event", "players", _each("crowded"), None, 10_000, most=False),
    FigureSpec("memory", "KiB a player", _each("memory_kib_each"), _each("memory_kib_each"), 30),
    FigureSpec("all connect, sign in and sit down", "s", _each("connect_s"), _each("connect_s")),
    FigureSpec("bet held and acknowledged, p50", "ms", _of("bets", "p50"), _of("command", "p50")),
    FigureSpec("bet held and acknowledged, p99", "ms", _of("bets", "p99"), _of("command", "p99"), 10),
    FigureSpec("bet held and acknowledged, p99.9", "ms", _of("bets", "p99_9"), _of("command", "p99_9")),
    FigureSpec("bet held and acknowledged, worst", "ms", _of("bets", "max"), _of("command", "max")),
    FigureSpec("broadcasts to all meanwhile", "per second", _worst("pulses_a_second", min)),
    FigureSpec("processor use meanwhile", "cores", _worst("core_share")),
    FigureSpec("decision acknowledged, p50", "ms", _of("decisions", "p50")),
    FigureSpec("decision acknowledged, p99", "ms", _of("decisions", "p99"), None, 10),
    FigureSpec("requests sent late, p99", "ms", _of("late", "p99")),
    FigureSpec("requests sent late, worst", "ms", _of("late", "max")),
    FigureSpec("event to all, median", "ms", _of("chat", "median"), _of("event", "median"), 100),
    FigureSpec("event to all, worst", "ms", _of("chat", "max"), _of("event", "max")),
    FigureSpec("event to all, processor time", "µs each", _each("chat_cpu_us_each"),
        _each("event_cpu_us_each"), 8),
    FigureSpec("last seconds to all, from deadline", "ms", _of("warning", "median")),
    FigureSpec("round settled, results sent, median", "ms", _median("settle_ms"), None, 200),
    FigureSpec("round settled, results sent, worst", "ms", _worst("settle_ms")),
    FigureSpec("bets placed, ledger alone", "a second", _of("books", "placed_a_second")),
    FigureSpec("bets settled at once, ledger alone", "a second", _of("books", "settled_a_second"),
        None, 250_000, most=False),
    FigureSpec("server started, first page served", "s", _each("first_page_s"), None, 1.5),
)  # fmt: skip
"""Figures of rounds are the worst unless stated otherwise; those of bets and decisions cover all of them."""


def figures(found: Found, peers: Mapping[str, Found]) -> list[Figure]:
    """Return all figures in the order of the report."""
    return [row.figure(found, peers) for row in FIGURES]


def faults(found: Found) -> list[str]:
    """Return everything that invalidates the figures: lost, refused or wrong."""
    told = [f"players cut off: {found['lost']}"] if found["lost"] else []
    told += [f"refused: {number} x {code}" for code, number in found["refused"].items()]
    told += [wrong for one in found["rounds"] for wrong in _wrong(one, found["players"])]
    return told


def _wrong(round_: Found, players: int) -> Sequence[str]:
    wrong = []
    if round_["told"] < players:
        wrong.append(f"round {round_['id']}: {round_['told']} of {players} players received their result")
    if round_["books"] != [round_["staked_minor"], round_["returned_minor"]]:
        wrong.append(f"round {round_['id']}: the results sent differ from the ledger")
    return wrong

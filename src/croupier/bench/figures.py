"""The figures of `croupier bench live`, with targets and the results of the peers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from msgspec import Struct

Results = Mapping[str, Any]
"""Results of `play`, `echo` or `ledger`."""


class Figure(Struct, frozen=True):
    """A figure in `unit`, with an optional `target` and the peers' figures by name.

    `lower_is_better`: whether the target is a maximum rather than a minimum.
    """

    work: str
    measured: float
    unit: str
    target: float | None = None
    lower_is_better: bool = True
    peers: Mapping[str, float] = {}

    @property
    def met(self) -> bool | None:
        if self.target is None:
            return None
        return self.measured <= self.target if self.lower_is_better else self.measured >= self.target


class FigureSpec(NamedTuple):
    """The location of a figure in the server's results and in a peer's."""

    work: str
    unit: str
    ours: Callable[[Results], float]
    theirs: Callable[[Results], float] | None = None
    target: float | None = None
    lower_is_better: bool = True

    def figure(self, results: Results, peers: Mapping[str, Results]) -> Figure:
        theirs = {name: self.theirs(one) for name, one in peers.items()} if self.theirs else {}
        return Figure(self.work, self.ours(results), self.unit, self.target, self.lower_is_better, theirs)


def _worst(name: str, worst: Callable[[Iterable[float]], float] = max) -> Callable[[Results], float]:
    return lambda results: worst(one[name] for one in results["rounds"])


def _median(name: str) -> Callable[[Results], float]:
    return lambda results: median(one[name] for one in results["rounds"])


def _of(what: str, name: str) -> Callable[[Results], float]:
    """Return NaN if nothing of the kind happened."""
    return lambda results: float(results[what].get(name, "nan"))


def _each(name: str) -> Callable[[Results], float]:
    return lambda results: float(results[name])


FIGURES = (
    FigureSpec("players who received one event", "players", _each("event_recipients"),
        None, 10_000, lower_is_better=False),
    FigureSpec("memory", "KiB a player", _each("memory_kib_each"), _each("memory_kib_each"), 15),
    FigureSpec("all connect, sign in and sit down", "s", _each("connect_s"), _each("connect_s")),
    FigureSpec("bet held and acknowledged, p50", "ms", _of("bets", "p50"), _of("command", "p50")),
    FigureSpec("bet held and acknowledged, p99", "ms", _of("bets", "p99"), _of("command", "p99"), 10),
    FigureSpec("bet held and acknowledged, p99.9", "ms", _of("bets", "p99_9"), _of("command", "p99_9")),
    FigureSpec("bet held and acknowledged, worst", "ms", _of("bets", "max"), _of("command", "max")),
    FigureSpec("broadcasts to all meanwhile", "per second", _worst("pulses_per_second", min)),
    FigureSpec("processor use meanwhile", "cores", _worst("cpu_cores")),
    FigureSpec("decision acknowledged, p50", "ms", _of("decisions", "p50")),
    FigureSpec("decision acknowledged, p99", "ms", _of("decisions", "p99"), None, 10),
    FigureSpec("requests sent late, p99", "ms", _of("late", "p99")),
    FigureSpec("requests sent late, worst", "ms", _of("late", "max")),
    FigureSpec("event to all, median", "ms", _of("chat", "median"), _of("event", "median"), 100),
    FigureSpec("event to all, worst", "ms", _of("chat", "max"), _of("event", "max")),
    FigureSpec("event to all, processor time", "µs each", _each("chat_cpu_us_each"),
        _each("event_cpu_us_each"), 8),
    FigureSpec("last seconds to all, from deadline", "ms", _of("warning", "median")),
    FigureSpec("round settled, results sent, median", "ms", _median("settlement_ms"), None, 200),
    FigureSpec("round settled, results sent, worst", "ms", _worst("settlement_ms")),
    FigureSpec("bets placed, ledger alone", "a second", _of("ledger", "bets_placed_per_second")),
    FigureSpec("bets settled at once, ledger alone", "a second", _of("ledger", "bets_settled_per_second"),
        None, 250_000, lower_is_better=False),
    FigureSpec("server started, first page served", "s", _each("first_page_s"), None, 1.5),
)  # fmt: skip
"""Figures of rounds are the worst unless stated otherwise; those of bets and decisions cover all of them."""


def figures(results: Results, peers: Mapping[str, Results]) -> list[Figure]:
    """Return all figures in the order of the report."""
    return [row.figure(results, peers) for row in FIGURES]


def faults(results: Results) -> list[str]:
    """Return everything that invalidates the figures: lost, refused or wrong."""
    wrong = [f"players cut off: {results['lost']}"] if results["lost"] else []
    wrong += [f"refused: {number} x {code}" for code, number in results["refused"].items()]
    wrong += [fault for one in results["rounds"] for fault in _wrong(one, results["players"])]
    return wrong


def _wrong(round_: Results, players: int) -> Sequence[str]:
    wrong = []
    if (received := round_["results_received"]) < players:
        wrong.append(f"round {round_['id']}: {received} of {players} players received their result")
    if round_["ledger"] != [round_["staked_minor"], round_["returned_minor"]]:
        wrong.append(f"round {round_['id']}: the results sent differ from the ledger")
    return wrong

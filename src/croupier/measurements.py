"""Counters and histograms of the running server, as plain numbers: they cost well under a microsecond."""

from bisect import bisect_left
from collections import Counter
from typing import Literal

LATENCY_BOUNDS_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

WagerOutcome = Literal["placed", "refused"]


class LatencyHistogram:
    """Durations, counted by the first bound in LATENCY_BOUNDS_S that they don't exceed, and their sum.

    The last count is of those above all bounds.
    """

    __slots__ = ("counts", "total_s")

    def __init__(self) -> None:
        self.counts = [0] * (len(LATENCY_BOUNDS_S) + 1)
        self.total_s = 0.0

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(LATENCY_BOUNDS_S, seconds)] += 1
        self.total_s += seconds


class TableMeasurements:
    """Counts of all tables. `settlements`: from the end of a round until it is durable and published."""

    def __init__(self) -> None:
        self.settlements = LatencyHistogram()
        self.wagers = Counter[tuple[str, WagerOutcome]]()
        """Rounds at own tables, bets and costly decisions at live tables, by table."""
        self.unsettled = Counter[str]()
        """Settlements that couldn't be posted, by table."""
        self.draws = 0
        """Random numbers drawn."""

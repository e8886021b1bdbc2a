"""Latencies of requests and broadcasts."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from statistics import median

QUANTILES = {"p50": 0.5, "p99": 0.99, "p99_9": 0.999, "max": 1.0}


def latencies_ms(seconds: Sequence[float]) -> dict[str, float]:
    """Return the `number` of latencies and, if there are any, their quantiles."""
    ordered = sorted(seconds)
    last = len(ordered) - 1
    cuts = {name: ordered[round(part * last)] * 1e3 for name, part in QUANTILES.items()} if ordered else {}
    return {"number": len(ordered), **cuts}


@dataclass(slots=True)
class BroadcastTiming:
    """One broadcast: the time it was sent, and the receipts."""

    sent: float
    received: int = 0
    last: float = 0.0

    def add_receipt(self, at: float) -> None:
        self.received += 1
        self.last = at

    @property
    def ms(self) -> float:
        """Milliseconds from sending to the last receipt."""
        return (self.last - self.sent) * 1e3


def broadcasts_ms(timings: Sequence[BroadcastTiming]) -> dict[str, float]:
    """Summarize broadcasts."""
    times = [one.ms for one in timings]
    return {"number": len(times), **({"median": median(times), "max": max(times)} if times else {})}


def each_us(cpu_s: float, timings: Sequence[BroadcastTiming]) -> float:
    """Return the processor time per receipt in microseconds; NaN without receipts."""
    received = sum(one.received for one in timings)
    return cpu_s / received * 1e6 if received else nan


class PendingRequests:
    """Requests without an answer yet, and the latencies of the others, from their scheduled times."""

    def __init__(self) -> None:
        self.waited: list[float] = []
        self._due: dict[bytes, float] = {}

    def all_answered(self, number: int) -> bool:
        """Return whether `number` requests have been answered."""
        return len(self.waited) >= number

    @property
    def are_all_answered(self) -> bool:
        return not self._due

    def ask(self, request: bytes, due: float) -> None:
        self._due[request] = due

    def give_up(self, at: float) -> None:
        """Count requests without an answer as answered now."""
        self.waited += [at - due for due in self._due.values()]
        self._due.clear()

    def answered(self, request: bytes, at: float) -> bool:
        """Record an answer; return whether the request was sent here."""
        due = self._due.pop(request, None)
        if due is None:
            return False
        self.waited.append(at - due)
        return True

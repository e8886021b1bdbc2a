"""What the crowd counts: how long answers took, and when the last player had what was told to all."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from statistics import median

QUANTILES = {"p50": 0.5, "p99": 0.99, "p99_9": 0.999, "max": 1.0}


def latencies_ms(seconds: Sequence[float]) -> dict[str, float]:
    """The quantiles of some waits, and their `number`; nothing more when there were none."""
    ordered = sorted(seconds)
    last = len(ordered) - 1
    cuts = {name: ordered[round(part * last)] * 1e3 for name, part in QUANTILES.items()} if ordered else {}
    return {"number": len(ordered), **cuts}


@dataclass(slots=True)
class BroadcastTiming:
    """One thing told to everybody: when it was asked for, and who has it."""

    sent: float
    received: int = 0
    last: float = 0.0

    def add_receipt(self, at: float) -> None:
        self.received += 1
        self.last = at

    @property
    def ms(self) -> float:
        """From the asking to the last player who heard it."""
        return (self.last - self.sent) * 1e3


def broadcasts_ms(told: Sequence[BroadcastTiming]) -> dict[str, float]:
    """What is reported of some tellings."""
    times = [one.ms for one in told]
    return {"number": len(times), **({"median": median(times), "max": max(times)} if times else {})}


def each_us(cpu_s: float, told: Sequence[BroadcastTiming]) -> float:
    """Of a processor's time, what each took of those who heard; nan when nobody did."""
    received = sum(one.received for one in told)
    return cpu_s / received * 1e6 if received else nan


class PendingRequests:
    """What was asked for and isn't answered yet, and how long the answers took, from when they were due."""

    def __init__(self) -> None:
        self.waited: list[float] = []
        self._due: dict[bytes, float] = {}

    def all_answered(self, number: int) -> bool:
        """Whether `number` have been."""
        return len(self.waited) >= number

    def ask(self, request: bytes, due: float) -> None:
        self._due[request] = due

    def answered(self, request: bytes, at: float) -> bool:
        """Whether it was asked here; else the answer is somebody else's."""
        due = self._due.pop(request, None)
        if due is None:
            return False
        self.waited.append(at - due)
        return True

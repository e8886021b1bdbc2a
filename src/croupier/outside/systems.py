"""Calls to systems outside the server: their latency and outcome, and the systems that are silent.

A system is silent from the first of its calls without an answer until the next one that it answers. Whether
it refuses what it is asked doesn't matter here: a refusal is an answer.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Literal

from croupier import clock
from croupier.measurements import LatencyHistogram

SLOW_MS = 3_000
CANCELLED_S = 1.0
"""A task that is cancelled after this time had a deadline, or somebody who has lost patience."""

OutsideName = Literal["wallet", "payments", "kyc", "identity", "registry", "mail"]
OutsideOutcome = Literal["answered", "no_answer"]


class OutsideSystem:
    """One system. `on_answer`: each is called after each call that is answered."""

    def __init__(self, name: OutsideName) -> None:
        self.name = name
        self.latency = LatencyHistogram()
        self.outcomes = Counter[tuple[str, OutsideOutcome]]()
        """By call, such as `/debit`."""
        self._begun = dict[object, int]()
        """The start of each call in progress."""
        self._silent_since_ms: int | None = None
        """The start of the first call without an answer after the last one that was answered."""
        self.on_answer: list[Callable[[], None]] = []
        self.answered = 0

    @contextmanager
    def call(self, what: str) -> Iterator[None]:
        """Measure a call. Any exception means that there was no answer, except an early end of its task."""
        this = object()
        began_s = perf_counter()
        began_ms = clock.now_ms()
        self._begun[this] = began_ms
        try:
            yield
        except BaseException as error:
            if not isinstance(error, asyncio.CancelledError) or perf_counter() - began_s >= CANCELLED_S:
                self._count(what, "no_answer", began_s)
                if self._silent_since_ms is None:
                    self._silent_since_ms = began_ms
            raise
        else:
            self._count(what, "answered", began_s)
            self._silent_since_ms = None
            self.answered += 1
            for call in self.on_answer:
                call()
        finally:
            del self._begun[this]

    @property
    def in_progress(self) -> int:
        """The number of calls that wait for an answer."""
        return len(self._begun)

    @property
    def silent_since_ms(self) -> int | None:
        """The time since when the system hasn't answered; None: it answers.

        A call that takes long counts before it is given up: staff mustn't wait for its time-out.
        """
        long_ago_ms = clock.now_ms() - SLOW_MS
        slow = [began_ms for began_ms in self._begun.values() if began_ms <= long_ago_ms]
        failed = [] if self._silent_since_ms is None else [self._silent_since_ms]
        return min(failed + slow, default=None)

    def _count(self, what: str, outcome: OutsideOutcome, began_s: float) -> None:
        self.outcomes[what, outcome] += 1
        self.latency.observe(perf_counter() - began_s)


class OutsideSystems:
    """The systems that the server may call, whether they are configured or not."""

    def __init__(self) -> None:
        self.wallet = OutsideSystem("wallet")
        self.payments = OutsideSystem("payments")
        self.kyc = OutsideSystem("kyc")
        self.identity = OutsideSystem("identity")
        self.registry = OutsideSystem("registry")
        self.mail = OutsideSystem("mail")

    def __iter__(self) -> Iterator[OutsideSystem]:
        return iter((self.wallet, self.payments, self.kyc, self.identity, self.registry, self.mail))


class FailedWork:
    """Work that a system hasn't answered, by id; an answer of the system wakes it.

    Work that fails although the system has answered other calls meanwhile isn't woken: it would only fail
    again, as often as others succeed.
    """

    def __init__(self, system: OutsideSystem) -> None:
        self._system = system
        self._answered = dict[str, int]()
        """The number of the system's answers when the work failed last."""
        self._waiting = set[str]()

    def failed(self, work: str) -> None:
        now = self._system.answered
        if self._answered.get(work, now) == now:
            self._waiting.add(work)
        self._answered[work] = now

    def forget(self, work: str) -> None:
        """Forget work that has succeeded or is given up."""
        self._answered.pop(work, None)
        self._waiting.discard(work)

    def wake(self) -> set[str]:
        """Return what may succeed now that the system answers; each failure is returned once."""
        woken = self._waiting
        self._waiting = set()
        return woken

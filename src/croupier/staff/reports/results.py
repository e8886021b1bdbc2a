"""The results of whole days, by table and currency; finished days are kept in memory."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from datetime import date, tzinfo
from threading import Lock

from croupier.accounts.days import day_of, starts_ms
from croupier.ledger.reports import PeriodResult, ReportReader
from croupier.staff.reports.days import ONE_DAY, days_from

DAYS_KEPT = 800
"""More than two years: a day takes about 100 bytes for each table and currency."""
SETTLED_MS = 300_000
"""Time after the end of a day at which no entry with a time in it is still to be written."""


class DailyResults:
    """Reads each day once: a day that is over never changes, as the journal only grows.

    Reads one day at a time, however many managers ask, each in a short transaction; call it in a thread.
    """

    def __init__(self, ledger: ReportReader, zone: tzinfo, now_ms: Callable[[], int]) -> None:
        self.zone = zone
        self._ledger = ledger
        self._now_ms = now_ms
        self._kept: OrderedDict[date, PeriodResult] = OrderedDict()
        self._reading = Lock()

    def today(self) -> date:
        return day_of(self._now_ms(), self.zone)

    def between(self, first: date, last: date) -> Iterator[tuple[date, PeriodResult]]:
        """Yield the results of each day."""
        return ((day, self.of(day)) for day in days_from(first, last))

    def of(self, day: date) -> PeriodResult:
        """Return the results of a day."""
        with self._reading:
            found = self._kept.get(day)
            return self._read(day) if found is None else found

    def _read(self, day: date) -> PeriodResult:
        until_ms = starts_ms(day + ONE_DAY, self.zone)
        result = self._ledger.results(starts_ms(day, self.zone), until_ms)
        if until_ms + SETTLED_MS < self._now_ms():
            self._kept[day] = result
            if len(self._kept) > DAYS_KEPT:
                self._kept.popitem(last=False)
        return result

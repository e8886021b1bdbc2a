"""Compares each table's actual return with its published one, and logs what is out of its band.

GLI-19 A.6.1(d) and A.6.2: the comparison covers the last thirty days, and a table that is out of its band is
in the event log once a day.
"""

import asyncio
import logging
from collections.abc import Mapping
from datetime import date

from msgspec import Struct

from croupier.accounts.days import starts_ms
from croupier.action_log import ASKED, LogLocation, first_id, log_action
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.ledger.protocol import LedgerBroken
from croupier.ledger.reports import NoteFilter, ReportReader
from croupier.play.contract.game import Table
from croupier.protocol.staff_reports import TableReturn
from croupier.staff.dealer_presence import SERVER
from croupier.staff.reports.days import ONE_DAY
from croupier.staff.reports.report import table_returns
from croupier.staff.reports.results import DailyResults

DAYS_COMPARED = 30
FIRST_CHECK_S, CHECKED_EVERY_S = 60.0, 3600.0
"""A check of a day that has been checked reads nothing but its log."""

log = logging.getLogger(__name__)


class ReturnOutOfBand(Struct, frozen=True, tag_field="t", tag="return_out_of_band"):
    """Record of a table's return that is out of its band, in the event log."""

    table: str
    currency: str
    first: str
    last: str
    rounds: int
    returned_percent: str
    band: str


class ReturnMonitor:
    """Checks the tables' returns in the background."""

    def __init__(
        self,
        gateway: LedgerGateway,
        ledger: ReportReader,
        results: DailyResults,
        tables: Mapping[str, Table],
    ) -> None:
        self._gateway = gateway
        self._ledger = ledger
        self._results = results
        self._tables = tables

    async def run(self) -> None:
        """Check until the task is cancelled."""
        await asyncio.sleep(FIRST_CHECK_S)
        while True:
            try:
                await self.check()
            except LedgerBroken:
                return  # the server stops
            except Exception:
                log.exception("checking the tables' returns failed; it is tried again")
            await asyncio.sleep(CHECKED_EVERY_S)

    async def check(self) -> None:
        """Log each table that is out of its band and isn't in today's log."""
        for found in await asyncio.to_thread(self._unlogged):
            log.warning("table %s returned %s in %s", found.table, found.returned_percent, found.currency)
            await log_action(self._gateway, SERVER, found, _nothing, LogLocation(found.table))

    def _unlogged(self) -> list[ReturnOutOfBand]:
        today = self._results.today()
        first, last = today - DAYS_COMPARED * ONE_DAY, today - ONE_DAY
        rows = (each for _, day in self._results.between(first, last) for each in day.tables)
        found = (_out_of_band(each, first, last) for each in table_returns(rows, self._tables))
        return [each for each in found if each and not self._is_logged(each, today)]

    def _is_logged(self, found: ReturnOutOfBand, today: date) -> bool:
        since = first_id(starts_ms(today, self._results.zone))
        fields = {"what": "return_out_of_band", "details.currency": found.currency}
        chosen = NoteFilter(since=since, table=found.table, fields=fields)
        return bool(self._ledger.notes(ASKED, chosen, limit=1))


async def _nothing() -> None:
    """Do nothing: noting what was found is the whole action."""


def _out_of_band(of: TableReturn, first: date, last: date) -> ReturnOutOfBand | None:
    if of.band is None or of.verdict == "within":
        return None
    return ReturnOutOfBand(
        table=of.table,
        currency=of.currency,
        first=first.isoformat(),
        last=last.isoformat(),
        rounds=of.rounds,
        returned_percent=f"{100 * int(of.returned_minor) / int(of.staked_minor):.3f}",
        band=f"{of.band.low:.3f} to {of.band.high:.3f}",
    )

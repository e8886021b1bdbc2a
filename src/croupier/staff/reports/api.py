"""Staff HTTP API: reports and their files. Only managers may read them."""

from datetime import date
from typing import Annotated

from litestar import get, post
from litestar.di import Provide
from litestar.exceptions import ValidationException
from litestar.params import Parameter
from litestar.response import Stream

from croupier.accounts.staff_members import Member
from croupier.clock import now_ms
from croupier.gateway.pages.csv_files import csv_file, utc
from croupier.protocol.staff_reports import (
    AskPayment,
    AskWallet,
    DecidePayment,
    LiabilityReport,
    OpenWalletCall,
    PresentPlay,
    ResultsReport,
    StuckPayment,
)
from croupier.staff.reports.days import ONE_DAY
from croupier.staff.reports.files import liabilities_csv, results_csv
from croupier.staff.reports.liabilities import liability_report, open_table
from croupier.staff.reports.report import results_report
from croupier.staff.rights import MANAGERS, require_role
from croupier.staff.service import StaffService

DAYS_MAX = 366
DAYS_SHOWN = 7
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2999, 12, 31)
AtMs = Annotated[int | None, Parameter(ge=0, le=2**53)]


def chosen_results(
    staff_service: StaffService,
    member: Member,
    first: date | None = None,
    last: date | None = None,
    table: str | None = None,
) -> ResultsReport:
    """Return the results of the chosen days, at most 366; by default of the last seven."""
    require_role(member, MANAGERS)
    results = staff_service.reports.results
    until = last or results.today()
    since = first or max(FIRST_DAY, until) - (DAYS_SHOWN - 1) * ONE_DAY
    if not FIRST_DAY <= since <= until <= LAST_DAY or (until - since).days >= DAYS_MAX:
        raise ValidationException(f"first: at most {DAYS_MAX} days, the last one included")
    return results_report(results, staff_service.reports.tables, since, until, table)


RESULTS = {"report": Provide(chosen_results, sync_to_thread=True)}


@get("/reports/results", sync_to_thread=False, dependencies=RESULTS)
def results(report: ResultsReport) -> ResultsReport:
    """Return the results by table and day: rounds, players, stakes and returns."""
    return report


@get("/reports/results.csv", sync_to_thread=False, dependencies=RESULTS)
def results_file(staff_service: StaffService, report: ResultsReport) -> Stream:
    """Return the results by table and day as CSV."""
    text = results_csv(report, staff_service.reports.tables, staff_service.reports.currencies)
    return csv_file(f"results-{report.first}-to-{report.last}", text)


def chosen_liabilities(staff_service: StaffService, member: Member, at_ms: AtMs = None) -> LiabilityReport:
    """Return the liabilities at a time, by default at present."""
    require_role(member, MANAGERS)
    return liability_report(staff_service.reports.ledger.holdings(at_ms))


LIABILITIES = {"report": Provide(chosen_liabilities, sync_to_thread=True)}


@get("/reports/liabilities", sync_to_thread=False, dependencies=LIABILITIES)
def liabilities(report: LiabilityReport) -> LiabilityReport:
    """Return the amounts owed to players, by currency and kind of account."""
    return report


@get("/reports/liabilities.csv", sync_to_thread=False, dependencies=LIABILITIES)
def liabilities_file(staff_service: StaffService, report: LiabilityReport, at_ms: AtMs = None) -> Stream:
    """Return the amounts owed to players as CSV."""
    asked_ms = now_ms() if at_ms is None else at_ms
    name = f"liabilities-{utc(asked_ms)[:19].replace(':', '')}Z"
    return csv_file(name, liabilities_csv(report, staff_service.reports.currencies, asked_ms))


@get("/reports/present", sync_to_thread=True)
def present_play(staff_service: StaffService, member: Member) -> PresentPlay:
    """Return the number of connected players, and the open rounds by table."""
    require_role(member, MANAGERS)
    found = staff_service.reports.ledger.open_by_table()
    open_ = tuple(open_table(each, staff_service.reports.tables) for each in found)
    return PresentPlay(staff_service.reports.connected(), open_)


@get("/payments")
async def stuck_payments(staff_service: StaffService, member: Member) -> list[StuckPayment]:
    """Return the payments that wait for their provider, an identity check or staff, oldest first."""
    require_role(member, MANAGERS)
    return await staff_service.reports.stuck_payments()


@get("/wallet")
async def open_wallet_calls(staff_service: StaffService, member: Member) -> list[OpenWalletCall]:
    """Return the calls that the operator's wallet has refused or not answered for a while, oldest first."""
    require_role(member, MANAGERS)
    return await staff_service.reports.open_wallet_calls()


@post("/payments/ask", status_code=204)
async def ask_payment(staff_service: StaffService, member: Member, data: AskPayment) -> None:
    """Ask the provider about a payment now. Only managers may do this."""
    await staff_service.reports.ask(member, data)


@post("/payments/decide", status_code=204)
async def decide_payment(staff_service: StaffService, member: Member, data: DecidePayment) -> None:
    """Credit a deposit that is held in suspense, within the player's limits, or send it back.

    Release or refuse a withdrawal that is held after a change of the player's credentials.
    Only managers may do this. Other payments can't be decided by hand: only the provider's status counts.
    """
    await staff_service.reports.decide(member, data)


@post("/wallet/ask", status_code=204)
async def ask_wallet(staff_service: StaffService, member: Member, data: AskWallet) -> None:
    """Send an open call to the operator's wallet again now. Only managers may do this."""
    await staff_service.reports.ask_wallet(member, data)


REPORT_HANDLERS = (
    results,
    results_file,
    liabilities,
    liabilities_file,
    present_play,
    stuck_payments,
    open_wallet_calls,
    ask_payment,
    decide_payment,
    ask_wallet,
)

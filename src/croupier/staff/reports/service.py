"""The figures of reports, and managers' inquiries about payments."""

from functools import partial

from croupier.accounts.payments import Payment
from croupier.accounts.staff_members import Member
from croupier.clock import now_ms
from croupier.gateway.pages.csv_files import PagedCsv
from croupier.ledger.wallet_entries import WalletCall
from croupier.protocol.staff_reports import AskPayment, DecidePayment, OpenWalletCall, StuckPayment
from croupier.runtime.action_log import Actor, log_action
from croupier.runtime.server import Server
from croupier.staff.reports.monitor import ReturnMonitor
from croupier.staff.reports.results import DailyResults
from croupier.staff.rights import MANAGERS, require_role

USUAL_CALL_MS = 60_000
"""Age up to which a call to the operator's wallet isn't worth showing."""


class StaffReports:
    """The server's figures, as managers read them."""

    def __init__(self, server: Server) -> None:
        self.ledger = server.ledger.reports
        self._calls = server.ledger.wallet_calls
        self.results = DailyResults(self.ledger, server.config.reports.zone, now_ms)
        self.tables = server.tables
        self.currencies = server.currencies
        """The currencies at present and those of recorded amounts."""
        self.monitor = ReturnMonitor(server.gateway, self.ledger, self.results, self.tables)
        self.paged = PagedCsv()
        self._gateway = server.gateway
        self._players = server.players
        self._payments = server.payments

    def connected(self) -> int:
        """Return the number of connected players."""
        return len(self._players)

    async def stuck_payments(self) -> list[StuckPayment]:
        return [_stuck(payment) for payment in await self._payments.stuck()]

    def open_wallet_calls(self) -> list[OpenWalletCall]:
        """Return the disputed calls to the operator's wallet, and those that are open for long."""
        until_ms = now_ms() - USUAL_CALL_MS
        calls = self._calls()
        return [_open(call) for call in calls if call.state == "disputed" or call.opened_ms < until_ms]

    async def ask(self, member: Member, command: AskPayment) -> None:
        """Ask the provider about a payment, and log it; the provider's status alone decides."""
        actor = Actor(member.name, member.role)
        await log_action(self._gateway, actor, command, partial(self._ask, member, command.payment))

    async def decide(self, member: Member, command: DecidePayment) -> None:
        """Credit a deposit that is in suspense, or send it back, and log it."""
        actor = Actor(member.name, member.role)
        await log_action(self._gateway, actor, command, partial(self._decide, member, command))

    async def _decide(self, member: Member, command: DecidePayment) -> None:
        require_role(member, MANAGERS)
        await self._payments.decide(command.payment, command.decision)

    async def _ask(self, member: Member, payment: str) -> None:
        require_role(member, MANAGERS)
        await self._payments.ask(payment)


def _open(call: WalletCall) -> OpenWalletCall:
    (round_, player, table, currency), order = call.ticket, call.order
    of = call.transaction, player, table, round_, currency
    return OpenWalletCall(*of, order.amount_minor, order.reason, call.state, call.opened_ms)


def _stuck(payment: Payment) -> StuckPayment:
    return StuckPayment(
        payment=payment.id,
        player=payment.player,
        direction=payment.direction,
        currency=payment.currency,
        amount_minor=payment.amount_minor,
        state=payment.state,
        created_ms=payment.created_ms,
        changed_ms=payment.changed_ms,
        reason=payment.reason,
        inquiries=payment.attempts,
        due_ms=payment.due_ms,
    )

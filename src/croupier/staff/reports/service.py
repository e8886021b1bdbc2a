"""The figures of reports, and managers' inquiries about payments."""

from collections.abc import Mapping
from functools import partial

from croupier.accounts.payments import Payment
from croupier.accounts.staff_members import Member
from croupier.action_log import Actor, log_action
from croupier.clock import now_ms
from croupier.gateway.pages.csv_files import PagedCsv
from croupier.gateway.server import Server
from croupier.ledger.wallet_entries import WalletCall, dispute_key
from croupier.money.wallet.driver import CallAttempts
from croupier.protocol.staff_reports import AskPayment, AskWallet, DecidePayment, OpenWalletCall, StuckPayment
from croupier.refusal import Refused
from croupier.staff.reports.monitor import ReturnMonitor
from croupier.staff.reports.results import DailyResults
from croupier.staff.rights import MANAGERS, require_role

USUAL_CALL_MS = 60_000
"""Age up to which a call to the operator's wallet isn't worth showing."""
ASKED_ABOUT_MAX = 50
"""Calls whose players' balances are asked for; after an outage there may be thousands."""


class StaffReports:
    """The server's figures, as managers read them."""

    def __init__(self, server: Server) -> None:
        self.ledger = server.ledger.reports
        self._journal = server.ledger
        self._wallet = server.wallet
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

    async def open_wallet_calls(self) -> list[OpenWalletCall]:
        """Return the disputed calls to the operator's wallet, and those that are open for long."""
        found = await self._gateway.read(self._shown_calls)
        owners = {(call.ticket.player, call.ticket.currency) for call, _ in found[:ASKED_ABOUT_MAX]}
        balances = await self._wallet.current_of(sorted(owners))
        return [self._open(call, reason, balances) for call, reason in found]

    def _shown_calls(self) -> list[tuple[WalletCall, str]]:
        """Return the calls to show, each with the wallet's first reason for refusing it."""
        until_ms = now_ms() - USUAL_CALL_MS
        calls = self._journal.wallet_calls()
        shown = [call for call in calls if call.state == "disputed" or call.opened_ms < until_ms]
        return [(call, self._reason(call)) for call in shown]

    def _reason(self, call: WalletCall) -> str:
        disputed = self._journal.entry(dispute_key(call)) if call.state == "disputed" else None
        return str(disputed.body["reason"]) if disputed else ""

    def _open(
        self, call: WalletCall, reason: str, balances: Mapping[tuple[str, str], int | None]
    ) -> OpenWalletCall:
        ticket, order = call.ticket, call.order
        attempts = self._wallet.driver.attempts.get(call.transaction, CallAttempts())
        return OpenWalletCall(
            transaction=call.transaction,
            player=ticket.player,
            table=ticket.table,
            round=ticket.round,
            currency=ticket.currency,
            amount_minor=order.amount_minor,
            what=order.reason,
            state=call.state,
            opened_ms=call.opened_ms,
            reason=attempts.reason or reason,
            attempts=attempts.number,
            balance_minor=balances.get((ticket.player, ticket.currency)),
        )

    async def ask_wallet(self, member: Member, command: AskWallet) -> None:
        """Send an open call to the wallet again, and log it; the wallet's answer alone decides."""
        actor = Actor(member.name, member.role)
        await log_action(self._gateway, actor, command, partial(self._ask_wallet, member, command))

    async def _ask_wallet(self, member: Member, command: AskWallet) -> None:
        require_role(member, MANAGERS)
        calls = await self._gateway.read(self._journal.wallet_calls)
        found = next((call for call in calls if call.transaction == command.transaction), None)
        if found is None:
            raise Refused("no_such_wallet_call", transaction=command.transaction)
        self._wallet.driver.ask_soon(found.ticket.round)

    async def ask(self, member: Member, command: AskPayment) -> None:
        """Ask the provider about a payment, and log it; the provider's status alone decides."""
        actor = Actor(member.name, member.role)
        await log_action(self._gateway, actor, command, partial(self._ask, member, command.payment))

    async def decide(self, member: Member, command: DecidePayment) -> None:
        """Decide about a deposit in suspense or a held withdrawal, and log it."""
        actor = Actor(member.name, member.role)
        await log_action(self._gateway, actor, command, partial(self._decide, member, command))

    async def _decide(self, member: Member, command: DecidePayment) -> None:
        require_role(member, MANAGERS)
        await self._payments.decide(command.payment, command.decision, command.reason)

    async def _ask(self, member: Member, payment: str) -> None:
        require_role(member, MANAGERS)
        await self._payments.ask(payment)


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
        held_until_ms=payment.held_until_ms if payment.state == "held" else 0,
    )

"""Changes that one manager asks for and another one decides."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial

from croupier import clock
from croupier.accounts.approvals import EXPIRES_MS, Approval, ApprovalKind, approval_id
from croupier.accounts.staff_members import Member
from croupier.gateway.server import Server
from croupier.ledger.entries import Entry
from croupier.players.settings import check_currency, check_not_of_wallet
from croupier.protocol.staff_players import (
    ApprovalView,
    AskAdjustment,
    AskReopening,
    DecideApproval,
    OfficeCommand,
    ViewApprovals,
)
from croupier.refusal import Refused
from croupier.staff.players import OfficeLog
from croupier.staff.rights import MANAGERS

LISTED = 100


class ApprovalRecord(OfficeCommand, frozen=True, tag="decide_approval"):
    """Record of a decision in the event log, with what was asked for and by whom."""

    approval: str
    decision: str
    reason: str
    kind: str
    player: str
    currency: str
    amount_minor: int
    asked_by: str
    asked_for: str
    """The reason of the member who asked."""


class StaffApprovals:
    """Nobody decides what they asked for themselves, and nothing is decided twice."""

    def __init__(self, server: Server, log: OfficeLog) -> None:
        self._server = server
        self._log = log

    async def waiting(self, member: Member) -> int:
        """Return the number of changes that a member may decide."""
        if member.role not in MANAGERS:
            return 0
        found = self._server.approvals.waiting(member.name, clock.now_ms())
        return await self._server.gateway.durable(found)

    async def last(self, member: Member) -> list[ApprovalView]:
        """Return the last changes, first those that wait."""
        return await self._log.execute(member, ViewApprovals(), self._last)

    async def _last(self) -> list[ApprovalView]:
        found = self._server.approvals.list(clock.now_ms(), LISTED)
        return [await self._view(each) for each in await self._server.gateway.durable(found)]

    async def ask(self, member: Member, command: AskAdjustment | AskReopening) -> ApprovalView:
        """Ask for a change, once however often the request is sent."""
        added = await self._log.execute(member, command, partial(self._ask, member, command))
        return await self._view(added)

    async def _ask(self, member: Member, command: AskAdjustment | AskReopening) -> Approval:
        if not await self._server.sessions.is_known(command.player):
            raise Refused("no_such_player", player=command.player)
        approval = self._asked(member, command)
        return await self._server.gateway.durable(self._server.approvals.add(approval))

    def _asked(self, member: Member, command: AskAdjustment | AskReopening) -> Approval:
        """Return the new approval of a request; refuse a change that is impossible already."""
        is_closed = self._server.limits.of(command.player).closed is not None
        kind: ApprovalKind = "reopening"
        currency, amount_minor = "", 0
        if isinstance(command, AskAdjustment):
            kind, currency, amount_minor = "adjustment", command.currency, command.amount_minor
            check_currency(currency, self._server.config.currencies)
            check_not_of_wallet(currency, self._server.config.wallet.currencies)
        if is_closed != (kind == "reopening"):
            raise Refused("account_closed" if is_closed else "account_open")
        id_, now = approval_id(member.name, command.req), clock.now_ms()
        change = kind, command.player, currency, amount_minor, command.reason
        return Approval(id_, *change, member.name, now, now + EXPIRES_MS)

    async def decide(self, member: Member, command: DecideApproval) -> ApprovalView:
        """Approve or reject a change that another member asked for."""
        found = self._server.approvals.find(command.approval)
        known = await self._server.gateway.durable(found)
        record = _record(command, known) if known else command
        decide = partial(self._decide, member, command, known)
        return await self._view(await self._log.execute(member, command, decide, record))

    async def _decide(self, member: Member, command: DecideApproval, known: Approval | None) -> Approval:
        if known is None:
            raise Refused("no_such_approval", approval=command.approval)
        async with self._change(command, known) as notes:
            decision = command.decision, member.name, clock.now_ms()
            change = self._server.approvals.decide(known.id, *decision, notes)
            decided = (await self._server.gateway.recorded(change)).approval
        if decided.currency:
            self._server.players.send_balance(known.player, known.currency)
        return decided

    def _change(
        self, command: DecideApproval, known: Approval
    ) -> AbstractAsyncContextManager[Sequence[Entry]]:
        """Return the context of a decision, with the notes that an approved change needs."""
        if command.decision == "rejected":
            return nullcontext(())
        closing = self._server.closing
        return (closing.kept_open if known.kind == "adjustment" else closing.reopening)(known.player)

    async def _view(self, approval: Approval) -> ApprovalView:
        cash = self._server.queries.cash
        cash_minor = await self._server.gateway.read(cash, approval.player, approval.currency)
        return ApprovalView(
            approval.id,
            approval.kind,
            approval.state_at(clock.now_ms()),
            approval.player,
            approval.currency,
            approval.amount_minor,
            approval.reason,
            approval.asked_by,
            approval.asked_ms,
            approval.expires_ms,
            approval.decided_by,
            approval.decided_ms,
            cash_minor,
        )


def _record(command: DecideApproval, known: Approval) -> ApprovalRecord:
    return ApprovalRecord(
        known.id,
        command.decision,
        command.reason,
        known.kind,
        known.player,
        known.currency,
        known.amount_minor,
        known.asked_by,
        known.reason,
    )

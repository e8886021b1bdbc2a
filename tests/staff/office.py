"""A server in this process with players and two managers."""

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

from croupier.accounts.approvals import ApprovalDecision
from croupier.accounts.staff_members import Member
from croupier.config import DEFAULT_CONFIG
from croupier.gateway.server import Server
from croupier.play.contract.amounts import CURRENCIES, Currency
from croupier.protocol import staff_players
from croupier.refusal import Refused
from croupier.staff.service import StaffService
from tests.dealing.waiting_round import assert_ledger_valid
from tests.support.in_process import server_dealing

T = TypeVar("T")
ADA, BOB = Member("Ada", "manager", 0), Member("Bob", "manager", 0)
BEN = Member("Ben", "dealer", 0)
OF_VALUE = Currency("EUR", "Euro", 2, "€", play_money=False)


class Office(NamedTuple):
    """A server, its staff service, and a guest."""

    server: Server
    staff: StaffService
    player: str

    async def asked(self, amount_minor: int, req: str = "r", reason: str = "spilled") -> str:
        """Let Ada ask for an adjustment of EUR, and return the approval."""
        order = staff_players.AskAdjustment(req, self.player, "EUR", amount_minor, reason)
        return (await self.staff.approvals.ask(ADA, order)).approval

    async def decide(self, by: Member, approval: str, decision: ApprovalDecision = "approved") -> str:
        """Return `approved`, `rejected`, or the code of the refusal."""
        order = staff_players.DecideApproval(approval, decision)
        return await code_of(self.staff.approvals.decide(by, order)) or decision

    async def close(self) -> None:
        await self.staff.players.close(ADA, staff_players.CloseAccount(self.player, "asked to"))

    def cash(self) -> int:
        return self.server.queries.cash(self.player, "EUR")

    def logged(self, what: str) -> list[tuple[str, str, str]]:
        """Return who did this, why and the answer, newest first."""
        from croupier.staff.event_log import LogSelection, event_log_page

        lines = event_log_page(self.server.ledger, LogSelection(), limit=200).lines
        return [(line.name, line.reason, line.answer) for line in lines if line.what == what]


@asynccontextmanager
async def office_in(folder: Path) -> AsyncIterator[Office]:
    """Yield an office whose EUR has a value; its audit passes at the end."""
    config = DEFAULT_CONFIG._replace(currencies={"GC": CURRENCIES["GC"], "EUR": OF_VALUE})
    with server_dealing(folder, (), config) as server:
        await server.start()
        player = await server.sessions.signed_in(await server.sessions.add_guest())
        assert player is not None
        yield Office(server, StaffService(server), player.id)
    assert_ledger_valid(folder)


async def code_of(work: Awaitable[object]) -> str:
    """Return the code of a refusal; empty for success."""
    try:
        await work
    except Refused as refused:
        return refused.code
    return ""

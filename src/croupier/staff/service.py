"""The staff's side of the house: who is signed in, which tables they work at, and all they did."""

import logging
from contextlib import suppress
from functools import partial
from typing import Protocol

import msgspec

from croupier.accounts.staff_members import Member
from croupier.clock import now_ms
from croupier.gateway.rate_limits import RateLimit, RateLimiter
from croupier.protocol import staff_wire
from croupier.refusal import Refused
from croupier.runtime.live.table import LiveTable
from croupier.runtime.requests import RequestRegistry
from croupier.runtime.server import Server
from croupier.staff import admin_commands
from croupier.staff.actions import carry_out
from croupier.staff.admin_commands import AdminResult, AnyAdminCommand
from croupier.staff.dealer_presence import DealerPresence
from croupier.staff.event_log import Actor, LogLocation, log_action
from croupier.staff.rights import RIGHTS, require_role
from croupier.staff.sessions import StaffSessions

log = logging.getLogger(__name__)


class StaffClient(Protocol):
    """A browser of a member of staff."""

    @property
    def member(self) -> Member | None: ...

    @property
    def table(self) -> str:
        """The table it looks at; empty: the floor."""
        ...

    def floor_changed(self) -> None: ...

    def sign_out(self) -> None: ...


class SignedIn(msgspec.Struct, frozen=True, tag_field="t", tag="sign_in"):
    """What the event log says of a sign-in."""


class SignInRefused(msgspec.Struct, frozen=True, tag_field="t", tag="sign_in_refused"):
    """The record of a wrong code in the event log."""

    address: str


LOGGED_REFUSALS = RateLimit(600, 3_600)
"""More than so many wrong codes are in the server's log only: strangers can't fill the journal."""


class StaffService:
    """`address` is the house's, as the operator is told it."""

    def __init__(self, server: Server, address: str = "") -> None:
        self.ledger = server.ledger
        self.tables = server.live
        self._gateway = server.gateway
        self._members = server.staff_members
        self.sessions = StaffSessions()
        self.address = address
        self.at_work: set[StaffClient] = set()
        self.requests = RequestRegistry(set)
        """By the names of the members."""
        self._refusals = RateLimiter(LOGGED_REFUSALS)
        self._attendance = DealerPresence(
            server.gateway, server.live, lambda table: bool(self.dealers(table))
        )

    # --- who is here

    async def sign_in(self, address: str, name: str, code: str) -> str:
        """The token of a new session. Refused `wrong_sign_in`, and `too_many_tries` after some of those."""
        now = now_ms()
        try:
            self.sessions.tries(address, name, now)
        except Refused:
            log.warning("a staff sign-in from %s is refused: it was wrong too often", address)
            raise
        member = await self._gateway.durable(self._members.known(name, code))
        if member is None:
            await self._log_refusal(address, name)
            raise Refused("wrong_sign_in")
        self.sessions.succeeds(address, name)
        await log_action(self._gateway, Actor(member.name, member.role), SignedIn(), _nothing)
        return self.sessions.begin(member, now)

    async def _log_refusal(self, address: str, name: str) -> None:
        """A name that nobody has may be a code in the wrong field, so it is written nowhere."""
        members = await self._gateway.durable(self._members.members())
        known = name if name in {member.name for member in members} else ""
        log.warning("a staff sign-in from %s is refused: wrong code for %r", address, known or "unknown name")
        if self._refusals.take(""):
            return
        with suppress(Refused):
            await log_action(self._gateway, Actor(known, ""), SignInRefused(address), _wrong)

    def dealers(self, table: str) -> tuple[str, ...]:
        """Who has the dealer's page of that table open."""
        here = (work.member for work in self.at_work if work.table == table)
        return tuple({member.name for member in here if member and member.role == "dealer"})

    def arrived(self, work: StaffClient) -> None:
        self.at_work.add(work)
        if work.table:
            self._attendance.look(work.table)
        self._floor_changed()

    def left(self, work: StaffClient) -> None:
        if work in self.at_work and work.table:
            self._attendance.went(work.table)
        self.at_work.discard(work)
        self._floor_changed()

    def _floor_changed(self) -> None:
        for work in tuple(self.at_work):
            work.floor_changed()

    # --- tables

    def table(self, table: str) -> LiveTable:
        """Refused when the house deals none of that name live."""
        if table not in self.tables:
            raise Refused("no_such_table", table=table)
        return self.tables[table]

    # --- what is done

    async def done(self, member: Member, action: staff_wire.Action, live: LiveTable) -> None:
        """Carried out, and in the event log; so is what isn't his to do, and what the table refuses."""
        who, where = Actor(member.name, member.role), LogLocation(live.table.id, live.state.round)
        await log_action(self._gateway, who, action, partial(_if_allowed, live, member, action), where)

    async def order(self, order: AnyAdminCommand) -> AdminResult:
        """What the operator orders through the door."""
        done = await admin_commands.carry_out(self._gateway, self._members, order)
        if isinstance(order, admin_commands.RemoveStaff) and not done.refused:
            self._removed(order.name)
        return msgspec.structs.replace(done, address=self.address)

    def _removed(self, name: str) -> None:
        self.sessions.end_all(name)
        for work in tuple(self.at_work):
            if work.member and work.member.name == name:
                work.sign_out()


async def _if_allowed(live: LiveTable, member: Member, action: staff_wire.Action) -> None:
    require_role(member, RIGHTS[type(action)])
    await carry_out(live, member, action, now_ms())


async def _wrong() -> None:
    raise Refused("wrong_sign_in")


async def _nothing() -> None:
    """All there is to a sign-in is that it is in the log."""

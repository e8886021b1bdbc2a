"""The staff service: sign-in, connected staff clients and their actions at the tables."""

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
from croupier.staff.actions import execute
from croupier.staff.admin_commands import AdminResult, AnyAdminCommand
from croupier.staff.dealer_presence import DealerPresence
from croupier.staff.event_log import Actor, LogLocation, log_action
from croupier.staff.rights import RIGHTS, require_role
from croupier.staff.sessions import StaffSessions

log = logging.getLogger(__name__)


class StaffClient(Protocol):
    """A connected client of a member of staff."""

    @property
    def member(self) -> Member | None: ...

    @property
    def table(self) -> str:
        """The watched table; empty: all tables."""
        ...

    def tables_changed(self) -> None: ...

    def sign_out(self) -> None: ...


class SignedIn(msgspec.Struct, frozen=True, tag_field="t", tag="sign_in"):
    """Record of a sign-in in the event log."""


class SignInRefused(msgspec.Struct, frozen=True, tag_field="t", tag="sign_in_refused"):
    """Record of a failed sign-in in the event log."""

    address: str


LOGGED_REFUSALS = RateLimit(600, 3_600)
"""Failed sign-ins beyond this rate go to the server's log only, so that strangers can't fill the journal."""


class StaffService:
    """Staff sign-in, connected staff clients, and logged staff actions.

    `address` is the server's address, as shown to the operator.
    """

    def __init__(self, server: Server, address: str = "") -> None:
        self.ledger = server.ledger
        self.tables = server.live
        self._gateway = server.gateway
        self._members = server.staff_members
        self.sessions = StaffSessions()
        self.address = address
        self.clients: set[StaffClient] = set()
        self.requests = RequestRegistry(set)
        """Requests by the name of the member."""
        self._refusals = RateLimiter(LOGGED_REFUSALS)
        self._presence = DealerPresence(server.gateway, server.live, lambda table: bool(self.dealers(table)))

    # --- sign-in

    async def sign_in(self, address: str, name: str, code: str) -> str:
        """Return the token of a new session; refuse a wrong code, and further attempts after several."""
        now = now_ms()
        try:
            self.sessions.count_attempt(address, name, now)
        except Refused:
            log.warning("a staff sign-in from %s is refused: too many failed attempts", address)
            raise
        member = await self._gateway.durable(self._members.known(name, code))
        if member is None:
            await self._log_refusal(address, name)
            raise Refused("wrong_sign_in")
        self.sessions.clear_attempts(address, name)
        await log_action(self._gateway, Actor(member.name, member.role), SignedIn(), _do_nothing)
        return self.sessions.begin(member, now)

    async def _log_refusal(self, address: str, name: str) -> None:
        """Log a failed sign-in, without an unknown name: it may be a code entered in the wrong field."""
        members = await self._gateway.durable(self._members.members())
        known = name if name in {member.name for member in members} else ""
        log.warning("a staff sign-in from %s is refused: wrong code for %r", address, known or "unknown name")
        if self._refusals.take(""):
            return
        with suppress(Refused):
            await log_action(self._gateway, Actor(known, ""), SignInRefused(address), _refuse_sign_in)

    # --- connected clients

    def dealers(self, table: str) -> tuple[str, ...]:
        """Return the names of the dealers who have the table's page open."""
        members = (client.member for client in self.clients if client.table == table)
        return tuple({member.name for member in members if member and member.role == "dealer"})

    def add_client(self, client: StaffClient) -> None:
        self.clients.add(client)
        if client.table:
            self._presence.check(client.table)
        self._notify_clients()

    def remove_client(self, client: StaffClient) -> None:
        if client in self.clients and client.table:
            self._presence.dealer_left(client.table)
        self.clients.discard(client)
        self._notify_clients()

    def _notify_clients(self) -> None:
        for client in tuple(self.clients):
            client.tables_changed()

    # --- actions

    def table(self, table: str) -> LiveTable:
        """Return a live table, or refuse if there is none of that name."""
        if table not in self.tables:
            raise Refused("no_such_table", table=table)
        return self.tables[table]

    async def execute(self, member: Member, action: staff_wire.Action, live: LiveTable) -> None:
        """Execute and log an action; forbidden and refused actions are logged too."""
        actor, location = Actor(member.name, member.role), LogLocation(live.table.id, live.state.round)
        await log_action(
            self._gateway, actor, action, partial(_execute_allowed, live, member, action), location
        )

    async def execute_admin_command(self, command: AnyAdminCommand) -> AdminResult:
        """Execute an operator's command from the admin socket."""
        result = await admin_commands.execute(self._gateway, self._members, command)
        if isinstance(command, admin_commands.RemoveStaff) and not result.refused:
            self._sign_out(command.name)
        return msgspec.structs.replace(result, address=self.address)

    def _sign_out(self, name: str) -> None:
        self.sessions.end_all(name)
        for client in tuple(self.clients):
            if client.member and client.member.name == name:
                client.sign_out()


async def _execute_allowed(live: LiveTable, member: Member, action: staff_wire.Action) -> None:
    require_role(member, RIGHTS[type(action)])
    await execute(live, member, action, now_ms())


async def _refuse_sign_in() -> None:
    raise Refused("wrong_sign_in")


async def _do_nothing() -> None:
    """Stand in for the work of a sign-in, which only needs to be logged."""

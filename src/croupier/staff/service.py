"""The staff service: connected staff clients, and their actions at the tables."""

from functools import partial
from typing import Protocol

import msgspec

from croupier.accounts.staff_members import Member, Role
from croupier.action_log import Actor, LogLocation, log_action
from croupier.clock import now_ms
from croupier.dealing.live.table import LiveTable
from croupier.gateway.server import Server
from croupier.protocol import staff_wire
from croupier.refusal import Refused
from croupier.rounds.requests import RequestRegistry
from croupier.staff import admin_commands
from croupier.staff.actions import execute
from croupier.staff.admin_commands import AdminResult, AnyAdminCommand, BonusCommand
from croupier.staff.approvals import StaffApprovals
from croupier.staff.bonuses import StaffBonuses
from croupier.staff.cameras import StaffCameras
from croupier.staff.dealer_presence import DealerPresence
from croupier.staff.enrolment import StaffEnrolment
from croupier.staff.players import OfficeLog, StaffPlayers
from croupier.staff.recordings import StaffRecordings
from croupier.staff.reports.service import StaffReports
from croupier.staff.rights import DEALERS, RIGHTS, require_role
from croupier.staff.search import StaffSearch
from croupier.staff.sessions import StaffSessions
from croupier.staff.sign_in import StaffSignIn

SIGNING_OUT = (admin_commands.RemoveStaff, admin_commands.ResetStaff)
"""Commands that end a member's sessions."""


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


class StaffService:
    """Sign-in, connected clients and logged actions of staff.

    `address` is the server's address, as shown to the operator.
    """

    def __init__(self, server: Server, address: str = "") -> None:
        self.ledger = server.ledger
        self.bonuses = StaffBonuses(
            server.bonuses, server.gateway, server.limits.check_not_barred, server.sessions.is_known
        )
        self.reports = StaffReports(server)
        self.server = server
        office_log = OfficeLog(server)
        self.players = StaffPlayers(server, office_log)
        self.search = StaffSearch(server, self.players, office_log)
        self.approvals = StaffApprovals(server, office_log)
        self.recordings = StaffRecordings(server, office_log)
        self.tables = server.live
        self.currencies = server.config.currencies
        server.foreign_changes.sign_staff_out = self._sign_out
        self._gateway = server.gateway
        self._members = server.staff_members
        self.sessions = StaffSessions()
        self.sign_in = StaffSignIn(
            server.gateway,
            server.staff_members,
            server.staff_sign_ins,
            server.passkey_store,
            self.sessions,
            server.table_services.seal,
            server.attempts,
            one_time=server.config.staff.sign_in == "one_time",
        )
        self.enrolment = StaffEnrolment(
            server.gateway, server.staff_sign_ins, self.sign_in, server.table_services.seal
        )
        self.address = address
        self.clients: set[StaffClient] = set()
        self.requests = RequestRegistry(set)
        """Requests by the name of the member."""
        self._presence = DealerPresence(server.gateway, server.live, lambda table: bool(self.dealers(table)))
        self.cameras = StaffCameras(server, self.present)
        server.cameras.listen(self._camera_changed)

    # --- connected clients

    def dealers(self, table: str) -> tuple[str, ...]:
        """Return the names of the dealers who have the table's page open."""
        return self.present(table, DEALERS)

    def present(self, table: str, roles: tuple[Role, ...]) -> tuple[str, ...]:
        """Return the names of the members of these roles who have the table's page open."""
        members = (client.member for client in self.clients if client.table == table)
        return tuple({member.name for member in members if member and member.role in roles})

    def add_client(self, client: StaffClient) -> None:
        self.clients.add(client)
        if client.table:
            self._presence.check(client.table)
        self._notify_clients()

    def remove_client(self, client: StaffClient) -> None:
        if client in self.clients and client.table:
            self._presence.dealer_left(client.table)
            self.cameras.member_left(client.table)
        self.clients.discard(client)
        self._notify_clients()

    def _camera_changed(self, table: str) -> None:
        for client in tuple(self.clients):
            if client.table == table:
                client.tables_changed()

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
        if isinstance(command, BonusCommand):
            return await self.bonuses.execute_admin_command(command)
        result = await admin_commands.execute(self._gateway, self._members, command)
        if isinstance(command, SIGNING_OUT) and not result.refused:
            self._sign_out(command.name)
        return msgspec.structs.replace(result, address=self.address)

    def _sign_out(self, name: str) -> None:
        self.sessions.end_all(name)


async def _execute_allowed(live: LiveTable, member: Member, action: staff_wire.Action) -> None:
    require_role(member, RIGHTS[type(action)])
    await execute(live, member, action, now_ms())

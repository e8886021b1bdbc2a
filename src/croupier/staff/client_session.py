"""A staff connection: executes and logs commands, and sends what the connection watches."""

import asyncio
from collections.abc import Callable

import msgspec

import croupier
from croupier.accounts.staff_members import Member
from croupier.clock import now_ms
from croupier.dealing.live.table import LiveTable
from croupier.gateway.client_session import QUEUED_COMMANDS_MAX, start_hello_timeout
from croupier.gateway.command_outcome import command_outcome
from croupier.gateway.malformed import MALFORMED, reject_null
from croupier.gateway.pages.currencies import currency_views
from croupier.protocol import staff_wire
from croupier.protocol.connection import CLOSE_POLICY, ClientConnection, encode_message
from croupier.refusal import Refused
from croupier.rounds.requests import digest
from croupier.staff.rights import MANAGERS, require_role
from croupier.staff.service import StaffService
from croupier.staff.sessions import StaffSession
from croupier.staff.views import chat_state, dealer_table, table_summary

OVERVIEW_INTERVAL_S = 0.2
"""Changes of the overview within this interval are sent together."""

_decode = msgspec.json.Decoder(staff_wire.Command).decode


class StaffClientSession:
    """One connection of a member of staff, identified by the `token` of the session cookie.

    Commands are executed one after the other.
    """

    def __init__(self, service: StaffService, connection: ClientConnection, token: str) -> None:
        self.member: Member | None = None
        self.table = ""
        self._service = service
        self._connection = connection
        self._token = token
        self._watched: tuple[LiveTable, ...] = ()
        self._unwatch: list[Callable[[], None]] = []
        self._chat_sent: staff_wire.ChatState | None = None
        self._update: asyncio.TimerHandle | None = None
        self._lost = False
        self._session: StaffSession | None = None
        self._expiry: asyncio.TimerHandle | None = None
        self._hello_timeout = start_hello_timeout(connection)
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._task = asyncio.create_task(self._serve())

    # --- calls from the socket

    def frame_received(self, frame: bytes) -> None:
        if self._queue.qsize() >= QUEUED_COMMANDS_MAX:
            self._connection.close(CLOSE_POLICY)
        else:
            self._queue.put_nowait(frame)

    def connection_lost(self) -> None:
        """Stop watching; commands already received are still executed."""
        self._lost = True
        self._hello_timeout.cancel()
        self._queue.put_nowait(None)
        self._leave_session()
        self._stop_watching()

    # --- calls from the service

    def tables_changed(self) -> None:
        """Schedule an update; a dealer's table is sent before the answer to their command."""
        if self._update is None and self._watched:
            delay_s = 0 if self.table else OVERVIEW_INTERVAL_S
            self._update = asyncio.get_running_loop().call_later(delay_s, self._send_update)

    def sign_out(self) -> None:
        """Say that the session has ended, and close the connection, whoever speaks last."""
        self._leave_session()
        self._send(staff_wire.SignedOut())
        self._connection.close(CLOSE_POLICY)
        self._stop_watching()
        self.member = None

    # --- commands

    async def _serve(self) -> None:
        while (frame := await self._queue.get()) is not None:
            try:
                reject_null(frame)
                command = _decode(frame)
            except MALFORMED as error:
                self._send(staff_wire.No("", "malformed", {"why": str(error)}))
                continue
            match command:
                case staff_wire.Ping():
                    self._send(staff_wire.Pong(now_ms()))
                    self._check_signed_in()
                case staff_wire.Hello():
                    self._hello(command)
                case _:
                    await self._execute_once(command)
                    self._check_signed_in()

    # --- the session

    def _enter_session(self, session: StaffSession) -> None:
        """Be signed out when the session ends or expires, even if nothing more is received."""
        self._leave_session()
        self._session = session
        session.sockets.add(self.sign_out)
        self._check_signed_in()

    def _leave_session(self) -> None:
        if self._session:
            self._session.sockets.discard(self.sign_out)
        if self._expiry:
            self._expiry.cancel()
        self._session = self._expiry = None

    def _check_signed_in(self) -> None:
        """Sign out if the session has expired; commands extend it, pings don't."""
        if self._expiry:
            self._expiry.cancel()
        if self._session is None:
            return
        left_ms = self._session.expires_ms() - now_ms()
        if left_ms <= 0:
            self.sign_out()
        else:
            loop = asyncio.get_running_loop()
            self._expiry = loop.call_later(left_ms / 1000, self._check_signed_in)

    def _hello(self, hello: staff_wire.Hello) -> None:
        if hello.protocol != staff_wire.PROTOCOL:
            self._send(staff_wire.Upgrade(staff_wire.PROTOCOL))
            return
        self._hello_timeout.cancel()
        session = self._service.sessions.of(self._token, now_ms())
        if session is None:
            self.sign_out()
            return
        self.member = session.member
        self._enter_session(session)
        try:
            self._watch(hello.table)
        except Refused as refused:
            self._send(staff_wire.No("", refused.code, refused.args_))

    def _watch(self, table: str) -> None:
        """Watch one table, or all of them, which requires a manager."""
        assert self.member is not None
        if not table:
            require_role(self.member, MANAGERS)
        watched = (self._service.table(table),) if table else tuple(self._service.tables.values())
        self._stop_watching()
        self.table, self._watched = table, watched
        self._send(self._welcome(self.member))
        for live in watched:
            self._unwatch += [
                live.watch(self.tables_changed),
                live.chat.watch(lambda _: self.tables_changed()),
            ]
        self._service.add_client(self)

    def _welcome(self, member: Member) -> staff_wire.Welcome:
        currencies = currency_views(self._service.currencies)
        return staff_wire.Welcome(
            staff_wire.PROTOCOL, croupier.__version__, now_ms(), member.name, member.role, currencies
        )

    def _stop_watching(self) -> None:
        for unwatch in self._unwatch:
            unwatch()
        self._unwatch.clear()
        self._watched, self._chat_sent = (), None
        self._service.remove_client(self)

    async def _execute_once(self, action: staff_wire.Action) -> None:
        """Execute an action, unless its id was used before."""
        if self.member is None:
            self._answer(action.req, Refused("not_signed_in"))
            return
        requests = self._service.requests.of(self.member.name)
        if requests.begin(action.req, digest(action), self._answer):
            outcome = await command_outcome(self._do(action), action, self._connection)
            requests.done(action.req, outcome)

    def _answer(self, req: str, refused: Refused | None) -> None:
        self._send(staff_wire.No(req, refused.code, refused.args_) if refused else staff_wire.Ok(req))

    async def _do(self, action: staff_wire.Action) -> None:
        member = self._service.sessions.seen(self._token, now_ms())
        if member is None or self.member is None:
            raise Refused("not_signed_in")
        live = self._service.table(action.table)
        if self.table not in ("", action.table):
            raise Refused("not_joined", table=action.table)
        await self._service.execute(member, action, live)
        self.tables_changed()

    # --- updates

    def _send_update(self) -> None:
        self._update = None
        if not self._watched:
            return
        if self.table:
            (live,) = self._watched
            cameras, table = self._service.cameras, live.table.id
            self._send(dealer_table(live, cameras.state(table), cameras.state(table, "equipment")))
            self._send_chat(live)
        else:
            self._send(
                staff_wire.TablesOverview(
                    tuple(table_summary(live, self._service.dealers(live.table.id)) for live in self._watched)
                )
            )

    def _send_chat(self, live: LiveTable) -> None:
        assert self.member is not None
        chat = chat_state(live, reports=self.member.role == "manager")
        if chat != self._chat_sent:
            self._send(chat)
            self._chat_sent = chat

    def _send(self, message: staff_wire.Message) -> None:
        if not self._lost:
            self._connection.queue(encode_message(message))

"""A player's connection: decodes commands, executes each once and answers them."""

import asyncio
import logging
from collections.abc import Collection
from functools import partial

import msgspec

import croupier
from croupier.accounts.devices import session_id
from croupier.accounts.identity import unknown_session
from croupier.clock import now_ms
from croupier.dealing.nodes.seat_messages import LiveCommand
from croupier.gateway.command_outcome import command_outcome
from croupier.gateway.command_spans import until_answered
from croupier.gateway.malformed import MALFORMED, reject_null
from croupier.gateway.open_tables import LiveSession, OpenTables
from croupier.gateway.server import Server
from croupier.players.connected_player import ConnectedPlayer
from croupier.protocol import wire
from croupier.protocol.connection import (
    CLOSE_GOING_AWAY,
    CLOSE_NORMAL,
    CLOSE_POLICY,
    CLOSE_TRY_LATER,
    ClientConnection,
    encode_message,
)
from croupier.refusal import Refused
from croupier.rounds.requests import Requests, digest

FRAME_BYTES_MAX = 16 * 1024
"""A stake on every position of a roulette table takes two thirds of this."""
QUEUED_COMMANDS_MAX = 64
"""Maximum number of waiting commands; a client that exceeds it is disconnected."""

AutomaticCommand = wire.Hello | wire.Ping
"""Commands that a page sends without any action of the player."""
ConnectionCommand = wire.Join | wire.Leave
"""Commands about this connection, which may safely be executed again."""
ExclusiveCommand = wire.DealRound | wire.Decide | wire.SaveSettings | wire.AnswerReminder | wire.EndSession
"""Commands that are executed once over all connections of a player."""

HELLO_TIMEOUT_S = 10.0

_decode = msgspec.json.Decoder(wire.Command).decode

log = logging.getLogger(__name__)


def start_hello_timeout(connection: ClientConnection) -> asyncio.TimerHandle:
    """Schedule closing of the connection, to be cancelled when the client's `hello` arrives."""
    return asyncio.get_running_loop().call_later(HELLO_TIMEOUT_S, connection.close, CLOSE_POLICY)


class _RequestIdOnly(msgspec.Struct):
    """The readable part of a malformed command."""

    req: wire.RequestId = ""


_decode_request_id = msgspec.json.Decoder(_RequestIdOnly).decode


def _request_id(frame: bytes) -> str:
    """Return the `req` of a malformed command; empty if it can't be read."""
    try:
        return _decode_request_id(frame).req
    except MALFORMED:
        return ""


class ClientSession:
    """One connection of a player, identified by the `token` of the session cookie.

    Commands are executed one after the other, except those at live tables, which have their own queues. There
    are thousands of connections, mostly idle: an idle one has no task.
    """

    is_remote = False
    __slots__ = (
        *("_connected", "_connection", "_hello_timeout", "_left", "_live_pending", "_live_queued"),
        *("_queue", "_requests", "_server", "_tables", "_task", "_token", "session"),
    )

    def __init__(self, server: Server, connection: ClientConnection, token: str) -> None:
        self._server = server
        self._connection = connection
        self._token = token
        self.session = session_id(token)
        self._connected: ConnectedPlayer | None = None
        self._tables: OpenTables | None = None
        self._requests: Requests | None = None
        self._queue: list[wire.Command | wire.No] = []
        self._live_queued = 0
        """Number of live table commands in `_queue`, because they arrived before their table was open."""
        self._live_pending = 0
        """Number of live table commands handed to their table and not yet answered."""
        self._left = False
        self._hello_timeout: asyncio.TimerHandle | None = start_hello_timeout(connection)
        self._task: asyncio.Task[None] | None = None
        """The task that executes the commands in `_queue`, as long as there are any."""

    # --- calls from the socket

    def frame_received(self, frame: bytes) -> None:
        if len(self._queue) + self._live_pending >= QUEUED_COMMANDS_MAX:
            self._connection.close(CLOSE_POLICY)
            return
        try:
            reject_null(frame)
            command = _decode(frame)
        except MALFORMED as error:
            self._enqueue(wire.No(_request_id(frame), "malformed", {"why": str(error)}))
            return
        if isinstance(command, wire.Ping) and self._may_answer_ping and not self._left:
            self._connection.send(encode_message(wire.Pong(now_ms())))
            return
        if self._connected is not None and not isinstance(command, AutomaticCommand):
            self._connected.mark_active()
        if not isinstance(command, LiveCommand):
            self._enqueue(command)
        elif not self._live_queued and (live := self._live_session(command)):
            self._submit(command, live)
        else:
            self._live_queued += 1
            self._enqueue(command)

    @property
    def _may_answer_ping(self) -> bool:
        """True unless commands come first; while they wait for others, the connection isn't lost."""
        waits_for_owner = self._tables is not None and self._tables.waits_for_owner
        return self._task is None or self._server.database.is_waiting or waits_for_owner

    def _live_session(self, command: LiveCommand) -> LiveSession | None:
        """Return the session at the command's live table, if that table is open."""
        return self._tables.live_session(command.table) if self._tables is not None else None

    def connection_lost(self) -> None:
        """Leave; commands already received are still executed, and the player sees the results later."""
        if self._left:
            return
        self._left = True
        self._cancel_hello_timeout()
        self._start_serving()
        if self._connected is not None and self._tables is not None:
            self._tables.connection_lost()
            self._server.sessions.leave(self._connected, self)

    # --- calls from the server

    def end_session(self, why: Refused | None) -> None:
        """End the connection; leave at once, since the player may reconnect before it is closed."""
        if why:
            self.send(wire.No("", why.code, why.args_))
        self._connection.close(CLOSE_NORMAL if why else CLOSE_GOING_AWAY)
        self.connection_lost()

    @property
    def tables(self) -> Collection[str]:
        return self._tables.names if self._tables else ()

    def send(self, message: wire.ServerMessage) -> None:
        if not self._left:
            self._connection.queue(encode_message(message))

    # --- commands

    def _enqueue(self, command: wire.Command | wire.No) -> None:
        self._queue.append(command)
        self._start_serving()

    def _start_serving(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._serve())

    async def _serve(self) -> None:
        """Execute what is queued; then leave the tables if the connection is lost."""
        try:
            while self._queue:
                command = self._queue.pop(0)
                self._live_queued -= isinstance(command, LiveCommand)
                await self._handle(command)
            if self._left and self._tables is not None:
                self._tables.close()
                self._tables = None  # break the reference cycle, so that no garbage collection is needed
        except Exception:
            log.exception("a connection failed")
            self._connection.close(CLOSE_TRY_LATER)
        finally:
            self._task = None

    def _cancel_hello_timeout(self) -> None:
        if self._hello_timeout:
            self._hello_timeout.cancel()
            self._hello_timeout = None

    async def _handle(self, command: wire.Command | wire.No) -> None:
        match command:
            case wire.No():
                self.send(command)
            case wire.Ping():
                self.send(wire.Pong(now_ms()))
            case wire.Hello():
                await self._hello(command)
            case _ if self._tables is None:
                self.send(wire.No(command.req, "hello_first", {}))
            case _:
                await self._execute(command, self._tables)

    async def _execute(
        self, command: LiveCommand | ConnectionCommand | ExclusiveCommand, tables: OpenTables
    ) -> None:
        match command:
            case _ if isinstance(command, LiveCommand) and (live := self._live_session(command)):
                self._submit(command, live)
            case wire.Join() | wire.Leave():
                self._answer(command.req, await self._execute_claimed(command, tables))
            case wire.SaveSettings() | wire.AnswerReminder() | wire.EndSession():
                await self._execute_once(command, tables)
            case wire.DealRound() | wire.Decide() if tables.has_own_table(command.table):
                await self._execute_once(command, tables)
            case _:
                self._answer(command.req, self._unjoined(command.table))

    def _unjoined(self, table: str) -> Refused:
        """Return the refusal of a command at a table that isn't open here."""
        assert self._connected is not None, "hello comes first"
        try:
            self._server.limits.check_not_barred(self._connected.id)
        except Refused as barred:
            return barred
        return Refused("not_joined", table=table)

    async def _execute_claimed(self, command: ConnectionCommand, tables: OpenTables) -> Refused | None:
        """Execute a command, unless its id was used for another one."""
        try:
            self._known_requests.claim(command.req, digest(command))
        except Refused as refused:
            return refused
        return await self._outcome(command, tables)

    async def _execute_once(self, command: ExclusiveCommand, tables: OpenTables) -> None:
        """Execute a command, unless its id was used before."""
        requests = self._known_requests
        if requests.begin(command.req, digest(command), self._answer):
            requests.done(command.req, await self._outcome(command, tables))

    def _submit(self, command: LiveCommand, live: LiveSession) -> None:
        """Hand a command to a live table, which answers once it is durable."""
        requests, req = self._known_requests, command.req
        self._live_pending += 1
        round_ = command.round if isinstance(command, wire.PlaceBet | wire.Undo | wire.Decide) else ""
        if requests.begin(req, digest(command), self._answer_live, round_):
            live.do(command, until_answered(command, partial(requests.done, req)))

    @property
    def _known_requests(self) -> Requests:
        assert self._requests is not None, "hello comes first"
        return self._requests

    def _answer_live(self, req: str, refused: Refused | None) -> None:
        self._live_pending -= 1
        self._answer(req, refused)

    def _answer(self, req: str, refused: Refused | None) -> None:
        self.send(wire.No(req, refused.code, refused.args_) if refused else wire.Ok(req))

    async def _outcome(
        self, command: ConnectionCommand | ExclusiveCommand, tables: OpenTables
    ) -> Refused | None:
        work = self._server.database.do(partial(self._do, command, tables))
        return await command_outcome(work, command, self._connection)

    async def _do(self, command: ConnectionCommand | ExclusiveCommand, tables: OpenTables) -> None:
        match command:
            case wire.Join():
                await tables.join(command)
            case wire.Leave():
                tables.leave(command.table)
            case wire.DealRound():
                await tables.deal(command)
            case wire.Decide():
                await tables.decide(command)
            case wire.SaveSettings():
                assert self._connected is not None
                await self._server.settings.save(self._connected, command.settings)
            case wire.AnswerReminder():
                assert self._connected is not None
                await self._server.restrictions.answer_reminder(self._connected)
            case wire.EndSession():
                assert self._connected is not None
                await self._server.sessions.end(self._connected)

    async def _hello(self, hello: wire.Hello) -> None:
        if hello.protocol != wire.PROTOCOL:
            self.send(wire.Upgrade(wire.PROTOCOL))
            return
        self._cancel_hello_timeout()
        if self._server.database.is_waiting:
            self.send(wire.DatabaseUpdate(waiting=True))
        connected = self._connected or await self._server.sessions.arrive(self._token, self)
        if connected is None:
            refused = unknown_session(self._token)
            self.send(wire.No("", refused.code, refused.args_))
            self._connection.close(CLOSE_POLICY)
            return
        if self._left:
            self._server.sessions.leave(connected, self)
            return
        self._connected, self._token = connected, ""
        self._requests = self._server.requests.of(connected.id)
        self._tables = tables = self._tables or OpenTables(
            self._server, connected, self.send, self._connection, self.session
        )
        welcome = await self._welcome(connected)
        self.send(welcome)
        await asyncio.gather(*(self._resume(tables, resumed) for resumed in hello.tables))

    async def _resume(self, tables: OpenTables, resumed: wire.ResumedTable) -> None:
        try:
            await tables.resume(resumed)
        except Refused as refused:
            self.send(wire.No("", refused.code, refused.args_))

    async def _welcome(self, connected: ConnectedPlayer) -> wire.Welcome:
        """Return the welcome, with balances and bonuses as they are when everything else is known.

        An update that is sent meanwhile comes first, so the welcome must not be older.
        """
        played_from_ms = await self._played_from_ms(connected)
        open_tables = await self._server.player_tables.unfinished(connected.id)
        deposit_limit_due = await self._server.deposit_questions.is_due_again(connected.id)
        return wire.Welcome(
            protocol=wire.PROTOCOL,
            server=croupier.__version__,
            now_ms=now_ms(),
            player=connected.player.id,
            name=connected.player.name,
            session_started_ms=connected.player.visit_ms,
            played_from_ms=played_from_ms,
            reminded_ms=connected.limits.reminded_ms(now_ms()),
            balances=tuple(
                self._server.balances.balance(connected.id, code) for code in self._server.config.currencies
            ),
            bonuses=self._server.bonuses.views(connected.id),
            settings=connected.settings,
            open_tables=open_tables,
            profile=self._server.config.profile,
            deposit_limit_due=deposit_limit_due,
        )

    async def _played_from_ms(self, connected: ConnectedPlayer) -> int:
        """Return the time of the session's first bet; 0 for none, which needs no query."""
        if not self._server.balances.has_staked(connected.id):
            return 0
        first = self._server.queries.first_started_ms
        return await self._server.gateway.read(first, connected.id, connected.player.visit_ms)

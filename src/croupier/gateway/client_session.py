"""One browser's connection: reads its commands, does each once, answers with codes."""

import asyncio
import logging
from collections.abc import Collection
from functools import partial

import msgspec

import croupier
from croupier.clock import now_ms
from croupier.gateway.live_table_session import LiveTableSession
from croupier.gateway.malformed import MALFORMED
from croupier.gateway.open_tables import OpenTables
from croupier.ledger.protocol import LedgerBroken
from croupier.protocol import wire
from croupier.protocol.connection import (
    CLOSE_NORMAL,
    CLOSE_POLICY,
    CLOSE_TRY_LATER,
    ClientConnection,
    encode_message,
)
from croupier.refusal import Refused
from croupier.runtime.players.connected_player import ConnectedPlayer
from croupier.runtime.requests import Requests, digest
from croupier.runtime.server import Server

log = logging.getLogger(__name__)

FRAME_BYTES_MAX = 16 * 1024
"""A stake on every position of a roulette fills two thirds of it."""
QUEUED_COMMANDS_MAX = 64
"""Commands of one browser that may wait; a browser that sends more is flooding."""

LiveCommand = (
    wire.PlaceBet | wire.Undo | wire.Decide | wire.Sit | wire.StandUp | wire.PostChat | wire.ReportChatLine
)
"""Commands that a live table does in its own time: nobody's other commands wait for them."""
AutomaticCommand = wire.Hello | wire.Ping
"""What a page sends though nobody is at it."""
ConnectionCommand = wire.Join | wire.Leave
"""Commands about this connection, which may be carried out again without harm."""
ExclusiveCommand = wire.DealRound | wire.Decide | wire.SaveSettings | wire.AnswerReminder | wire.EndSession
"""Commands that are carried out once, whichever connection they come by."""

HELLO_TIMEOUT_S = 10.0

_read = msgspec.json.Decoder(wire.Command).decode


def start_hello_timeout(line: ClientConnection) -> asyncio.TimerHandle:
    """Close a connection whose client doesn't say who it is in time; cancel what is returned when it does."""
    return asyncio.get_running_loop().call_later(HELLO_TIMEOUT_S, line.close, CLOSE_POLICY)


class _Labelled(msgspec.Struct):
    """A frame that is no command, as far as its `req` can be read."""

    req: wire.RequestId = ""


_read_label = msgspec.json.Decoder(_Labelled).decode


def _req_of(frame: bytes) -> str:
    """The `req` of a malformed command; empty where it can't be read."""
    try:
        return _read_label(frame).req
    except MALFORMED:
        return ""


class ClientSession:
    """Commands are done one after the other, but for those of live tables, which have queues of their own.

    `token` is the session's, from the cookie.
    """

    def __init__(self, server: Server, line: ClientConnection, token: str) -> None:
        self._server = server
        self._line = line
        self._token = token
        self._connected: ConnectedPlayer | None = None
        self._tables: OpenTables | None = None
        self._requests: Requests | None = None
        self._waiting: asyncio.Queue[wire.Command | wire.No | None] = asyncio.Queue()
        self._behind = 0
        """Commands at tables that came before their table was open, and wait until it is."""
        self._being_done = 0
        self._idle = False
        """Whether nothing is being done that came by way of `_waiting`."""
        self._gone = False
        self._hello_due = start_hello_timeout(line)
        self._work = asyncio.create_task(self._serve())

    # --- what the socket calls

    def received(self, frame: bytes) -> None:
        if self._waiting.qsize() + self._being_done >= QUEUED_COMMANDS_MAX:
            self._line.close(CLOSE_POLICY)
            return
        try:
            command = _read(frame)
        except MALFORMED as error:
            self._waiting.put_nowait(wire.No(_req_of(frame), "malformed", {"why": str(error)}))
            return
        if isinstance(command, wire.Ping) and self._idle and self._waiting.empty():
            self._line.send(encode_message(wire.Pong(now_ms())))
            return
        if self._connected is not None and not isinstance(command, AutomaticCommand):
            self._connected.acts()
        if not isinstance(command, LiveCommand):
            self._waiting.put_nowait(command)
        elif not self._behind and (visit := self._visit(command)):
            self._ask(command, visit)
        else:
            self._behind += 1
            self._waiting.put_nowait(command)

    def _visit(self, command: LiveCommand) -> LiveTableSession | None:
        """At the live table where it is asked, if that is open."""
        return self._tables.visit(command.table) if self._tables is not None else None

    def gone(self) -> None:
        """What was received is still carried out; the player finds it when he comes back."""
        if self._gone:
            return
        self._gone = True
        self._hello_due.cancel()
        self._waiting.put_nowait(None)
        if self._connected is not None and self._tables is not None:
            self._tables.line_down()
            self._server.sessions.leave(self._connected, self)

    def sent_away(self, why: Refused) -> None:
        """He leaves at once, since he may come back before the line is closed."""
        self.tell(wire.No("", why.code, why.args_))
        self._line.close(CLOSE_NORMAL)
        self.gone()

    @property
    def tables(self) -> Collection[str]:
        return self._tables.names if self._tables else ()

    def tell(self, message: wire.ServerMessage) -> None:
        if not self._gone:
            self._line.queue(encode_message(message))

    # --- commands

    async def _serve(self) -> None:
        while (command := await self._next()) is not None:
            self._behind -= isinstance(command, LiveCommand)
            await self._answer(command)
        if self._tables is not None:
            self._tables.close()
            self._tables = None  # it knows him: such a circle would wait for a search for garbage

    async def _next(self) -> wire.Command | wire.No | None:
        """None: he has gone."""
        self._idle = True
        command = await self._waiting.get()
        self._idle = False
        return command

    async def _answer(self, command: wire.Command | wire.No) -> None:
        match command:
            case wire.No():
                self.tell(command)
            case wire.Ping():
                self.tell(wire.Pong(now_ms()))
            case wire.Hello():
                await self._hello(command)
            case _ if self._tables is None:
                self.tell(wire.No(command.req, "hello_first", {}))
            case _:
                await self._carry_out(command, self._tables)

    async def _carry_out(
        self, command: LiveCommand | ConnectionCommand | ExclusiveCommand, tables: OpenTables
    ) -> None:
        match command:
            case _ if isinstance(command, LiveCommand) and (visit := self._visit(command)):
                self._ask(command, visit)
            case wire.Join() | wire.Leave():
                self._answered(command.req, await self._claimed(command, tables))
            case wire.SaveSettings() | wire.AnswerReminder() | wire.EndSession():
                await self._once(command, tables)
            case wire.DealRound() | wire.Decide() if tables.has_desk(command.table):
                await self._once(command, tables)
            case _:
                self._answered(command.req, Refused("not_joined", table=command.table))

    async def _claimed(self, command: ConnectionCommand, tables: OpenTables) -> Refused | None:
        try:
            self._known_requests.claim(command.req, digest(command))
        except Refused as refused:
            return refused
        return await self._result(command, tables)

    async def _once(self, command: ExclusiveCommand, tables: OpenTables) -> None:
        """Carry a command out, unless its id was used before."""
        requests = self._known_requests
        if requests.begin(command.req, digest(command), self._answered):
            requests.done(command.req, await self._result(command, tables))

    def _ask(self, command: LiveCommand, visit: LiveTableSession) -> None:
        """Hand a command to a live table, which answers when it is durable."""
        requests, req = self._known_requests, command.req
        self._being_done += 1
        round_ = command.round if isinstance(command, wire.PlaceBet | wire.Undo | wire.Decide) else ""
        if requests.begin(req, digest(command), self._live_done, round_):
            visit.do(command, partial(requests.done, req))

    @property
    def _known_requests(self) -> Requests:
        assert self._requests is not None, "hello comes first"
        return self._requests

    def _live_done(self, req: str, refused: Refused | None) -> None:
        self._being_done -= 1
        self._answered(req, refused)

    def _answered(self, req: str, refused: Refused | None) -> None:
        self.tell(wire.No(req, refused.code, refused.args_) if refused else wire.Ok(req))

    async def _result(
        self, command: ConnectionCommand | ExclusiveCommand, tables: OpenTables
    ) -> Refused | None:
        try:
            await self._do(command, tables)
        except Refused as refused:
            return refused
        except LedgerBroken:
            log.exception("the books are broken")
            self._line.close(CLOSE_TRY_LATER)
            return Refused("house_closed")
        except Exception:
            log.exception("command %s failed", command.req)
            return Refused("malfunction")
        return None

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
            self.tell(wire.Upgrade(wire.PROTOCOL))
            return
        self._hello_due.cancel()
        connected = self._connected or await self._server.sessions.arrive(self._token, self)
        if connected is None:
            self.tell(wire.No("", "stranger", {}))
            self._line.close(CLOSE_POLICY)
            return
        if self._gone:
            self._server.sessions.leave(connected, self)
            return
        self._connected = connected
        self._requests = self._server.requests.of(connected.id)
        self._tables = tables = self._tables or OpenTables(self._server, connected, self.tell, self._line)
        self.tell(self._welcome(connected))
        for following in hello.tables:
            try:
                await tables.resume(following)
            except Refused as refused:
                self.tell(wire.No("", refused.code, refused.args_))

    def _welcome(self, connected: ConnectedPlayer) -> wire.Welcome:
        return wire.Welcome(
            protocol=wire.PROTOCOL,
            server=croupier.__version__,
            now_ms=now_ms(),
            player=connected.player.id,
            name=connected.player.name,
            session_started_ms=connected.player.visit_ms,
            played_from_ms=self._played_from_ms(connected),
            reminded_ms=connected.limits.reminded_ms(now_ms()),
            balances=tuple(
                self._server.balances.balance(connected.id, code) for code in self._server.config.currencies
            ),
            settings=connected.settings,
            open_tables=self._server.player_tables.unfinished(connected.id),
            profile=self._server.config.profile,
        )

    def _played_from_ms(self, connected: ConnectedPlayer) -> int:
        """Return when the first bet of the visit was made; 0 for none, which costs no query."""
        if not self._server.balances.has_staked(connected.id):
            return 0
        return self._server.queries.first_started_ms(connected.id, connected.player.visit_ms)

"""A player at a live table of this node whose browser is connected to another node."""

import asyncio
import logging
from collections.abc import Callable, Collection

from croupier import clock
from croupier.dealing.nodes.seat_messages import (
    JoinSeat,
    LiveCommand,
    SeatAnswer,
    SeatEnded,
    SeatJoined,
    seat_refusal,
)
from croupier.dealing.nodes.seat_sender import SeatSender
from croupier.gateway.live_table_session import LiveTableSession
from croupier.gateway.server import Server
from croupier.ledger.protocol import DatabaseUnreachable, LedgerBroken
from croupier.players.connected_player import ConnectedPlayer
from croupier.protocol import wire
from croupier.protocol.connection import encode_message
from croupier.refusal import Refused
from croupier.rounds.requests import digest

log = logging.getLogger(__name__)


class SeatConnection:
    """Takes framed messages for the browser of a seat, and sends them to its gateway."""

    __slots__ = ("_seat", "_sender", "is_open")

    def __init__(self, sender: SeatSender, seat: int) -> None:
        self.is_open = True
        self._sender = sender
        self._seat = seat

    def send(self, messages: bytes) -> None:
        if self.is_open and messages:
            self._sender.send_frames(self._seat, messages)

    queue = send


class OwnerSeat:
    """A connected player like any other. Who they are and what they may do is checked here again.

    `on_left` is called when the player leaves, or is not let in.
    """

    is_remote = True

    def __init__(
        self, server: Server, sender: SeatSender, join: JoinSeat, on_left: Callable[[], None]
    ) -> None:
        self.session = join.session
        self.table = join.table
        self._server = server
        self._sender = sender
        self._on_left = on_left
        self._seat = join.seat
        self._player = join.player
        self._waiting: list[LiveCommand] | None = None
        """Commands that came while the seat reads what the player has answered at their gateway."""
        self._catching_up: asyncio.Task[None] | None = None
        self._connection = SeatConnection(sender, join.seat)
        self._connected: ConnectedPlayer | None = None
        self._live: LiveTableSession | None = None
        self._is_joined = False
        self._left = False

    # --- calls from the link

    async def join(self, currency: str) -> None:
        """Join the table, or change the currency there, and tell the gateway the outcome."""
        refused = await self._join_outcome(currency)
        self._sender.send(SeatJoined(self._seat, seat_refusal(refused)))
        self._is_joined = self._is_joined or refused is None
        if not self._is_joined:
            self.leave(lost=True)
            self._leave_server()  # again, if they left while they arrived

    async def _join_outcome(self, currency: str) -> Refused | None:
        try:
            await self._arrive()
            await self._server.database.do(lambda: self._join(currency))
        except Refused as refused:
            return refused
        except (DatabaseUnreachable, LedgerBroken):
            return Refused("server_unavailable")
        except Exception:
            log.exception("a player can't join table %s", self.table)
            return Refused("malfunction")
        return None

    async def _arrive(self) -> None:
        """Connect the player, unless they are connected; refuse one who may not open the table."""
        self._server.limits.check_not_barred(self._player)
        if self._connected is None:
            self._connected = await self._server.sessions.arrive_remotely(self._player, self)
        await self._server.access.check_may_open(self._connected, self.table)

    async def _join(self, currency: str) -> None:
        table = self._server.live.get(self.table)
        if table is None or self._left or self._connected is None:
            raise Refused("server_unavailable")
        if self._live is None:
            player, limits = self._connected.player, self._connected.limits
            self._live = LiveTableSession(table, player, self._connection, limits, self)
        await self._live.join(currency)
        if not self.tables:  # they have left meanwhile
            self._live.gone()
            raise Refused("server_unavailable")
        if camera := self._server.cameras.update(self.table):
            self.send(camera)

    def do(self, command: LiveCommand) -> None:
        """Hand a command to the table, once however often it comes."""
        if self._waiting is not None:
            self._waiting.append(command)
        elif self._connected and isinstance(command, wire.PlaceBet) and self._is_behind(self._connected):
            self._waiting = [command]
            self._catching_up = asyncio.create_task(self._catch_up(self._connected))
        else:
            self._do(command)

    @staticmethod
    def _is_behind(connected: ConnectedPlayer) -> bool:
        """Return whether the player may have done elsewhere what they have to do before they bet."""
        return connected.limits.waits_for_answer(clock.now_ms())

    async def _catch_up(self, connected: ConnectedPlayer) -> None:
        """Read what the player has just answered at their gateway; then do what waits."""
        server, limits = self._server, connected.limits
        try:
            await server.acceptance.follow(connected.id)
            limits.reminder_answered(await server.gateway.read(server.queries.last_reminded_ms, connected.id))
        except (DatabaseUnreachable, LedgerBroken):
            log.debug("what a player has answered can't be read: their bet is refused until it can")
        finally:
            waiting, self._waiting = self._waiting or [], None
            for command in waiting:
                self._do(command)

    def _do(self, command: LiveCommand) -> None:
        if command.table != self.table:
            self._answer(command.req, Refused("not_joined", table=command.table))
            return
        requests = self._server.requests.of(self._player)
        round_ = command.round if isinstance(command, wire.PlaceBet | wire.Undo | wire.Decide) else ""
        if requests.begin(command.req, digest(command), self._answer, round_):
            if self._live:
                self._live.do(command, lambda refused: requests.done(command.req, refused))
            else:
                requests.done(command.req, Refused("not_joined", table=self.table))

    def _answer(self, req: str, refused: Refused | None) -> None:
        self._sender.send(SeatAnswer(self._seat, req, seat_refusal(refused)))

    def leave(self, *, lost: bool) -> None:
        """Leave the table; `lost`: the browser's connection is lost."""
        if self._left:
            return
        self._left = True
        self._connection.is_open = False
        if self._live and lost:
            self._live.gone()
        elif self._live:
            self._live.leave()
        self._leave_server()
        self._on_left()

    def _leave_server(self) -> None:
        if connected := self._connected:
            self._connected = None
            self._server.sessions.leave(connected, self)

    # --- calls from the server

    @property
    def tables(self) -> Collection[str]:
        return () if self._left else (self.table,)

    def send(self, message: wire.ServerMessage) -> None:
        """Pass on the state of the table's cameras. All else, such as a balance, the gateway sends itself."""
        if isinstance(message, wire.CameraUpdate):
            self._connection.send(encode_message(self._server.pictures.update_for_others(message)))

    def end_session(self, why: Refused | None) -> None:  # noqa: ARG002
        """End the seat. The gateway hears by itself of a session that has ended, and why."""
        self._end(taken_over=False)

    def taken_over(self, table: str) -> None:  # noqa: ARG002
        self._end(taken_over=True)

    def _end(self, *, taken_over: bool) -> None:
        if not self._left:
            self._sender.send(SeatEnded(self._seat, taken_over))
            self.leave(lost=True)

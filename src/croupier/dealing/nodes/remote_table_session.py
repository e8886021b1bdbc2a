"""One browser at a live table of another node: its commands travel to the table's owner.

The owner sends the table's messages as browsers receive them. When messages are lost, or another node takes
the table over, the player joins again, which brings a snapshot; the browser's connection stays.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from croupier import clock
from croupier.dealing.nodes.owner_link import OwnerLink
from croupier.dealing.nodes.remote_tables import RemoteTables
from croupier.dealing.nodes.seat_messages import LiveCommand
from croupier.players.connected_player import ConnectedPlayer
from croupier.players.play_limits import OnOutcome, bet_within_limits
from croupier.protocol import wire
from croupier.protocol.connection import encode_message
from croupier.refusal import Refused

JOIN_S, RESUME_S = 5.0, 1.0
"""Time for the owner to let a player join, and to let one join again whose browser has connected again."""
RETRY_S = 0.5


class BrowserSocket(Protocol):
    """The connection of a browser; it takes framed messages."""

    def send(self, messages: bytes, /) -> None: ...
    def queue(self, messages: bytes, /) -> None: ...


class RemoteSessionHolder(Protocol):
    """Holds the session, and hears why it has ended."""

    def taken_over(self, table: str) -> None:
        """Note that the player has opened the table in another browser."""

    def moved_here(self, table: str, currency: str) -> None:
        """Note that this node runs the table. A join under way is refused `server_unavailable` instead."""


class RemoteTableSession:
    """A player of this node at another node's live table."""

    __slots__ = (
        *("_browser", "_connected", "_currency", "_holder", "_is_available", "_is_open", "_is_seated"),
        *("_joining", "_left", "_link", "_pending", "_retry", "_seat", "_session", "_tables", "table"),
    )

    def __init__(
        self,
        tables: RemoteTables,
        table: str,
        connected: ConnectedPlayer,
        session: str,
        connection: BrowserSocket,
        holder: RemoteSessionHolder,
    ) -> None:
        self.table = table
        self._tables = tables
        self._connected = connected
        self._session = session
        self._browser = connection
        self._holder = holder
        self._currency = ""
        self._link: OwnerLink | None = None
        self._seat = 0
        self._is_open = False
        """True once the browser has the table open, even if its owner isn't reached."""
        self._is_seated = False
        """True while the owner has the player at the table."""
        self._is_available = True
        """False if the browser was told that the table can't be reached."""
        self._joining: asyncio.Future[None] | None = None
        self._pending: dict[str, tuple[LiveCommand, OnOutcome]] = {}
        """Commands without an answer, by their request ids, in order."""
        self._retry: asyncio.TimerHandle | None = None
        self._left = False

    # --- calls from the browser's side

    async def join(self, currency: str) -> None:
        """Join the table, or change the currency there; return when the snapshot is sent."""
        with self._opening():
            await self._join(currency, JOIN_S)

    async def resume(self, currency: str) -> None:
        """Do as `join` does; if the owner can't be reached, tell the browser, and go on trying."""
        self._is_available = True  # as far as a browser knows that has just been welcomed
        with self._opening():
            try:
                await self._join(currency, RESUME_S)
            except Refused as refused:
                if refused.code != "server_unavailable" or self._left:
                    raise
                self._tell(available=False)
                self._rejoin_later()

    @contextmanager
    def _opening(self) -> Iterator[None]:
        """Leave the table if it isn't opened."""
        try:
            yield
        except BaseException:
            if not self._is_open:
                self._leave(lost=True)
            raise
        self._is_open = True

    async def _join(self, currency: str, within_s: float) -> None:
        self._currency = currency
        joining = self._joining = asyncio.get_running_loop().create_future()
        try:
            if self._link is None:
                self._tables.watch(self.table, self)
                self._take_seat()
            elif self._retry is None:
                self._send_join()
            await asyncio.wait_for(joining, within_s)
        except TimeoutError as error:
            raise Refused("server_unavailable") from error
        finally:
            self._joining = None

    def leave(self) -> None:
        """Leave the table."""
        self._leave(lost=False)

    def gone(self) -> None:
        """Note that the connection is lost; commands that were sent are still answered."""
        self._leave(lost=True)

    def do(self, command: LiveCommand, on_done: OnOutcome) -> None:
        """Send a command to the owner; call `on_done` when it is durable there, or refused."""
        limits = self._connected.limits
        if isinstance(command, wire.PlaceBet | wire.Undo) and limits.is_limited:
            allowed = bet_within_limits(limits, command, clock.now_ms(), on_done)
            if allowed is None:
                return
            on_done = allowed
        self._pending[command.req] = command, on_done
        if self._is_seated and self._link:
            self._link.command(self._seat, command)

    # --- calls from the link

    def send(self, frames: bytes) -> None:
        """Send the browser the owner's messages, unless it has closed the table."""
        if not self._left:
            self._browser.send(frames)

    def queue(self, frames: bytes) -> None:
        if not self._left:
            self._browser.queue(frames)

    def joined(self, refused: Refused | None) -> None:
        if refused is None:
            self._seated()
        if self._joining and not self._joining.done():
            if refused:
                self._joining.set_exception(refused)
            else:
                self._joining.set_result(None)
        elif refused and refused.code == "server_unavailable":
            self._rejoin_later()
        elif refused:
            self._end()

    def _seated(self) -> None:
        self._tell(available=True)
        if not self._is_seated:
            self._is_seated = True
            self._send_pending()

    def answered(self, req: str, refused: Refused | None) -> None:
        if known := self._pending.pop(req, None):
            known[1](refused)
        if self._left and not self._pending:
            self._release()

    def seat_ended(self, *, taken_over: bool) -> None:
        """Leave a table that is open elsewhere; otherwise its owner doesn't run it any more: wait."""
        self._is_seated = False
        self._refuse_pending()
        if taken_over:
            self._end()
        elif not self._left:
            self._rejoin_later()

    def link_lost(self) -> None:
        """Join again after a loss; commands that wait are sent again, and executed once."""
        if self._left:
            self._refuse_pending()
        else:
            self._rejoin()

    def owner_silent(self) -> None:
        """Forget a table that was left. At an open one, commands wait until an owner is heard."""
        if self._left:
            self._refuse_pending()
            self._release()

    # --- calls from the announcements

    def moved(self) -> None:
        """Join the table at its new owner. Whether earlier commands counted is in the snapshot."""
        self._release()
        self._refuse_pending()
        self._rejoin()

    def moved_here(self) -> None:
        """End the session, whose requests this node would take for the same ones sent again."""
        self._tell(available=True)
        self._leave(lost=True)
        self._refuse_pending()
        self._release()
        if self._joining is None:
            self._holder.moved_here(self.table, self._currency)
        elif not self._joining.done():
            self._joining.set_exception(Refused("server_unavailable"))

    def availability_changed(self, *, available: bool) -> None:
        """Tell the browser; after an outage, once the player is at the table again."""
        if self._is_seated or not available:
            self._tell(available=available)

    def _tell(self, *, available: bool) -> None:
        if available != self._is_available:
            self._is_available = available
            self._browser.queue(encode_message(wire.TableAvailability(self.table, available)))

    # --- seats

    def _take_seat(self) -> None:
        """Ask the table's owner for a seat; refuse `server_unavailable` while there is none."""
        self._is_seated = False
        self._link = self._tables.link_to(self.table)
        self._seat = self._link.sit(self)
        self._send_join()

    def _send_join(self) -> None:
        if self._link:
            player = self._connected.id
            self._link.join(self._seat, self.table, self._session, player, self._currency)

    def _rejoin(self) -> None:
        self._cancel_retry()
        if self._left:
            return
        try:
            self._take_seat()
        except Refused:
            self._rejoin_later()

    def _rejoin_later(self) -> None:
        self._cancel_retry()
        self._release()
        self._retry = asyncio.get_running_loop().call_later(RETRY_S, self._rejoin)

    def _cancel_retry(self) -> None:
        if self._retry:
            self._retry.cancel()
            self._retry = None

    def _release(self) -> None:
        """Give up the seat. The owner hears of it, in case that it lets the player join just now."""
        self._is_seated = False
        if self._link:
            if not self._left:
                self._link.leave(self._seat, lost=True)
            self._link.release(self._seat)

    def _send_pending(self) -> None:
        for command, _ in tuple(self._pending.values()):
            if self._link:
                self._link.command(self._seat, command)

    def _refuse_pending(self) -> None:
        pending, self._pending = self._pending, {}
        for _, on_done in pending.values():
            on_done(Refused("server_unavailable"))

    def _leave(self, *, lost: bool) -> None:
        if self._left:
            return
        if self._link:
            self._link.leave(self._seat, lost=lost)
        self._left = True
        self._cancel_retry()
        self._tables.unwatch(self.table, self)
        if not self._pending:
            self._release()

    def _end(self) -> None:
        """Leave because the owner says so, and tell the browser."""
        if not self._left:
            self._leave(lost=True)
            self._refuse_pending()
            self._release()
            self._holder.taken_over(self.table)

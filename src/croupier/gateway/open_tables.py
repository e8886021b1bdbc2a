"""Tables that are open on one connection: the player's own tables, and sessions at live tables."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from croupier.dealing.nodes.remote_table_session import RemoteTableSession
from croupier.dealing.own.player_table import PlayerTable
from croupier.gateway.live_table_session import LiveTableSession
from croupier.gateway.server import Server
from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import At, Choice
from croupier.players.connected_player import ConnectedPlayer
from croupier.protocol import wire
from croupier.protocol.connection import CLOSE_TRY_LATER, ClientConnection
from croupier.refusal import Refused
from croupier.rounds.requests import request_key

log = logging.getLogger(__name__)

LiveSession = LiveTableSession | RemoteTableSession
"""A session at a live table of this node, or of another."""


class OpenTables:
    """The open tables of a connection, whose session has the id `session`. `send` never blocks."""

    __slots__ = (
        *("_connected", "_connection", "_left", "_live_sessions", "_moving", "_opening", "_own_tables"),
        *("_send", "_server", "_session", "waits_for_owner"),
    )

    def __init__(
        self,
        server: Server,
        connected: ConnectedPlayer,
        send: Callable[[wire.ServerMessage], None],
        connection: ClientConnection,
        session: str,
    ) -> None:
        self._server = server
        self._session = session
        self._connected = connected
        self._send = send
        self._connection = connection
        self._own_tables: dict[str, PlayerTable] = {}
        self._live_sessions: dict[str, LiveSession] = {}
        self._opening: tuple[str, ...] = ()
        self._left = False
        self._moving: tuple[asyncio.Task[None], ...] = ()
        self.waits_for_owner = False
        """True while a command waits for the owner of a live table."""

    @property
    def names(self) -> set[str]:
        """The tables that are open or being opened."""
        return {*self._own_tables, *self._live_sessions, *self._opening}

    async def join(self, join: wire.Join) -> None:
        async with self._opening_of(join.table):
            await self._join(join)
        self._tables_changed()

    async def _join(self, join: wire.Join) -> None:
        if join.table in self._server.live_tables:
            await self._join_live(join.table, join.currency)
            return
        table = await self._own_table(join.table)
        await table.change_currency(join.currency)
        self._send(self._follow(table).snapshot())

    async def resume(self, resumed: wire.ResumedTable) -> None:
        """Send what the client missed at a table; refuse a table that it may no longer have open."""
        async with self._opening_of(resumed.table):
            await self._resume(resumed)
        self._server.players.tables_changed(self._connected)

    async def _resume(self, resumed: wire.ResumedTable) -> None:
        if resumed.table in self._server.live_tables:
            await self._join_live(resumed.table, resumed.currency, resumes=True)
            return
        table = self._follow(await self._own_table(resumed.table))
        if resumed.currency:
            await table.change_currency(resumed.currency)
        table.resume(resumed.v)

    def leave(self, table: str) -> None:
        if own := self._own_tables.pop(table, None):
            self._server.player_tables.leave(self._player, own, self._send)
        if live := self._live_sessions.pop(table, None):
            live.leave()
        self._tables_changed()

    def _tables_changed(self) -> None:
        """Note that the player came to a table or back to the lobby; their balance may be another by now."""
        self._server.players.tables_changed(self._connected)
        self._server.wallet.refresh(self._connected.player)

    def connection_lost(self) -> None:
        """Notify live tables at once; pending commands at own tables are still executed."""
        self._left = True
        for live in self._live_sessions.values():
            live.gone()
        self._live_sessions.clear()

    def close(self) -> None:
        for table in self._own_tables.values():
            self._server.player_tables.leave(self._player, table, self._send)

    # --- commands at a table

    def live_session(self, table: str) -> LiveSession | None:
        """Return the session at a live table, if it is open."""
        return self._live_sessions.get(table)

    def has_own_table(self, table: str) -> bool:
        """Return whether the player's own table of that name is open."""
        return table in self._own_tables

    async def deal(self, deal: wire.DealRound) -> None:
        wagers = [Wager(stake.box, stake.bet, stake.stake_minor) for stake in deal.stakes]
        await self._own_tables[deal.table].deal(request_key(self._player, deal.req, deal), wagers, deal.after)

    async def decide(self, decide: wire.Decide) -> None:
        choice = Choice(decide.action, decide.stake_minor)
        to, request = At(decide.box, decide.hand), request_key(self._player, decide.req, decide)
        await self._own_tables[decide.table].decide(request, decide.round, to, choice, decide.turn)

    # --- opening

    @property
    def _player(self) -> str:
        return self._connected.player.id

    @asynccontextmanager
    async def _opening_of(self, table: str) -> AsyncIterator[None]:
        """Refuse a table that may not be opened; count it as open meanwhile."""
        await self._check_may_open(table)
        self._opening += (table,)
        try:
            yield
        finally:
            self._opening = tuple(other for other in self._opening if other != table)

    async def _check_may_open(self, table: str) -> None:
        await self._server.access.check_may_open(self._connected, table)
        if self._left:  # another connection may have opened the table, in another currency
            raise Refused("not_joined", table=table)

    async def _own_table(self, table: str) -> PlayerTable:
        own = await self._server.player_tables.open(self._player, table)
        if self._left:
            raise Refused("not_joined", table=table)
        return own

    def _follow(self, own: PlayerTable) -> PlayerTable:
        table = own.table.id
        own.follow(self._send, lambda: self.taken_over(table))
        self._own_tables[table] = own
        return own

    async def _join_live(self, table: str, currency: str, *, resumes: bool = False) -> None:
        session = self._live_sessions.get(table)
        if session is None:
            session = self._live_session_at(table)
        if isinstance(session, LiveTableSession):
            await session.join(currency)
        elif not await self._join_remotely(session, currency, resumes=resumes):
            self._live_sessions.pop(table, None)
            await self._join_live(table, currency)
            return
        if self._left:
            session.gone()
        else:
            self._live_sessions[table] = session
            if camera := self._server.cameras.update(table):
                self._send(camera)

    async def _join_remotely(self, session: RemoteTableSession, currency: str, *, resumes: bool) -> bool:
        """Join a table of another node; return False if this node has taken it over meanwhile."""
        try:
            if resumes:
                await session.resume(currency)
            else:
                self.waits_for_owner = True
                await session.join(currency)
        except Refused:
            if session.table not in self._server.live:
                raise
            return False
        finally:
            self.waits_for_owner = False
        return True

    def moved_here(self, table: str, currency: str) -> None:
        """Go on at a live table of another node that this one has taken over."""
        self._live_sessions.pop(table, None)
        task = asyncio.create_task(self._go_on(wire.ResumedTable(table, 0, currency)))
        self._moving = (*(other for other in self._moving if not other.done()), task)

    async def _go_on(self, resumed: wire.ResumedTable) -> None:
        try:
            await self.resume(resumed)
        except Exception as error:  # noqa: BLE001 - whatever it is, the browser connects again
            log.warning("a player can't go on at table %s: %r", resumed.table, error)
            self._connection.close(CLOSE_TRY_LATER)

    def _live_session_at(self, table: str) -> LiveSession:
        connection, connected, server = self._connection, self._connected, self._server
        if live := server.live.get(table):
            return LiveTableSession(live, connected.player, connection, connected.limits, self)
        return RemoteTableSession(server.remote_tables, table, connected, self._session, connection, self)

    def taken_over(self, table: str) -> None:
        self._own_tables.pop(table, None)
        self._live_sessions.pop(table, None)
        self._server.players.tables_changed(self._connected)
        self._send(wire.TakenOver(table))

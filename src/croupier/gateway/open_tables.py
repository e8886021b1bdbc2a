"""The tables that one browser has open: desks of the player's own, and visits at live tables."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from croupier.gateway.live_table_session import LiveTableSession
from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import At, Choice
from croupier.protocol import wire
from croupier.protocol.connection import ClientConnection
from croupier.refusal import Refused
from croupier.runtime.own.player_table import PlayerTable
from croupier.runtime.players.connected_player import ConnectedPlayer
from croupier.runtime.requests import request_key
from croupier.runtime.server import Server


class OpenTables:
    """`tell` never waits."""

    def __init__(
        self,
        server: Server,
        connected: ConnectedPlayer,
        tell: Callable[[wire.ServerMessage], None],
        line: ClientConnection,
    ) -> None:
        self._server = server
        self._connected = connected
        self._tell = tell
        self._line = line
        self._desks: dict[str, PlayerTable] = {}
        self._visits: dict[str, LiveTableSession] = {}
        self._opening: set[str] = set()
        self._gone = False

    @property
    def names(self) -> set[str]:
        """The tables that are open here, or about to be."""
        return {*self._desks, *self._visits, *self._opening}

    async def join(self, join: wire.Join) -> None:
        with self._may_open(join.table):
            await self._open(join)
        self._server.players.tables_changed(self._connected)

    async def _open(self, join: wire.Join) -> None:
        if join.table in self._server.live:
            await self._visit(join.table, join.currency)
            return
        desk = self._server.player_tables.get(self._player, join.table)
        desk.take_currency(join.currency)
        self._tell(self._sit(join.table).snapshot())

    async def resume(self, following: wire.ResumedTable) -> None:
        """What the browser missed at a table it has open; Refused where it can't have it any more."""
        with self._may_open(following.table):
            await self._resume(following)
        self._server.players.tables_changed(self._connected)

    async def _resume(self, following: wire.ResumedTable) -> None:
        if following.table in self._server.live:
            await self._visit(following.table, following.currency)
            return
        desk = self._sit(following.table)
        if following.currency:
            desk.take_currency(following.currency)
        desk.resume(following.v)

    def leave(self, table: str) -> None:
        if desk := self._desks.pop(table, None):
            self._server.player_tables.leave(self._player, desk, self._tell)
        if at := self._visits.pop(table, None):
            at.leave()
        self._server.players.tables_changed(self._connected)

    def line_down(self) -> None:
        """Live tables know at once; what was asked for at desks is still carried out."""
        self._gone = True
        for at in self._visits.values():
            at.gone()
        self._visits.clear()

    def close(self) -> None:
        for desk in self._desks.values():
            self._server.player_tables.leave(self._player, desk, self._tell)

    # --- what is asked at a table

    def visit(self, table: str) -> LiveTableSession | None:
        """At a live table that is open here."""
        return self._visits.get(table)

    def has_desk(self, table: str) -> bool:
        """Return whether the player's own table of that name is open here."""
        return table in self._desks

    async def deal(self, deal: wire.DealRound) -> None:
        wagers = [Wager(stake.box, stake.bet, stake.stake_minor) for stake in deal.stakes]
        await self._desks[deal.table].deal(request_key(self._player, deal.req, deal), wagers)

    async def decide(self, decide: wire.Decide) -> None:
        choice = Choice(decide.action, decide.stake_minor)
        to, request = At(decide.box, decide.hand), request_key(self._player, decide.req, decide)
        await self._desks[decide.table].decide(request, decide.round, to, choice, decide.turn)

    # --- within

    @property
    def _player(self) -> str:
        return self._connected.player.id

    @contextmanager
    def _may_open(self, table: str) -> Iterator[None]:
        """Refuse a table that may not be opened here; inside it counts as open."""
        self._check_may_open(table)
        self._opening.add(table)
        try:
            yield
        finally:
            self._opening.discard(table)

    def _check_may_open(self, table: str) -> None:
        if self._gone:  # the table is now another browser's, in a currency of its own
            raise Refused("not_joined", table=table)
        self._server.access.check_may_open(self._connected, table)

    def _sit(self, table: str) -> PlayerTable:
        desk = self._server.player_tables.get(self._player, table)
        desk.follow(self._tell, lambda: self._taken_over(table))
        self._desks[table] = desk
        return desk

    async def _visit(self, table: str, currency: str) -> None:
        at = self._visits.get(table)
        if at is None:
            live, player = self._server.live[table], self._connected.player
            limits = self._connected.limits
            at = LiveTableSession(live, player, self._line, limits, lambda: self._taken_over(table))
        await at.join(currency)
        if self._gone:
            at.gone()
        else:
            self._visits[table] = at

    def _taken_over(self, table: str) -> None:
        self._desks.pop(table, None)
        self._visits.pop(table, None)
        self._server.players.tables_changed(self._connected)
        self._tell(wire.TakenOver(table))

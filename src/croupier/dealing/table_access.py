"""Which tables a player may open."""

from collections.abc import Iterable, Mapping

from croupier.admission.player_limits import PlayerLimits
from croupier.dealing.live.table import LiveTable
from croupier.dealing.own.player_tables import PlayerTables
from croupier.play.contract.game import Table
from croupier.players.connected_player import Browser, ConnectedPlayer
from croupier.refusal import Refused


class TableAccess:
    """Decides which tables a player may open and have open.

    `tables_max`: tables that the profile lets a player have open.
    """

    def __init__(
        self,
        tables: Mapping[str, Table],
        live: Mapping[str, LiveTable],
        player_tables: PlayerTables,
        limits: PlayerLimits,
        tables_max: int,
    ) -> None:
        self._tables = tables
        self._live = live
        self._player_tables = player_tables
        self._limits = limits
        self._tables_max = tables_max

    async def check_may_open(self, player: ConnectedPlayer, table: str) -> None:
        """Refuse a player who is barred, one table too many, and tables that aren't played beside others.

        The tables of all the player's browsers count.
        """
        at = await self._tables_of(player)
        self._limits.check_not_barred(player.id)
        if table not in at and len(at) >= self._tables_max:
            raise Refused("too_many_tables", most=self._tables_max, table=table)
        beside = _open_in(player.browsers) - {table}
        for name in (table, *sorted(beside)) if beside else ():
            if name in self._tables and not self._tables[name].multi_play:
                raise Refused("not_for_multi_play", table=table, title=self._tables[name].title)

    async def _tables_of(self, player: ConnectedPlayer) -> set[str]:
        """Return the tables that the player has open, or where a round of theirs isn't over."""
        live = (name for name, table in self._live.items() if table.stakes_of(player.id))
        unfinished = await self._player_tables.with_open_rounds(player.id)
        return _open_in(player.browsers).union(unfinished, live)


def _open_in(browsers: Iterable[Browser]) -> set[str]:
    return {table for browser in browsers for table in browser.tables}

"""The tables as they are now: staff may have changed a live table's limits and its dealer."""

from collections.abc import Mapping

from croupier.dealing.live.table import LiveTable
from croupier.dealing.nodes.remote_tables import RemoteTables
from croupier.dealing.nodes.seat_messages import TableLimits
from croupier.play.contract.game import Table
from croupier.refusal import Refused
from croupier.tables.limits import with_limits
from croupier.tables.live.setup import DealtBy


class CurrentTables:
    """The tables with their present limits, wherever they run.

    `tables`: all tables, as configured; `live`: those that this node runs.
    """

    def __init__(
        self, tables: Mapping[str, Table], live: Mapping[str, LiveTable], remote: RemoteTables
    ) -> None:
        self._tables = tables
        self._live = live
        self._remote = remote
        self._limited: dict[str, tuple[TableLimits, Table]] = {}

    def table(self, name: str) -> Table:
        """Return a table with its present limits; those of another node's table are some milliseconds old."""
        if live := self._live.get(name):
            return live.table
        found = self._remote.found(name)
        return self._with(found.limits, name) if found and found.limits else self._tables[name]

    def dealer(self, name: str) -> DealtBy | None:
        """Return who deals a live table; None if no node has run it."""
        if live := self._live.get(name):
            return live.dealer
        found = self._remote.found(name)
        return found.status.dealer if found else None

    def _with(self, limits: TableLimits, name: str) -> Table:
        """Return a table with the limits that its owner announces: the same object until they change."""
        known = self._limited.get(name)
        if known is None or known[0] != limits:
            known = self._limited[name] = limits, _limited(self._tables[name], limits)
        return known[1]


def _limited(table: Table, limits: TableLimits) -> Table:
    try:
        return with_limits(table, limits.limits, limits.side_limits, limits.kind_limits, limits.table_limits)
    except Refused:  # the owner has another configuration
        return table

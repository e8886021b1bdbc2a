"""The check of fences, in the transaction of the posts that carry them."""

from collections.abc import Iterable

from croupier.ledger.leases import Fence
from croupier.ledger.sql.chunks import chunks
from croupier.ledger.sql.connection import Connection

FIND = "SELECT table_id, epoch FROM lease WHERE table_id IN ({})"


def current_fences(connection: Connection, fences: Iterable[Fence | None]) -> frozenset[Fence | None]:
    """Return those of the fences that are up to date, and None, which fences nothing."""
    tables = {fence.table for fence in fences if fence}
    found: set[Fence | None] = {None}
    for some in chunks(sorted(tables)):
        marks = ",".join("?" * len(some))
        found.update(Fence(*row) for row in connection.execute(FIND.format(marks), some))
    return frozenset(found)

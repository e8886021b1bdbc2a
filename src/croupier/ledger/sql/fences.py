"""The check of fences, in the transaction of the posts that carry them."""

from collections.abc import Iterable, Sequence

from croupier.ledger.leases import Fence
from croupier.ledger.sql.chunks import chunks
from croupier.ledger.sql.connection import Connection, Cursor

FIND = "SELECT table_id, epoch FROM lease WHERE table_id IN ({})"


def ask_fences(connection: Connection, fences: Iterable[Fence | None]) -> Sequence[Cursor]:
    """Ask for the present fences of the same tables; they are read later."""
    tables = sorted({fence.table for fence in fences if fence})
    return [connection.execute(FIND.format(",".join("?" * len(some))), some) for some in chunks(tables)]


def current_fences(asked: Iterable[Cursor]) -> frozenset[Fence | None]:
    """Read what `ask_fences` asked for; None, which fences nothing, is among them."""
    return frozenset([None, *(Fence(*row) for rows in asked for row in rows)])

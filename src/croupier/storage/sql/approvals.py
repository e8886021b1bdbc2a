"""Approvals: `Approvals` in SQL. A decision and its entries are made in one transaction."""

from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial

from msgspec.structs import astuple

from croupier.accounts.approvals import Approval, ApprovalDecision, DecidedApproval
from croupier.ledger.entries import Entry
from croupier.ledger.sql.audited_rows import RowKey, rows_note
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.transactions import Recorded, Transactions
from croupier.refusal import Refused
from croupier.storage.sql.upserts import upsert

COLUMNS = ", ".join(Approval.__struct_fields__)
FIND = f"SELECT {COLUMNS} FROM approval WHERE id = ?"  # noqa: S608 - names of fields
LIST = f"""SELECT {COLUMNS} FROM approval
    ORDER BY state = 'waiting' AND expires_ms > ? DESC, asked_ms DESC, id LIMIT ?"""  # noqa: S608
COUNT = "SELECT count(*) FROM approval WHERE state = 'waiting' AND expires_ms > ? AND asked_by <> ?"
KEEP = upsert("approval", Approval.__struct_fields__)


class SqlApprovals:
    """Follows `Approvals`."""

    def __init__(self, store: Transactions) -> None:
        self._store = store

    def add(self, approval: Approval) -> Future[Approval]:
        return self._store.run_recorded(partial(add, approval=approval))

    def decide(
        self, approval: str, decision: ApprovalDecision, by: str, now_ms: int, further: Sequence[Entry] = ()
    ) -> Future[DecidedApproval]:
        work = partial(decide, id_=approval, decision=decision, by=by, now_ms=now_ms, further=tuple(further))
        return self._store.run_recorded(work)

    def find(self, approval: str) -> Future[Approval | None]:
        return self._store.run(partial(find, id_=approval))

    def list(self, now_ms: int, most: int) -> Future[tuple[Approval, ...]]:
        return self._store.run(partial(newest, now_ms=now_ms, most=most))

    def waiting(self, member: str, now_ms: int) -> Future[int]:
        return self._store.run(partial(waiting, member=member, now_ms=now_ms))


def add(connection: Connection, approval: Approval) -> Recorded[Approval]:
    if known := find(connection, approval.id):
        if known.content != approval.content:
            raise Refused("key_reused")
        return Recorded(known, ())
    return Recorded(approval, (_keep(connection, approval, approval.asked_ms),))


def decide(
    connection: Connection,
    id_: str,
    decision: ApprovalDecision,
    by: str,
    now_ms: int,
    further: tuple[Entry, ...],
) -> Recorded[DecidedApproval]:
    known = find(connection, id_)
    if known is None:
        raise Refused("no_such_approval", approval=id_)
    decided = known.decided(decision, by, now_ms)
    posted = (*decided.entries, *further) if decision == "approved" else ()
    return Recorded(DecidedApproval(decided, posted), (_keep(connection, decided, now_ms), *posted))


def find(connection: Connection, id_: str) -> Approval | None:
    row = connection.execute(FIND, (id_,)).fetchone()
    return Approval(*row) if row else None


def newest(connection: Connection, now_ms: int, most: int) -> tuple[Approval, ...]:
    return tuple(Approval(*row) for row in connection.execute(LIST, (now_ms, most)))


def waiting(connection: Connection, member: str, now_ms: int) -> int:
    (count,) = connection.execute(COUNT, (now_ms, member)).fetchone()
    return int(count)


def _keep(connection: Connection, approval: Approval, at_ms: int) -> Entry:
    connection.execute(KEEP, astuple(approval))
    return rows_note(connection, [RowKey("approval", approval.id)], at_ms, approval.player)

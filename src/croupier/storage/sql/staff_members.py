"""Staff members: `StaffMembers` in SQL."""

from collections.abc import Sequence
from concurrent.futures import Future
from functools import partial

from croupier.accounts.staff_members import Member, Role, check_name, hash_of_code
from croupier.ledger.sql.audited_rows import RowKey, rows_note
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.transactions import Recorded, Transactions
from croupier.refusal import Refused
from croupier.storage.sql import staff_sign_ins

ADD = "INSERT INTO staff (name, role, code_sha256, added_ms) VALUES (?, ?, ?, ?)"
SET_CODE = "UPDATE staff SET code_sha256 = ? WHERE name = ?"
DELETE = "DELETE FROM staff WHERE name = ?"
FIND_ALL = "SELECT name, role, added_ms FROM staff ORDER BY name"
FIND = "SELECT name, role, added_ms FROM staff WHERE name = ? AND code_sha256 = ?"


class SqlStaffMembers:
    """Follows `StaffMembers`."""

    def __init__(self, store: Transactions) -> None:
        self._store = store

    def add(self, name: str, role: Role, code: str, now_ms: int) -> Future[None]:
        return self._store.run_recorded(partial(add, name=name, role=role, code=code, now_ms=now_ms))

    def reset(self, name: str, code: str, now_ms: int) -> Future[None]:
        return self._store.run_recorded(partial(reset, name=name, code=code, now_ms=now_ms))

    def remove(self, name: str, now_ms: int) -> Future[None]:
        return self._store.run_recorded(partial(remove, name=name, now_ms=now_ms))

    def members(self) -> Future[tuple[Member, ...]]:
        return self._store.run(members)

    def known(self, name: str, code: str) -> Future[Member | None]:
        return self._store.run(partial(known, name=name, code=code))


def add(connection: Connection, name: str, role: Role, code: str, now_ms: int) -> Recorded[None]:
    check_name(name)
    if any(member.name.casefold() == name.casefold() for member in members(connection)):
        raise Refused("staff_exists", name=name)
    connection.execute(ADD, (name, role, hash_of_code(code), now_ms))
    return _changed(connection, name, now_ms, staff_sign_ins.issue(connection, name, now_ms))


def reset(connection: Connection, name: str, code: str, now_ms: int) -> Recorded[None]:
    if not connection.execute(SET_CODE, (hash_of_code(code), name)).rowcount:
        raise Refused("no_such_staff", name=name)
    return _changed(connection, name, now_ms, staff_sign_ins.issue(connection, name, now_ms))


def remove(connection: Connection, name: str, now_ms: int) -> Recorded[None]:
    if not connection.execute(DELETE, (name,)).rowcount:
        raise Refused("no_such_staff", name=name)
    return _changed(connection, name, now_ms, staff_sign_ins.remove(connection, name))


def _changed(connection: Connection, name: str, now_ms: int, others: Sequence[RowKey]) -> Recorded[None]:
    return Recorded(None, (rows_note(connection, [RowKey("staff", name), *others], now_ms),))


def members(connection: Connection) -> tuple[Member, ...]:
    return tuple(Member(*row) for row in connection.execute(FIND_ALL))


def known(connection: Connection, name: str, code: str) -> Member | None:
    row = connection.execute(FIND, (name, hash_of_code(code))).fetchone()
    return Member(*row) if row else None

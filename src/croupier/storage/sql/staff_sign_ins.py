"""Ways in which staff sign in: `StaffSignIns` in SQL."""

from concurrent.futures import Future
from functools import partial

from croupier.accounts.passkeys import Passkey
from croupier.accounts.staff_members import Member, hash_of_code
from croupier.accounts.staff_sign_ins import ENROLMENT_VALID_MS, Authenticator, Enrolment
from croupier.ledger.sql.audited_rows import RowKey, rows_note
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.transactions import Recorded, Transactions
from croupier.refusal import Refused
from croupier.storage.sql import passkeys
from croupier.storage.sql.upserts import upsert

ISSUE = upsert("staff_sign_in", ("name", "issued_ms", "secret", "step"))
FIND_ISSUED = """SELECT issued_ms FROM staff_sign_in JOIN staff USING (name)
    WHERE name = ? AND code_sha256 = ? AND issued_ms > 0"""
USE_CODE = "UPDATE staff SET code_sha256 = '' WHERE name = ?"
END_ENROLMENT = "UPDATE staff_sign_in SET issued_ms = 0 WHERE name = ?"
SET_AUTHENTICATOR = "UPDATE staff_sign_in SET secret = ?, step = ? WHERE name = ?"
FIND_AUTHENTICATOR = "SELECT secret, step FROM staff_sign_in WHERE name = ? AND secret <> ''"
USE_STEP = "UPDATE staff_sign_in SET step = ? WHERE name = ? AND secret <> '' AND step < ?"
FIND_MEMBER = "SELECT name, role, added_ms FROM staff WHERE name = ?"
DELETE = "DELETE FROM staff_sign_in WHERE name = ?"
DELETE_PASSKEYS = "DELETE FROM passkey WHERE kind = 'staff' AND owner = ? RETURNING id"


class SqlStaffSignIns:
    """Follows `StaffSignIns`."""

    def __init__(self, store: Transactions) -> None:
        self._store = store

    def check(self, enrolment: Enrolment) -> Future[None]:
        return self._store.run(partial(check, enrolment=enrolment))

    def enrol_authenticator(self, enrolment: Enrolment, authenticator: Authenticator) -> Future[Member]:
        work = partial(enrol_authenticator, enrolment=enrolment, authenticator=authenticator)
        return self._store.run_recorded(work)

    def enrol_passkey(self, enrolment: Enrolment, passkey: Passkey) -> Future[Member]:
        return self._store.run_recorded(partial(enrol_passkey, enrolment=enrolment, passkey=passkey))

    def authenticator(self, name: str) -> Future[Authenticator | None]:
        return self._store.run(partial(authenticator, name=name))

    def use_step(self, name: str, step: int) -> Future[Member]:
        return self._store.run(partial(use_step, name=name, step=step))


def check(connection: Connection, enrolment: Enrolment) -> None:
    row = connection.execute(FIND_ISSUED, (enrolment.name, hash_of_code(enrolment.code))).fetchone()
    if row is None:
        raise Refused("wrong_sign_in")
    if enrolment.at_ms - row[0] >= ENROLMENT_VALID_MS:
        raise Refused("enrolment_expired")


def enrol_authenticator(
    connection: Connection, enrolment: Enrolment, authenticator: Authenticator
) -> Recorded[Member]:
    changed = _use_up(connection, enrolment)
    connection.execute(SET_AUTHENTICATOR, (*authenticator, enrolment.name))
    return _enrolled(connection, enrolment, changed)


def enrol_passkey(connection: Connection, enrolment: Enrolment, passkey: Passkey) -> Recorded[Member]:
    changed = [*_use_up(connection, enrolment), passkeys.insert(connection, passkey)]
    return _enrolled(connection, enrolment, changed)


def authenticator(connection: Connection, name: str) -> Authenticator | None:
    row = connection.execute(FIND_AUTHENTICATOR, (name,)).fetchone()
    return Authenticator(*row) if row else None


def use_step(connection: Connection, name: str, step: int) -> Member:
    if not connection.execute(USE_STEP, (step, name, step)).rowcount:
        raise Refused("wrong_sign_in")
    return _member(connection, name)


def _use_up(connection: Connection, enrolment: Enrolment) -> list[RowKey]:
    check(connection, enrolment)
    connection.execute(USE_CODE, (enrolment.name,))
    connection.execute(END_ENROLMENT, (enrolment.name,))
    return [RowKey("staff", enrolment.name), RowKey("staff_sign_in", enrolment.name)]


def _enrolled(connection: Connection, enrolment: Enrolment, changed: list[RowKey]) -> Recorded[Member]:
    member = _member(connection, enrolment.name)
    return Recorded(member, (rows_note(connection, changed, enrolment.at_ms),))


def _member(connection: Connection, name: str) -> Member:
    return Member(*connection.execute(FIND_MEMBER, (name,)).fetchone())


# --- parts of other transactions


def issue(connection: Connection, name: str, now_ms: int) -> list[RowKey]:
    """Begin the enrolment of a member, who loses all other ways to sign in; return the changed rows."""
    removed = _remove_passkeys(connection, name)
    connection.execute(ISSUE, (name, now_ms, "", 0))
    return [RowKey("staff_sign_in", name), *removed]


def remove(connection: Connection, name: str) -> list[RowKey]:
    """Remove all ways in which a member signs in; return the changed rows."""
    removed = _remove_passkeys(connection, name)
    connection.execute(DELETE, (name,))
    return [RowKey("staff_sign_in", name), *removed]


def _remove_passkeys(connection: Connection, name: str) -> list[RowKey]:
    return [RowKey("passkey", key) for (key,) in connection.execute(DELETE_PASSKEYS, (name,)).fetchall()]

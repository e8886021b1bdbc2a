"""Sessions, players, staff and chat are audited: a row that doesn't match the journal is found."""

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from croupier.accounts.devices import NewSession
from croupier.accounts.identity import Identity
from croupier.accounts.passkeys import Passkey, PasskeyOwner, PasskeyUse
from croupier.admission.ledger_gateway import LedgerGateway, standalone_gateway
from croupier.app.serve import DATABASE
from croupier.app.server import build_server
from croupier.clock import now_ms
from croupier.dealing.live.chat import store
from croupier.dealing.live.chat.rows import ChatRows
from croupier.dealing.live.chat.store import KEPT_MS, ChatStore
from croupier.ledger.audit import BadRow
from croupier.ledger.entries import note
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.databases import Database
from croupier.ledger.sql.verify import verify
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.ledger.stores import open_ledger
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.rounds.shoe_seal import Seal
from croupier.staff.admin_commands import AddStaff, RemoveStaff, execute
from croupier.storage.sql.chat_rows import SqlChatRows
from croupier.storage.sql.stores import sql_stores
from tests.ledger.sqlite.forging import forge

pytestmark = pytest.mark.anyio

SEAL = Seal(bytes(32))
ADD_SESSION = """INSERT INTO session
    (token_sha256, player, created_ms, seen_ms, device, signed_in_ms, active_ms)"""
FORGERIES = [
    ("UPDATE player SET name = 'Eve' WHERE id = (SELECT min(id) FROM player)", "player"),
    ("UPDATE player SET settings_json = '{}'", "player"),
    ("UPDATE player SET created_ms = 1", "player"),
    ("INSERT INTO player VALUES ('eve', 'Eve', 1, '{}')", "player"),
    ("UPDATE session SET player = (SELECT max(id) FROM player)", "session"),
    (
        f"{ADD_SESSION} SELECT 'forged', id, 1, 1, '', 1, 1 FROM player LIMIT 1",
        "session",
    ),
    ("DELETE FROM session", "session"),
    ("UPDATE staff SET role = 'manager'", "staff"),
    ("UPDATE staff SET code_sha256 = 'forged'", "staff"),
    ("UPDATE staff_sign_in SET issued_ms = issued_ms + 1", "staff_sign_in"),
    ("UPDATE staff_sign_in SET secret = 'forged'", "staff_sign_in"),
    ("INSERT INTO staff_sign_in VALUES ('Eve', 1, '', 0)", "staff_sign_in"),
    ("DELETE FROM staff_sign_in", "staff_sign_in"),
    ("INSERT INTO staff VALUES ('Eve', 'manager', 'forged', 1)", "staff"),
    ("DELETE FROM staff", "staff"),
    ("UPDATE passkey SET public_key = 'forged'", "passkey"),
    ("UPDATE passkey SET owner = 'eve'", "passkey"),
    ("INSERT INTO passkey SELECT 'forged', kind, owner, public_key, 0, name, 1, 1 FROM passkey", "passkey"),
    ("DELETE FROM passkey", "passkey"),
    ("UPDATE chat SET note = replace(note, 'said', 'sang')", "chat"),
    ("UPDATE chat SET table_id = 'elsewhere'", "chat"),
    ("UPDATE chat SET seq = seq + 100", "chat"),
    ("DELETE FROM chat WHERE seq = (SELECT max(seq) FROM chat)", "chat"),
    ("INSERT INTO chat SELECT 999, table_id, at_ms, what, note FROM chat LIMIT 1", "chat"),
]


class Silent:
    """A client session that sends nothing."""

    session = ""
    tables = ()
    is_remote = False

    def send(self, message: Any) -> None:
        pass

    def end_session(self, why: Refused | None) -> None:
        pass


@pytest.fixture
async def filled(database: Database, samples: Path) -> Database:
    """Two guests, one with changed settings and a passkey; two staff members, one removed; some chat."""
    sample = samples / "filled.db"
    if isinstance(database, Path) and sample.exists():
        shutil.copy(sample, database)
        return database
    ledger = open_ledger(database)
    stores = sql_stores(ledger)
    server = build_server(stores, {}, SEAL)
    await server.start()
    for name in ("Ada", "Ben"):
        assert not (await execute(server.gateway, stores.staff, AddStaff(name, "dealer"))).refused
    assert not (await execute(server.gateway, stores.staff, RemoveStaff("Ben"))).refused
    await server.sessions.add_guest()
    guest = await server.sessions.arrive(await server.sessions.add_guest(), Silent())
    assert guest is not None
    await server.settings.save(guest, wire.Settings())
    passkey = Passkey("id", PasskeyOwner("player", guest.id), "key", 0, "Phone", now_ms())
    session = NewSession(guest.id, "account", "")
    added = stores.passkeys.add_account(Identity("account", "ada"), passkey, session)
    await server.gateway.durable(added)
    await server.gateway.durable(stores.passkeys.use(PasskeyUse("id", passkey.owner, 1), now_ms()))
    await write_chat(server.gateway, stores.chat, "said first", "said second")
    await server.stop()
    ledger.close()
    if isinstance(database, Path):
        shutil.copy(database, sample)
    return database


async def write_chat(gateway: LedgerGateway, rows: ChatRows, *lines: str) -> None:
    chat = ChatStore(gateway, rows)
    room = await chat.room("infinite")
    for text in lines:
        room.post_as_dealer("Ada", text, now_ms())
    await chat.flush()


@pytest.mark.any_store
async def test_correct_rows_pass(filled: Database) -> None:
    assert verify(filled).bad is None


@pytest.mark.any_store
@pytest.mark.parametrize(("forgery", "table"), FORGERIES, ids=[forgery for forgery, _ in FORGERIES])
async def test_a_row_changed_behind_the_journal_is_found(filled: Database, forgery: str, table: str) -> None:
    def change(connection: Connection) -> None:
        assert connection.execute(forgery).rowcount

    bad = forge(filled, change)
    assert bad is not None
    assert bad.table == table, bad


async def test_deleting_old_chat_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = await SqliteLedger.open_with_writer_process(tmp_path / DATABASE, migrate=upgrade)
    gateway = standalone_gateway(ledger)
    rows = SqlChatRows(ledger)
    await write_chat(gateway, rows, *(f"line {number}" for number in range(5)))
    monkeypatch.setattr(store, "now_ms", lambda: now_ms() + KEPT_MS + 1_000)
    await write_chat(gateway, rows, "much later")
    ledger.close()
    with sqlite3.connect(tmp_path / DATABASE) as connection:
        (kept,) = connection.execute("SELECT count(*) FROM chat").fetchone()
    assert kept < 6
    assert verify(tmp_path / DATABASE).bad is None


async def test_the_journal_has_no_names_settings_or_chat(filled: Database, path: Path) -> None:
    with sqlite3.connect(path) as connection:
        bodies = connection.execute("SELECT body FROM journal WHERE key LIKE 'rows:%'").fetchall()
        (secret,) = connection.execute("SELECT code_sha256 FROM staff").fetchone()
    joined = "".join(body for (body,) in bodies)
    assert joined
    for personal in ("Guest", "said first", "settings", secret):
        assert personal not in joined


def test_a_migration_enters_existing_rows(tmp_path: Path) -> None:
    path = tmp_path / DATABASE
    upgrade(path, "0007")
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO player VALUES ('ann', 'Ann', 1, '{}')")
        connection.executemany(
            "INSERT INTO session (token_sha256, player, created_ms, seen_ms) VALUES (?, 'ann', 1, 1)",
            [(f"{number:064}",) for number in range(2_500)],
        )
    connection.close()
    assert verify(path).bad is None, "rows aren't audited before the migration"
    ledger = SqliteLedger.open(path, migrate=upgrade)
    ledger.post([note("later", 1, {})]).result()
    ledger.close()
    report = verify(path)
    assert (report.entries, report.bad) == (5, None)
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM session WHERE token_sha256 LIKE '%2499'")
    assert verify(path).bad == BadRow("session", f"{2499:064}", "is missing: the journal has it")

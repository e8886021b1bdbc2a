"""`verify` finds random changes of a database, and never ends in a traceback."""

import asyncio
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from croupier.accounts.mail_addresses import MailToken
from croupier.accounts.payments import Payment
from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.app.server import build_server
from croupier.audit.startup import UNANCHORED, check_database
from croupier.cli.main import app
from croupier.dealing.advice import training
from croupier.gateway.server import Server
from croupier.ledger.chain import START, JournalRow, link
from croupier.ledger.entries import note
from croupier.ledger.sql.audited_rows import AUDITED_TABLES
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.players.accounts import Caller
from croupier.protocol import wire
from croupier.rounds.shoe_key import open_seal
from croupier.staff.admin_commands import AddStaff, execute
from croupier.storage.sql.stores import sql_stores
from croupier.storage.stores import Stores
from tests.ledger.sample_entries import answer, call_off, deal, grant, settle, stakes, ticket_of
from tests.ledger.test_audited_rows import Silent, write_chat

QUICK, LONG = 60, 20_000
AT_ONCE = 25
CONTENT = {
    "journal": "SELECT * FROM journal",
    "account": "SELECT owner, kind, currency, balance_minor FROM account",
    "posting": "SELECT * FROM posting",
    "round": "SELECT * FROM round",
    "meta": "SELECT * FROM meta WHERE key IN ('head', 'database')",
    **{table.table: table.select for table in AUDITED_TABLES.values()},
}
"""Audited columns of each table."""
PIECES = ["", "x", "0", '"', "{", "\x00", "\ud7ff", "[" * 5000]
Mutation = Callable[[Path, random.Random], None]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with something in each table; `kept.jsonl` is the auditor's copy of its anchors."""
    data = tmp_path_factory.mktemp("mutations")
    asyncio.run(used(data))
    shutil.copy(data / "anchors.jsonl", data / "kept.jsonl")
    return data


async def used(data: Path) -> None:
    ledger = await SqliteLedger.open_with_writer_process(data / DATABASE, migrate=upgrade)
    anchoring = await check_database(data, data / DATABASE, UNANCHORED, lambda: False)
    stores = sql_stores(ledger)
    server = build_server(stores, {}, await open_seal(ledger, data / SHOES_KEY))
    await server.start()
    await people(server, stores)
    live = ticket_of("ann", table="live")
    for sequence in (
        [grant(100), grant(50, "bob"), deal(10), answer(10), settle(20, 35)],
        [deal(10, live), call_off(("ann", 10), table="live")],
        [stakes(("ann", 8), ("bob", 9), round_="s", table="floor")],
        [stakes(("ann", -3), round_="s", table="floor")],
    ):
        await server.gateway.post(sequence)
    await server.stop()
    await anchoring.close()
    ledger.close()


async def people(server: Server, stores: Stores) -> None:
    await execute(server.gateway, server.staff_members, AddStaff("Ada", "dealer"))
    guest = await server.sessions.arrive(await server.sessions.add_guest(), Silent())
    assert guest is not None
    await server.settings.save(guest, wire.Settings())
    await server.accounts.create(Caller("", "", ""), guest.player, "ada@example.org", "correct horse")
    token = MailToken("a-token", guest.player.id, "verify", "ada@example.org")
    await server.gateway.durable(stores.mail_addresses.add_token(token, 1))
    await server.gateway.durable(stores.credential_changes.verify_address("a-token", 2))
    payment = Payment("pay_1", guest.player.id, "deposit", "EUR", 100, 1, 2, "created", 1)
    await server.gateway.durable(stores.payments.add(payment))
    await write_chat(server.gateway, stores.chat, *(f"line {number}" for number in range(20)))
    mistake = training.Judgement(
        "r", 1, "classic", "hard", "10-6 against 10", "stand", "hit", 6278, advised=False
    )
    await server.gateway.durable(stores.training.add(guest.player.id, mistake, note("judged:r:5", 1, {})))


# --- mutations of bytes


def flip(database: Path, chance: random.Random) -> None:
    content = bytearray(database.read_bytes())
    for _ in range(chance.choice([1, 1, 4, 40])):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    database.write_bytes(content)


def overwrite(database: Path, chance: random.Random) -> None:
    content = database.read_bytes()
    at, length = chance.randrange(len(content)), chance.choice([1, 8, 100, 5000])
    new = chance.choice([bytes(length), chance.randbytes(length)])
    database.write_bytes((content[:at] + new + content[at + length :])[: len(content)])


def remove(database: Path, chance: random.Random) -> None:
    content = database.read_bytes()
    at, length = chance.randrange(len(content)), chance.choice([1, 100, 4096, 8192])
    database.write_bytes(content[:at] + content[at + length :])


def truncate(database: Path, chance: random.Random) -> None:
    content = database.read_bytes()
    database.write_bytes(content[: chance.choice([0, 1, 50, 100, 4096, chance.randrange(len(content))])])


# --- mutations of rows


def change(database: Path, chance: random.Random) -> None:
    """Change one value of one row in any way that SQLite allows, often with a recomputed chain."""
    with closing(unlocked(database)) as connection:
        table = filled_table(connection, chance)
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        column = chance.choice(columns)
        row = one_row(connection, table, columns, chance)
        value = another(row[columns.index(column)], chance)
        where = " AND ".join(f"{name} IS ?" for name in columns)
        try:
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value, *row))
        except sqlite3.Error:  # the value has another type, or isn't unique
            return
        finish(connection, chance)


def delete(database: Path, chance: random.Random) -> None:
    with closing(unlocked(database)) as connection:
        table = filled_table(connection, chance)
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        where = " AND ".join(f"{name} IS ?" for name in columns)
        connection.execute(f"DELETE FROM {table} WHERE {where}", one_row(connection, table, columns, chance))
        finish(connection, chance)


def add(database: Path, chance: random.Random) -> None:
    """Add a copy of a row with one changed value."""
    with closing(unlocked(database)) as connection:
        table = filled_table(connection, chance)
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        row = list(one_row(connection, table, columns, chance))
        for at in {0, chance.randrange(len(row))}:
            row[at] = another(row[at], chance)
        try:
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        except sqlite3.Error:
            return
        finish(connection, chance)


def drop(database: Path, chance: random.Random) -> None:
    with closing(unlocked(database)) as connection:
        connection.execute(f"DROP TABLE {chance.choice([*CONTENT])}")


def unlocked(database: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(database, isolation_level=None)
    for (trigger,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {trigger}")
    connection.execute("PRAGMA ignore_check_constraints = 1")
    return connection


def filled_table(connection: sqlite3.Connection, chance: random.Random) -> str:
    """Return a table that has rows."""
    while not connection.execute(f"SELECT count(*) FROM {(table := chance.choice([*CONTENT]))}").fetchone()[
        0
    ]:
        pass
    return table


def one_row(
    connection: sqlite3.Connection, table: str, columns: list[str], chance: random.Random
) -> tuple[Any, ...]:
    rows = connection.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
    return tuple(chance.choice(rows))


def another(value: Any, chance: random.Random) -> Any:
    match value:
        case int():
            return chance.choice([value + 1, value - 1, -value, 0, 2**63 - 1, -(2**63), None, "x"])
        case str():
            at = chance.randrange(len(value) + 1)
            kept = value[:at] + chance.choice(PIECES) + value[at + 1 :]
            return chance.choice([kept, "", "null", "[]", "{}", "9" * 400, None, b"\xff\xfe"])
        case bytes():
            return chance.choice([b"", bytes(len(value)), value[:-1], value + b"x", None])
    return 0


def finish(connection: sqlite3.Connection, chance: random.Random) -> None:
    if chance.random() < 0.5:
        head = START
        try:
            for *columns, _ in connection.execute("SELECT * FROM journal ORDER BY seq").fetchall():
                head = link(head, JournalRow(*columns))
                connection.execute("UPDATE journal SET hash = ? WHERE seq = ?", (head.hash, head.seq))
            connection.execute("UPDATE meta SET value = ? WHERE key = 'head'", (str(head),))
        except (sqlite3.Error, UnicodeError, TypeError, ValueError):
            pass


MUTATIONS: list[Mutation] = [flip, overwrite, remove, truncate, change, change, change, delete, add, drop]


# --- results


def content(database: Path) -> Any:
    """Return the audited content; None if it can't be read."""
    try:
        with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
            return {
                table: connection.execute(f"{query} ORDER BY 1, 2").fetchall()
                for table, query in CONTENT.items()
            }
    except (sqlite3.Error, UnicodeDecodeError):
        return None


def mutated(original: Path, folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    shutil.copytree(original, folder)
    before, mutation = content(folder / DATABASE), chance.choice(MUTATIONS)
    mutation(folder / DATABASE, chance)
    words = ["verify", "--data", str(folder), "--anchor", str(folder / "kept.jsonl")]
    result = CliRunner().invoke(app, words)
    details = f"seed {seed}, {mutation.__name__}: {result.output}{result.exception!r}"
    assert result.exception is None or isinstance(result.exception, SystemExit), details
    assert result.exit_code in (0, 1, 2), details
    assert result.output.strip(), details
    if content(folder / DATABASE) != before:
        assert result.exit_code != 0, details


def campaign(original: Path, tmp_path: Path, seeds: range) -> None:
    for seed in seeds:
        mutated(original, tmp_path / str(seed), seed)
        shutil.rmtree(tmp_path / str(seed))


def test_an_unchanged_database_passes(original: Path) -> None:
    words = ["verify", "--data", str(original), "--anchor", str(original / "kept.jsonl")]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("first", range(0, QUICK, AT_ONCE))
def test_random_changes_are_found(original: Path, tmp_path: Path, first: int) -> None:
    campaign(original, tmp_path, range(first, first + AT_ONCE))


@pytest.mark.campaign
@pytest.mark.timeout(0)
def test_a_campaign_of_random_changes(original: Path, tmp_path: Path) -> None:
    campaign(original, tmp_path, range(1_000_000, 1_000_000 + LONG))

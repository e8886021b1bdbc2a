"""Training records: `TrainingRecords` in SQL. One row for each player, under the audit."""

from concurrent.futures import Future
from functools import partial

import msgspec

from croupier.dealing.advice.training import Judgement, Record
from croupier.ledger.entries import Entry
from croupier.ledger.sql.audited_rows import RowKey, rows_note
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.transactions import Recorded, Transactions
from croupier.storage.sql.upserts import upsert

FIND_NOTE = "SELECT 1 FROM journal WHERE key = ?"
FIND = "SELECT record FROM training WHERE player = ?"
KEEP = upsert("training", ("player", "record"))


class SqlTrainingRecords:
    """Follows `TrainingRecords`."""

    def __init__(self, store: Transactions) -> None:
        self._store = store

    def read(self, player: str) -> Future[Record]:
        return self._store.run(partial(read, player=player))

    def add(self, player: str, one: Judgement, note: Entry) -> Future[Record]:
        return self._store.run_recorded(partial(add, player=player, one=one, note=note))


def read(connection: Connection, player: str) -> Record:
    row = connection.execute(FIND, (player,)).fetchone()
    return msgspec.json.decode(row[0], type=Record) if row else Record()


def add(connection: Connection, player: str, one: Judgement, note: Entry) -> Recorded[Record]:
    record = read(connection, player)
    if connection.execute(FIND_NOTE, (note.key,)).fetchone():
        return Recorded(record, ())
    record = record.plus(one)
    connection.execute(KEEP, (player, msgspec.json.encode(record).decode()))
    return Recorded(record, (rows_note(connection, [RowKey("training", player)], one.at_ms, player), note))

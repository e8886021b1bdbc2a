"""Make a backup of a data folder, while the server runs or not."""

import os
import shutil
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import croupier
from croupier import clock
from croupier.app.backups.manifest import BackupInvalid, BackupManifest, sha256, write_manifest
from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.audit.anchoring.anchoring import database_id, head_of, read_head, read_id
from croupier.audit.anchoring.log import ANCHOR_KEY, LOG
from croupier.ledger.chain import Head
from croupier.ledger.sql.databases import PostgresqlUrl
from croupier.ledger.sql.last_note import LastNote, last_note, read_last_note
from croupier.ledger.sql.opening import open_reader
from croupier.ledger.sqlite.copying import CopyProgress, copy_database
from croupier.rounds.shoe_key import NOTED

KEYS = (SHOES_KEY, ANCHOR_KEY)
DUMP = "croupier.dump"
"""The copy of a PostgreSQL database, for pg_restore."""
PARTIAL = ".partial"
OWNER_ONLY = 0o700


class CopiedJournal(NamedTuple):
    """The file with the copy of a database, the database's id, its journal's head, and its shoes' key."""

    file: str
    database: str
    head: Head
    key: LastNote | None


def make_backup(
    data: Path, to: Path, keys: Path | None, progress: CopyProgress, url: PostgresqlUrl | None = None
) -> BackupManifest:
    """Back up the data folder into a new folder `to`, and its keys into the folder `keys`, if that is given.

    The database is the one at `url`, or a file in the data folder.
    The backup has its final name only once it is complete. Raise BackupInvalid for a folder that is in use.
    """
    if to.exists():
        raise BackupInvalid(f"{to} exists: a backup is written into a new folder")
    if keys and keys.resolve().is_relative_to(to.resolve()):
        raise BackupInvalid(f"{keys} is inside the backup: keep the keys elsewhere, they reveal its shoes")
    if keys:
        _copy_keys(data, keys)
    partial = _new_folder(to)
    try:
        manifest = _fill(data, partial, progress, url)
        sync_folder(partial)
        partial.rename(to)
    except BaseException:
        shutil.rmtree(partial)
        raise
    sync_folder(to.parent)
    return manifest


def _new_folder(to: Path) -> Path:
    partial = to.with_name(to.name + PARTIAL)
    shutil.rmtree(partial, ignore_errors=True)  # of a backup that was interrupted
    partial.mkdir(mode=OWNER_ONLY, parents=True)
    return partial


def _fill(data: Path, folder: Path, progress: CopyProgress, url: PostgresqlUrl | None) -> BackupManifest:
    """Copy the anchors before the database, so that it has all the entries that they name."""
    if (data / LOG).exists():
        copy_file(data / LOG, folder / LOG)
    copied = _dump(url, folder) if url else _copy(data / DATABASE, folder, progress)
    manifest = BackupManifest(
        croupier.__version__,
        clock.now_ms(),
        copied.database,
        copied.head.seq,
        copied.head.hash.hex(),
        str(copied.key.body["fingerprint"]) if copied.key else "",
        {name: sha256(folder / name) for name in (copied.file, LOG) if (folder / name).exists()},
    )
    write_manifest(folder, manifest)
    return manifest


def _copy(database: Path, folder: Path, progress: CopyProgress) -> CopiedJournal:
    copy = folder / DATABASE
    copy_database(database, copy, progress)
    copied = CopiedJournal(DATABASE, database_id(copy), head_of(copy), last_note(copy, NOTED))
    _remove_side_files(copy)
    return copied


def _dump(url: PostgresqlUrl, folder: Path) -> CopiedJournal:
    """Dump a database as of one moment, and read the rest in the same snapshot of it."""
    from croupier.ledger.postgresql.dumps import dump

    with closing(open_reader(url)) as reader:
        reader.execute("BEGIN")
        (snapshot,) = reader.execute("SELECT pg_export_snapshot()").fetchone()
        copied = CopiedJournal(DUMP, read_id(reader), read_head(reader), read_last_note(reader, NOTED))
        dump(url, snapshot, folder / DUMP)
    return copied


def _remove_side_files(database: Path) -> None:
    """Remove the files that readers create beside a database."""
    for suffix in ("-wal", "-shm"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)


def _copy_keys(data: Path, keys: Path) -> None:
    keys.mkdir(mode=OWNER_ONLY, parents=True, exist_ok=True)
    for name in KEYS:
        target, source = keys / name, data / name
        if not source.exists():
            continue
        if target.exists() and target.read_bytes() != source.read_bytes():
            raise BackupInvalid(f"{target} is another key: keep it, and name another folder")
        copy_file(source, target)


def copy_file(source: Path, target: Path) -> None:
    """Copy a file durably; only its owner may read the copy."""
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with source.open("rb") as from_, os.fdopen(handle, "wb") as to:
        shutil.copyfileobj(from_, to)
        to.flush()
        os.fsync(to.fileno())


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

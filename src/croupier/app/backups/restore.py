"""Restore a backup into a new data folder."""

import shutil
from pathlib import Path
from typing import NamedTuple

from croupier.app.backups.backup import DUMP, KEYS, OWNER_ONLY, PARTIAL, copy_file, sync_folder
from croupier.app.backups.manifest import BackupInvalid, BackupManifest, check_files, read_manifest
from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.audit.anchoring.log import ANCHOR_KEY
from croupier.audit.data_folder import audit
from croupier.audit.evidence import NO_EVIDENCE, evidence
from croupier.ledger.audit import AuditProgress, AuditReport
from croupier.ledger.sql.databases import Database, PostgresqlUrl
from croupier.ledger.sqlite import migrations
from croupier.rounds.shoe_key import read_key


class Restored(NamedTuple):
    """A restored backup, and the audit of the folder. `report` is None if it wasn't audited.

    `needs_key`: the folder lacks the key of the backup's shoes.
    """

    manifest: BackupManifest
    report: AuditReport | None
    needs_key: bool


def restore_backup(
    backup: Path,
    data: Path,
    keys: Path | None,
    progress: AuditProgress | None,
    url: PostgresqlUrl | None = None,
) -> Restored:
    """Restore a backup, and its keys from the folder `keys`, into a new folder `data`.

    A backup of a PostgreSQL database is restored into the empty one at `url`. With `progress`, audit it
    first: a backup that the audit finds wrong isn't restored. Raise BackupInvalid if the backup isn't whole,
    or if the folder or the database is in use.
    """
    if data.exists() and any(data.iterdir()):
        raise BackupInvalid(f"{data} isn't empty: move it away, or restore into another folder")
    manifest = read_manifest(backup)
    check_files(backup, manifest)
    _check_store(backup, manifest, url)
    staged = data.with_name(data.name + PARTIAL)
    shutil.rmtree(staged, ignore_errors=True)  # of a restore that was interrupted
    staged.mkdir(mode=OWNER_ONLY, parents=True)
    try:
        restored = _stage(backup, staged, keys, manifest, progress, url)
        if not (restored.report and restored.report.bad):
            sync_folder(staged)
            staged.rename(data)
            sync_folder(data.parent)
    finally:
        shutil.rmtree(staged, ignore_errors=True)
    return restored


def _stage(
    backup: Path,
    staged: Path,
    keys: Path | None,
    manifest: BackupManifest,
    progress: AuditProgress | None,
    url: PostgresqlUrl | None,
) -> Restored:
    for name in manifest.files.keys() - {DUMP}:
        copy_file(backup / name, staged / name)
    for name in KEYS if keys else ():
        if keys and (keys / name).exists():
            copy_file(keys / name, staged / name)
    needs_key = _check_key(staged / SHOES_KEY, manifest)
    if url is None:
        migrations.upgrade(staged / DATABASE)
        return Restored(manifest, _audited(staged / DATABASE, staged, progress), needs_key)
    from croupier.ledger.postgresql.dumps import loaded

    with loaded(url, backup / DUMP) as keep:
        report = _audited(url, staged, progress)
        if not (report and report.bad):
            keep()
    return Restored(manifest, report, needs_key)


def _audited(database: Database, staged: Path, progress: AuditProgress | None) -> AuditReport | None:
    """Audit a database and its folder, with the anchors if their key is there."""
    if progress is None:
        return None
    has_key = (staged / ANCHOR_KEY).exists()
    known = evidence(staged, database, None, "", ()) if has_key else NO_EVIDENCE
    return audit(database, staged / SHOES_KEY, progress, known)


def _check_store(backup: Path, manifest: BackupManifest, url: PostgresqlUrl | None) -> None:
    if DUMP in manifest.files and url is None:
        raise BackupInvalid(f"{backup} is of a PostgreSQL database: name an empty one with --database")
    if DUMP not in manifest.files and url:
        raise BackupInvalid(f"{backup} is of an SQLite database: restore it, then use croupier copy-database")


def _check_key(path: Path, manifest: BackupManifest) -> bool:
    """Return whether the key of the shoes is missing; raise BackupInvalid if it is another one."""
    seal, wrong = read_key(path)
    if seal is None:
        if path.exists():
            raise BackupInvalid(f"{path.name} {wrong}")
        return bool(manifest.shoes_key)
    if manifest.shoes_key and seal.fingerprint != manifest.shoes_key:
        raise BackupInvalid(
            f"{path.name} isn't the key of this backup's shoes: give the right one with --keys"
        )
    return False

"""Delete old backups beside a new one."""

import shutil
from pathlib import Path

from croupier.app.backups.manifest import BackupInvalid, BackupManifest, read_manifest


def prune_backups(newest: Path, keep: int) -> list[Path]:
    """Keep the newest backups of this one's database in the same folder; return those that are deleted.

    They are counted, not dated: after an outage or with a wrong clock, the last ones are still there. Other
    folders, and backups of other databases, stay.
    """
    database = read_manifest(newest).database
    found = [
        (manifest.made_ms, folder)
        for folder in newest.resolve().parent.iterdir()
        if (manifest := _manifest(folder)) and manifest.database == database and folder != newest.resolve()
    ]
    old = [folder for _, folder in sorted(found, reverse=True)[keep - 1 :]]
    for folder in old:
        shutil.rmtree(folder)
    return old


def _manifest(folder: Path) -> BackupManifest | None:
    """Return the manifest of a folder; None if it isn't a backup."""
    if folder.is_symlink():
        return None
    try:
        return read_manifest(folder)
    except (BackupInvalid, NotADirectoryError):
        return None

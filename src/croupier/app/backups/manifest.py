"""The manifest of a backup: what it holds, with a checksum for each file."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from croupier.ledger.protocol import DatabaseUnusable

MANIFEST = "backup.json"


class BackupInvalid(DatabaseUnusable):
    """A folder that isn't a whole backup; the message says why."""


class BackupManifest(Struct, frozen=True, forbid_unknown_fields=True):
    """A backup's origin, the head of its journal, and the SHA-256 of each file by name.

    `shoes_key` is the fingerprint of the key that its open rounds at own tables need; empty if none was used.
    """

    croupier: str
    made_ms: int
    database: str
    entries: int
    head: str
    shoes_key: str
    files: Mapping[str, str]


def write_manifest(folder: Path, manifest: BackupManifest) -> None:
    path = folder / MANIFEST
    path.write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
    path.chmod(0o600)


def read_manifest(folder: Path) -> BackupManifest:
    """Return a backup's manifest; BackupInvalid if it's missing or malformed."""
    try:
        return msgspec.json.decode((folder / MANIFEST).read_bytes(), type=BackupManifest)
    except FileNotFoundError:
        raise BackupInvalid(f"{folder} isn't a backup: it has no {MANIFEST}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BackupInvalid(f"{folder / MANIFEST} can't be read: {error}") from error


def check_files(folder: Path, manifest: BackupManifest) -> None:
    """Raise BackupInvalid for the first file that is missing or differs from its checksum."""
    for name, expected in manifest.files.items():
        path = folder / name
        if Path(name).name != name:
            raise BackupInvalid(f"{folder / MANIFEST} names a file outside the backup: {name}")
        if not path.is_file():
            raise BackupInvalid(f"{path} is missing")
        if sha256(path) != expected:
            raise BackupInvalid(f"{path} isn't as it was written: its checksum differs")


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

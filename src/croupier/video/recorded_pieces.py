"""The files of recordings: a piece has a video and an audio file, named by table and UTC time."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

_read_name = re.compile(r"(.+)-([0-9]{8}T[0-9]{9}Z)-(audio|video)-[0-9]+\.mjr").fullmatch
_TIME = "%Y%m%dT%H%M%S%f"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class RecordedFile(NamedTuple):
    """A file of a piece. `kind` is `audio` or `video`."""

    path: Path
    table: str
    began_ms: int
    kind: str


class RecordedPiece(NamedTuple):
    """A piece, whose video or audio may be missing."""

    began_ms: int
    video: Path | None
    audio: Path | None


def piece_name(table: str, at_ms: int) -> str:
    """Return the prefix of the names of a piece's files."""
    at = _EPOCH + timedelta(milliseconds=at_ms)
    return f"{table}-{at.strftime(_TIME)[:-3]}Z"


def recorded_files(folder: Path) -> Iterator[RecordedFile]:
    """Yield the files of all pieces, and ignore others in the folder."""
    for path in folder.iterdir():
        if found := _read_name(path.name):
            table, at, kind = found.groups()
            began = datetime.strptime(f"{at[:-1]}000+0000", f"{_TIME}%z")
            yield RecordedFile(path, table, round((began - _EPOCH) / timedelta(milliseconds=1)), kind)


def delete_before(folder: Path, at_ms: int) -> int:
    """Delete pieces that began before a time; return the number of files."""
    old = [file.path for file in recorded_files(folder) if file.began_ms < at_ms]
    for path in old:
        path.unlink(missing_ok=True)  # another server may use the same folder
    return len(old)


def pieces_between(folder: Path, table: str, from_ms: int, to_ms: int) -> list[RecordedPiece]:
    """Return the pieces of a table that overlap a period, oldest first."""
    pieces = dict[int, dict[str, Path]]()
    for file in recorded_files(folder):
        is_within = file.began_ms <= to_ms and file.path.stat().st_mtime * 1000 >= from_ms
        if file.table == table and is_within:
            pieces.setdefault(file.began_ms, {})[file.kind] = file.path
    return [
        RecordedPiece(began_ms, kinds.get("video"), kinds.get("audio"))
        for began_ms, kinds in sorted(pieces.items())
    ]


def size_of(folder: Path, name: str) -> int:
    """Return the total size of a piece's files in bytes."""
    return sum(path.stat().st_size for path in folder.glob(f"{name}-*.mjr"))

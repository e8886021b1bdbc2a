"""Entries of the cache: exact results and compiled automata.

An entry is under a digest of all that it was made from, so none is ever stale. It is a file with a checksum,
written whole or not at all, so processes may share the folder.
"""

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from hashlib import sha256
from os import utime
from pathlib import Path
from shutil import rmtree
from tempfile import NamedTemporaryFile
from time import time
from typing import Any, TypeVar

import msgspec

from croupier.cache import cache_folder

T = TypeVar("T")
SIZE_MAX = 256 << 20
"""Bytes of the folder, compiled kernels included; beyond, what was unused for longest is deleted."""
IN_USE_SECONDS = 3600
"""What was used so recently is never deleted: another process may be at work with it."""
CHECKSUM_BYTES = sha256().digest_size


def cached(name: str, key: object, kind: Any, make: Callable[[], T]) -> T:
    """Return what `make` returns, or what it returned before from the same things.

    `key` is told apart by its repr. `kind` is the type, as msgspec knows types, or Fraction. What can't
    be read is made anew; where nothing can be written it is made every time.
    """
    folder = cache_folder()
    if folder is None:
        return make()
    path = folder / f"{name}-{sha256(repr(key).encode()).hexdigest()[:32]}.msgpack"
    with suppress(OSError, ValueError, msgspec.MsgspecError):
        found: T = _decoded(path.read_bytes(), kind)
        utime(path)
        return found
    made = make()
    with suppress(OSError):
        _write(path, msgspec.msgpack.encode(made, enc_hook=_encode_hook))
        _trim(folder)
    return made


def _decoded(entry: bytes, kind: Any) -> Any:
    """ValueError when an entry isn't what was written."""
    content = entry[CHECKSUM_BYTES:]
    if sha256(content).digest() != entry[:CHECKSUM_BYTES]:
        raise ValueError("a damaged entry")
    return msgspec.msgpack.decode(content, type=kind, dec_hook=_decode_hook)


def _encode_hook(value: Any) -> str | float:
    """What msgspec doesn't know: fractions, and numpy's floats."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, float):
        return float(value)
    raise NotImplementedError(f"{type(value)} can't be kept")


def _decode_hook(kind: type, text: Any) -> Any:
    return kind(text)


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all, whoever else writes it at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as written:
        try:
            written.write(sha256(content).digest() + content)
            written.close()
            Path(written.name).replace(path)
        except OSError:
            Path(written.name).unlink(missing_ok=True)
            raise


def _trim(folder: Path) -> None:
    """Delete what was unused for longest, until the rest has room."""
    entries = sorted(folder.iterdir(), key=lambda entry: entry.stat().st_mtime)
    sizes = {entry: _size(entry) for entry in entries}
    excess = sum(sizes.values()) - SIZE_MAX
    for entry in entries:
        if excess <= 0 or entry.stat().st_mtime > time() - IN_USE_SECONDS:
            return
        rmtree(entry, ignore_errors=True) if entry.is_dir() else entry.unlink(missing_ok=True)
        excess -= sizes[entry]


def _size(entry: Path) -> int:
    files = entry.rglob("*") if entry.is_dir() else (entry,)
    return sum(file.stat().st_size for file in files)

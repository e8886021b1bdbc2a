"""On-disk cache of exact results and compiled automata.

An entry's name contains a digest of everything it is computed from, so entries never go stale. Each is a file
with a checksum, written atomically, so processes can share the folder.
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
"""Maximum bytes of the folder, compiled kernels included; the least recently used entries go first."""
IN_USE_SECONDS = 3600
"""Entries used more recently than this are never deleted: another process may be using them."""
CHECKSUM_BYTES = sha256().digest_size


def cached(name: str, key: object, kind: Any, make: Callable[[], T]) -> T:
    """Return the cached value for `key`, or compute it with `make` and store it.

    Keys are compared by their repr. `kind` is a type that msgspec can decode, or contains Fraction. An
    unreadable entry is computed again; if the folder isn't writable, nothing is stored.
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
    """Raise ValueError if the entry is damaged."""
    content = entry[CHECKSUM_BYTES:]
    if sha256(content).digest() != entry[:CHECKSUM_BYTES]:
        raise ValueError("a damaged entry")
    return msgspec.msgpack.decode(content, type=kind, dec_hook=_decode_hook)


def _encode_hook(value: Any) -> str | float:
    """Encode fractions and numpy floats, which msgspec doesn't support."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, float):
        return float(value)
    raise NotImplementedError(f"{type(value)} can't be kept")


def _decode_hook(kind: type, text: Any) -> Any:
    return kind(text)


def _write(path: Path, content: bytes) -> None:
    """Write atomically, even while another process writes the same entry."""
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
    """Delete the least recently used entries until the folder fits SIZE_MAX."""
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

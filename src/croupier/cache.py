"""The folder that is kept between commands, and the digest of the sources that its entries are made from."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib import import_module
from os import environ
from pathlib import Path

VARIABLE = "CROUPIER_CACHE"
OFF = "off"
"""The value of the variable with which nothing is read or kept."""


def cache_folder() -> Path | None:
    """Return CROUPIER_CACHE, or a folder in the user's caches; None if nothing is to be kept."""
    if named := environ.get(VARIABLE):
        return None if named == OFF else Path(named)
    try:
        return Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "croupier"
    except RuntimeError:  # a user without a home
        return None


@contextmanager
def uncached() -> Iterator[None]:
    """Read and keep nothing meanwhile; child processes neither."""
    before = environ.get(VARIABLE)
    environ[VARIABLE] = OFF
    try:
        yield
    finally:
        del environ[VARIABLE]
        if before is not None:
            environ[VARIABLE] = before


def sources_digest(*packages: str) -> str:
    """Return a digest of every Python file of these packages of croupier: an edit to any changes it.

    A package may have several folders: games come from `--games` too.
    """
    found = (import_module(f"croupier.{package}").__path__ for package in packages)
    return _digest(tuple(folder for folders in found for folder in folders))


@cache
def _digest(folders: tuple[str, ...]) -> str:
    digest = sha256()
    for folder in map(Path, folders):
        for file in sorted(folder.rglob("*.py")):
            digest.update(f"{file.relative_to(folder).as_posix()}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()

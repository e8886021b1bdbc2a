"""The folder of compiled code, and the digest of the sources that it was compiled from."""

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from os import environ
from pathlib import Path
from typing import Any


def cache_folder() -> Path:
    """Return CROUPIER_CACHE, or a folder in the user's caches."""
    if named := environ.get("CROUPIER_CACHE"):
        return Path(named)
    return Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "croupier"


@cache
def sources_digest(packages: Sequence[str]) -> str:
    """Return a digest of every Python file of these packages of croupier: an edit to any changes it."""
    digest = sha256()
    for package in packages:
        _add(digest, files("croupier").joinpath(*package.split(".")))
    return digest.hexdigest()


def _add(digest: Any, folder: Traversable) -> None:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            _add(digest, entry)
        elif entry.name.endswith(".py"):
            digest.update(entry.name.encode() + b"\0" + entry.read_bytes())

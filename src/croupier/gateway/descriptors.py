"""The limit on open files, and the number of connections that it allows."""

from contextlib import suppress
from pathlib import Path

RESERVE = 32
"""Descriptors reserved for the database, static files and admin commands."""
ASSUMED_LIMIT = 1024
"""Assumed on platforms without a readable limit."""
OPEN_NOW = Path("/dev/fd")


def raise_limit() -> int:
    """Raise the soft limit on open files to the hard limit; return the resulting limit."""
    try:
        import resource
    except ImportError:
        return ASSUMED_LIMIT
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # some platforms refuse an infinite soft limit
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def connections_that_fit(limit: int) -> int:
    """Return the number of connections that fit besides the open files and the reserve."""
    return max(1, limit - _open_now() - RESERVE)


def _open_now() -> int:
    try:
        return sum(1 for _ in OPEN_NOW.iterdir())
    except OSError:
        return RESERVE

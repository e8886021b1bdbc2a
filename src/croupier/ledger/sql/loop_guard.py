"""The contract that the event loop never waits for the database."""

from asyncio import events


class ReadOnLoop(RuntimeError):
    """Code on the event loop reads the database, which would stop the whole server while it is silent."""


def strict_check() -> None:
    """Raise ReadOnLoop in a thread that runs an event loop."""
    if events._get_running_loop() is not None:
        raise ReadOnLoop(
            "a database read on the event loop: write `await gateway.read(ledger.entry, key)`, which reads in"
            " a thread and has a deadline, or read inside a transaction of the store (`storage/sql`)"
        )


check_off_loop = strict_check
"""The check that the stores do before each read; tests exempt their own reads from it."""


def check_connection(_connection: object) -> None:
    """Check as a listener of an engine, before each use of a connection."""
    check_off_loop()

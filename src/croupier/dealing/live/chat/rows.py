"""The repository of chat rows. See `accounts.repository` for the order of calls and their futures."""

from collections.abc import Sequence
from concurrent.futures import Future
from typing import NamedTuple, Protocol


class ChatRow(NamedTuple):
    """A note of a chat room as it is stored.

    `note` is JSON; `at_ms` is when it was made.
    """

    table: str
    at_ms: int
    what: str
    note: str


class ChatRows(Protocol):
    """The chat of all tables."""

    def add(self, rows: Sequence[ChatRow], at_ms: int, forget_ms: int) -> Future[None]:
        """Add rows at `at_ms`, and delete a few of those older than `forget_ms`."""

    def newest(self, table: str, limit: int) -> Future[list[tuple[str, str]]]:
        """Return kind and note of a table's newest rows and of all its mutes, in order."""

"""Leases: which process runs a live table, and the fence that keeps a former one from posting.

Nodes have rows among them, which show who hears the bus.
"""

from collections.abc import Collection
from concurrent.futures import Future
from typing import NamedTuple, Protocol

LEASE_MS = 3000
"""Time without renewal after which another process may take a table over."""

BUS_MARGIN_MS = 2000
"""Nodes hear themselves on the bus twice a second, but not at the same moment."""


class Fence(NamedTuple):
    """The number of a table's lease. Each take-over counts on, so that a former owner's is out of date."""

    table: str
    epoch: int


class LeaseLost(RuntimeError):
    """Another process has taken the table over: nothing was posted, and this process must stop dealing."""


class Lease(NamedTuple):
    """A lease of a table; without an expiry it holds as long as this process has the database to itself."""

    fence: Fence
    expires: bool


class Leases(Protocol):
    """Leases in the ledger's database, by its clock. Safe to call from any thread."""

    @property
    def is_shared(self) -> bool:
        """True if other processes may write the database, and so have leases too."""

    def acquire(self, table: str, owner: str) -> Future[Lease | None]:
        """Take a table over; None while another process has it."""

    def free(self, tables: Collection[str]) -> Future[frozenset[str]]:
        """Return those of the tables that no process has."""

    def seize(self, table: str, owner: str) -> Future[Fence]:
        """Take a table over at once, whoever has it."""

    def renew(self, fence: Fence) -> Future[bool]:
        """Put the expiry off; return whether the table still belongs to this process."""

    def release(self, fence: Fence) -> Future[None]:
        """Let another process take the table over at once."""

    def beat(self, node: str, roles: Collection[str], silent_ms: int) -> Future[frozenset[str]]:
        """Record that a node with these roles is there, and last heard the bus before so many milliseconds.

        Return the roles of the other nodes that have heard it since, by more than BUS_MARGIN_MS.
        """

"""The index of all players, which staff search."""

from concurrent.futures import Future
from typing import NamedTuple, Protocol

from croupier.accounts.identity import IdentityKind


class IndexedPlayer(NamedTuple):
    """A player's entry in the index.

    `login` is the name of the identity, and `address` the verified mail address; empty: none. `seen_ms` is
    the last use of a device that is still signed in; 0: none is.
    """

    id: str
    name: str
    kind: IdentityKind
    login: str
    address: str
    created_ms: int
    seen_ms: int


class PlayerIndex(Protocol):
    """Queries about players. Futures behave like those of the other repositories."""

    def find(self, player: str) -> Future[IndexedPlayer | None]: ...

    def newest(self, before: str, limit: int) -> Future[tuple[IndexedPlayer, ...]]:
        """Return the players created before the player `before`, newest first; empty: all players."""

    def search(self, text: str, limit: int) -> Future[tuple[IndexedPlayer, ...]]:
        """Return the players whose id, name, identity or address begins with `text`."""

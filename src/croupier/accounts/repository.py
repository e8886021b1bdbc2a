"""Repositories of players, guests and staff.

Calls are carried out in order with the ledger's entries. A future resolves after the durable commit, and
fails as those of `Ledger` do.
"""

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Protocol

from croupier.accounts.balances import PlayerBalances
from croupier.accounts.identity import NewGuest, Player
from croupier.accounts.staff_members import Member, Role
from croupier.ledger.entries import Entry


class Accounts(Protocol):
    """Players and their sessions. Only the hash of a session's token is stored."""

    def add_guests(self, guests: Sequence[NewGuest], grants: Sequence[Entry], now_ms: int) -> Future[None]:
        """Add players with a session each, and enter their grants."""

    def signed_in(self, token: str, now_ms: int) -> Future[Player | None]:
        """Return the session's player and mark them as seen; None where there is no such session."""

    def arriving(self, token: str, now_ms: int) -> Future[tuple[Player, PlayerBalances] | None]:
        """Do as `signed_in` does, and return the player's balances of the same moment."""

    def end_visits(self, player: str) -> Future[None]:
        """End the player's visit: whenever they come back, a new one begins."""

    def mark_seen(self, players: Sequence[str], now_ms: int) -> Future[None]:
        """Record that these players are connected; a visit that has ended stays ended."""

    def save_settings(self, player: str, settings_json: str, now_ms: int) -> Future[None]: ...


class UnusedGuests(Protocol):
    """Guests who never played."""

    def find(self, after: str, most: int, before_ms: int) -> Future[tuple[str, tuple[str, ...]]]:
        """Look at `most` players whose ids follow `after`: return the last id, and the unused players.

        A player is unused who never played and wasn't seen since `before_ms`. The last id is empty once there
        are no more.
        """

    def delete(self, players: Sequence[str], before_ms: int, now_ms: int) -> Future[tuple[str, ...]]:
        """Delete those of `players` who are still unused, and return their ids.

        An `expiry` entry returns all the money of each.
        """


class StaffMembers(Protocol):
    """Dealers and shift managers. Only the hash of a member's code is stored."""

    def add(self, name: str, role: Role, code: str, now_ms: int) -> Future[None]:
        """Add a member; refuse `staff_name` for an unusable name, `staff_exists` for one that is taken."""

    def remove(self, name: str, now_ms: int) -> Future[None]:
        """Remove a member; refuse `no_such_staff` where nobody has that name."""

    def members(self) -> Future[tuple[Member, ...]]:
        """Return all members by name."""

    def known(self, name: str, code: str) -> Future[Member | None]:
        """Return the member of that name if the code is theirs."""

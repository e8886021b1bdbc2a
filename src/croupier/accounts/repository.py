"""Repositories of players, guests, payments and staff.

Calls are executed in order with the ledger's entries. A future resolves after the durable commit, and
fails as those of `Ledger` do.
"""

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from typing import NamedTuple, Protocol

from croupier.accounts.balances import PlayerBalances
from croupier.accounts.bonus import BonusEnd
from croupier.accounts.devices import EndedSession, NewSession, PlayerDevice
from croupier.accounts.identity import Identity, NewGuest, Player
from croupier.accounts.payment_rules import PaymentRules
from croupier.accounts.payments import (
    CollectedDebts,
    DueGrants,
    Payment,
    PaymentChange,
    PaymentNews,
    PaymentTimes,
    PostedEntries,
)
from croupier.accounts.play_time import Stretch, Stretches
from croupier.accounts.staff_members import Member, Role
from croupier.ledger.entries import Entry


class Accounts(Protocol):
    """Players and their sessions. Only the hash of a session's token is stored."""

    def add_guests(self, guests: Sequence[NewGuest], grants: Sequence[Entry], now_ms: int) -> Future[None]:
        """Add players with a session each, and post their grants."""

    def exists(self, player: str) -> Future[bool]:
        """Return whether there is a player with this id."""

    def signed_in(self, token: str, now_ms: int) -> Future[Player | None]:
        """Return the session's player and mark them as seen; None if there is no such session."""

    def arriving(self, token: str, now_ms: int) -> Future[tuple[Player, PlayerBalances] | None]:
        """Do as `signed_in` does, and return the player's balances and time played of the same moment."""

    def seated(self, player: str, session: str) -> Future[tuple[Player, PlayerBalances] | None]:
        """Return a player whose session has this id, with their balances of the same moment.

        None if the player has no such session.
        """

    def balances(self, visits: Mapping[str, int]) -> Future[dict[str, PlayerBalances]]:
        """Return players' balances in the order of the writes, with the totals since their visits began.

        `visits`: these times, by player.
        """

    def end_visits(self, player: str) -> Future[None]:
        """End the player's visit: whenever they come back, a new one begins."""

    def mark_seen(self, players: Sequence[str], now_ms: int) -> Future[None]:
        """Record that these players are connected; a visit that has ended stays ended."""

    def play_time(self, player: str) -> Future[Stretches]:
        """Return when the player was connected in the last 24 hours."""

    def mark_playing(self, played: Mapping[str, Stretch], now_ms: int) -> Future[dict[str, Stretches]]:
        """Record players' present or last stretches, and return all that is known of these players."""

    def save_settings(self, player: str, settings_json: str, now_ms: int) -> Future[None]: ...

    def settings(self, player: str) -> Future[str]:
        """Return a player's settings in the order of the writes."""


class StoredLogin(NamedTuple):
    """A player and the hash of their password, empty for an identity without one."""

    player: str
    password: str


class Identities(Protocol):
    """Players who aren't guests. Each has one identity."""

    def add(
        self, identity: Identity, password: str, session: NewSession, now_ms: int
    ) -> Future[tuple[EndedSession, ...]]:
        """Give the session's player an identity, and replace all of their sessions by this one.

        Refuse `name_taken` if another player has the name, `account_exists` if this one has an identity.
        """

    def find(self, identity: Identity) -> Future[StoredLogin | None]: ...

    def of(self, player: str) -> Future[StoredLogin | None]: ...

    def name_of(self, player: str) -> Future[str]:
        """Return the name of a player's identity; empty for a guest."""

    def rehash(self, login: StoredLogin, password: str, now_ms: int) -> Future[None]:
        """Replace the hash of an unchanged password."""


class Arrival(NamedTuple):
    """A player whom another site identifies.

    `note` is entered about the player. With `keeps_guest`, the guest of the browser becomes the player if the
    identity is new.
    """

    identity: Identity
    note: Entry
    keeps_guest: bool = False


class ArrivedPlayer(NamedTuple):
    """A player whose session has begun, and the sessions that it replaces."""

    player: str
    ended: tuple[EndedSession, ...]


class ExternalPlayers(Protocol):
    """Players whom another site identifies: an operator's server, or an identity server."""

    def player(self, identity: Identity) -> Future[str]:
        """Return the player with this identity; empty if there is none yet."""

    def name_of(self, player: str) -> Future[str]:
        """Return the operator's own name of a player; empty if the operator didn't send them."""

    def begin(
        self, arrival: Arrival, new: NewGuest, ended: str, grants: Sequence[Entry], now_ms: int
    ) -> Future[ArrivedPlayer]:
        """Begin a session of the identity's player, and end that of the token `ended`, if there is one.

        `new` has the session's token and device, and becomes the player, with the grants, if the identity is
        new and no guest takes it. Refuse `key_reused` if the arrival's note was entered before.
        """


class DeviceSessions(Protocol):
    """The sessions of players' devices."""

    def begin(
        self, session: NewSession, password: str, ended: str, now_ms: int
    ) -> Future[tuple[EndedSession, ...]]:
        """Begin a session and end that of the token `ended`, if there is one.

        The player's visit continues if another of their devices is in one. Refuse `wrong_sign_in` if the
        player's password no longer has this hash: sessions of an old password end when it is changed.
        """

    def list(self, player: str) -> Future[tuple[PlayerDevice, ...]]:
        """Return a player's devices, the last used one first."""

    def end(self, token: str, now_ms: int) -> Future[tuple[EndedSession, ...]]:
        """End the session of a token."""

    def end_unseen(
        self, connected: Collection[str], before_ms: int, now_ms: int
    ) -> Future[tuple[EndedSession, ...]]:
        """End the sessions of accounts that were last seen before `before_ms`, except those of `connected`.

        It ends a limited number at once.
        """

    def end_one(self, player: str, device: str, now_ms: int) -> Future[tuple[EndedSession, ...]]:
        """End the session of one of a player's devices; nothing if there is no such session."""

    def end_others(self, player: str, token: str, now_ms: int) -> Future[tuple[EndedSession, ...]]:
        """End all sessions of a player but that of the token."""


class UnusedGuests(Protocol):
    """Guests who never played."""

    def find(self, after: str, limit: int, before_ms: int) -> Future[tuple[str, tuple[str, ...]]]:
        """Look at `limit` players whose ids follow `after`: return the last id, and the unused players.

        A player is unused who never played and wasn't seen since `before_ms`. The last id is empty once there
        are no more.
        """

    def delete(self, players: Sequence[str], before_ms: int, now_ms: int) -> Future[tuple[str, ...]]:
        """Delete those of `players` who are still unused, and return their ids.

        An `expiry` entry returns all the money of each.
        """


class PaymentRepository(Protocol):
    """Deposits and withdrawals. A payment's state and its entries change together."""

    rules: PaymentRules
    """The rules of the configuration that its transactions check."""

    def add(self, payment: Payment, further: Sequence[Entry] = ()) -> Future[PaymentChange]:
        """Add a payment, with further entries; one with the same id and content is returned as it is.

        Refuse `key_reused` for other content, `too_many_payments` beyond OPEN_MAX that haven't ended, and
        `not_covered` for a withdrawal. Refuse a deposit that its conditions forbid, and `bonus_forfeit` for
        a withdrawal whose further entries don't end the player's bonus.
        """

    def change(self, payment: str, news: PaymentNews, at: PaymentTimes) -> Future[PaymentChange]:
        """Apply an event to a payment; refuse `no_such_payment` if there is none.

        A deposit is credited only if its conditions hold, see `deposit_conditions`. With it, the bonus is
        granted that its player has opted in to; its reversal ends that bonus. A withdrawal isn't sent for a
        day after a change of the player's credentials: it is held.
        """

    def collect(self, player: str, now_ms: int) -> Future[CollectedDebts]:
        """Pay what a player owes from their cash, as far as there is any; return what is left to pay."""

    def debtors(self) -> Future[tuple[str, ...]]:
        """Return the players who owe anything."""

    def grant_due(self, player: str, now_ms: int) -> Future[DueGrants]:
        """Grant the bonuses that a player's deposits have brought, after a break, if the deposits stayed."""

    def withdraw_play_money(self, withdrawal: Entry, ends: Sequence[Entry]) -> Future[PostedEntries]:
        """Post a withdrawal of play money with the ends of the player's bonus; the same one is posted once.

        Refuse `bonus_forfeit` if the ends don't end what the bonus is now, `key_reused` if the key has other
        content, and `not_covered`.
        """

    def end_bonus(
        self, player: str, bonus: str, why: BonusEnd, now_ms: int, agreed_minor: int | None = None
    ) -> Future[PostedEntries]:
        """End a bonus that is active or waits for a deposit.

        Refuse `no_such_bonus` for another, and `bonus_forfeit` unless the player agrees to lose exactly what
        the bonus has; None: nobody has to agree.
        """

    def add_bonus(self, added: Entry) -> Future[DueGrants]:
        """Post the grant of a bonus, or the note that a player opts in to one.

        Refuse `barred` during a break, `account_closed`, `no_such_bonus` if the player's jurisdiction is none
        of the bonus's, and `bonus_active` beside another bonus in its currency.
        """

    def end_due_bonuses(self, players: Sequence[str], now_ms: int) -> Future[PostedEntries]:
        """End the players' bonuses that are played through, have expired or have nothing left."""

    def find(self, payment: str) -> Future[Payment | None]: ...

    def of(self, player: str, most: int) -> Future[tuple[Payment, ...]]:
        """Return a player's payments, newest first."""

    def due(self, until_ms: int, most: int) -> Future[tuple[Payment, ...]]:
        """Return the payments whose next inquiry is due, longest due first."""

    def stuck(self, most: int) -> Future[tuple[Payment, ...]]:
        """Return the payments in a state of STUCK, oldest first."""


class StaffMembers(Protocol):
    """Dealers and shift managers. Only the hash of a member's code is stored."""

    def add(self, name: str, role: Role, code: str, now_ms: int) -> Future[None]:
        """Add a member; refuse `staff_name` for an unusable name, `staff_exists` for one that is taken."""

    def reset(self, name: str, code: str, now_ms: int) -> Future[None]:
        """Replace a member's code and remove their other ways to sign in; refuse `no_such_staff`."""

    def remove(self, name: str, now_ms: int) -> Future[None]:
        """Remove a member; refuse `no_such_staff` if nobody has that name."""

    def members(self) -> Future[tuple[Member, ...]]:
        """Return all members by name."""

    def known(self, name: str, code: str) -> Future[Member | None]:
        """Return the member of that name if the code is theirs."""

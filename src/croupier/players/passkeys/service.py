"""Passkeys of players: creation, removal, and sign-in without a name or a password."""

import msgspec

from croupier import clock
from croupier.accounts.attempts import Attempt, AttemptLimit, network_of
from croupier.accounts.credential_changes import Proof
from croupier.accounts.devices import NewSession
from croupier.accounts.identity import Identity, Player, new_account_token
from croupier.accounts.login_names import login_name
from croupier.accounts.passkeys import (
    Passkey,
    PasskeyOwner,
    Passkeys,
    PasskeyUse,
    RelyingParty,
    known_ids,
    passkey_name,
)
from croupier.accounts.repository import Identities
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.players.accounts import (
    ATTEMPT_WINDOW_MS,
    ATTEMPTS_MAX,
    BegunSession,
    Caller,
)
from croupier.players.confirmed_actions import ConfirmedActions, ShownCredential, check_account
from croupier.players.credential_updates import CredentialUpdates
from croupier.players.limited_attempts import LimitedAttempts
from croupier.players.passkeys.ceremonies import PasskeyCeremonies, load_verification
from croupier.players.registry_check import RegistryCheck
from croupier.protocol import wire
from croupier.refusal import Refused

PASSKEY_LIMIT = AttemptLimit("player passkey", ATTEMPTS_MAX, ATTEMPT_WINDOW_MS)
"""Failed sign-ins from one network with one passkey."""
SIGN_IN = "sign in"
"""Purpose of a challenge for a sign-in; that for a new passkey is its player's id."""


class PlayerPasskeyAddition(msgspec.Struct, frozen=True, tag_field="t", tag="player_passkey_added"):
    """Record of a new passkey, or of a failed attempt to add one, in the event log."""

    address: str
    """The network address that the request came from."""


class PlayerPasskeyRemoval(msgspec.Struct, frozen=True, tag_field="t", tag="player_passkey_removed"):
    """Record of the removal of a passkey, or of a failed attempt, in the event log."""

    address: str
    """The network address that the request came from."""


class PlayerPasskeys:
    """The passkeys that players sign in with."""

    def __init__(
        self,
        gateway: LedgerGateway,
        identities: Identities,
        passkeys: Passkeys,
        credentials: CredentialUpdates,
        confirmed: ConfirmedActions,
        limits: PlayerLimits,
        registry: RegistryCheck,
        attempts: LimitedAttempts,
    ) -> None:
        self._gateway = gateway
        self._identities = identities
        self._passkeys = passkeys
        self._credentials = credentials
        self._confirmed = confirmed
        self._limits = limits
        self._registry = registry
        self._ceremonies = PasskeyCeremonies()
        self._attempts = attempts

    async def list(self, player: Player) -> tuple[Passkey, ...]:
        """Return a player's passkeys, the newest first."""
        return await self._gateway.durable(self._passkeys.of(_owner(player)))

    async def creation(self, player: Player, party: RelyingParty) -> wire.PasskeyCreation:
        """Begin to add a passkey to an account."""
        check_account(player)
        known = known_ids(await self.list(player))
        return self._ceremonies.creation(player.id, _owner(player), player.identity.name, known, party)

    async def add(
        self,
        caller: Caller,
        player: Player,
        shown: ShownCredential,
        new: wire.NewPasskey,
        party: RelyingParty,
    ) -> None:
        """Add a passkey to an account, whose owner confirms it."""

        async def add(proof: Proof) -> None:
            passkey = self._created(caller, player, new, party)
            await self._credentials.done(self._credentials.store.add_passkey(proof, passkey))

        await load_verification()
        await self._confirmed.execute(player, shown, PlayerPasskeyAddition(caller.address), add)

    async def remove(self, caller: Caller, player: Player, shown: ShownCredential, passkey: str) -> None:
        """Remove a passkey, which the account's owner confirms."""

        async def remove(proof: Proof) -> None:
            removed = self._credentials.store.remove_passkey(proof, player.id, passkey, clock.now_ms())
            await self._credentials.done(removed)

        await self._confirmed.execute(player, shown, PlayerPasskeyRemoval(caller.address), remove)

    async def account_creation(self, player: Player, name: str, party: RelyingParty) -> wire.PasskeyCreation:
        """Begin to create a guest's account; a bad name is refused before the browser creates a passkey."""
        _check_guest(player)
        name = login_name(name)
        if await self._gateway.durable(self._identities.find(Identity("account", name))):
            raise Refused("name_taken")
        return self._ceremonies.creation(player.id, _owner(player), name, (), party)

    async def create_account(
        self, caller: Caller, player: Player, order: wire.NewPasskeyAccount, party: RelyingParty
    ) -> BegunSession:
        """Give a guest a name and a passkey, and a new session; they stay the same player."""
        _check_guest(player)
        identity = Identity("account", login_name(order.name))
        await load_verification()
        passkey = self._created(caller, player, order.passkey, party)
        await self._registry.check(player.id, identity, "account")
        session = NewSession(player.id, new_account_token(), caller.device)
        added = self._passkeys.add_account(identity, passkey, session)
        return BegunSession(session.token, player.id, await self._gateway.durable(added))

    def challenge(self, party: RelyingParty) -> wire.PasskeyChallenge:
        """Begin a sign-in."""
        return self._ceremonies.challenge(SIGN_IN, party)

    async def sign_in(self, caller: Caller, answer: wire.PasskeySignIn, party: RelyingParty) -> BegunSession:
        """Begin a session and end the one that the browser had, as with a password."""
        tried = Attempt(PASSKEY_LIMIT, f"{network_of(caller.address)} {answer.id}")
        async with self._attempts.sign_in(caller.address, tried):
            use = await self._used(caller, answer, party)
        player = use.owner.id
        self._limits.check_open(player)
        name = await self._gateway.durable(self._identities.name_of(player))
        await self._registry.check(player, Identity("account", name), "sign_in")
        session = NewSession(player, new_account_token(), caller.device)
        begun = self._passkeys.begin_session(use, session, caller.token, clock.now_ms())
        return BegunSession(session.token, player, await self._gateway.durable(begun))

    async def _used(self, caller: Caller, answer: wire.PasskeySignIn, party: RelyingParty) -> PasskeyUse:
        """Return the verified use of a passkey; log and refuse a wrong one, or one of staff."""
        found = await self._gateway.durable(self._passkeys.found(answer.id))
        passkey = found if found and found.owner.kind == "player" else None
        await load_verification()
        try:
            return self._ceremonies.used(SIGN_IN, answer, passkey, party)
        except Refused:
            await self._attempts.log.failed(caller.address, passkey.owner.id if passkey else "")
            raise

    def _created(self, caller: Caller, player: Player, new: wire.NewPasskey, party: RelyingParty) -> Passkey:
        key = self._ceremonies.created(player.id, new, party)
        name = passkey_name(new.name, caller.device)
        return Passkey(key.id, _owner(player), key.key, key.sign_count, name, clock.now_ms())


def _owner(player: Player) -> PasskeyOwner:
    return PasskeyOwner("player", player.id)


def _check_guest(player: Player) -> None:
    if player.identity.kind != "guest":
        raise Refused("account_exists")

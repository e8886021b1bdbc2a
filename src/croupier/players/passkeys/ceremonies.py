"""Ceremonies of passkeys: challenges, and the verification of what an authenticator answers.

Users must be verified (by fingerprint, face or PIN), so a passkey alone is two factors. Attestations aren't
asked for: players bring any authenticator.
"""

import asyncio
from importlib import import_module

import msgspec

from croupier import clock
from croupier.accounts.challenges import Challenges
from croupier.accounts.passkeys import Passkey, PasskeyOwner, PasskeyUse, RelyingParty
from croupier.players.passkeys.encoding import PublicKey, decoded, encoded
from croupier.protocol import wire
from croupier.refusal import Refused

INVALID = (ValueError, TypeError, KeyError, IndexError, OverflowError)
"""Errors of the verification and of the parsers below it for malformed answers."""


async def load_verification() -> None:
    """Import the verification, which takes long, in a thread, so that no table waits for it."""
    await asyncio.to_thread(import_module, "croupier.players.passkeys.verification")


class _ClientData(msgspec.Struct):
    challenge: str


class PasskeyCeremonies:
    """The open ceremonies of one kind of users. Await `load_verification` before `created` and `used`."""

    def __init__(self) -> None:
        self._challenges = Challenges()

    def creation(
        self, purpose: str, owner: PasskeyOwner, name: str, known: tuple[str, ...], party: RelyingParty
    ) -> wire.PasskeyCreation:
        """Return what a browser needs to create a passkey."""
        challenge = self._challenges.issue(purpose, clock.now_ms())
        return wire.PasskeyCreation(encoded(challenge), party.id, encoded(owner.handle), name, known)

    def challenge(self, purpose: str, party: RelyingParty) -> wire.PasskeyChallenge:
        """Return what a browser needs to use a passkey."""
        return wire.PasskeyChallenge(encoded(self._challenges.issue(purpose, clock.now_ms())), party.id)

    def created(self, purpose: str, new: wire.NewPasskey, party: RelyingParty) -> PublicKey:
        """Return a new passkey's verified public key; refuse `passkey_failed`."""
        from croupier.players.passkeys.verification import registered

        try:
            return registered(new, self._taken(purpose, new.client_data), party)
        except INVALID:
            raise Refused("passkey_failed") from None

    def used(
        self, purpose: str, answer: wire.PasskeySignIn, passkey: Passkey | None, party: RelyingParty
    ) -> PasskeyUse:
        """Return the verified use of a passkey; refuse `wrong_sign_in`."""
        from croupier.players.passkeys.verification import signed

        try:
            challenge = self._taken(purpose, answer.client_data)
            if passkey is None or decoded(answer.user) != passkey.owner.handle:
                raise Refused("wrong_sign_in")
            return PasskeyUse(passkey.id, passkey.owner, signed(answer, challenge, passkey, party))
        except INVALID:
            raise Refused("wrong_sign_in") from None

    def _taken(self, purpose: str, client_data: str) -> bytes:
        """Return the answered challenge, which can't be answered again; raise ValueError if it isn't open."""
        challenge = decoded(msgspec.json.decode(decoded(client_data), type=_ClientData).challenge)
        if not self._challenges.take(challenge, purpose, clock.now_ms()):
            raise ValueError("the challenge isn't open")
        return challenge

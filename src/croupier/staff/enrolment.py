"""Enrolment of staff: with a code of the operator's, a member sets up an authenticator app or a passkey."""

import hmac
import secrets

import msgspec

from croupier.accounts.one_time_codes import SECRET_BYTES, accepted_step, secret_text, secret_uri
from croupier.accounts.passkeys import Passkey, RelyingParty, passkey_name
from croupier.accounts.staff_members import hash_of_code
from croupier.accounts.staff_sign_ins import Authenticator, Enrolment, StaffSignIns
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.clock import now_ms
from croupier.players.passkeys.ceremonies import load_verification
from croupier.protocol import staff_sign_in, wire
from croupier.refusal import Refused
from croupier.rounds.shoe_seal import Seal
from croupier.staff.sign_in import StaffSignIn, owner_of, seal_label


class Enrolled(msgspec.Struct, frozen=True, tag_field="t", tag="enrol"):
    """Record of a member's first sign-in in the event log; `way` is how they sign in from now on."""

    way: str


class StaffEnrolment:
    """Sets up members' ways to sign in. A code stays valid until one of them is stored."""

    def __init__(
        self, gateway: LedgerGateway, sign_ins: StaffSignIns, sign_in: StaffSignIn, seal: Seal
    ) -> None:
        self._gateway = gateway
        self._sign_ins = sign_ins
        self._sign_in = sign_in
        self._seal = seal
        self._key = secrets.token_bytes(32)

    async def offer(
        self, address: str, order: staff_sign_in.StartEnrolment, party: RelyingParty | None
    ) -> staff_sign_in.EnrolmentOffer:
        """Return what a member needs to set up an app or, where the page can have one, a passkey."""
        enrolment = self._enrolment(order)
        async with self._sign_in.attempt(address, enrolment.name):
            await self._gateway.durable(self._sign_ins.check(enrolment))
        secret = self._secret(enrolment)
        passkey = self._creation(enrolment.name, party) if party else None
        return staff_sign_in.EnrolmentOffer(secret_text(secret), secret_uri(secret, enrolment.name), passkey)

    def _creation(self, name: str, party: RelyingParty) -> wire.PasskeyCreation:
        return self._sign_in.ceremonies.creation(_purpose(name), owner_of(name), name, (), party)

    async def with_authenticator(self, address: str, order: staff_sign_in.EnrolAuthenticator) -> str:
        """Set up an app that shows the right code, and return the token of a session."""
        enrolment = self._enrolment(order.enrolment)
        async with self._sign_in.attempt(address, enrolment.name):
            await self._gateway.durable(self._sign_ins.check(enrolment))
            secret = self._secret(enrolment)
            step = accepted_step(secret, order.one_time_code, enrolment.at_ms, 0)
            if step is None:
                raise Refused("wrong_code")
            app = Authenticator(self._seal.seal(secret, seal_label(enrolment.name)), step)
            member = await self._gateway.durable(self._sign_ins.enrol_authenticator(enrolment, app))
        return await self._sign_in.begin(member, Enrolled("authenticator"))

    async def with_passkey(
        self, address: str, order: staff_sign_in.EnrolPasskey, device: str, party: RelyingParty
    ) -> str:
        """Add a passkey, and return the token of a session."""
        enrolment = self._enrolment(order.enrolment)
        owner = owner_of(enrolment.name)
        async with self._sign_in.attempt(address, enrolment.name):
            await load_verification()
            key = self._sign_in.ceremonies.created(_purpose(enrolment.name), order.passkey, party)
            name = passkey_name(order.passkey.name, device)
            passkey = Passkey(key.id, owner, key.key, key.sign_count, name, enrolment.at_ms)
            member = await self._gateway.durable(self._sign_ins.enrol_passkey(enrolment, passkey))
        return await self._sign_in.begin(member, Enrolled("passkey"))

    def _enrolment(self, order: staff_sign_in.StartEnrolment) -> Enrolment:
        """Return an enrolment; refuse it where codes stay the same."""
        if not self._sign_in.one_time:
            raise Refused("wrong_sign_in")
        return Enrolment(order.name.strip(), order.code, now_ms())

    def _secret(self, enrolment: Enrolment) -> bytes:
        """Return the secret that an enrolment code leads to, the same until the server restarts."""
        text = f"{hash_of_code(enrolment.code)} {enrolment.name}"
        return hmac.digest(self._key, text.encode(), "sha256")[:SECRET_BYTES]


def _purpose(name: str) -> str:
    return f"enrol {name}"

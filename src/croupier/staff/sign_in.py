"""Sign-in of staff: with a one-time code, with a passkey, or with a code that stays the same.

Attempts are limited by address and name, and by name alone. The event log has successes and failures.
"""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import msgspec

from croupier.accounts.attempts import Attempt, AttemptLimit, network_of
from croupier.accounts.one_time_codes import accepted_step
from croupier.accounts.passkeys import Passkey, PasskeyOwner, Passkeys, RelyingParty
from croupier.accounts.repository import StaffMembers
from croupier.accounts.staff_members import Member
from croupier.accounts.staff_sign_ins import Authenticator, StaffSignIns
from croupier.action_log import Actor, log_action
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.clock import now_ms
from croupier.gateway.rate_limits import RateLimit, RateLimiter
from croupier.players.limited_attempts import LimitedAttempts
from croupier.players.passkeys.ceremonies import PasskeyCeremonies, load_verification
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.rounds.shoe_seal import Seal, SealError
from croupier.staff.sessions import StaffSessions

log = logging.getLogger(__name__)

ATTEMPTS_MAX, ATTEMPT_WINDOW_MS = 5, 5 * 60_000
"""Failed sign-ins from one network with one name."""
NAME_ATTEMPTS_MAX, NAME_WINDOW_MS = 30, 60 * 60_000
"""Failed sign-ins with one name from all addresses, since a one-time code has only a million values."""
ADDRESS_LIMIT = AttemptLimit("staff sign-in from", ATTEMPTS_MAX, ATTEMPT_WINDOW_MS)
NAME_LIMIT = AttemptLimit("staff sign-in", NAME_ATTEMPTS_MAX, NAME_WINDOW_MS)
SIGN_IN = "sign in"
"""Purpose of a challenge for a sign-in; that for a new passkey is its member's name with a prefix."""


class SignedIn(msgspec.Struct, frozen=True, tag_field="t", tag="sign_in"):
    """Record of a sign-in in the event log."""


SIGNED_IN = SignedIn()


class SignInRefused(msgspec.Struct, frozen=True, tag_field="t", tag="sign_in_refused"):
    """Record of a failed sign-in in the event log."""

    address: str


LOGGED_REFUSALS = RateLimit(600, 3_600)
"""Failed sign-ins beyond this rate go to the server's log only, so that strangers can't fill the journal."""


class StaffSignIn:
    """Begins sessions of staff; `one_time` is false where codes stay the same."""

    def __init__(
        self,
        gateway: LedgerGateway,
        members: StaffMembers,
        sign_ins: StaffSignIns,
        passkeys: Passkeys,
        sessions: StaffSessions,
        seal: Seal,
        attempts: LimitedAttempts,
        *,
        one_time: bool,
    ) -> None:
        self.one_time = one_time
        self.ceremonies = PasskeyCeremonies()
        self._gateway = gateway
        self._members = members
        self._sign_ins = sign_ins
        self._passkeys = passkeys
        self._sessions = sessions
        self._seal = seal
        self._attempts = attempts
        self._refusals = RateLimiter(LOGGED_REFUSALS)

    async def with_code(self, address: str, name: str, code: str) -> str:
        """Return the token of a new session; refuse a wrong code, and further attempts after several."""
        async with self.attempt(address, name):
            member = await (self._one_time(name, code) if self.one_time else self._constant(name, code))
        return await self.begin(member)

    async def _constant(self, name: str, code: str) -> Member:
        member = await self._gateway.durable(self._members.known(name, code))
        if member is None:
            raise Refused("wrong_sign_in")
        return member

    async def _one_time(self, name: str, code: str) -> Member:
        app = await self._gateway.durable(self._sign_ins.authenticator(name))
        step = accepted_step(self._secret(name, app), code, now_ms(), app.step) if app else None
        if step is None:
            raise Refused("wrong_sign_in")
        return await self._gateway.durable(self._sign_ins.use_step(name, step))

    def _secret(self, name: str, app: Authenticator) -> bytes:
        """Unseal the secret of a member's app, which needs the key that sealed it."""
        try:
            return self._seal.unseal(app.secret, seal_label(name))
        except SealError:
            log.warning("%r needs `croupier staff reset`: shoes.key isn't the key of their secret", name)
            raise Refused("wrong_sign_in") from None

    def challenge(self, party: RelyingParty) -> wire.PasskeyChallenge:
        """Begin a sign-in with a passkey."""
        return self.ceremonies.challenge(SIGN_IN, party)

    async def with_passkey(self, address: str, answer: wire.PasskeySignIn, party: RelyingParty) -> str:
        """Return the token of a new session; refuse a wrong answer, and a player's passkey."""
        found = await self._gateway.durable(self._passkeys.found(answer.id))
        passkey = found if found and found.owner.kind == "staff" else None
        async with self.attempt(address, passkey.owner.id if passkey else answer.id):
            member = await self._used(answer, passkey, party)
        return await self.begin(member)

    async def _used(self, answer: wire.PasskeySignIn, passkey: Passkey | None, party: RelyingParty) -> Member:
        await load_verification()
        use = self.ceremonies.used(SIGN_IN, answer, passkey, party)
        await self._gateway.durable(self._passkeys.use(use, now_ms()))
        members = await self._gateway.durable(self._members.members())
        return next(member for member in members if member.name == use.owner.id)

    async def begin(self, member: Member, record: msgspec.Struct = SIGNED_IN) -> str:
        """Record a sign-in in the event log, and return the token of its session."""
        await log_action(self._gateway, Actor(member.name, member.role), record, _do_nothing)
        return self._sessions.begin(member, now_ms())

    @asynccontextmanager
    async def attempt(self, address: str, name: str) -> AsyncIterator[None]:
        """Count a sign-in as failed until the context ends without a refusal; log it if it is refused."""
        attempts = Attempt(NAME_LIMIT, name), Attempt(ADDRESS_LIMIT, f"{network_of(address)} {name}")
        try:
            await self._attempts.count(*attempts)
        except Refused:
            log.warning("a staff sign-in from %s is refused: too many failed attempts", address)
            raise
        try:
            yield
        except Refused:
            await self._log_refusal(address, name)
            raise
        await self._attempts.clear(*attempts)

    async def _log_refusal(self, address: str, name: str) -> None:
        """Log a failed sign-in, without an unknown name: it may be a code entered in the wrong field."""
        members = await self._gateway.durable(self._members.members())
        known = name if name in {member.name for member in members} else ""
        log.warning("a staff sign-in from %s is refused: wrong code for %r", address, known or "unknown name")
        if self._refusals.take(""):
            return
        with suppress(Refused):
            await log_action(self._gateway, Actor(known, ""), SignInRefused(address), _refuse_sign_in)


def owner_of(name: str) -> PasskeyOwner:
    return PasskeyOwner("staff", name)


def seal_label(name: str) -> str:
    """Return what the secret of a member's app is sealed for."""
    return f"authenticator of {name}"


async def _refuse_sign_in() -> None:
    raise Refused("wrong_sign_in")


async def _do_nothing() -> None:
    """Stand in for the work of a sign-in, which only needs to be logged."""

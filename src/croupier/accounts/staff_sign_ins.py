"""Ways in which staff sign in: enrolment codes, authenticator apps and passkeys."""

from concurrent.futures import Future
from typing import NamedTuple, Protocol

from croupier.accounts.passkeys import Passkey
from croupier.accounts.staff_members import Member

ENROLMENT_VALID_MS = 24 * 3_600_000


class Enrolment(NamedTuple):
    """A member's name and enrolment code as typed, with the time."""

    name: str
    code: str
    at_ms: int


class Authenticator(NamedTuple):
    """A member's authenticator app: its sealed secret, and the step of the last accepted code."""

    secret: str
    step: int


class StaffSignIns(Protocol):
    """Storage of the ways in which members sign in. Each enrolment uses up the code."""

    def check(self, enrolment: Enrolment) -> Future[None]:
        """Refuse `wrong_sign_in` for a wrong or used code, `enrolment_expired` for one that is too old."""

    def enrol_authenticator(self, enrolment: Enrolment, authenticator: Authenticator) -> Future[Member]:
        """Use up a code, and store the member's authenticator app."""

    def enrol_passkey(self, enrolment: Enrolment, passkey: Passkey) -> Future[Member]:
        """Use up a code, and add the member's passkey."""

    def authenticator(self, name: str) -> Future[Authenticator | None]: ...

    def use_step(self, name: str, step: int) -> Future[Member]:
        """Record an accepted code; refuse `wrong_sign_in` unless its step is later than the last one."""

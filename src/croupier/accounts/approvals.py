"""Changes that need two members of staff: one asks for them, and another one approves or rejects them."""

from collections.abc import Sequence
from concurrent.futures import Future
from hashlib import sha256
from typing import Literal, NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace

from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.refusal import Refused

ApprovalKind = Literal["adjustment", "reopening"]
ApprovalState = Literal["waiting", "approved", "rejected", "expired"]
ApprovalDecision = Literal["approved", "rejected"]
EXPIRES_MS = 24 * 3_600_000


class Approval(Struct, frozen=True):
    """A requested change to a player's account.

    `amount_minor` is added to the balance if positive, and 0 for changes other than adjustments.
    """

    id: str
    kind: ApprovalKind
    player: str
    currency: str
    amount_minor: int
    reason: str
    asked_by: str
    asked_ms: int
    expires_ms: int
    state: ApprovalState = "waiting"
    decided_by: str = ""
    decided_ms: int = 0

    @property
    def content(self) -> tuple[str, str, str, int, str, str]:
        """Content of the request, the same whenever it is repeated."""
        return self.kind, self.player, self.currency, self.amount_minor, self.reason, self.asked_by

    def state_at(self, now_ms: int) -> ApprovalState:
        return "expired" if self.state == "waiting" and now_ms >= self.expires_ms else self.state

    def decided(self, decision: ApprovalDecision, by: str, now_ms: int) -> "Approval":
        """Return the approval after a decision.

        Refuse `own_approval` for the member who asked for it, `approval_decided` for an earlier decision and
        `approval_expired` when it is too late.
        """
        state = self.state_at(now_ms)
        if state == "expired":
            raise Refused("approval_expired")
        if state != "waiting":
            raise Refused("approval_decided", state=state, by=self.decided_by)
        if by == self.asked_by:
            raise Refused("own_approval")
        return replace(self, state=decision, decided_by=by, decided_ms=now_ms)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries of an approved change; another service notes what moves no money."""
        if self.state != "approved" or self.kind != "adjustment":
            return ()
        of = self.player, self.currency, self.amount_minor
        return (entries.adjustment(f"adjustment:{self.id}", self.decided_ms, *of, self.reason),)


class DecidedApproval(NamedTuple):
    """An approval after its decision, and all entries that were posted with it."""

    approval: Approval
    entries: tuple[Entry, ...]


class Approvals(Protocol):
    """The repository of approvals. Futures behave like those of the other repositories."""

    def add(self, approval: Approval) -> Future[Approval]:
        """Add an approval; one with the same id and content is returned as it is.

        Refuse `key_reused` for other content.
        """

    def decide(
        self, approval: str, decision: ApprovalDecision, by: str, now_ms: int, further: Sequence[Entry] = ()
    ) -> Future[DecidedApproval]:
        """Decide an approval and post its entries, and `further` ones if it is approved.

        Refuse `no_such_approval`, what `Approval.decided` refuses, and `not_covered`.
        """

    def find(self, approval: str) -> Future[Approval | None]: ...

    def list(self, now_ms: int, most: int) -> Future[tuple[Approval, ...]]:
        """Return the last approvals: first those that wait for a decision, then the newest."""

    def waiting(self, member: str, now_ms: int) -> Future[int]:
        """Return the number of approvals that this member may decide."""


def approval_id(member: str, req: str) -> str:
    """Return the id of a request's approval, which is the same however often the request is sent."""
    return f"ap_{sha256(f'{member}:{req}'.encode()).hexdigest()[:32]}"

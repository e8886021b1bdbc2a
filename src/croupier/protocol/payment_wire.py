"""Messages between the server, a payment provider and an identity service; each is signed.

The server sends a `PaymentOrder` to `/deposit`, `/withdraw` or `/refund`, a `StatusQuestion` to `/status`,
and an `IdentityQuestion` to the identity service. The provider answers with reports, and sends a report by
itself to `/api/payments/notify` whenever a payment ends.
"""

from typing import Literal

from msgspec import Struct

from croupier.accounts.payments import PaymentReport

STATUS_MAX = 100
"""Maximum number of payments in one question."""


class PaymentOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """An order for one payment. `payment` is the idempotency key: repeated, the order is carried out once."""

    payment: str
    player: str
    currency: str
    amount_minor: int
    return_url: str
    """Page to which the player returns; empty: none is configured."""
    expires_ms: int = 0
    """Time after which a deposit is no longer credited when it is paid; 0 for other orders."""


class StatusQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """A question about at most STATUS_MAX payments."""

    payments: tuple[str, ...]


class StatusAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """One report on each payment of the question; `not_known` for those that were never ordered."""

    reports: tuple[PaymentReport, ...]


class IdentityQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """A question whether a withdrawal may be paid to its player."""

    payment: str
    player: str
    currency: str
    amount_minor: int


class IdentityAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of the identity service.

    `pending` holds the withdrawal and is asked again; `reason` is shown to the player.
    """

    status: Literal["approved", "pending", "refused"]
    reason: str = ""

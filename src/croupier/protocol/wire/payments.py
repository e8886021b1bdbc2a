"""Types of the HTTP API for payments."""

from msgspec import Struct

from croupier.accounts.payment_states import Direction, PaymentState


class PaymentMethod(Struct, frozen=True):
    """A currency that a payment provider pays in and out, with the limits of one payment."""

    currency: str
    min_minor: int
    max_minor: int


class PaymentLine(Struct, frozen=True):
    """A deposit or withdrawal of the player."""

    payment: str
    direction: Direction
    state: PaymentState
    """A deposit is `created`, `pending`, `confirmed`, `denied`, `expired`, `in_suspense` (paid too late, or
    above a limit: the operator decides), `returning` to whoever paid it, `refunded`, `charged_back` or
    `partly_reversed`; a withdrawal `requested`, `held`, `sent`, `unknown`, `paid`, `returned` (denied),
    `partly_paid` or `payout_returned` (by the player's bank). `disputed`: the provider reports another
    amount."""
    ended: bool
    """True if nothing more is expected; a deposit that is paid later is held in suspense."""
    currency: str
    amount_minor: int
    paid_minor: int
    """Amount that was actually paid, less what was reversed since; 0 until then."""
    created_ms: int
    changed_ms: int
    redirect: str
    """Page where the player pays; empty: none."""
    reason: str
    """Reason given for the state; often empty."""
    held_until_ms: int = 0
    """End of the hold on a withdrawal after a change of the account's credentials; 0: none."""


class PaymentList(Struct, frozen=True):
    """The currencies with a payment provider, and the player's last payments."""

    methods: tuple[PaymentMethod, ...]
    withdrawing_minor: dict[str, int]
    """Amounts that are being withdrawn, by currency; no longer part of the balance."""
    payments: tuple[PaymentLine, ...]
    """Newest first."""
    owed_minor: dict[str, int] = {}
    """Amounts that the player owes after payments were reversed, by currency; no bet and no withdrawal until
    they are paid."""

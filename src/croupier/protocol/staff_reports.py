"""Reports of the staff's HTTP API. Results count on the day on which a round ended."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.accounts.payment_states import Direction, PaymentDecision, PaymentState
from croupier.ledger.wallet_entries import WalletCallReason, WalletCallState
from croupier.tables.live.inputs import ReasonText

TransactionId = Annotated[str, Meta(min_length=1, max_length=100)]
SumMinor = Annotated[str, Meta(pattern=r"^-?[0-9]+$")]
"""A sum of any size, in digits: a number above 2**53 would be rounded in a browser."""
PaymentId = Annotated[str, Meta(min_length=1, max_length=60)]
ReturnVerdict = Literal["within", "above", "below", "few", "unpublished"]
"""`few`: too few coups to tell; `unpublished`: the table has no published return."""


class DayResult(Struct, frozen=True):
    """The rounds that ended on a day at a table in one currency; void ones count in `voids` only.

    The operator won what was staked and not returned.
    """

    day: str
    table: str
    currency: str
    rounds: int
    voids: int
    players: int
    staked_minor: SumMinor
    returned_minor: SumMinor


class DayPlayers(Struct, frozen=True):
    """The players whose rounds ended on a day, at all of the report's tables, in one currency."""

    day: str
    currency: str
    players: int


class PercentBand(Struct, frozen=True):
    """A range in percent."""

    low: float
    high: float


class TableReturn(Struct, frozen=True):
    """The results of a table in one currency in the whole period, beside its published return.

    `published` is the range of its bets' returns, per total stake. `band` is where the actual return is
    expected: three standard deviations wider, and wider below if players' decisions cost more.
    """

    table: str
    title: str
    currency: str
    rounds: int
    voids: int
    staked_minor: SumMinor
    returned_minor: SumMinor
    published: PercentBand | None
    band: PercentBand | None
    verdict: ReturnVerdict


class ResultsReport(Struct, frozen=True):
    """The results of whole days, `first` and `last` included; nothing is listed without a round."""

    time_zone: str
    today: str
    first: str
    last: str
    tables: tuple[TableReturn, ...]
    days: tuple[DayResult, ...]
    players: tuple[DayPlayers, ...]


class TableOpenRounds(Struct, frozen=True):
    """A table's open rounds in one currency, and the players who have them."""

    table: str
    title: str
    currency: str
    rounds: int
    players: int
    staked_minor: SumMinor


class Liability(Struct, frozen=True):
    """The amount owed to players in one currency, by kind of account, and altogether."""

    currency: str
    held: dict[str, SumMinor]
    total_minor: SumMinor
    debt_minor: SumMinor
    """The amount that players owe after payments were reversed, which isn't deducted from the total."""


class LiabilityReport(Struct, frozen=True):
    """The amounts owed to players after journal entry `seq`, which was made at `at_ms`."""

    seq: int
    at_ms: int
    liabilities: tuple[Liability, ...]


class PresentPlay(Struct, frozen=True):
    """The number of connected players, and the open rounds by table and currency."""

    connected: int
    open: tuple[TableOpenRounds, ...]


class StuckPayment(Struct, frozen=True):
    """A payment that waits for its provider, an identity check, or staff."""

    payment: str
    player: str
    direction: Direction
    currency: str
    amount_minor: int
    state: PaymentState
    created_ms: int
    changed_ms: int
    reason: str
    """The last reason given by the provider or the identity service."""
    inquiries: int
    """The number of inquiries in this state."""
    due_ms: int
    """The time of the next inquiry."""
    held_until_ms: int
    """End of the hold after a change of the player's credentials; 0: it isn't held for that."""


class OpenWalletCall(Struct, frozen=True):
    """A call that the operator's wallet hasn't acknowledged: a stake's rollback, a return, or a refund."""

    transaction: str
    player: str
    table: str
    round: str
    currency: str
    amount_minor: int
    what: WalletCallReason
    state: WalletCallState
    opened_ms: int
    reason: str
    """The wallet's last reason for refusing it; empty: it has given none."""
    attempts: int
    """The number of times that this server has sent it since its start."""
    balance_minor: int | None
    """The player's balance in the wallet at present; null: the wallet doesn't say."""


class AskWallet(Struct, frozen=True, tag_field="t", tag="ask_wallet", forbid_unknown_fields=True):
    """Request to send an open call to the operator's wallet again now."""

    transaction: TransactionId


class DecidePayment(Struct, frozen=True, tag_field="t", tag="decide_payment", forbid_unknown_fields=True):
    """Request to decide about a payment.

    A deposit that is held in suspense is credited, or sent back to whoever paid it. A withdrawal that is held
    after a change of the player's credentials is released or refused.
    """

    payment: PaymentId
    decision: PaymentDecision
    reason: ReasonText
    """The player reads it if a withdrawal is refused."""


class AskPayment(Struct, frozen=True, tag_field="t", tag="ask_payment", forbid_unknown_fields=True):
    """Request to ask the provider about a payment now."""

    payment: PaymentId

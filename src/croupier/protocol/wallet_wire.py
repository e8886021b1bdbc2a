"""Messages between the server and an operator's own wallet; each is signed.

The server sends them by POST to the paths of `WALLET_PATHS`. The wallet answers each with a `WalletAnswer`
and status 200; anything else, and a time-out, means that the outcome is unknown.

The wallet refuses to roll a debit back once its round has a win or has ended. So the server sends the win and
the end of a player's round only when all rollbacks of that round are acknowledged.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.protocol.wire.launches import OperatorId

MAX_MINOR = 2**53 - 1
"""The largest amount and balance: the largest integer that every JSON library reads exactly."""
WalletAmount = Annotated[int, Meta(ge=0, le=MAX_MINOR)]
WalletId = Annotated[str, Meta(min_length=1, max_length=100)]
"""An id that the server makes up. Ids are unique for each player only."""
WalletCurrency = Annotated[str, Meta(min_length=1, max_length=8)]
WalletReason = Annotated[str, Meta(max_length=200)]
WalletOutcome = Literal["done", "insufficient", "refused", "unknown_transaction"]


class WalletBalanceQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """A question for a player's balance. `player` is always the operator's own name of the player."""

    player: OperatorId
    currency: WalletCurrency


class WalletDebit(Struct, frozen=True, forbid_unknown_fields=True):
    """A stake to take. The idempotency key is `(player, transaction)`; a round may have several debits."""

    transaction: WalletId
    player: OperatorId
    currency: WalletCurrency
    amount_minor: WalletAmount
    round: WalletId
    table: WalletId
    game: WalletId


class WalletCredit(Struct, frozen=True, forbid_unknown_fields=True):
    """Money to give: the return of settled bets, or the stake of bets that don't count."""

    transaction: WalletId
    player: OperatorId
    currency: WalletCurrency
    amount_minor: WalletAmount
    round: WalletId
    table: WalletId
    game: WalletId
    reason: Literal["win", "refund"]


class WalletRollback(Struct, frozen=True, forbid_unknown_fields=True):
    """A debit to undo, and never to carry out later. `transaction` is that of the debit.

    `unknown_transaction` acknowledges it too: the debit wasn't carried out, and is refused if it comes late.
    """

    transaction: WalletId
    player: OperatorId


class WalletRoundEnd(Struct, frozen=True, forbid_unknown_fields=True):
    """The end of a player's round, sent last. Idempotent by `(player, round)`."""

    player: OperatorId
    currency: WalletCurrency
    round: WalletId
    table: WalletId
    game: WalletId
    status: Literal["settled", "void"]
    staked_minor: WalletAmount
    returned_minor: WalletAmount


class WalletAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to each message. `balance_minor` is the balance afterwards; `reason` is for logs."""

    outcome: WalletOutcome
    balance_minor: WalletAmount | None = None
    reason: WalletReason = ""


WalletMessage = WalletBalanceQuestion | WalletDebit | WalletCredit | WalletRollback | WalletRoundEnd
WALLET_PATHS: Mapping[type[WalletMessage], str] = {
    WalletBalanceQuestion: "/balance",
    WalletDebit: "/debit",
    WalletCredit: "/credit",
    WalletRollback: "/rollback",
    WalletRoundEnd: "/round-ended",
}

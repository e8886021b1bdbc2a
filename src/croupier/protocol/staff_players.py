"""Players, and changes that need two members of staff, in the staff's HTTP API.

Commands with a tag are what the event log records.
"""

from typing import Annotated

from msgspec import Meta, Struct

from croupier.accounts.approvals import ApprovalDecision, ApprovalKind, ApprovalState
from croupier.accounts.identity import IdentityKind
from croupier.ledger.wallet_entries import WalletCallProgress, WalletCallReason
from croupier.play.contract.amounts import BALANCE_MINOR_MAX
from croupier.protocol.wire import HistoryLine, Identifier, PaymentLine, RequestId
from croupier.tables.live.inputs import ReasonText

SignedAmountMinor = Annotated[int, Meta(ge=-BALANCE_MINOR_MAX, le=BALANCE_MINOR_MAX)]


class OfficeCommand(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True):
    """Base of what managers do in the back office."""


class Search(OfficeCommand, frozen=True, tag="search"):
    """List players, or search. The text isn't recorded: it may be an address, which may be deleted later."""


class ViewPlayer(OfficeCommand, frozen=True, tag="view_player"):
    """Look at a part of a player's page: `history`, or empty for its summary."""

    player: str
    part: str


class ViewRecording(OfficeCommand, frozen=True, tag="view_recording"):
    """Watch the recording of a round."""

    round: str


class ViewApprovals(OfficeCommand, frozen=True, tag="view_approvals"):
    """Look at the changes that wait for a second member of staff."""


class EndPlayerSessions(OfficeCommand, frozen=True, tag="end_player_sessions"):
    """Request to sign out one of a player's devices, or all of them."""

    player: Identifier
    reason: ReasonText
    device: Annotated[str, Meta(max_length=40)] = ""
    """Id of the device; empty: all."""


class CloseAccount(OfficeCommand, frozen=True, tag="close_account"):
    """Request to close a player's account."""

    player: Identifier
    reason: ReasonText


class AskAdjustment(OfficeCommand, frozen=True, tag="ask_adjustment"):
    """Request to adjust a balance, which waits for another manager's approval."""

    req: RequestId
    player: Identifier
    currency: Annotated[str, Meta(min_length=1, max_length=8)]
    amount_minor: SignedAmountMinor
    """Added to the player's cash if positive, taken from it if negative; not 0."""
    reason: ReasonText
    """The player reads it in their statement."""

    def __post_init__(self) -> None:
        if not self.amount_minor:
            raise ValueError("amount_minor is 0")


class AskReopening(OfficeCommand, frozen=True, tag="ask_reopening"):
    """Request to reopen a closed account, which waits for another manager's approval."""

    req: RequestId
    player: Identifier
    reason: ReasonText


class DecideApproval(OfficeCommand, frozen=True, tag="decide_approval"):
    """Request to approve or reject a change that another manager asked for."""

    approval: Identifier
    decision: ApprovalDecision
    reason: Annotated[str, Meta(max_length=200)] = ""


class FoundPlayer(Struct, frozen=True):
    """A player in a list."""

    player: str
    name: str
    kind: IdentityKind
    login: str
    """Name that the player signs in with, or the operator's id of a player; empty for a guest."""
    address: str
    """Verified e-mail address; empty: none."""
    created_ms: int
    seen_ms: int
    """Last use of a device that is still signed in; 0: none is."""
    connected: bool
    closed: bool


class FoundPlayers(Struct, frozen=True):
    """Players, newest first."""

    players: tuple[FoundPlayer, ...]
    more: bool
    """True if there are more."""


class FoundRound(Struct, frozen=True):
    """A player's round. Each player of a live round has one of their own."""

    player: str
    line: HistoryLine


class FoundPayment(Struct, frozen=True):
    """A player's payment, without the page where the player pays."""

    player: str
    line: PaymentLine


class FoundWalletCall(Struct, frozen=True):
    """A call to the operator's wallet."""

    transaction: str
    player: str
    table: str
    round: str
    currency: str
    amount_minor: int
    what: WalletCallReason
    progress: WalletCallProgress
    opened_ms: int
    changed_ms: int


class SearchResults(Struct, frozen=True):
    """Results of a search: players by the beginning of the text, and the rest by the whole text."""

    players: FoundPlayers
    rounds: tuple[FoundRound, ...]
    """By game number or id; at most 50."""
    payments: tuple[FoundPayment, ...]
    """By id."""
    wallet_calls: tuple[FoundWalletCall, ...]
    """By transaction, or those of the round found."""


class CurrencyBalances(Struct, frozen=True):
    """A player's balances in one currency."""

    currency: str
    cash_minor: int
    bonus_minor: int
    in_play_minor: int
    withdrawing_minor: int
    of_wallet: bool = False
    """True for a currency of the operator's wallet, which holds the player's cash."""
    wallet_minor: int | None = None
    """The balance there; null: the wallet doesn't answer."""


class ClosedAccount(Struct, frozen=True):
    """The closing of an account: its time, its reason and who closed it."""

    at_ms: int
    by: str
    reason: str


class AcceptedDocument(Struct, frozen=True):
    """A version of a document that a player has accepted."""

    document: str
    title: str
    version: str


class PlayerFile(Struct, frozen=True):
    """The summary of a player's page."""

    player: FoundPlayer
    balances: tuple[CurrencyBalances, ...]
    open_rounds: tuple[HistoryLine, ...]
    accepted: tuple[AcceptedDocument, ...]
    closed: ClosedAccount | None


class ApprovalView(Struct, frozen=True):
    """A change that needs, or needed, a second member of staff."""

    approval: str
    kind: ApprovalKind
    state: ApprovalState
    player: str
    currency: str
    amount_minor: int
    reason: str
    asked_by: str
    asked_ms: int
    expires_ms: int
    decided_by: str
    decided_ms: int
    cash_minor: int
    """The player's present cash in the currency."""

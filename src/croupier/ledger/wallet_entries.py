"""Journal entries of an operator's own wallet, and the calls to it that they leave open.

A wallet's money is in the ledger while it is in play: a debit brings a stake's money to `cash`, and the end
of the round moves what it returns to `owed`, where it stays until the wallet has acknowledged the credit.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from croupier.ledger.entries import HOUSE, Account, Entry, Json, Kind, Move, Ticket

PREFIX = "wallet:"
"""Of the keys, which go on with the round, the transaction and the step."""
WalletCallState = Literal["called", "due", "disputed"]
"""`called`: the answer to a debit is awaited; `due`: to be sent until it is acknowledged; `disputed`: refused
by the wallet."""
RoundEndStatus = Literal["", "settled", "void"]
WalletCallReason = Literal["stake", "win", "refund"]

OPENS: frozenset[Kind] = frozenset({"wallet_call", "wallet_due"})
CLOSES: frozenset[Kind] = frozenset(
    {"wallet_debited", "wallet_refused", "wallet_rolled_back", "wallet_settled"}
)
STATE_AFTER: Mapping[Kind, WalletCallState] = {
    "wallet_call": "called",
    "wallet_rollback": "due",
    "wallet_due": "due",
    "wallet_disputed": "disputed",
}
WalletCallProgress = Literal[
    "called", "paid", "refused", "rolling_back", "rolled_back", "due", "disputed", "settled"
]
PROGRESS: Mapping[Kind, WalletCallProgress] = {
    "wallet_call": "called",
    "wallet_debited": "paid",
    "wallet_refused": "refused",
    "wallet_rollback": "rolling_back",
    "wallet_rolled_back": "rolled_back",
    "wallet_due": "due",
    "wallet_disputed": "disputed",
    "wallet_settled": "settled",
}
"""The progress of a call after each kind of entry."""
_STEP: Mapping[Kind, str] = {
    "wallet_call": "call",
    "wallet_debited": "outcome",
    "wallet_refused": "outcome",
    "wallet_rollback": "outcome",
    "wallet_rolled_back": "rolled_back",
    "wallet_due": "due",
    "wallet_disputed": "disputed",
    "wallet_settled": "settled",
}
"""The last part of the key. It is unique, so a debit has one outcome, and each step is entered once."""


class WalletOrder(Struct, frozen=True):
    """The body of an entry that opens a call.

    `ended` is the status of a round that the call reports as ended, with its totals; empty: it goes on.
    """

    currency: str
    amount_minor: int
    reason: WalletCallReason
    game: str
    ended: RoundEndStatus = ""
    staked_minor: int = 0
    returned_minor: int = 0


class WalletCall(Struct, frozen=True):
    """An open call: a debit without an outcome or to be rolled back, or money and a round's end to report."""

    transaction: str
    ticket: Ticket
    order: WalletOrder
    opened_ms: int
    state: WalletCallState


class RecordedCall(Struct, frozen=True):
    """A call as the journal has it, open or closed."""

    transaction: str
    ticket: Ticket
    order: WalletOrder
    progress: WalletCallProgress
    opened_ms: int
    changed_ms: int


def wallet_call(ticket: Ticket, transaction: str, at_ms: int, order: WalletOrder) -> Entry:
    """The wallet is about to be asked for a stake."""
    return _entry("wallet_call", ticket, transaction, at_ms, body=to_builtins(order))


def wallet_debited(call: WalletCall, at_ms: int) -> Entry:
    """The wallet has paid a stake."""
    flow = Account(HOUSE, "wallet", call.order.currency), call.ticket.account("cash")
    return _entry(
        "wallet_debited", call.ticket, call.transaction, at_ms, Move(*flow, call.order.amount_minor)
    )


def wallet_refused(call: WalletCall, at_ms: int, reason: str) -> Entry:
    """The wallet has refused a stake."""
    return _entry("wallet_refused", call.ticket, call.transaction, at_ms, body={"reason": reason})


def wallet_rollback(call: WalletCall, at_ms: int) -> Entry:
    """A debit is to be rolled back: its outcome is unknown, or its stake isn't used."""
    return _entry("wallet_rollback", call.ticket, call.transaction, at_ms)


def wallet_rolled_back(call: WalletCall, at_ms: int) -> Entry:
    """The wallet has undone a debit, or will never carry it out."""
    return _entry("wallet_rolled_back", call.ticket, call.transaction, at_ms)


def wallet_due(ticket: Ticket, transaction: str, at_ms: int, order: WalletOrder) -> Entry:
    """Money is to be paid to the wallet, or a round's end to be reported, or both."""
    flow = ticket.account("cash"), ticket.account("owed")
    moves = (Move(*flow, order.amount_minor),) if order.amount_minor else ()
    return _entry("wallet_due", ticket, transaction, at_ms, *moves, body=to_builtins(order))


def wallet_disputed(call: WalletCall, at_ms: int, reason: str) -> Entry:
    """The wallet has refused money, a round's end or a rollback: a person has to find out why."""
    return _entry("wallet_disputed", call.ticket, call.transaction, at_ms, body={"reason": reason})


def dispute_key(call: WalletCall) -> str:
    """Return the key of the entry that a call is disputed; its body has the wallet's first reason."""
    return f"{round_prefix(call.ticket.round)}{call.transaction}:{_STEP['wallet_disputed']}"


def wallet_settled(call: WalletCall, at_ms: int) -> Entry:
    """The wallet has acknowledged what was due."""
    order = call.order
    flow = call.ticket.account("owed"), Account(HOUSE, "wallet", order.currency)
    moves = (Move(*flow, order.amount_minor),) if order.amount_minor else ()
    return _entry("wallet_settled", call.ticket, call.transaction, at_ms, *moves)


def transaction_of(key: str) -> str:
    """Return the transaction of an entry's key."""
    return key.split(":")[2]


def round_prefix(round_: str) -> str:
    """Return the prefix of the keys of a round's entries."""
    return f"{PREFIX}{round_}:"


def call_of(opening: Entry, state: WalletCallState) -> WalletCall:
    """Return the call that an entry has opened; msgspec.ValidationError where its body isn't an order."""
    order = convert(opening.body, WalletOrder)
    ticket = Ticket(opening.round, opening.player, opening.table, order.currency)
    return WalletCall(transaction_of(opening.key), ticket, order, opening.at_ms, state)


def recorded_calls(found: Iterable[Entry]) -> tuple[RecordedCall, ...]:
    """Return calls from all of their entries, which are in the journal's order."""
    opened: dict[str, Entry] = {}
    last: dict[str, Entry] = {}
    for entry in found:
        transaction = transaction_of(entry.key)
        opened.setdefault(transaction, entry)
        last[transaction] = entry
    return tuple(_recorded(opened[each], last[each]) for each in opened)


def _recorded(opening: Entry, last: Entry) -> RecordedCall:
    call = call_of(opening, "called")
    return RecordedCall(
        call.transaction, call.ticket, call.order, PROGRESS[last.kind], opening.at_ms, last.at_ms
    )


def follow_call(before: WalletCall | None, entry: Entry) -> WalletCall | None:
    """Return the call after an entry of WALLET_KINDS; None once it is closed.

    ValueError for an entry that can't follow, msgspec.ValidationError where its body isn't an order.
    """
    state = STATE_AFTER.get(entry.kind)
    if entry.kind in OPENS and before is None and state:
        return call_of(entry, state)
    if before is None or entry.kind in OPENS or entry.round != before.ticket.round:
        raise ValueError(f"{entry.key}: a {entry.kind} after {before}")
    if sum(move.amount_minor for move in entry.moves) not in (0, before.order.amount_minor):
        raise ValueError(f"{entry.key}: the call is about {before.order.amount_minor}")
    return replace(before, state=state) if state else None


def _entry(
    kind: Kind,
    ticket: Ticket,
    transaction: str,
    at_ms: int,
    *moves: Move,
    body: Mapping[str, Json] | None = None,
) -> Entry:
    key = f"{round_prefix(ticket.round)}{transaction}:{_STEP[kind]}"
    return Entry(key, kind, at_ms, ticket.player, ticket.table, ticket.round, moves, body or {})

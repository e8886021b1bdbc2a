"""Accounts, moves between them, and journal entries; independent of the store.

An entry is one line of the journal: who did what, when, and which money moved. It moves one currency only,
along the flows that its kind allows, so no entry can exchange currencies or pass money from player to player.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from msgspec import Struct

from croupier.play.contract.amounts import AMOUNT_MINOR_MAX
from croupier.refusal import Refused

Kind = Literal[
    "grant",
    "expiry",
    "adjustment",
    "deposit",
    "withdrawal",
    "withdrawal_requested",
    "withdrawal_paid",
    "withdrawal_returned",
    "deposit_held",
    "deposit_sent_back",
    "refund",
    "charge_back",
    "payout_returned",
    "payout_repeated",
    "debt_repaid",
    "deal",
    "answer",
    "release",
    "settle",
    "void",
    "stakes",
    "coup",
    "call_off",
    "note",
    "bonus_grant",
    "bonus_stake",
    "bonus_release",
    "bonus_return",
    "bonus_convert",
    "bonus_forfeit",
    "wallet_call",
    "wallet_debited",
    "wallet_refused",
    "wallet_rollback",
    "wallet_rolled_back",
    "wallet_due",
    "wallet_disputed",
    "wallet_settled",
]
Json = None | bool | int | str | Sequence["Json"] | Mapping[str, "Json"]

HOUSE = "house"
HOUSE_KINDS = frozenset({"adjustments", "cashier", "grants", "wallet"})
PLAYER_KINDS = frozenset({"cash", "bonus", "in_play", "withdrawing", "suspense", "owed"})
"""Kinds of account that can never be negative; HOUSE_KINDS and `table` can."""
DEBT = "debt"
"""Kind of account of what a player owes after a payment was reversed, which can never be positive."""

ROWS = "rows:"
"""Prefix of the keys of entries with the digests of changed rows, see `ledger.sql.audited_rows`."""

SHARES_MAX = 1 << 20
"""Shares in one entry, and so the places in the opening order reserved for the rounds it opens."""
MOVE_MINOR_MAX = AMOUNT_MINOR_MAX
"""Maximum amount of one move."""


class Account(NamedTuple):
    """An account of the ledger in one currency.

    `owner` is a player for PLAYER_KINDS and DEBT, HOUSE for HOUSE_KINDS, a table for the kind `table`.
    """

    owner: str
    kind: str
    currency: str


FLOWS: dict[Kind, frozenset[tuple[str, str]]] = {
    "grant": frozenset({("grants", "cash")}),
    "expiry": frozenset({("cash", "grants")}),
    "adjustment": frozenset({("adjustments", "cash"), ("cash", "adjustments")}),
    "deposit": frozenset({("cashier", "cash"), ("suspense", "cash")}),
    "withdrawal": frozenset({("cash", "cashier")}),
    "withdrawal_requested": frozenset({("cash", "withdrawing")}),
    "withdrawal_paid": frozenset({("withdrawing", "cashier")}),
    "withdrawal_returned": frozenset({("withdrawing", "cash")}),
    "deposit_held": frozenset({("cashier", "suspense")}),
    "deposit_sent_back": frozenset({("suspense", "cashier")}),
    "refund": frozenset({("cash", "cashier"), (DEBT, "cashier")}),
    "charge_back": frozenset({("cash", "cashier"), (DEBT, "cashier")}),
    "payout_returned": frozenset({("cashier", "cash")}),
    "payout_repeated": frozenset({("cash", "cashier"), (DEBT, "cashier")}),
    "debt_repaid": frozenset({("cash", DEBT)}),
    "deal": frozenset({("cash", "in_play")}),
    "answer": frozenset({("cash", "in_play")}),
    "release": frozenset({("in_play", "cash")}),
    "settle": frozenset({("in_play", "table"), ("table", "cash")}),
    "void": frozenset({("in_play", "cash")}),
    "stakes": frozenset(),
    "coup": frozenset(),
    "call_off": frozenset(),
    "note": frozenset(),
    "bonus_grant": frozenset({("grants", "bonus")}),
    "bonus_stake": frozenset({("bonus", "cash")}),
    "bonus_release": frozenset({("cash", "bonus")}),
    "bonus_return": frozenset({("cash", "bonus")}),
    "bonus_convert": frozenset({("bonus", "cash")}),
    "bonus_forfeit": frozenset({("bonus", "grants")}),
    "wallet_call": frozenset(),
    "wallet_debited": frozenset({("wallet", "cash")}),
    "wallet_refused": frozenset(),
    "wallet_rollback": frozenset(),
    "wallet_rolled_back": frozenset(),
    "wallet_due": frozenset({("cash", "owed")}),
    "wallet_disputed": frozenset(),
    "wallet_settled": frozenset({("owed", "wallet")}),
}
"""The flows, from kind of account to kind of account, that the moves of each kind of entry may use."""
ROUND_KINDS: frozenset[Kind] = frozenset({"deal", "answer", "release", "settle", "void"})
"""Entries about one round."""
BONUS_ROUND_KINDS: frozenset[Kind] = frozenset({"bonus_stake", "bonus_release", "bonus_return"})
"""Entries about a bonus's part in one round, beside the entries of the round itself."""
WALLET_KINDS: frozenset[Kind] = frozenset(kind for kind in FLOWS if kind.startswith("wallet_"))
"""Entries about calls to an operator's wallet, each for one round."""
COUP_KINDS: frozenset[Kind] = frozenset({"coup", "call_off"})
"""Entries that end many rounds at once, each by its share: `in_play` to `table` and `table` to `cash` in a
coup, `in_play` to `cash` when it's called off."""
SHARED_KINDS: frozenset[Kind] = COUP_KINDS | {"stakes"}
"""Entries about many rounds at once, with shares and no moves. `stakes` moves `cash` to `in_play` if more
is staked, and back if less is; it opens the rounds that don't exist yet."""


CASHLESS_KINDS: frozenset[Kind] = frozenset(
    {"withdrawal_paid", "deposit_held", "deposit_sent_back", "wallet_settled"}
)
"""Entries that move money but no player's cash."""


class Move(NamedTuple):
    """A movement of money between two accounts.

    `amount_minor` (1 or more) goes from `debit` to `credit`.
    """

    debit: Account
    credit: Account
    amount_minor: int


class Share(NamedTuple):
    """A round's part of an entry: in a coup its whole stake (0: it was taken back) and what is returned.

    In `stakes` either the added stake or the amount taken back; the other is 0.
    """

    round: str
    player: str
    staked_minor: int
    returned_minor: int


class Shares(NamedTuple):
    """Shares of one table's round, all in one currency."""

    currency: str
    each: tuple[Share, ...]


class Entry(Struct, frozen=True):
    """One line of the journal. `key` is unique: an entry posted twice takes effect once.

    `player`, `table` and `round` are empty if they don't apply. `body` is further data to keep, as JSON
    without fractions. Only SHARED_KINDS have `shares`, and they have no moves.
    """

    key: str
    kind: Kind
    at_ms: int
    player: str
    table: str
    round: str
    moves: tuple[Move, ...]
    body: Mapping[str, Json]
    shares: Shares | None = None

    def moved(self, debit: str, credit: str) -> int:
        """Return the amount moved from accounts of kind `debit` to kind `credit`."""
        return sum(
            [amount for gives, takes, amount in self.moves if (gives.kind, takes.kind) == (debit, credit)]
        )


class Posted(NamedTuple):
    """Position of an entry in the journal; `duplicate`: it was posted before.

    `cash_minor` is the player's cash after it, in its currency, or that of each share's player in order;
    empty for a duplicate, and if no cash moved. `refused` is for `stakes`: the refusal of each share, or
    None; if all are refused, nothing is entered and `seq` is 0.
    """

    seq: int
    duplicate: bool
    cash_minor: tuple[int, ...] = ()
    refused: tuple[Refused | None, ...] = ()


class Ticket(NamedTuple):
    """A round's id, player, table and currency."""

    round: str
    player: str
    table: str
    currency: str

    def account(self, kind: str) -> Account:
        """Return the account of that kind, of the round's player or of its table."""
        return Account(self.table if kind == "table" else self.player, kind, self.currency)


# --- entries of each kind ----------------------------------------------------------------


def grant(key: str, at_ms: int, player: str, currency: str, amount_minor: int, reason: str) -> Entry:
    """A player is granted money."""
    move = Move(Account(HOUSE, "grants", currency), Account(player, "cash", currency), amount_minor)
    return Entry(key, "grant", at_ms, player, "", "", (move,), {"reason": reason})


def expiry(key: str, at_ms: int, player: str, currency: str, amount_minor: int) -> Entry:
    """Granted money that was never used expires."""
    move = Move(Account(player, "cash", currency), Account(HOUSE, "grants", currency), amount_minor)
    return Entry(key, "expiry", at_ms, player, "", "", (move,), {})


def adjustment(key: str, at_ms: int, player: str, currency: str, amount_minor: int, reason: str) -> Entry:
    """Staff add to a player's cash, or take from it if the amount is negative."""
    house, cash = Account(HOUSE, "adjustments", currency), Account(player, "cash", currency)
    debit, credit = (house, cash) if amount_minor > 0 else (cash, house)
    moves = (Move(debit, credit, abs(amount_minor)),)
    return Entry(key, "adjustment", at_ms, player, "", "", moves, {"reason": reason})


def deposit(key: str, at_ms: int, player: str, currency: str, amount_minor: int) -> Entry:
    """A player deposits money."""
    move = Move(Account(HOUSE, "cashier", currency), Account(player, "cash", currency), amount_minor)
    return Entry(key, "deposit", at_ms, player, "", "", (move,), {})


def withdrawal(key: str, at_ms: int, player: str, currency: str, amount_minor: int) -> Entry:
    """A player withdraws money."""
    move = Move(Account(player, "cash", currency), Account(HOUSE, "cashier", currency), amount_minor)
    return Entry(key, "withdrawal", at_ms, player, "", "", (move,), {})


def withdrawal_requested(key: str, at_ms: int, player: str, currency: str, amount_minor: int) -> Entry:
    """A player asks for a payment: the money can't be staked any more."""
    move = Move(Account(player, "cash", currency), Account(player, "withdrawing", currency), amount_minor)
    return Entry(key, "withdrawal_requested", at_ms, player, "", "", (move,), {})


def withdrawal_paid(key: str, at_ms: int, player: str, currency: str, amount_minor: int) -> Entry:
    """A requested withdrawal has been paid out."""
    move = Move(Account(player, "withdrawing", currency), Account(HOUSE, "cashier", currency), amount_minor)
    return Entry(key, "withdrawal_paid", at_ms, player, "", "", (move,), {})


def withdrawal_returned(
    key: str, at_ms: int, player: str, currency: str, amount_minor: int, reason: str
) -> Entry:
    """A requested withdrawal was denied: the money is the player's to play again."""
    move = Move(Account(player, "withdrawing", currency), Account(player, "cash", currency), amount_minor)
    return Entry(key, "withdrawal_returned", at_ms, player, "", "", (move,), {"reason": reason})


def deal(
    ticket: Ticket,
    key: str,
    at_ms: int,
    *,
    number: str,
    staked_minor: int,
    steps: Sequence[str] = (),
    opened: Mapping[str, Json] | None = None,
) -> Entry:
    """A round opens: the stake (1 or more) is held. `opened` is further data for a replay."""
    body = {**(opened or {}), "number": number, "steps": list(steps)}
    return _of_round(ticket, key, "deal", at_ms, [("cash", "in_play", staked_minor)], body)


def answer(
    ticket: Ticket,
    key: str,
    at_ms: int,
    *,
    extra_minor: int = 0,
    steps: Sequence[str] = (),
    body: Mapping[str, Json] = MappingProxyType({}),
) -> Entry:
    """A step of a round; `extra_minor` is added to the stake (double, split, insurance), often nothing.

    `body` is further data to keep.
    """
    moves = [("cash", "in_play", extra_minor)] if extra_minor else []
    return _of_round(ticket, key, "answer", at_ms, moves, {**body, "steps": list(steps)})


def release(ticket: Ticket, key: str, at_ms: int, *, amount_minor: int) -> Entry:
    """All or part of the stake is returned; the round stays open."""
    return _of_round(ticket, key, "release", at_ms, [("in_play", "cash", amount_minor)], {})


def settle(
    ticket: Ticket,
    key: str,
    at_ms: int,
    *,
    staked_minor: int,
    returned_minor: int,
    steps: Sequence[str] = (),
    details: Mapping[str, Json] = MappingProxyType({}),
) -> Entry:
    """A round ends: the table takes the stake and pays what is returned, if anything.

    `details` is further data about the end, such as the outcome.
    """
    paid = [("table", "cash", returned_minor)] if returned_minor else []
    moves = [("in_play", "table", staked_minor), *paid]
    return _of_round(ticket, key, "settle", at_ms, moves, {**details, "steps": list(steps)})


def void(ticket: Ticket, key: str, at_ms: int, *, staked_minor: int, reason: str) -> Entry:
    """A round is void: the stake is returned."""
    return _of_round(ticket, key, "void", at_ms, [("in_play", "cash", staked_minor)], {"reason": reason})


def stakes(key: str, at_ms: int, table: str, currency: str, shares: Iterable[Share], *, number: str) -> Entry:
    """Many players stake more or take some back; shares that the ledger refuses are left out.

    A player without an open round opens one, with this display `number`.
    """
    return Entry(key, "stakes", at_ms, "", table, "", (), {"number": number}, Shares(currency, tuple(shares)))


def coup(
    key: str, at_ms: int, table: str, currency: str, shares: Iterable[Share], body: Mapping[str, Json]
) -> Entry:
    """All players' rounds at a table end; `body` is the data for their replay."""
    return Entry(key, "coup", at_ms, "", table, "", (), body, Shares(currency, tuple(shares)))


def call_off(
    key: str,
    at_ms: int,
    table: str,
    currency: str,
    shares: Iterable[Share],
    reason: str,
    body: Mapping[str, Json] = MappingProxyType({}),
) -> Entry:
    """All players' rounds at a table are void: their stakes are returned."""
    body = {**body, "reason": reason}
    return Entry(key, "call_off", at_ms, "", table, "", (), body, Shares(currency, tuple(shares)))


def note(
    key: str, at_ms: int, body: Mapping[str, Json], *, player: str = "", table: str = "", round_id: str = ""
) -> Entry:
    """Information to keep that moves no money."""
    return Entry(key, "note", at_ms, player, table, round_id, (), body)


def _of_round(
    ticket: Ticket,
    key: str,
    kind: Kind,
    at_ms: int,
    moves: Sequence[tuple[str, str, int]],
    body: Mapping[str, Json],
) -> Entry:
    moved = tuple(
        Move(ticket.account(debit), ticket.account(credit), minor) for debit, credit, minor in moves
    )
    return Entry(key, kind, at_ms, ticket.player, ticket.table, ticket.round, moved, body)

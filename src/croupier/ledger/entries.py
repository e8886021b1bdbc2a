"""What is written in the books: accounts, moves between them, entries.

An entry is one line of the journal: who did what, when, and which money moved. It moves one
currency only, along the flows its kind allows, so that no entry can exchange currencies or pass
money from player to player. Nothing here knows of a store.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from msgspec import Struct

from croupier.refusal import Refused

Kind = Literal[
    "grant",
    "expiry",
    "deposit",
    "withdrawal",
    "deal",
    "answer",
    "release",
    "settle",
    "void",
    "stakes",
    "coup",
    "call_off",
    "note",
]
Json = None | bool | int | str | Sequence["Json"] | Mapping[str, "Json"]

HOUSE = "house"
HOUSE_KINDS = frozenset({"cashier", "grants"})
PLAYER_KINDS = frozenset({"cash", "bonus", "in_play"})
"""Kinds of account that can never be negative; the house's own and a table's can."""

SHARES_MAX = 1 << 20
"""Of one entry: so many places in the order of opening are kept for the rounds that it opens."""
MOVE_MINOR_MAX = 2**53 - 1
"""The most one move carries: what a browser counts exactly."""
GRANTED_BALANCE_MINOR_MAX = 10**15
"""A grant or deposit lifts a balance no further. Winnings do: a settlement is never refused for it."""


class Account(NamedTuple):
    """`owner` is a player for PLAYER_KINDS, HOUSE for HOUSE_KINDS, a table for `table`."""

    owner: str
    kind: str
    currency: str


FLOWS: dict[Kind, frozenset[tuple[str, str]]] = {
    "grant": frozenset({("grants", "cash")}),
    "expiry": frozenset({("cash", "grants")}),
    "deposit": frozenset({("cashier", "cash")}),
    "withdrawal": frozenset({("cash", "cashier")}),
    "deal": frozenset({("cash", "in_play")}),
    "answer": frozenset({("cash", "in_play")}),
    "release": frozenset({("in_play", "cash")}),
    "settle": frozenset({("in_play", "table"), ("table", "cash")}),
    "void": frozenset({("in_play", "cash")}),
    "stakes": frozenset(),
    "coup": frozenset(),
    "call_off": frozenset(),
    "note": frozenset(),
}
"""From which kind of account to which an entry of each kind may move money by itself."""
ROUND_KINDS: frozenset[Kind] = frozenset({"deal", "answer", "release", "settle", "void"})
"""What is about one round."""
COUP_KINDS: frozenset[Kind] = frozenset({"coup", "call_off"})
"""What ends very many rounds at once, each by its share: `in_play` to `table` and `table` to `cash`
in a coup, `in_play` to `cash` when it is called off."""
SHARED_KINDS: frozenset[Kind] = COUP_KINDS | {"stakes"}
"""What is about very many rounds at once: it has shares, and no moves. `stakes` moves `cash` to `in_play`
where more is staked, and back where less is; a round that isn't known yet is opened by it."""


class Move(NamedTuple):
    """`amount_minor` (1 or more) leaves `debit` and arrives at `credit`."""

    debit: Account
    credit: Account
    amount_minor: int


class Share(NamedTuple):
    """How a player's round ends in a coup: all he staked (0: he took it back), and what returns to him.

    In `stakes` how it goes on: what more he stakes, or what he takes back; the other is 0.
    """

    round: str
    player: str
    staked_minor: int
    returned_minor: int


class Shares(NamedTuple):
    """Of one table's round, all in one currency."""

    currency: str
    each: tuple[Share, ...]


class Entry(Struct, frozen=True):
    """One line of the journal. `key` is unique: what is posted twice is done once.

    `player`, `table` and `round` are empty where they don't apply. `body` is what else must be
    kept, as JSON without fractions. SHARED_KINDS alone have `shares`, and no moves beside them.
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
        """How much this entry moves from accounts of kind `debit` to kind `credit`."""
        return sum(
            [amount for gives, takes, amount in self.moves if (gives.kind, takes.kind) == (debit, credit)]
        )


class Posted(NamedTuple):
    """Where an entry stands in the journal; `duplicate`: it stood there before.

    `cash_minor` is what its player has after it, in its currency, or each player of a coup's shares, in
    their order; empty for a duplicate, and where no money moved. `refused` is told of `stakes`: of each share
    why it isn't entered, or None; where none is, nothing is entered and `seq` is 0.
    """

    seq: int
    duplicate: bool
    cash_minor: tuple[int, ...] = ()
    refused: tuple[Refused | None, ...] = ()


class Ticket(NamedTuple):
    """Which round it is, whose, at which table, in which currency."""

    round: str
    player: str
    table: str
    currency: str

    def account(self, kind: str) -> Account:
        """The account of this round's player, or of its table, of that kind."""
        return Account(self.table if kind == "table" else self.player, kind, self.currency)


# --- the entries of the trade ----------------------------------------------------------------


def grant(key: str, at_ms: int, player: str, currency: str, amount_minor: int, reason: str) -> Entry:
    """Money the house gives a player."""
    move = Move(Account(HOUSE, "grants", currency), Account(player, "cash", currency), amount_minor)
    return Entry(key, "grant", at_ms, player, "", "", (move,), {"reason": reason})


def expiry(key: str, at_ms: int, player: str, currency: str, amount_minor: int) -> Entry:
    """Granted money that was never used goes back to the house."""
    move = Move(Account(player, "cash", currency), Account(HOUSE, "grants", currency), amount_minor)
    return Entry(key, "expiry", at_ms, player, "", "", (move,), {})


def deposit(key: str, at_ms: int, player: str, currency: str, amount_minor: int) -> Entry:
    """Money a player brings to the cashier."""
    move = Move(Account(HOUSE, "cashier", currency), Account(player, "cash", currency), amount_minor)
    return Entry(key, "deposit", at_ms, player, "", "", (move,), {})


def withdrawal(key: str, at_ms: int, player: str, currency: str, amount_minor: int) -> Entry:
    """Money a player takes from the cashier."""
    move = Move(Account(player, "cash", currency), Account(HOUSE, "cashier", currency), amount_minor)
    return Entry(key, "withdrawal", at_ms, player, "", "", (move,), {})


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
    """A round opens: the stakes (1 or more) are held; `opened` is what else a replay must know."""
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
    """A step of a round; `extra_minor` more is staked (double, split, insurance), often nothing.

    `body` is what else is kept of it.
    """
    moves = [("cash", "in_play", extra_minor)] if extra_minor else []
    return _of_round(ticket, key, "answer", at_ms, moves, {**body, "steps": list(steps)})


def release(ticket: Ticket, key: str, at_ms: int, *, amount_minor: int) -> Entry:
    """A part of what is staked, or all of it, goes back; the round stays open."""
    return _of_round(ticket, key, "release", at_ms, [("in_play", "cash", amount_minor)], {})


def settle(
    ticket: Ticket,
    key: str,
    at_ms: int,
    *,
    staked_minor: int,
    returned_minor: int,
    steps: Sequence[str] = (),
    told: Mapping[str, Json] = MappingProxyType({}),
) -> Entry:
    """A round ends: the table takes all that was staked and pays what is returned, if anything.

    `told` is what else is to be known of the end, such as what came up.
    """
    paid = [("table", "cash", returned_minor)] if returned_minor else []
    moves = [("in_play", "table", staked_minor), *paid]
    return _of_round(ticket, key, "settle", at_ms, moves, {**told, "steps": list(steps)})


def void(ticket: Ticket, key: str, at_ms: int, *, staked_minor: int, reason: str) -> Entry:
    """A round is cancelled: all that was staked goes back."""
    return _of_round(ticket, key, "void", at_ms, [("in_play", "cash", staked_minor)], {"reason": reason})


def stakes(key: str, at_ms: int, table: str, currency: str, shares: Iterable[Share], *, number: str) -> Entry:
    """Many players stake more, or take some of it back, each by himself: who may not is left out.

    Who has no round open yet opens one, with this `number` for people.
    """
    return Entry(key, "stakes", at_ms, "", table, "", (), {"number": number}, Shares(currency, tuple(shares)))


def coup(
    key: str, at_ms: int, table: str, currency: str, shares: Iterable[Share], body: Mapping[str, Json]
) -> Entry:
    """Everybody's round at a table ends; `body` is what a replay of them must know."""
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
    """Everybody's round at a table is cancelled: all that was staked goes back."""
    told = {**body, "reason": reason}
    return Entry(key, "call_off", at_ms, "", table, "", (), told, Shares(currency, tuple(shares)))


def note(
    key: str, at_ms: int, body: Mapping[str, Json], *, player: str = "", table: str = "", round_id: str = ""
) -> Entry:
    """Something to be remembered that moves no money."""
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

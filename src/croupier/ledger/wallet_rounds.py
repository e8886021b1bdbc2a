"""The rounds that an operator's wallet pays for, and the open calls to it, as the journal has them."""

import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from croupier.ledger.entries import COUP_KINDS, WALLET_KINDS, Entry, Share, Ticket
from croupier.ledger.protocol import LedgerReader, RoundSummary
from croupier.ledger.round_records import COUP_STATUS
from croupier.ledger.wallet_calls import HeldCalls, OpenCalls
from croupier.ledger.wallet_entries import (
    WalletCall,
    WalletOrder,
    round_prefix,
    wallet_due,
)

NEEDS_WORK = frozenset({"wallet_rollback", "wallet_due", "wallet_debited", "wallet_refused"})
"""Entries after which a call of their round may have to be sent."""


class WalletRounds:
    """The rounds whose money comes from an operator's wallet, with their open calls.

    `currencies` are those of the wallet; `games` are the games' names by table; `calls`: the open calls.

    `on_work` is called with the round whenever a call may have to be sent.
    """

    def __init__(
        self,
        currencies: Collection[str] = (),
        games: Mapping[str, str] | None = None,
        calls: OpenCalls | None = None,
    ) -> None:
        self.currencies = frozenset(currencies)
        self.calls = calls or HeldCalls()
        self.on_work: Callable[[str], None] = lambda _: None
        self._games = games or {}
        self._paid: set[str] = set()
        """Open rounds that the wallet pays for."""
        self._returns_in = set(currencies)
        """The wallet's currencies, and those that it had when the open rounds were paid for."""

    def load(self, ledger: LedgerReader) -> None:
        """Read the open calls, and which of the open rounds the wallet pays for.

        Rounds that other processes may have are read when one is taken over, see `recall`.
        """
        self.calls.load(ledger)
        for record in () if self.calls.are_shared else ledger.open_rounds():
            self.recall(record, self.is_paid(ledger, record.id))

    @staticmethod
    def is_paid(ledger: LedgerReader, round_: str) -> bool:
        """Return whether a wallet pays for an open round, according to the ledger."""
        return any(entry.kind == "wallet_debited" for entry in ledger.entries(round_prefix(round_)))

    def recall(self, round_: RoundSummary, is_paid: bool) -> None:
        """Remember whether the wallet pays for an open round that another process has begun."""
        if is_paid:
            self._paid.add(round_.id)
            self._returns_in.add(round_.currency)

    def follow(self, entry: Entry) -> None:
        """Follow a posted entry."""
        if entry.kind not in WALLET_KINDS:
            return
        self._follow_round(entry, self.calls.follow(entry))
        if entry.kind in NEEDS_WORK:
            self.on_work(entry.round)

    def _follow_round(self, entry: Entry, call: WalletCall | None) -> None:
        if entry.kind == "wallet_debited":
            self._paid.add(entry.round)
        if call and call.order.ended:
            self._paid.discard(entry.round)

    # --- what the wallet is owed

    def completed(self, posted: Sequence[Entry]) -> Sequence[Entry]:
        """Return entries to post, with those that return the wallet's money from what they release or end."""
        if not self._returns_in:
            return posted
        paid = {entry.round for entry in posted if entry.kind == "wallet_debited"}
        return [*posted, *(due for entry in posted for due in self._dues(entry, paid))]

    def _dues(self, entry: Entry, paid: Collection[str]) -> Iterator[Entry]:
        if entry.shares is not None:
            for share in entry.shares.each if entry.shares.currency in self._returns_in else ():
                if share.round in self._paid or share.round in paid:
                    yield from self._due_of_share(entry, share)
        elif entry.round in self._paid or entry.round in paid:
            yield from self._due_of_round(entry)

    def _due_of_share(self, entry: Entry, share: Share) -> Iterator[Entry]:
        assert entry.shares is not None
        ticket = Ticket(share.round, share.player, entry.table, entry.shares.currency)
        if entry.kind in COUP_KINDS:
            yield self._end(ticket, entry, share.staked_minor, share.returned_minor)
        elif share.returned_minor:
            yield self._refund(ticket, entry, share.returned_minor)

    def _due_of_round(self, entry: Entry) -> Iterator[Entry]:
        back = entry.moved("in_play", "cash")
        if entry.kind in ("settle", "void"):
            staked, returned = entry.moved("in_play", "table") + back, entry.moved("table", "cash") + back
            yield self._end(_ticket(entry), entry, staked, returned)
        elif entry.kind == "release":
            yield self._refund(_ticket(entry), entry, back)

    def _end(self, ticket: Ticket, entry: Entry, staked_minor: int, returned_minor: int) -> Entry:
        status = COUP_STATUS.get(entry.kind, "void" if entry.kind == "void" else "settled")
        void = status == "void"
        order = WalletOrder(
            ticket.currency,
            returned_minor,
            "refund" if void else "win",
            self.game(ticket.table),
            "void" if void else "settled",
            staked_minor,
            returned_minor,
        )
        return wallet_due(ticket, f"{ticket.round}.end", entry.at_ms, order)

    def _refund(self, ticket: Ticket, entry: Entry, amount_minor: int) -> Entry:
        order = WalletOrder(ticket.currency, amount_minor, "refund", self.game(ticket.table))
        return wallet_due(ticket, new_transaction(ticket), entry.at_ms, order)

    def game(self, table: str) -> str:
        """Return the name of a table's game; that of the table if the server no longer has it."""
        return self._games.get(table, table)


def new_transaction(ticket: Ticket) -> str:
    """Return a new id of a transaction of this round."""
    return f"{ticket.round}.{secrets.token_hex(6)}"


def round_of_transaction(transaction: str) -> str:
    """Return the round of a transaction."""
    return transaction.rpartition(".")[0]


def _ticket(entry: Entry) -> Ticket:
    return Ticket(entry.round, entry.player, entry.table, entry.moves[0].debit.currency)

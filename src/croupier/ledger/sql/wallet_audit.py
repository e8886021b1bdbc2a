"""The audit of calls to an operator's wallet: the table has those that the journal leaves open."""

from collections import Counter
from collections.abc import Iterator, Mapping

from croupier.ledger.entries import Account, Entry
from croupier.ledger.sql.audited_rows import RowFault
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.dialect import has_table
from croupier.ledger.wallet_entries import WalletCall, follow_call, transaction_of

FIND_CALLS = "SELECT transaction_id, opened_seq, state FROM wallet_call ORDER BY 1"


class WalletAudit:
    """Follows the entries, then compares the table and the money that is owed."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[int, WalletCall]] = {}
        """The open calls with the seqs of the entries that opened them, by transaction."""

    def follow(self, entry: Entry, seq: int) -> None:
        """Follow an entry; ValueError if it can't follow those before it."""
        name = transaction_of(entry.key)
        opened, before = self._open.pop(name, (seq, None))
        if after := follow_call(before, entry):
            self._open[name] = opened, after

    def faults(self, connection: Connection, balances: Mapping[Account, int]) -> Iterator[RowFault]:
        """Yield what differs from the journal; nothing of the table if the database is older than it."""
        if has_table(connection, "wallet_call"):
            yield from self._table_faults(connection)
        owed = Counter[Account]()
        for _, call in self._open.values():
            if call.order.reason != "stake":
                owed[call.ticket.account("owed")] += call.order.amount_minor
        for account, minor in balances.items():
            if account.kind == "owed" and minor != owed[account]:
                yield "account", " ".join(account), f"holds {minor}: {owed[account]} is due to the wallet"

    def _table_faults(self, connection: Connection) -> Iterator[RowFault]:
        expected = {name: (seq, call.state) for name, (seq, call) in self._open.items()}
        for name, *row in connection.execute(FIND_CALLS):
            found = expected.pop(name, None)
            if found != tuple(row):
                yield "wallet_call", name, f"is {row} and not {found}, as the journal has it"
        for name in expected:
            yield "wallet_call", name, "is missing: the journal has it"

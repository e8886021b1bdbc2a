"""The reference implementation of an entry's effect on accounts: slow and plain, used by the audit."""

from collections import Counter

from croupier.ledger.entries import Account, Entry, Shares


def net_amounts(entry: Entry) -> Counter[Account]:
    """Return the net amount that the entry moves to each account; they sum to zero."""
    amounts: Counter[Account] = Counter()
    for debit, credit, amount in entry.moves:
        amounts[debit] -= amount
        amounts[credit] += amount
    if entry.shares:
        _add_shares(entry, entry.shares, amounts)
    return amounts


def _add_shares(entry: Entry, shares: Shares, amounts: Counter[Account]) -> None:
    """Add stakes, between `cash` and `in_play`; or a coup, without the table if it's called off."""
    currency = shares.currency
    for _, player, staked, returned in shares.each:
        if entry.kind == "stakes":
            amounts[Account(player, "in_play", currency)] += staked - returned
            amounts[Account(player, "cash", currency)] -= staked - returned
            continue
        amounts[Account(player, "in_play", currency)] -= staked
        amounts[Account(player, "cash", currency)] += returned
        if entry.kind == "coup":
            amounts[Account(entry.table, "table", currency)] += staked - returned

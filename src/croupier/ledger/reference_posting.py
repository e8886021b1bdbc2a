"""What an entry does to each account, told the slow and plain way."""

from collections import Counter

from croupier.ledger.entries import Account, Entry, Shares


def changes_by_account(entry: Entry) -> Counter[Account]:
    """By account what it moves there, together; it sums to zero."""
    moved: Counter[Account] = Counter()
    for debit, credit, amount in entry.moves:
        moved[debit] -= amount
        moved[credit] += amount
    if entry.shares:
        _shared(entry, entry.shares, moved)
    return moved


def _shared(entry: Entry, shares: Shares, moved: Counter[Account]) -> None:
    """A coup: what is staked goes to the table, and what is returned comes from it; called off: back.

    Stakes: what is staked is set aside, and what is returned was.
    """
    currency = shares.currency
    for _, player, staked, returned in shares.each:
        if entry.kind == "stakes":
            moved[Account(player, "in_play", currency)] += staked - returned
            moved[Account(player, "cash", currency)] -= staked - returned
            continue
        moved[Account(player, "in_play", currency)] -= staked
        moved[Account(player, "cash", currency)] += returned
        if entry.kind == "coup":
            moved[Account(entry.table, "table", currency)] += staked - returned

"""Builders of entries for tests, with defaults for most fields."""

from itertools import count

from croupier.ledger import entries
from croupier.ledger.entries import Entry, Share, Ticket

_numbers = count(1)

ROUND = Ticket("r1", "ann", "classic", "GC")


def new_key() -> str:
    return f"k{next(_numbers)}"


def grant(amount: int, player: str = "ann", currency: str = "GC", key: str = "") -> Entry:
    return entries.grant(key or new_key(), 1_000, player, currency, amount, "welcome")


def deal(staked: int, ticket: Ticket = ROUND, key: str = "", at_ms: int = 2_000) -> Entry:
    return entries.deal(
        ticket, key or new_key(), at_ms, number="#10:00:00", staked_minor=staked, steps=["AS", "down"]
    )


def answer(extra: int = 0, ticket: Ticket = ROUND) -> Entry:
    return entries.answer(ticket, new_key(), 3_000, extra_minor=extra, steps=["double", "7H"])


def settle(staked: int, returned: int, ticket: Ticket = ROUND) -> Entry:
    return entries.settle(
        ticket, new_key(), 4_000, staked_minor=staked, returned_minor=returned, steps=["turn 9C"]
    )


def void(staked: int, ticket: Ticket = ROUND) -> Entry:
    return entries.void(ticket, new_key(), 4_000, staked_minor=staked, reason="malfunction")


def release(amount: int, ticket: Ticket = ROUND) -> Entry:
    return entries.release(ticket, new_key(), 3_500, amount_minor=amount)


def ticket_of(player: str, round_: str = "r", table: str = "classic", currency: str = "GC") -> Ticket:
    """Return the ticket of a player's round at a live table."""
    return Ticket(f"{round_}.{player}", player, table, currency)


def stakes(
    *shares: tuple[str, int], round_: str = "r", currency: str = "GC", table: str = "classic"
) -> Entry:
    """Return each player's added stake; a negative amount is taken back."""
    every = [Share(f"{round_}.{player}", player, max(more, 0), max(-more, 0)) for player, more in shares]
    return entries.stakes(new_key(), 2_500, table, currency, every, number="#10:00:00")


def coup(
    *shares: tuple[str, int, int], round_: str = "r", currency: str = "GC", table: str = "classic"
) -> Entry:
    """Return a coup with each player's stake and returned amount."""
    every = [Share(f"{round_}.{player}", player, staked, returned) for player, staked, returned in shares]
    return entries.coup(new_key(), 4_000, table, currency, every, {"cards": ["AS"]})


def call_off(*shares: tuple[str, int], round_: str = "r", table: str = "classic") -> Entry:
    every = [Share(f"{round_}.{player}", player, staked, staked) for player, staked in shares]
    return entries.call_off(new_key(), 4_000, table, "GC", every, "malfunction")


def withdraw(amount: int, player: str = "ann", currency: str = "GC") -> Entry:
    return entries.withdrawal(new_key(), 5_000, player, currency, amount)


def deposit(amount: int, player: str = "ann", currency: str = "GC") -> Entry:
    return entries.deposit(new_key(), 1_500, player, currency, amount)

"""Amounts at the edge of 64 bits: accounts of the operator and of tables, and sums in reports, are exact."""

from collections.abc import Callable
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.ledger import entries
from croupier.ledger.entries import MOVE_MINOR_MAX, Entry, Share
from croupier.ledger.sql.balance_check import compare_balances
from croupier.ledger.sql.databases import Database
from croupier.ledger.sql.store import SqlLedger
from croupier.ledger.sql.verify import verify
from croupier.ledger.sql.wide_amounts import HIGH, is_wide, join, split
from croupier.ledger.stores import open_ledger
from croupier.play.contract.amounts import BALANCE_MINOR_MAX

Post = Callable[..., list[int]]
MANY = 2**63 // BALANCE_MINOR_MAX + 1
"""Deposits whose sum just exceeds 64 bits."""
numbers = count(1)


def key() -> str:
    return f"k{next(numbers)}"


def deposited(player: str, amount_minor: int = BALANCE_MINOR_MAX) -> Entry:
    return entries.deposit(key(), 1_000, player, "GC", amount_minor)


def withdrawn(player: str, amount_minor: int = BALANCE_MINOR_MAX) -> Entry:
    return entries.withdrawal(key(), 4_000, player, "GC", amount_minor)


@pytest.mark.parametrize("amount", [0, 1, -1, HIGH - 1, HIGH, -HIGH, 2**63, -(2**63), 2**70, -(2**80)])
def test_an_amount_is_split_into_columns_of_64_bits(amount: int) -> None:
    minor, high = split(amount)
    assert join(minor, high) == amount
    assert abs(minor) < HIGH
    assert bool(high) == is_wide(amount)
    assert minor * amount >= 0
    assert high * amount >= 0


@given(st.integers(-(2**90), 2**90))
def test_every_amount_is_split_exactly(amount: int) -> None:
    assert join(*split(amount)) == amount


def test_maximal_deposits_do_not_exhaust_the_operators_account(ledger: SqlLedger, database: Database) -> None:
    players = [f"p{number}" for number in range(MANY)]
    ledger.post([deposited(player) for player in players]).result(timeout=60)
    total = MANY * BALANCE_MINOR_MAX
    assert total > 2**63
    assert ledger.balances("house") == {"GC": {"cashier": -total}}
    assert ledger.reports.holdings().minor == {("cashier", "GC"): -total, ("cash", "GC"): total}
    ledger.post([deposited("ann")]).result(timeout=60)
    assert ledger.balances("house") == {"GC": {"cashier": -total - BALANCE_MINOR_MAX}}
    ledger.close()
    compare_balances(database)
    assert verify(database).bad is None
    again = open_ledger(database)
    again.post([withdrawn(player) for player in [*players, "ann"]]).result(timeout=60)
    assert again.balances("house") == {"GC": {"cashier": 0}}
    assert set(again.reports.holdings().minor.values()) <= {0}
    again.close()
    compare_balances(database)


@pytest.mark.any_store
def test_a_coup_that_pays_more_than_64_bits_is_exact(
    ledger: SqlLedger, post: Post, database: Database
) -> None:
    players = [f"p{number}" for number in range(1_100)]
    ledger.post([deposited(player) for player in players]).result(timeout=60)
    for number in (1, 2):
        round_ = f"r{number}"
        staked = [Share(f"{round_}.{player}", player, 1_000, 0) for player in players]
        won = [Share(share.round, share.player, 1_000, MOVE_MINOR_MAX) for share in staked]
        post(entries.stakes(key(), 2_000 * number, "roulette", "GC", staked, number="#1"))
        post(entries.coup(key(), 3_000 * number, "roulette", "GC", won, {}))
        post(*(withdrawn(player, MOVE_MINOR_MAX - 1_000) for player in players))
    lost = 2 * len(players) * (MOVE_MINOR_MAX - 1_000)
    assert lost > 2**64
    assert ledger.balances("roulette") == {"GC": {"table": -lost}}
    (result,) = ledger.reports.results(0, 10_000).tables
    assert (result.staked_minor, result.returned_minor) == (2_200_000, 2_200 * MOVE_MINOR_MAX)
    assert result.spread.net_squares == pytest.approx(2 * (lost / 2) ** 2)
    paid_out = lost - len(players) * BALANCE_MINOR_MAX
    assert ledger.balances("house") == {"GC": {"cashier": paid_out}}
    held = ledger.reports.holdings(at_ms=2_000).minor
    assert held["cash", "GC"] == 1_100 * BALANCE_MINOR_MAX - 1_100_000
    ledger.close()
    compare_balances(database)
    assert verify(database).bad is None
    again = open_ledger(database)
    again.post([withdrawn(player, 1_000) for player in players]).result(timeout=60)
    assert again.balances("house") == {"GC": {"cashier": paid_out + 1_100_000}}
    again.close()
    compare_balances(database)


@pytest.mark.any_store
def test_sums_of_a_players_rounds_and_deposits_are_exact(ledger: SqlLedger, post: Post) -> None:
    rounds = 1_100
    for number in range(rounds):
        round_ = entries.Ticket(f"r{number}", "ann", "classic", "GC")
        staked = BALANCE_MINOR_MAX
        ledger.post(
            [
                deposited("ann"),
                entries.deal(round_, key(), 2_000, number="#1", staked_minor=staked),
                entries.settle(round_, key(), 3_000, staked_minor=staked, returned_minor=MOVE_MINOR_MAX),
                withdrawn("ann", MOVE_MINOR_MAX),
            ]
        )
    post(deposited("ann", 1))
    assert rounds * MOVE_MINOR_MAX > 2**63
    assert ledger.totals("ann")["GC"] == (rounds * BALANCE_MINOR_MAX, rounds * MOVE_MINOR_MAX)
    (of_table,) = ledger.table_totals("ann")
    assert of_table[-2:] == (rounds * BALANCE_MINOR_MAX, rounds * MOVE_MINOR_MAX)
    assert ledger.deposited("ann") == {"GC": rounds * BALANCE_MINOR_MAX + 1}

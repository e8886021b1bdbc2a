"""Many threads spend one player's balance at once: together exactly all of it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from croupier.ledger.entries import Entry, Ticket
from croupier.ledger.sql.databases import Database
from croupier.ledger.sql.store import SqlLedger
from croupier.ledger.sql.verify import verify
from croupier.refusal import Refused
from tests.ledger.sample_entries import answer, call_off, coup, deal, grant, release, ticket_of, withdraw

pytestmark = pytest.mark.any_store

THREADS = 24
ATTEMPTS = 100


def accepted(ledger: SqlLedger, make: Callable[[int, int], Entry]) -> int:
    """Post entries from many threads; return how many were accepted. The rest must be refused."""

    def spend(thread: int) -> int:
        refusals = [ledger.post([make(thread, number)]).exception(60) for number in range(ATTEMPTS)]
        assert {error.code for error in refusals if isinstance(error, Refused)} <= {"not_covered"}
        assert all(error is None or isinstance(error, Refused) for error in refusals)
        return refusals.count(None)

    with ThreadPoolExecutor(THREADS) as pool:
        return sum(pool.map(spend, range(THREADS)))


def test_withdrawals_take_exactly_the_balance(ledger: SqlLedger, database: Database) -> None:
    ledger.post([grant(1_000)]).result()
    assert accepted(ledger, lambda _thread, _number: withdraw(7)) == 1_000 // 7
    assert ledger.balances("ann") == {"GC": {"cash": 1_000 % 7}}
    assert verify(database).bad is None


def test_stakes_at_many_tables_are_exactly_covered(ledger: SqlLedger, database: Database) -> None:
    def at_its_own_table(thread: int, number: int) -> Entry:
        return deal(7, Ticket(f"r{thread}.{number}", "ann", f"t{thread}.{number}", "GC"))

    ledger.post([grant(1_000)]).result()
    assert accepted(ledger, at_its_own_table) == 1_000 // 7
    assert ledger.balances("ann") == {"GC": {"cash": 1_000 % 7, "in_play": 1_000 - 1_000 % 7}}
    assert len(ledger.open_rounds()) == 1_000 // 7
    assert verify(database).bad is None


def test_groups_of_bets_from_many_threads_are_exactly_covered(ledger: SqlLedger, database: Database) -> None:
    """Each thread bets at its own table, takes the stake back, and bets until nothing is left."""

    def bet(thread: int) -> None:
        at = ticket_of("ann", f"r{thread}", f"t{thread}")
        bets = [deal(7, at), release(7, at), *(answer(7, at) for _ in range(5))]
        results = ledger.post_each(bets).result(60)
        codes = {result.code for result in results if isinstance(result, Refused)}
        assert codes <= {"not_covered", "round_unknown"}

    ledger.post([grant(1_000)]).result()
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(bet, range(THREADS * 2)))
    in_play = 1_000 - 1_000 % 7
    assert ledger.balances("ann") == {"GC": {"cash": 1_000 % 7, "in_play": in_play}}
    assert sum(round_.staked_minor for round_ in ledger.open_rounds()) == in_play
    assert verify(database).bad is None


def test_one_of_two_ends_of_a_round_is_accepted(ledger: SqlLedger, database: Database) -> None:
    """The table settles while the manager cancels, both from many threads."""
    rounds = [f"r{number}" for number in range(50)]
    ledger.post([grant(1_000), grant(1_000, "bob")]).result()
    for round_ in rounds:
        ledger.post([deal(5, ticket_of(who, round_, round_)) for who in ("ann", "bob")]).result()

    def end(number: int) -> int:
        round_ = rounds[number // 4]
        if number % 2:
            entry = coup(("ann", 5, 10), ("bob", 5, 0), round_=round_, table=round_)
        else:
            entry = call_off(("ann", 5), ("bob", 5), round_=round_, table=round_)
        return ledger.post([entry]).exception(60) is None

    with ThreadPoolExecutor(THREADS) as pool:
        assert sum(pool.map(end, range(200))) == len(rounds)
    settled = sum(round_.status == "settled" for round_ in ledger.rounds("ann"))
    assert [ledger.balances(who)["GC"]["cash"] for who in ("ann", "bob")] == [
        1_000 + 5 * settled,
        1_000 - 5 * settled,
    ]
    assert verify(database).bad is None


def test_one_key_from_many_threads_is_posted_once(ledger: SqlLedger) -> None:
    entry = grant(5)
    with ThreadPoolExecutor(THREADS) as pool:
        posts = list(pool.map(lambda _number: ledger.post([entry]), range(500)))
    wait(posts)
    assert sorted(post.result()[0].duplicate for post in posts) == [False] + [True] * 499
    assert ledger.balances("ann") == {"GC": {"cash": 5}}

"""Several servers write one database: one chain, no balance below zero, every acknowledged entry there."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from typing import Any

import pytest

from croupier.ledger.entries import Posted
from croupier.ledger.postgresql import connection, driver
from croupier.ledger.postgresql.driver import HEAD, LOCK_HEAD
from croupier.ledger.sql import cache_loading
from croupier.ledger.sql.databases import PostgresqlUrl
from croupier.ledger.sql.store import SqlLedger
from croupier.ledger.sql.verify import verify
from croupier.ledger.stores import open_ledger
from croupier.refusal import Refused
from tests.ledger.sample_entries import coup, deal, grant, release, settle, stakes, ticket_of, withdraw

WITHIN_S = 30


@pytest.fixture
def ledgers(postgresql: PostgresqlUrl) -> Iterator[tuple[SqlLedger, SqlLedger]]:
    with ExitStack() as opened:
        one, other = (opened.enter_context(closing(open_ledger(postgresql))) for _ in range(2))
        yield one, other


def refusal(posted: Future[Any]) -> str:
    error = posted.exception(WITHIN_S)
    assert isinstance(error, Refused)
    return error.code


def is_posted(result: Posted | Refused) -> bool:
    return isinstance(result, Posted) and not any(result.refused)


def test_each_writer_follows_the_others(
    ledgers: tuple[SqlLedger, SqlLedger], postgresql: PostgresqlUrl
) -> None:
    """Accounts, open rounds, keys and shared entries, in turn."""
    one, other = ledgers
    granted = grant(100)
    one.post([granted, grant(100, "bob"), deal(10, ticket_of("ann"))]).result(WITHIN_S)
    assert other.post([granted]).result(WITHIN_S) == (Posted(1, duplicate=True),)
    assert refusal(other.post([deal(10, ticket_of("ann", "r2"))])) == "round_open"
    other.post([settle(10, 30, ticket_of("ann"))]).result(WITHIN_S)
    assert refusal(one.post([settle(10, 30, ticket_of("ann"))])) == "round_ended"
    (posted,) = one.post([stakes(("ann", 120), ("bob", 100), round_="s", table="live")]).result(WITHIN_S)
    assert posted.cash_minor == (0, 0)
    assert refusal(other.post([withdraw(1)])) == "not_covered"
    other.post([coup(("ann", 120, 240), ("bob", 100, 0), round_="s", table="live")]).result(WITHIN_S)
    one.post([withdraw(240), grant(1, "eve")]).result(WITHIN_S)
    other.post([grant(1, "dan"), deal(1, ticket_of("eve"))]).result(WITHIN_S)
    assert one.balances("ann") == other.balances("ann") == {"GC": {"cash": 0, "in_play": 0}}
    assert verify(postgresql).bad is None


@pytest.mark.parametrize("followed", [2_000, 1])
def test_concurrent_writers_spend_exactly_the_balance(
    ledgers: tuple[SqlLedger, SqlLedger],
    postgresql: PostgresqlUrl,
    monkeypatch: pytest.MonkeyPatch,
    followed: int,
) -> None:
    """Also where a writer starts over rather than follow more than `followed` entries."""
    monkeypatch.setattr(cache_loading, "CATCH_UP_MAX", followed)
    ledgers[0].post([grant(1_000)]).result(WITHIN_S)

    def play(number: int) -> list[str]:
        ledger, at = ledgers[number % 2], ticket_of("ann", f"r{number}", f"t{number}")
        staked = stakes(("ann", 5), round_=f"s{number}", table=f"live{number}")
        entries = [deal(7, at), release(7, at), withdraw(3), staked]
        results = ledger.post_each(entries).result(WITHIN_S)
        return [entry.key for entry, result in zip(entries, results, strict=True) if is_posted(result)]

    with ThreadPoolExecutor(8) as pool:
        accepted = [key for keys in pool.map(play, range(200)) for key in keys]
    assert all(ledgers[0].entry(key) for key in accepted)
    money = ledgers[0].balances("ann")["GC"]
    assert 0 <= money["cash"] < 3
    assert len(accepted) == verify(postgresql).entries - 1
    assert verify(postgresql).bad is None


def test_a_frozen_writer_does_not_keep_the_lock(
    postgresql: PostgresqlUrl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        connection, "WRITER_SETTINGS", {**connection.WRITER_SETTINGS, "lock_timeout": "100ms"}
    )
    monkeypatch.setattr(driver, "END_FROZEN", driver.END_FROZEN.replace("2 seconds", "0.1 seconds"))
    with ExitStack() as opened:
        ledger = opened.enter_context(closing(open_ledger(postgresql)))
        for seq in (1, 2):  # statements that were sent behind the failed lock, at first and once prepared
            frozen = opened.enter_context(closing(connection.open_writer(postgresql)))
            frozen.execute("BEGIN")
            frozen.execute(LOCK_HEAD, HEAD).fetchone()
            assert ledger.post([grant(1)]).result(WITHIN_S) == (Posted(seq, False, (seq,)),)


AGE_MARK = """UPDATE meta SET value = split_part(value, ' ', 1) || ' '
    || split_part(value, ' ', 2)::bigint - ? WHERE key LIKE 'writer %'"""
MARKS = "SELECT count(*) FROM meta WHERE key LIKE 'writer %'"


def test_marks_of_killed_writers_are_deleted_after_a_month(postgresql: PostgresqlUrl) -> None:
    killed = driver.PostgresqlDriver(postgresql)
    killed.connection.close()
    with closing(connection.open_writer(postgresql)) as looking:

        def marks_after(age_ms: int) -> int:
            """Return how many marks are left when the mark is so much older and a writer has opened."""
            assert looking.execute(AGE_MARK, (age_ms,)).rowcount == 1
            with closing(open_ledger(postgresql)) as ledger:
                ledger.post([grant(1)]).result(WITHIN_S)
            return int(looking.execute(MARKS).fetchone()[0])

        assert marks_after(driver.OLD_MARK_MS - 60_000) == 1
        assert marks_after(120_000) == 0

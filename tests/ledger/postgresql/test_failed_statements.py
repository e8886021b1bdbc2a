"""A statement of a post fails in PostgreSQL: only that post fails, whatever is committed with it."""

from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest

from croupier.ledger.entries import Posted
from croupier.ledger.postgresql.connection import PostgresqlConnection, open_writer
from croupier.ledger.postgresql.driver import HEAD, LOCK_HEAD
from croupier.ledger.sql.databases import PostgresqlUrl
from croupier.ledger.sql.verify import verify
from croupier.ledger.stores import open_ledger
from tests.ledger.sample_entries import coup, grant, stakes

WITHIN_S = 30
FORBID_EVE = "ALTER TABLE account ADD CONSTRAINT no_eve CHECK (owner <> 'eve')"
ALLOW_EVE = "ALTER TABLE account DROP CONSTRAINT no_eve"


@pytest.fixture
def other(postgresql: PostgresqlUrl) -> Iterator[PostgresqlConnection]:
    """Return another connection to a database that refuses to open accounts of eve."""
    with closing(open_writer(postgresql)) as other:
        other.execute(FORBID_EVE)
        other.flush()
        yield other
        other.execute(ALLOW_EVE)
        other.flush()


def test_a_failed_post_fails_alone(postgresql: PostgresqlUrl, other: PostgresqlConnection) -> None:
    with closing(open_ledger(postgresql)) as ledger:
        for number in range(3):
            other.execute("BEGIN")
            other.execute(LOCK_HEAD, HEAD).fetchone()  # so that the posts are committed together
            posts = [ledger.post([grant(10, player)]) for player in ("ann", "eve", "bob")]
            other.execute("COMMIT")
            other.flush()
            for post in posts[::2]:
                (posted,) = post.result(WITHIN_S)
                assert posted.cash_minor == (10 * (number + 1),)
            assert isinstance(posts[1].exception(WITHIN_S), psycopg.errors.CheckViolation)
        staked = ledger.post_each([stakes(("ann", 30), ("bob", 31))]).result(WITHIN_S)[0]
        assert isinstance(staked, Posted)
        assert [refused and refused.code for refused in staked.refused] == [None, "not_covered"]
        ledger.post([coup(("ann", 30, 0))]).result(WITHIN_S)
        assert ledger.balances("bob") == {"GC": {"cash": 30}}
    assert verify(postgresql).bad is None


@pytest.mark.usefixtures("other")
@pytest.mark.parametrize("posts", [1, 2])
def test_a_failed_post_leaves_nothing(postgresql: PostgresqlUrl, posts: int) -> None:
    with closing(open_ledger(postgresql)) as ledger:
        for _ in range(posts):
            failed = ledger.post([grant(5), grant(5, "eve")])
            assert isinstance(failed.exception(WITHIN_S), psycopg.errors.CheckViolation)
        (posted,) = ledger.post([grant(7)]).result(WITHIN_S)
        assert posted == Posted(1, False, (7,))
    assert verify(postgresql).entries == 1

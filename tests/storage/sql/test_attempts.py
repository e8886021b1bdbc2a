"""Attempts that are limited, on every store: a lock holds whatever else is counted."""

from collections.abc import Iterator

import pytest

from croupier.accounts.attempts import Attempt, AttemptLimit, network_of
from croupier.ledger.sql.databases import Database
from croupier.refusal import Refused
from croupier.storage.stores import Stores
from tests.storage.sql.repositories import NOW_MS, stores_in

LIMIT = AttemptLimit("sign-in", 3, 60_000)
OTHER = AttemptLimit("recovery", 3, 60_000)
ADA = Attempt(LIMIT, "Ada")
NAMES = 1_005


@pytest.fixture
def stores(database: Database) -> Iterator[Stores]:
    with stores_in(database) as stores:
        yield stores


def lock(stores: Stores) -> None:
    for at in range(LIMIT.most):
        stores.attempts.count([ADA], NOW_MS + at).result()


def refused_s(stores: Stores, attempt: Attempt, now_ms: int) -> int:
    """Return the seconds that a refusal names; 0: the attempt is counted."""
    try:
        stores.attempts.count([attempt], now_ms).result()
    except Refused as refused:
        assert refused.code == "too_many_tries"
        return int(refused.args_["seconds"])
    return 0


def test_a_names_lock_is_not_pushed_out_by_other_names(stores: Stores) -> None:
    lock(stores)
    others = [stores.attempts.count([Attempt(LIMIT, f"name {n}")], NOW_MS + 10) for n in range(NAMES)]
    others[-1].result()
    assert refused_s(stores, ADA, NOW_MS + 10) == 60
    assert refused_s(stores, ADA, NOW_MS + LIMIT.window_ms - 1) == 1


def test_a_names_lock_holds_after_a_restart(database: Database) -> None:
    with stores_in(database) as stores:
        lock(stores)
    with stores_in(database) as stores:
        assert refused_s(stores, ADA, NOW_MS + 10) == 60


def test_attempts_expire_one_by_one_and_leave_no_rows(stores: Stores) -> None:
    lock(stores)
    assert refused_s(stores, ADA, NOW_MS + LIMIT.window_ms) == 0, "the first has expired"
    assert refused_s(stores, ADA, NOW_MS + LIMIT.window_ms) == 1
    assert refused_s(stores, ADA, NOW_MS + 3 * LIMIT.window_ms) == 0


def test_a_success_forgets_and_purposes_are_apart(stores: Stores) -> None:
    lock(stores)
    assert refused_s(stores, Attempt(OTHER, "Ada"), NOW_MS + 10) == 0
    stores.attempts.clear([ADA]).result()
    assert refused_s(stores, ADA, NOW_MS + 10) == 0


def test_a_refused_attempt_counts_for_nothing(stores: Stores) -> None:
    lock(stores)
    ben = Attempt(LIMIT, "Ben")
    for _ in range(2 * LIMIT.most):
        with pytest.raises(Refused, match="too_many_tries"):
            stores.attempts.count([ben, ADA], NOW_MS + 10).result()
    assert refused_s(stores, ben, NOW_MS + 10) == 0


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.0/24"),
        ("192.0.2.255", "192.0.2.0/24"),
        ("2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("2001:db8:1:ffff:1::2", "2001:db8:1::/48"),
        ("unknown", "unknown"),
    ],
)
def test_addresses_count_by_their_network(address: str, network: str) -> None:
    assert network_of(address) == network

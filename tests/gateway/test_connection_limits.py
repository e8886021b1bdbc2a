"""Limits on simultaneous connections, in total and per address."""

import pytest

from croupier.config import ConnectionConfig
from croupier.gateway.connection_limits import (
    DEFAULT_PER_ADDRESS,
    ConnectionLimiter,
    ConnectionLimits,
    connection_limits,
)

EXEMPT = ConnectionConfig().networks()


def limiter(per_address: int) -> ConnectionLimiter:
    return ConnectionLimiter(ConnectionLimits(1_000, per_address, EXEMPT))


def test_an_address_is_limited() -> None:
    counted = limiter(2)
    assert [counted.admit("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert counted.admit("192.0.2.2")
    assert counted.open == 3
    counted.release("192.0.2.1")
    assert counted.admit("192.0.2.1")


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8::1", "2001:db8::2", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
    ],
)
def test_what_counts_as_one_address(first: str, second: str, *, same: bool) -> None:
    counted = limiter(1)
    assert counted.admit(first)
    assert counted.admit(second) is not same


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.66", "::1", "::ffff:127.0.0.1", "", "unix"])
def test_a_proxy_on_this_machine_is_not_counted(address: str) -> None:
    counted = limiter(1)
    assert all(counted.admit(address) for _ in range(10))


def test_no_limit_per_address() -> None:
    counted = limiter(0)
    assert all(counted.admit("192.0.2.1") for _ in range(10))


def test_a_client_behind_a_proxy_is_counted_by_its_own_address() -> None:
    counted = limiter(1)
    assert counted.admit_address("192.0.2.1")
    assert not counted.admit_address("192.0.2.1")
    assert counted.open == 0
    counted.release_address("192.0.2.1")
    assert counted.admit_address("192.0.2.1")


@pytest.mark.parametrize(
    ("chosen", "total", "per_address"),
    [
        (None, 100_000, DEFAULT_PER_ADDRESS),
        (None, 1_000, 250),
        (None, 1, 1),
        (900, 1_000, 900),
        (0, 1_000, 0),
    ],
)
def test_one_address_gets_a_share_by_default(chosen: int | None, total: int, per_address: int) -> None:
    assert connection_limits(ConnectionConfig(chosen), total).per_address == per_address

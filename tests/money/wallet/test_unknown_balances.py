"""A balance that the wallet hasn't told yet is no balance: players are told so, and it is asked for again."""

import logging
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.app.operations.health import Health
from croupier.app.operations.log_counts import LogCounter
from croupier.app.operations.metrics import ServerCollector
from croupier.gateway.connection_limits import ConnectionLimiter
from croupier.gateway.server import Server
from croupier.measurements import LatencyHistogram
from croupier.money.wallet import balances
from croupier.protocol import wire
from tests.money.wallet.own_table import ELEVEN, OwnTable, serving
from tests.support.wallet import START_MINOR, LocalOperator, until

pytestmark = pytest.mark.anyio


@pytest.fixture
def operator() -> LocalOperator:
    return LocalOperator("anna", "bela")


@pytest.fixture
def asks_rarely() -> Iterator[None]:
    """Leave an unknown balance unknown, unless the wallet answers something else."""
    with patch.object(balances, "AGAIN_MS_MIN", 60_000), patch.object(balances, "AGAIN_MS_MAX", 60_000):
        yield


@pytest.fixture
def asks_soon() -> Iterator[None]:
    with patch.object(balances, "AGAIN_MS_MIN", 5), patch.object(balances, "AGAIN_MS_MAX", 20):
        yield


def welcomed(table: OwnTable) -> wire.Balance:
    return next(balance for balance in table.welcome.balances if balance.currency == "SC")


def shown(table: OwnTable) -> wire.Balance:
    """The last balance that the player has received."""
    updates = [one.balance for one in table.messages if isinstance(one, wire.BalanceUpdate)]
    return [welcomed(table), *(balance for balance in updates if balance.currency == "SC")][-1]


def metric(server: Server, name: str) -> float:
    health = Health(LogCounter(), LatencyHistogram())
    health.mark_ready(server, ConnectionLimiter())
    return next(
        family.samples[0].value for family in ServerCollector(health).collect() if family.name == name
    )


@pytest.mark.usefixtures("asks_soon")
async def test_a_balance_whose_answer_is_lost_is_unknown_and_asked_for_again(
    tmp_path: Path, operator: LocalOperator, caplog: pytest.LogCaptureFixture
) -> None:
    operator.misbehave("time_out", paths=("/balance",), times=1)
    with caplog.at_level(logging.WARNING):
        async with serving(tmp_path, operator) as server:
            table = await OwnTable.open(server)
            assert welcomed(table).unknown
            await until(lambda: not shown(table).unknown)
            assert shown(table).balance_minor == START_MINOR
            await until(lambda: metric(server, "croupier_unknown_balances") == 0)
            assert not next(one for one in table.welcome.balances if one.currency == "GC").unknown
    assert f"the balance of {table.player} is unknown" in caplog.text


@pytest.mark.usefixtures("asks_rarely")
async def test_any_answer_of_the_wallet_ends_the_wait_for_a_balance(
    tmp_path: Path, operator: LocalOperator
) -> None:
    operator.misbehave("time_out", paths=("/balance",))
    async with serving(tmp_path, operator) as server:
        table = await OwnTable.open(server)
        assert welcomed(table).unknown
        assert metric(server, "croupier_unknown_balances") == 1
        operator.misbehave()
        other = await OwnTable.open(server, "bela")
        assert other.player != table.player
        await until(lambda: not shown(table).unknown)
        assert shown(table).balance_minor == START_MINOR


@pytest.mark.usefixtures("asks_rarely")
async def test_a_player_may_play_while_their_balance_is_unknown_and_the_wallet_decides(
    tmp_path: Path, operator: LocalOperator
) -> None:
    operator.misbehave("time_out", paths=("/balance",))
    async with serving(tmp_path, operator, ELEVEN) as server:
        table = await OwnTable.open(server)
        # The question that this wakes fails too, and isn't woken by the answers that follow.
        assert await table.deal() == ""
        assert shown(table).balance_minor == operator.balance("anna", "SC")
        assert not shown(table).unknown
        assert await table.decide("double") == ""
        assert table.decided == [("double", "")]


@pytest.mark.usefixtures("asks_rarely")
async def test_a_balance_that_is_known_isn_t_forgotten_for_a_lost_answer_or_a_second_browser(
    tmp_path: Path, operator: LocalOperator
) -> None:
    async with serving(tmp_path, operator) as server:
        table = await OwnTable.open(server)
        operator.misbehave("time_out", paths=("/balance",))
        second = table.client.another_client(server)
        await second.request(wire.Hello(wire.PROTOCOL), wire.Ping())
        assert not shown(table).unknown
        assert shown(table).balance_minor == START_MINOR

"""Whatever a wallet, its network and a crashing server do, no unit of money is lost or made."""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.integration.wallet_operator.wallet import OperatorWallet, WalletAccount
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from tests.integration.wallet_check.planted_wallets import ForgetsCredits, NoTombstones
from tests.money.wallet import misbehaving
from tests.money.wallet.campaign import CURRENCY, START_MINOR, Campaign, played

CALLS = 1_500


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[SqliteLedger]:
    opened = SqliteLedger.open(tmp_path / "ledger.db", migrate=upgrade)
    yield opened
    opened.close()


def differences(campaign: Campaign, ledger: SqliteLedger) -> dict[str, tuple[int, int, int, int]]:
    """Return the players for whom wallet, its log, the ledger and the rounds' results don't agree."""
    found = {}
    for player in campaign.players:
        moved = sum(each.change_minor for each in campaign.wallet.movements if each.player == player)
        staked, returned = ledger.totals(player).get(CURRENCY, (0, 0))
        balance = campaign.wallet.balances[WalletAccount(player, CURRENCY)] - START_MINOR
        nets = balance, moved, returned - staked, campaign.nets[player]
        if len(set(nets)) > 1:
            found[player] = nets
    return found


def assert_nothing_lost(campaign: Campaign, ledger: SqliteLedger) -> None:
    assert differences(campaign, ledger) == {}
    assert campaign.wallet.differing_ends == []
    assert ledger.wallet_calls() == ()
    for player in campaign.players:
        assert not any(ledger.balances(player).get(CURRENCY, {}).values())


def test_no_money_is_lost_in_many_calls(ledger: SqliteLedger, caplog: pytest.LogCaptureFixture) -> None:
    campaign = asyncio.run(played(ledger, calls=CALLS, seed=1))
    assert_nothing_lost(campaign, ledger)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert campaign.crashes
    assert {"wallet_no_answer", "wallet_refused"} <= {*campaign.refusals}


def test_no_money_is_lost_by_three_servers_on_one_database(ledger: SqliteLedger) -> None:
    """Rounds go from one server to another, and servers crash."""
    campaign = asyncio.run(played(ledger, calls=CALLS, seed=1, servers=3))
    assert_nothing_lost(campaign, ledger)
    assert campaign.crashes
    assert campaign.moves


@pytest.mark.parametrize("wallet", [NoTombstones, ForgetsCredits])
def test_a_campaign_finds_a_faulty_wallet(ledger: SqliteLedger, wallet: type[OperatorWallet]) -> None:
    with patch.object(misbehaving, "DELAYED", 0.3):
        campaign = asyncio.run(played(ledger, calls=400, seed=1, wallet=wallet))
    assert differences(campaign, ledger)


@pytest.mark.campaign
@pytest.mark.parametrize("servers", [1, 3])
@pytest.mark.parametrize("seed", range(100))
def test_no_money_is_lost_in_a_million_calls(ledger: SqliteLedger, seed: int, servers: int) -> None:
    campaign = asyncio.run(played(ledger, calls=10_000, seed=seed, servers=servers))
    assert_nothing_lost(campaign, ledger)

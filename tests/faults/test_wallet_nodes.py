"""Two nodes with one operator's wallet are killed in play: no stake and no return is lost or moved twice."""

import asyncio
import os
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

from croupier.integration.wallet_operator.operator import WalletControl
from croupier.ledger.postgresql.store import PostgresqlReader
from croupier.money.wallet.driver import ORPHANED_MS
from tests.faults.nodes import running_cluster
from tests.faults.test_wallet import finish, play
from tests.support.nats_server import needs_nats
from tests.support.wallet import CONFIG, START_MINOR
from tests.support.wallet_operator import operator_process

KILLS = int(os.environ.get("CROUPIER_KILLS", "10"))
LATE_S = 0.05
SETTLED_S = ORPHANED_MS / 1000 + 30


@pytest.mark.anyio
@needs_nats
@pytest.mark.campaign
async def test_no_unit_is_lost_when_nodes_are_killed(tmp_path: Path) -> None:
    """The player goes on at the other node, and the killed one comes back."""
    chance, balances = Random(36), (f"anna:SC:{START_MINOR}", f"anna:EUR:{START_MINOR}")
    with operator_process(tmp_path, *balances) as operator:
        config = CONFIG.format(url=operator.url, secret=tmp_path / "wallet.secret")
        with running_cluster(tmp_path, config=config) as cluster:
            operator.control(WalletControl(faults=("late_answer",), late_s=LATE_S))
            for number in range(KILLS):
                node, other = cluster.nodes[:: 1 if number % 2 else -1]
                playing = asyncio.create_task(play(node.address))
                await asyncio.sleep(chance.uniform(0.5, 1.5))
                node.kill()
                with suppress(Exception):
                    await playing
                await finish(other.address)
                node.start()
            operator.misbehave()
            player = await finish(cluster.nodes[0].address)
            with closing(PostgresqlReader(cluster.url)) as reader:
                async with asyncio.timeout(SETTLED_S):
                    while reader.wallet_calls():  # noqa: ASYNC110 - of other processes
                        await asyncio.sleep(0.5)
                staked, returned = reader.totals(player)["SC"]
            cluster.stop()
            assert "No errors" in cluster.verify()
        log = operator.log
    (balance,) = [each.balance_minor for each in log.balances if each.currency == "SC"]
    assert balance == START_MINOR - staked + returned
    assert log.differing_ends == ()
    assert len({(move.operation, move.transaction) for move in log.movements}) == len(log.movements)
    print(f"{KILLS} kills, {len(log.movements)} movements")

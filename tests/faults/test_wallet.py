"""The server is killed while an operator's wallet pays: no stake and no return is lost or moved twice."""

import asyncio
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from croupier.app.serve import DATABASE
from croupier.integration.wallet_operator.operator import WalletControl
from croupier.ledger.sqlite.store import SqliteReader
from croupier.protocol import wire
from croupier.protocol.signatures import Secret
from tests.support.accounts import sent
from tests.support.browser_connection import Browser
from tests.support.operator import link_of, new_launch
from tests.support.reference_process import KEY
from tests.support.server_process import ServerProcess
from tests.support.wallet import CONFIG, START_MINOR, assert_audited, until
from tests.support.wallet_operator import operator_process

pytestmark = pytest.mark.anyio

KILLS = 4
LATE_S = 0.02
STAKE = wire.Stake(0, "main", 100)
TABLE = "classic"


async def test_no_unit_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    chance = Random(36)
    with operator_process(tmp_path, f"anna:SC:{START_MINOR}", f"anna:EUR:{START_MINOR}") as operator:
        operator.control(WalletControl(faults=("late_answer",), late_s=LATE_S))
        (tmp_path / "server.toml").write_text(
            CONFIG.format(url=operator.url, secret=tmp_path / "wallet.secret")
        )
        server = ServerProcess(tmp_path / "data", options=("--config", str(tmp_path / "server.toml")))
        for _ in range(KILLS):
            server.start()
            playing = asyncio.create_task(play(server.address))
            moved = len(operator.log.movements)
            await until(lambda: len(operator.log.movements) > moved)  # noqa: B023
            await asyncio.sleep(chance.uniform(0, 0.2))
            server.kill()
            with suppress(Exception):
                await playing
        operator.misbehave()
        server.start()
        player = await finish(server.address)
        reader = SqliteReader(server.data / DATABASE)
        await until(lambda: not reader.wallet_calls())
        totals = reader.totals(player)["SC"]
        reader.close()
        assert server.stop() == 0
        log = operator.log
    balance = {each.currency: each.balance_minor for each in log.balances}["SC"]
    assert balance == START_MINOR - totals.staked_minor + totals.returned_minor
    assert log.differing_ends == ()
    assert len({(move.operation, move.transaction) for move in log.movements}) == len(log.movements)
    assert KEY.decode() not in server.log.read_text()
    assert_audited(server.data)


async def play(address: str) -> None:
    """Play rounds until the server is killed."""
    async with Browser(address) as browser:
        await arrive(browser)
        while True:
            await play_out(browser, (await browser.deal(TABLE, STAKE)).state().round)


async def finish(address: str) -> str:
    """Play the open round to its end, if there is one; return the player's id."""
    async with Browser(address) as browser:
        return await arrive(browser)


async def arrive(browser: Browser) -> str:
    """Sit down, and finish the round that was left open; return the player's id."""
    link = link_of(browser.address, new_launch("anna", currency="SC"), Secret(KEY))
    await sent(browser, "/api/launch", wire.LaunchToken(link.token))
    await browser.connect()
    welcome, _ = await browser.hello()
    await play_out(browser, (await browser.join(TABLE, "SC")).state().round)
    return welcome.player


async def play_out(browser: Browser, played: wire.PlayedRound | None) -> None:
    """Stand, and take no insurance, until the round has ended."""
    while played and not played.view.ended:
        offered = [option.action for option in played.view.turns[0].options]
        action = next(name for name in offered if name == "stand" or name.startswith("decline"))
        played = (await browser.decide(TABLE, played, action)).state().round

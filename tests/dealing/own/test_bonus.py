"""A bonus over the network: granted by a manager, staked, counted and turned into cash."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from croupier.cli.main import app
from croupier.protocol import staff_wire, wire
from tests.staff.clients import StaffBrowser, add, staff_client
from tests.support.accounts import code_of, sent
from tests.support.browser_connection import Browser, another_browser, connect_guest, new_req
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

CONFIG = """
[bonuses.small]
title = "Small bonus"
currency = "EUR"
amount = "20.00"
multiple = 1
max_bet = "500.00"
excluded = ["sic_bo"]
"""
AMOUNT = 2_000
ENOUGH = wire.Stake(0, "red", 20_000)
"""At roulette 10 % of it counts, which is all that is required."""


@pytest.fixture
def offering(tmp_path: Path) -> Iterator[ServerProcess]:
    config = tmp_path / "croupier.toml"
    config.write_text(CONFIG)
    server = ServerProcess(tmp_path / "data", options=("--config", str(config))).start()
    yield server
    assert server.stop() == 0


async def granted(work: StaffBrowser, player: str, bonus: str = "small") -> str:
    """Return the code of the refusal of a grant; empty for a grant."""
    body = msgspec.json.encode(staff_wire.GrantBonus(player, bonus, "for a test"))
    return code_of(await work.http.post(f"{work.address}/api/staff/bonuses/grant", content=body))


async def withdraw(browser: Browser, minor: int, forfeit_minor: int = 0) -> str:
    request = wire.CashierRequest(new_req(), "EUR", minor, forfeit_minor)
    return code_of(await sent(browser, "/api/cashier/withdraw", request))


async def balances(browser: Browser) -> tuple[int, tuple[wire.PlayerBonus, ...]]:
    """Return the cash in EUR, and the active bonuses."""
    welcome, _ = await browser.hello()
    (cash,) = [one.balance_minor for one in welcome.balances if one.currency == "EUR"]
    return cash, welcome.bonuses


async def test_a_bonus_is_played_through(offering: ServerProcess) -> None:
    code = add(offering.data, "Ada", "manager")
    async with connect_guest(offering.address) as browser:
        player = (await browser.hello())[0].player
        async with staff_client(offering.address, "Ada", code) as ada:
            assert await granted(ada, "p_nobody") == "no_such_player"
            assert await granted(ada, player, "large") == "no_such_bonus"
            assert await granted(ada, player) == ""
            assert await granted(ada, player) == "bonus_active"
            assert [(line.what, line.answer) for line in (await ada.log())[:2]] == [
                ("grant_bonus", "bonus_active"),
                ("grant_bonus", "ok"),
            ]
        cash, (bonus,) = await balances(browser)
        assert (bonus.balance_minor, bonus.left_minor, bonus.excluded) == (AMOUNT, AMOUNT, ("sic_bo",))
        assert await withdraw(browser, cash) == "bonus_forfeit"
        await browser.join("sic_bo", "EUR")
        assert (await browser.deal("sic_bo", wire.Stake(0, "small", 100))).code == "bonus_table"
        await browser.join("roulette", "EUR")
        over = (wire.Stake(0, "red", 50_000), wire.Stake(0, "odd", 1_000))
        assert (await browser.deal("roulette", *over)).code == "over_bonus_bet"
        answer = await browser.deal("roulette", ENOUGH)
        assert answer.code == ""
        messages = [*answer.messages, *await browser.drain()]
        ended = [one.bonus for one in messages if isinstance(one, wire.BonusUpdate)]
        assert [one.status for one in ended] == ["converted"]
        round_ = (await browser.get("/api/history", wire.History)).lines[0]
        after, active = await balances(browser)
        assert (after, active) == (cash + round_.returned_minor - round_.staked_minor + AMOUNT, ())
        assert await withdraw(browser, after) == ""


async def test_a_bonus_pays_what_the_cash_lacks_and_survives_a_kill(offering: ServerProcess) -> None:
    code = add(offering.data, "Ada", "manager")
    async with connect_guest(offering.address) as browser:
        welcome, _ = await browser.hello()
        cash, _ = await balances(browser)
        assert await withdraw(browser, cash - 100) == ""
        async with staff_client(offering.address, "Ada", code) as ada:
            assert await granted(ada, welcome.player) == ""
        await browser.join("multihand", "EUR")
        while True:
            before, _ = await balances(browser)
            played = (await browser.deal("multihand", wire.Stake(0, "main", 500))).state().round
            assert played is not None
            if not played.view.ended:
                break
        cash, (bonus,) = await balances(browser)
        assert (cash, bonus.in_play_minor) == (max(0, before - 500), max(0, 500 - before))
        offering.kill()
        offering.start()
        async with another_browser(browser, offering.address) as again:
            assert await balances(again) == (cash, (bonus,))
            await again.join("multihand", "EUR")
            while played.view.turns:
                stood = (await again.decide("multihand", played, "stand")).state().round
                assert stood is not None
                played = stood
            (line, *_) = (await again.get("/api/history", wire.History)).lines
            part = line.returned_minor * bonus.in_play_minor // line.staked_minor
            after, (left,) = await balances(again)
            assert after == cash + line.returned_minor - part
            assert (left.balance_minor, left.in_play_minor) == (bonus.balance_minor + part, 0)
            assert left.left_minor < bonus.left_minor
            await again.post("/api/cashier/deposit", wire.Balance, wire.CashierRequest(new_req(), "EUR", 100))
            assert await withdraw(again, 100) == "bonus_forfeit"
            assert await withdraw(again, 100, left.balance_minor - 1) == "bonus_forfeit"
            assert await withdraw(again, 100, left.balance_minor) == ""
            assert await balances(again) == (after, ())
            (past,) = await again.get("/api/bonuses", list[wire.PlayerBonus])
            assert (past.status, past.balance_minor) == ("withdrawn", 0)
    offering.stop()
    assert CliRunner().invoke(app, ["verify", "--data", str(offering.data)]).exit_code == 0
    offering.start()

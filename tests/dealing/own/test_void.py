"""A round that can't continue is void: every stake is returned, and History shows it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.app.serve import SHOES_KEY
from croupier.protocol import wire
from tests.faults.planted import program
from tests.support.browser_connection import (
    Browser,
    another_browser,
    connect_guest,
    deal_open_round,
    fetch_balances,
)
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

STAKES = (wire.Stake(0, "main", 1000), wire.Stake(2, "main", 2000))


@pytest.fixture
def broken(tmp_path: Path) -> Iterator[ServerProcess]:
    """Start a server with a fault in its rules: a stand raises an exception."""
    server = ServerProcess(tmp_path / "data", program=program("raise_at_a_decision")).start()
    yield server
    assert server.stop() == 0
    assert "RuntimeError: planted" in server.log.read_text()


async def _check_void(browser: Browser, round_id: str) -> None:
    """Check that the whole stake of the round was returned, and that nothing is left in play."""
    line, *before = (await browser.get("/api/history", wire.History)).lines  # rounds that ended on the deal
    assert (line.round, line.status) == (round_id, "void")
    assert line.returned_minor == line.staked_minor
    lines = await browser.get("/api/statement", list[wire.StatementEntry])
    moved = {one.what: one.amount_minor for one in lines if one.round == round_id}
    assert moved == {"stake": -line.staked_minor, "void": line.staked_minor}
    balances = {one.currency: (one.balance_minor, one.in_play_minor) for one in await fetch_balances(browser)}
    assert balances["GC"] == (5_000_000 + sum(one.returned_minor - one.staked_minor for one in before), 0)
    found = await browser.get(f"/api/rounds/{round_id}", wire.HistoryRound)
    assert (found.line, found.steps[-1].view.ended) == (line, False)


async def test_an_error_in_the_rules_voids_the_round(broken: ServerProcess) -> None:
    async with connect_guest(broken.address) as browser:
        await browser.join("double_exposure")
        played = await deal_open_round(browser, "double_exposure", *STAKES[:1])
        answer = await browser.decide("double_exposure", played, "stand", req="bad")
        assert answer.reply == wire.No("bad", "voided", {"round": played.id})
        event, balance = answer.messages
        assert isinstance(event, wire.TableUpdate)
        assert (event.did, event.state.round) == ((wire.RoundEvent("voided"),), None)
        assert isinstance(balance, wire.BalanceUpdate)
        await _check_void(browser, played.id)
        assert (await browser.decide("double_exposure", played, "stand")).code == "round_ended"
        assert (await browser.deal("double_exposure", *STAKES[:1])).code == ""


async def test_a_round_that_cant_be_resumed_check_void(tmp_path: Path) -> None:
    """The key that seals its shoe is gone, so its next card is unknown."""
    server = ServerProcess(tmp_path / "data").start()
    async with connect_guest(server.address) as browser:
        await browser.join("multihand", "GC")
        while True:
            played = (await browser.deal("multihand", *STAKES)).state().round
            assert played is not None
            if not played.view.ended:
                break
        before = (await browser.get("/api/history", wire.History)).lines
        server.kill()
        (server.data / SHOES_KEY).unlink()
        server = ServerProcess(server.data, options=("--void-unreadable",)).start()
        async with another_browser(browser, server.address) as again:
            welcome, _ = await again.hello([wire.ResumedTable("multihand", 0, "GC")])
            assert welcome.open_tables == ()
            after = (await again.get("/api/history", wire.History)).lines
            assert after[1:] == before[1:]
            assert (after[0].round, after[0].status) == (played.id, "void")
            assert after[0].returned_minor == before[0].staked_minor
            assert not any(one.in_play_minor for one in welcome.balances)
            assert (await again.deal("multihand", *STAKES)).code == ""
    server.stop()
    log = server.log.read_text()
    assert f"round {played.id} (#" in log
    assert "is voided by the operator" in log


async def test_a_round_in_a_currency_that_is_gone_check_void(tmp_path: Path) -> None:
    """A double would need more of the currency. History and statement still show its amounts."""
    both, one = tmp_path / "both.toml", tmp_path / "one.toml"
    both.write_text("[currencies.GC]\n[currencies.SC]\n")
    one.write_text("[currencies.GC]\n")
    server = ServerProcess(tmp_path / "data", options=("--config", str(both))).start()
    async with connect_guest(server.address) as browser:
        await browser.join("double_exposure", "SC")
        played = await deal_open_round(browser, "double_exposure", wire.Stake(0, "main", 2500))
        assert server.stop() == 0
        server = ServerProcess(server.data, options=("--config", str(one))).start()
        async with another_browser(browser, server.address) as again:
            refused = await again.join("double_exposure", "SC")
            assert refused.reply == wire.No(
                refused.reply.req, "no_such_currency", {"currency": "SC", "allowed": "GC"}
            )
            line = (await again.get("/api/history", wire.History)).lines[0]
            assert (line.round, line.status, line.currency, line.returned_minor) == (
                played.id,
                "void",
                "SC",
                2500,
            )
            lines = await again.get("/api/statement", list[wire.StatementEntry])
            assert [one.currency for one in lines if one.round == played.id] == ["SC", "SC"]
            info = await again.get("/api/server", wire.ServerInfo)
            assert [each.code for each in info.currencies] == ["GC"]
            assert info.former_currencies == (
                wire.CurrencyView("SC", "Sweeps Coins", 2, "SC", play_money=True),
            )
    assert server.stop() == 0

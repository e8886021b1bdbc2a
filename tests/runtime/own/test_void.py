"""A round that can't go on is void: every stake is returned, and History says so."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.app.serve import KEY
from croupier.protocol import wire
from tests.faults.planted import program
from tests.support.browser_connection import Browser, begun, guest_at, money, same_player
from tests.support.server_process import HouseProcess

pytestmark = pytest.mark.anyio

STAKES = (wire.Stake(0, "main", 1000), wire.Stake(2, "main", 2000))


@pytest.fixture
def broken(tmp_path: Path) -> Iterator[HouseProcess]:
    """Its rules have a mistake: whoever stands makes them raise."""
    house = HouseProcess(tmp_path / "data", program=program("breaks_at_a_decision")).start()
    yield house
    assert house.stop() == 0
    assert "RuntimeError: planted" in house.log.read_text()


async def _is_void(browser: Browser, round_id: str) -> None:
    """All that was staked on the round has come back, and the table may be played again."""
    line, *before = (await browser.get("/api/history", wire.History)).lines  # those ended as they were dealt
    assert (line.round, line.status) == (round_id, "void")
    assert line.returned_minor == line.staked_minor
    lines = await browser.get("/api/statement", list[wire.StatementEntry])
    moved = {one.what: one.amount_minor for one in lines if one.round == round_id}
    assert moved == {"stake": -line.staked_minor, "void": line.staked_minor}
    balances = {one.currency: (one.balance_minor, one.in_play_minor) for one in await money(browser)}
    assert balances["GC"] == (5_000_000 + sum(one.returned_minor - one.staked_minor for one in before), 0)
    found = await browser.get(f"/api/rounds/{round_id}", wire.HistoryRound)
    assert (found.line, found.steps[-1].view.ended) == (line, False)


async def test_a_mistake_in_the_rules_voids_the_round(broken: HouseProcess) -> None:
    async with guest_at(broken.address) as browser:
        await browser.join("double_exposure")
        played = await begun(browser, "double_exposure", *STAKES[:1])
        answer = await browser.decide("double_exposure", played, "stand", req="bad")
        assert answer.said == wire.No("bad", "voided", {"round": played.id})
        event, balance = answer.told
        assert isinstance(event, wire.TableUpdate)
        assert (event.did, event.state.round) == ((wire.RoundEvent("voided"),), None)
        assert isinstance(balance, wire.BalanceUpdate)
        await _is_void(browser, played.id)
        assert (await browser.decide("double_exposure", played, "stand")).code == "round_ended"
        assert (await browser.deal("double_exposure", *STAKES[:1])).code == ""


async def test_a_round_that_cant_be_resumed_is_void(tmp_path: Path) -> None:
    """Its shoe is sealed with a key that is gone, so nobody knows its next card."""
    house = HouseProcess(tmp_path / "data").start()
    async with guest_at(house.address) as browser:
        await browser.join("multihand", "GC")
        while True:
            played = (await browser.deal("multihand", *STAKES)).state().round
            assert played is not None
            if not played.view.ended:
                break
        before = (await browser.get("/api/history", wire.History)).lines
        house.kill()
        (house.data / KEY).unlink()
        house = HouseProcess(house.data, words=("--void-unreadable",)).start()
        async with same_player(browser, house.address) as again:
            welcome, _ = await again.hello([wire.ResumedTable("multihand", 0, "GC")])
            assert welcome.open_tables == ()
            after = (await again.get("/api/history", wire.History)).lines
            assert after[1:] == before[1:]
            assert (after[0].round, after[0].status) == (played.id, "void")
            assert after[0].returned_minor == before[0].staked_minor
            assert not any(one.in_play_minor for one in welcome.balances)
            assert (await again.deal("multihand", *STAKES)).code == ""
    house.stop()
    assert f"round {played.id} is voided by the operator" in house.log.read_text()

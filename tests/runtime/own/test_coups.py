"""A guest plays coups at tables of his own: each is settled at once, and his history tells it again."""

from random import Random

import pytest

from croupier.games import published_tables
from croupier.play.coup.view import CoupView
from croupier.protocol import wire
from tests.support.browser_connection import Browser, money

pytestmark = pytest.mark.anyio

COUPS = 8
BETS_MOST = 6
OWN = [
    name
    for name, table in published_tables().items()
    if table.dealing == "own" and issubclass(table.game.view, CoupView)
]


def stakes(table: wire.LobbyTable, chance: Random) -> tuple[wire.Stake, ...]:
    """Some bets at random; of those that the table doesn't take together, the first."""
    (limits,) = (one for one in table.limits if one.currency == "GC")
    barred = [bet for bets in published_tables()[table.table].restrictions.never_together for bet in bets[1:]]
    allowed = [bet for bet in limits.bets if bet.bet not in barred]
    bets = chance.sample(allowed, min(BETS_MOST, len(allowed)))
    return tuple(wire.Stake(0, bet.bet, bet.min_minor + chance.randint(0, 100)) for bet in bets)


@pytest.mark.parametrize("name", OWN)
async def test_coups_are_settled_at_once_and_told_again(browser: Browser, name: str) -> None:
    tables = {one.table: one for one in await browser.get("/api/tables", list[wire.LobbyTable])}
    chance, balance = Random(name), await _balance(browser)
    await browser.join(name)
    for _ in range(COUPS):
        laid = stakes(tables[name], chance)
        answer = await browser.deal(name, *laid)
        assert answer.code == "", answer.said
        played = answer.state().round
        assert played is not None
        view = played.view
        assert view.ended
        assert view.result
        assert [wire.Stake(0, bet.bet, bet.stake_minor) for bet in view.bets] == [*laid]
        assert view.returned_minor == sum(bet.returned_minor for bet in view.bets)
        balance += view.returned_minor - view.staked_minor
        assert await _balance(browser) == balance
        found = await browser.get(f"/api/rounds/{played.id}", wire.HistoryRound)
        assert found.stakes == laid
        assert found.steps[-1].view == view
        (event,) = (told for told in answer.told if isinstance(told, wire.TableUpdate))
        assert event.did == (*(step.did for step in found.steps), wire.RoundEvent("ended"))


async def test_hands_are_told_by_their_names(browser: Browser) -> None:
    await browser.join("baccarat")
    played = (await browser.deal("baccarat", wire.Stake(0, "tie", 1_000))).state().round
    assert played is not None
    found = await browser.get(f"/api/rounds/{played.id}", wire.HistoryRound)
    assert [step.did.name for step in found.steps][:4] == ["Player", "Banker", "Player", "Banker"]


async def _balance(browser: Browser) -> int:
    return next(one.balance_minor for one in await money(browser) if one.currency == "GC")

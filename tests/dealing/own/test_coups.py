"""A guest plays coups at own tables: each is settled at once and shown in History."""

from random import Random

import pytest

from croupier.games import published_tables
from croupier.play.coup.view import CoupView
from croupier.protocol import wire
from tests.support.browser_connection import Browser, fetch_balances

pytestmark = pytest.mark.anyio

COUPS = 8
BETS_MAX = 6
OWN = [
    name
    for name, table in published_tables().items()
    if table.dealing == "own" and issubclass(table.game.view, CoupView)
]


def stakes(table: wire.LobbyTable, chance: Random) -> tuple[wire.Stake, ...]:
    """Return random bets; of bets that the table doesn't accept together, only the first."""
    (limits,) = (one for one in table.limits if one.currency == "GC")
    barred = [bet for bets in published_tables()[table.table].restrictions.never_together for bet in bets[1:]]
    allowed = [bet for bet in limits.bets if bet.bet not in barred]
    bets = chance.sample(allowed, min(BETS_MAX, len(allowed)))
    return tuple(wire.Stake(0, bet.bet, bet.min_minor + chance.randint(0, 100)) for bet in bets)


@pytest.mark.parametrize("name", OWN)
async def test_coups_are_settled_at_once_and_shown_in_history(browser: Browser, name: str) -> None:
    tables = {one.table: one for one in await browser.get("/api/tables", list[wire.LobbyTable])}
    chance, balance = Random(name), await _balance(browser)
    await browser.join(name)
    for _ in range(COUPS):
        stakes_of_coup = stakes(tables[name], chance)
        answer = await browser.deal(name, *stakes_of_coup)
        assert answer.code == "", answer.reply
        played = answer.state().round
        assert played is not None
        view = played.view
        assert view.ended
        assert view.result
        assert [wire.Stake(0, bet.bet, bet.stake_minor) for bet in view.bets] == [*stakes_of_coup]
        assert view.returned_minor == sum(bet.returned_minor for bet in view.bets)
        balance += view.returned_minor - view.staked_minor
        assert await _balance(browser) == balance
        found = await browser.get(f"/api/rounds/{played.id}", wire.HistoryRound)
        assert found.stakes == stakes_of_coup
        assert found.steps[-1].view == view
        (event,) = (one for one in answer.messages if isinstance(one, wire.TableUpdate))
        assert event.did == (*(step.did for step in found.steps), wire.RoundEvent("ended"))


async def test_history_names_the_hands_of_a_coup(browser: Browser) -> None:
    await browser.join("baccarat")
    played = (await browser.deal("baccarat", wire.Stake(0, "tie", 1_000))).state().round
    assert played is not None
    found = await browser.get(f"/api/rounds/{played.id}", wire.HistoryRound)
    assert [step.did.name for step in found.steps][:4] == ["Player", "Banker", "Player", "Banker"]


async def _balance(browser: Browser) -> int:
    return next(one.balance_minor for one in await fetch_balances(browser) if one.currency == "GC")

"""003: a double or split that the balance doesn't cover is an auto-decision, at own tables too."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier import clock
from croupier.app.serve import DATABASE, SHOES_KEY
from croupier.audit.data_folder import audit
from croupier.equipment.cards import cards
from croupier.games import published_tables
from croupier.gateway.pages.history import history_round
from croupier.gateway.pages.rules import markdown
from croupier.gateway.server import Server
from croupier.ledger import entries
from croupier.players.queries import PlayerQueries
from croupier.protocol import wire
from tests.support.in_process import DECODER, InProcessClient, server_dealing

pytestmark = pytest.mark.anyio

TABLE, STAKE_MINOR = "classic", 1000


@asynccontextmanager
async def dealt(folder: Path, pair: str, left_minor: int) -> AsyncIterator[tuple[Server, InProcessClient]]:
    """Deal these cards against a seven to a player with `left_minor` left after the stake."""
    first, second = pair.split()
    with server_dealing(folder, cards(f"{first} 7D {second} TD 2C 3C 4C 5C 6C")) as server:
        player = await InProcessClient.connect(server)
        welcome = next(
            one for one in map(DECODER.decode, player.connection.frames) if isinstance(one, wire.Welcome)
        )
        more = server.queries.cash(welcome.player, "GC") - STAKE_MINOR - left_minor
        withdrawn = entries.withdrawal("withdrawn", clock.now_ms(), welcome.player, "GC", more)
        await server.gateway.post([withdrawn])
        await player.request(wire.Join("join", TABLE, "GC"))
        await player.request(wire.DealRound("deal", TABLE, (wire.Stake(0, "main", STAKE_MINOR),)))
        yield server, player
    assert audit(folder / DATABASE, folder / SHOES_KEY, lambda *_: None).bad is None


async def decide(player: InProcessClient, action: str) -> list[wire.RoundEvent]:
    """Decide, and return the decisions that were made."""
    turn = player.turn
    await player.request(wire.Decide(action, TABLE, player.round_id, turn, 0, 0, action))
    assert player.answer == wire.Ok(action)
    return [did for did in last_events(player) if did.what == "decided"]


def last_events(player: InProcessClient) -> list[wire.RoundEvent]:
    events = [
        one for one in map(DECODER.decode, player.connection.frames) if isinstance(one, wire.TableUpdate)
    ]
    return [*events[-1].did]


def offered(player: InProcessClient, action: str) -> tuple[bool, str]:
    """Return whether the balance covers the action, and the action taken instead."""
    assert player.state.round is not None
    options = player.state.round.view.turns[0].options
    return next((one.covered, one.instead) for one in options if one.action == action)


@pytest.mark.parametrize(
    ("pair", "action", "instead"),
    [("5C 6D", "double", "hit"), ("5C 5D", "split", "hit"), ("8C 8D", "split", "stand")],
)
async def test_a_decision_that_the_balance_does_not_cover_is_an_auto_decision(
    tmp_path: Path, pair: str, action: str, instead: str
) -> None:
    async with dealt(tmp_path, pair, left_minor=STAKE_MINOR - 1) as (server, player):
        assert offered(player, action) == (False, instead)
        (did,) = await decide(player, action)
        assert (did.action, did.by) == (instead, "low_balance")
        assert player.state.round is not None
        assert player.state.round.view.staked_minor == STAKE_MINOR
        record = server.ledger.round(player.round_id)
        assert record is not None
        steps = history_round(server.ledger, server.tables, record).steps
        assert [step.did.by for step in steps if step.did.what == "decided"] == ["low_balance"]


async def test_a_balance_that_another_table_spends_meanwhile_is_too_low_as_well(tmp_path: Path) -> None:
    """The balance covers the double when the server checks it, but not when it is posted."""
    async with dealt(tmp_path, "5C 6D", left_minor=0) as (_, player):
        with patch.object(PlayerQueries, "cash", lambda *_: STAKE_MINOR):
            (did,) = await decide(player, "double")
        assert (did.action, did.by) == ("hit", "low_balance")


async def test_a_covered_double_is_done(tmp_path: Path) -> None:
    async with dealt(tmp_path, "5C 6D", left_minor=STAKE_MINOR) as (_, player):
        assert offered(player, "double") == (True, "hit")
        (did,) = await decide(player, "double")
        assert (did.action, did.by) == ("double", "")


@pytest.mark.parametrize("table", ["classic", "infinite"])
def test_the_rules_page_states_it(table: str) -> None:
    page = " ".join(markdown(published_tables()[table]).split())
    assert "If your balance is too low for a double that you ask for, the hand hits instead." in page

"""Messages rendered before and during the commit of a round's end: sent no sooner, and the same."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest

from croupier import clock
from croupier.ledger import entries
from croupier.protocol import wire
from croupier.runtime.live.broadcast.broadcaster import Broadcaster
from croupier.runtime.live.broadcast.messages import Personal
from croupier.runtime.live.broadcast.player_views import PlayerView
from croupier.runtime.live.broadcast.prerendered import Prerendered
from croupier.runtime.live.money.table_money import TableMoney
from croupier.tables.live import inputs
from tests.runtime.live.in_process import ManualServer
from tests.runtime.live.player import INFINITE, SEVEN, Player, req
from tests.runtime.live.test_live_round import MAIN, START_MINOR, arrived, played_out

pytestmark = pytest.mark.anyio


@contextmanager
def held_against_the_present() -> Iterator[Counter[str]]:
    """Check that every personal message, prerendered or not, is what would be rendered when it is sent."""
    told, personal = Counter[str](), Broadcaster._personal

    def now(
        broadcaster: Broadcaster, changed: Iterable[str], prerendered: Prerendered
    ) -> dict[str, Personal]:
        found = personal(broadcaster, changed, prerendered)
        for name, part in found.items():
            place = broadcaster.players[name]
            present = PlayerView(place.history, place.at_maximum, broadcaster._balance(name))
            anew = broadcaster._snapshot.personal(present, name)
            assert (part if isinstance(part, bytes) else broadcaster._snapshot.personal(part, name)) == anew
            told["ahead" if isinstance(part, bytes) else "anew"] += 1
        return found

    with patch.object(Broadcaster, "_personal", now):
        yield told


@contextmanager
def before_the_end(does: Any) -> Iterator[None]:
    """Await `does` when messages are prerendered and nothing is committed yet."""
    post_end = TableMoney.post_end

    async def later(money: TableMoney, *args: Any) -> None:
        for _ in range(5):
            await asyncio.sleep(0)
        await does()
        await post_end(money, *args)

    with patch.object(TableMoney, "post_end", later):
        yield


async def nothing() -> None:
    pass


async def seated(hands: ManualServer, table: str) -> Player:
    _, player = await arrived(hands, table)
    if table == SEVEN:
        seat = len(hands.house.live[table].state.seats)
        assert await player.ask(wire.Sit(req(), table, seat)) == ""
    return player


async def bet(player: Player, table: str) -> None:
    box = next(iter(player.mine[table].seats), 0)
    assert await player.bet((box, "main", 1_000), table=table) == ""


@pytest.mark.parametrize("table", [INFINITE, SEVEN])
async def test_prerendered_messages_equal_those_rendered_now(hands: ManualServer, table: str) -> None:
    players = [await seated(hands, table) for _ in range(3)]
    for player in players[1:]:
        await bet(player, table)
    with held_against_the_present() as told, before_the_end(nothing):
        await played_out(hands, *players, table=table)
        assert told["ahead"] == 2, "who has bet"
    for player in players[1:]:
        assert player.mine[table].result is not None
        assert player.mine[table].last_stakes
    assert players[0].mine[table].result is None


async def test_messages_of_a_void_round_are_prerendered_too(hands: ManualServer) -> None:
    _, player = await arrived(hands)
    await player.bet(MAIN)
    await hands.until("decisions")
    with held_against_the_present() as told, before_the_end(nothing):
        await hands.feed(inputs.Voided("dealer_error"))
        await player.until(lambda: player.mine[INFINITE].result)
        assert told["ahead"] == 1
    result = player.mine[INFINITE].result
    assert result is not None
    assert (result.void, player.mine[INFINITE].balance_minor) == (True, START_MINOR)


async def test_money_that_arrives_meanwhile_is_in_the_message(hands: ManualServer) -> None:
    _, player = await arrived(hands)
    await player.bet(MAIN)
    (name,) = [name for name, _ in hands.house.live[INFINITE].state.players.items()]

    async def gift() -> None:
        grant = entries.grant("gift", clock.now_ms(), name, "EUR", 5_000, "a gift")
        await hands.house.gateway.post([grant])

    with held_against_the_present() as told, before_the_end(gift):
        await played_out(hands, player)
        assert (told["ahead"], told["anew"] > 0) == (0, True)
    result = player.mine[INFINITE].result
    assert result is not None
    assert player.mine[INFINITE].balance_minor == START_MINOR - 1_000 + result.returned_minor + 5_000


async def test_a_refused_settlement_is_never_sent(hands: ManualServer) -> None:
    """The round is void instead; the prerendered result is sent to nobody."""
    _, player = await arrived(hands)
    await player.bet(MAIN)

    async def fails() -> None:
        raise AssertionError("planted")

    with before_the_end(fails):
        await hands.until("pause")
        await player.phase("pause")
    every = [one.mine.result for one in player.told if isinstance(one, wire.PlayerUpdate) and one.mine.result]
    assert [(result.void, result.returned_minor) for result in every] == [(True, 1_000)] * len(every) != []
    assert player.mine[INFINITE].balance_minor == START_MINOR

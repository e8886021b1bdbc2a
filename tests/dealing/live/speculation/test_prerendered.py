"""Messages prerendered for a round's end: the same as without, and sent no sooner."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest

from croupier import clock
from croupier.dealing.live.broadcast.broadcaster import Broadcaster
from croupier.dealing.live.broadcast.messages import Personal
from croupier.dealing.live.broadcast.player_views import PlayerView
from croupier.dealing.live.broadcast.prerendered import Prerendered
from croupier.dealing.live.money.table_money import TableMoney
from croupier.ledger import entries
from croupier.protocol import wire
from croupier.tables.live import inputs
from tests.dealing.live.in_process import MAIN_BET, START_MINOR, ManualServer, finish_round, join_table, stop
from tests.dealing.live.player import INFINITE, SEVEN, Player, req

pytestmark = pytest.mark.anyio


@contextmanager
def compare_with_current_rendering() -> Iterator[Counter[str]]:
    """Compare each personal message, prerendered or not, with a rendering at the time it is sent.

    Yield how many were prerendered, and how many weren't.
    """
    counts, original = Counter[str](), Broadcaster._personal

    def compare(
        broadcaster: Broadcaster, changed: Iterable[str], prerendered: Prerendered
    ) -> dict[str, Personal]:
        messages = original(broadcaster, changed, prerendered)
        for name, part in messages.items():
            player = broadcaster.players[name]
            view = PlayerView(player.history, player.at_maximum, broadcaster._balance(name))
            current = broadcaster._snapshot.personal(view, name)
            sent = part if isinstance(part, bytes) else broadcaster._snapshot.personal(part, name)
            assert sent == current
            counts["prerendered" if isinstance(part, bytes) else "rendered"] += 1
        return messages

    with patch.object(Broadcaster, "_personal", compare):
        yield counts


@contextmanager
def before_commit(action: Any) -> Iterator[None]:
    """Await `action` between the prerendering and the commit of a round's end."""
    post_end = TableMoney.post_end

    async def post_later(money: TableMoney, *args: Any) -> None:
        for _ in range(5):
            await asyncio.sleep(0)
        await action()
        await post_end(money, *args)

    with patch.object(TableMoney, "post_end", post_later):
        yield


async def do_nothing() -> None:
    pass


async def join(manual: ManualServer, table: str) -> Player:
    _, player = await join_table(manual, table)
    if table == SEVEN:
        seat = len(manual.server.live[table].state.seats)
        assert await player.ask(wire.Sit(req(), table, seat)) == ""
    return player


async def bet(player: Player, table: str) -> None:
    box = next(iter(player.mine[table].seats), 0)
    assert await player.bet((box, "main", 1_000), table=table) == ""


@pytest.mark.parametrize("table", [INFINITE, SEVEN])
async def test_prerendered_messages_equal_those_rendered_now(manual: ManualServer, table: str) -> None:
    players = [await join(manual, table) for _ in range(3)]
    for player in players[1:]:
        await bet(player, table)
    with compare_with_current_rendering() as counts, before_commit(do_nothing):
        await finish_round(manual, *players, table=table)
        assert counts["prerendered"] == 2, "those of the players who bet"
    for player in players[1:]:
        assert player.mine[table].result is not None
        assert player.mine[table].last_stakes
    assert players[0].mine[table].result is None


async def test_messages_of_a_void_round_are_prerendered(manual: ManualServer) -> None:
    _, player = await join_table(manual)
    await player.bet(MAIN_BET)
    await manual.advance_to("decisions")
    with compare_with_current_rendering() as counts, before_commit(do_nothing):
        await manual.execute(inputs.Voided("dealer_error"))
        await player.until(lambda: player.mine[INFINITE].result)
        assert counts["prerendered"] == 1
    result = player.mine[INFINITE].result
    assert result is not None
    assert (result.void, player.mine[INFINITE].balance_minor) == (True, START_MINOR)


async def test_a_grant_during_the_commit_is_in_the_message(manual: ManualServer) -> None:
    _, player = await join_table(manual)
    await player.bet(MAIN_BET)
    (name,) = [name for name, _ in manual.server.live[INFINITE].state.players.items()]

    async def grant_money() -> None:
        grant = entries.grant("grant", clock.now_ms(), name, "EUR", 5_000, "a grant")
        await manual.server.gateway.post([grant])

    with compare_with_current_rendering() as counts, before_commit(grant_money):
        await finish_round(manual, player)
        assert (counts["prerendered"], counts["rendered"] > 0) == (0, True)
    result = player.mine[INFINITE].result
    assert result is not None
    assert player.mine[INFINITE].balance_minor == START_MINOR - 1_000 + result.returned_minor + 5_000


async def test_a_refused_settlement_is_never_sent(manual: ManualServer) -> None:
    """The table waits for staff instead, and no prerendered result is sent."""
    _, player = await join_table(manual)
    await player.bet(MAIN_BET)

    async def fail() -> None:
        raise AssertionError("planted")

    with before_commit(fail):
        playing = asyncio.create_task(manual.advance_to("pause"))
        await player.until(lambda: player.events("paused"))
        await stop(playing)
    assert not any(one.mine.result for one in player.messages if isinstance(one, wire.PlayerUpdate))
    await manual.server.live[INFINITE].execute(inputs.Voided("planted"))
    await player.until(lambda: player.mine[INFINITE].result)
    every = [
        one.mine.result for one in player.messages if isinstance(one, wire.PlayerUpdate) and one.mine.result
    ]
    assert [(result.void, result.returned_minor) for result in every] == [(True, 1_000)] * len(every) != []
    assert player.mine[INFINITE].balance_minor == START_MINOR

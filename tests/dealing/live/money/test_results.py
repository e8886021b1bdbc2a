"""The recent results of a live table: they are read from the ledger, so they survive a restart."""

from collections import Counter
from itertools import groupby
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec import convert

from croupier import clock
from croupier.dealing.live import table_shoes
from croupier.dealing.live.money.results import RecentResults
from croupier.equipment.cards import DECK, card
from croupier.equipment.rng import shuffled
from croupier.equipment.shoe import Shoe
from croupier.gateway.api import results as results_route
from croupier.gateway.pages.lobby import live_table_status
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.tables.live import inputs as i
from croupier.tables.live.shoes import dealt_out
from tests.dealing.live.in_process import ManualServer, manual_server, new_guest, running_server
from tests.dealing.live.player import Player
from tests.equipment.random_sources import SeededRandomSource

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("speculate")]
TABLE, BACCARAT = "live_roulette", "live_baccarat"
RED = (0, "red", 1_000)
FIVE = card("5S")


def config_of(table: str) -> str:
    """Return a configuration with timers so long that only the test advances the table."""
    return f"[{table}]\npace_ms = 0\nspin_ms = 1\nbetting_ms = 600000\nball_ms = 1\npause_ms = 600000\n"


CONFIG = config_of(TABLE)


async def join(manual: ManualServer, table: str = TABLE) -> Player:
    player = await (await new_guest(manual.server)).connect()
    assert await player.join(table) == ""
    return player


async def play(
    manual: ManualServer, player: Player, table: str = TABLE, bet: tuple[int, str, int] = RED
) -> str:
    """Play a coup; return its number."""
    await manual.advance_to("betting", table=table)
    await player.until_phase("betting", table=table)
    number = manual.server.live[table].state.number
    assert await player.bet(bet, table=table) == ""
    await manual.advance_to("pause", table=table)
    return number


async def results_of(manual: ManualServer, n: int = 500, table: str = TABLE) -> list[wire.PastResult]:
    found = await results_route.fn(server=manual.server, table=table, whose=None, n=n)
    return convert(found, list[wire.PastResult])


def in_the_lobby(manual: ManualServer, *, results: bool = True) -> list[tuple[str, str]]:
    status = live_table_status(manual.server.live[TABLE], results=results)
    return [(result.number, result.result) for result in status.last]


async def test_results_are_sent_oldest_first_and_survive_a_restart(tmp_path: Path) -> None:
    async with manual_server(tmp_path, CONFIG) as manual:
        assert await results_of(manual) == []
        player = await join(manual)
        numbers = [await play(manual, player) for _ in range(3)]
        first = await results_of(manual)
        assert [result.number for result in first] == numbers
        assert first[-1].round == manual.server.live[TABLE].state.round
        assert all(result.result in map(str, range(37)) and result.shoe == "" for result in first)
        assert await results_of(manual, 2) == first[1:]
        assert in_the_lobby(manual) == [(result.number, result.result) for result in reversed(first)]
    async with manual_server(tmp_path, CONFIG) as manual:
        assert await results_of(manual) == first
        assert in_the_lobby(manual) == [(result.number, result.result) for result in reversed(first)]
        manual.advance_clock(24 * 3600 * 1000)
        numbers.append(await play(manual, await join(manual)))
        assert [result.number for result in await results_of(manual)] == numbers


async def test_a_cancelled_round_has_no_result(tmp_path: Path) -> None:
    async with manual_server(tmp_path, CONFIG) as manual:
        player = await join(manual)
        await manual.advance_to("betting", table=TABLE)
        await player.until_phase("betting", table=TABLE)
        assert await player.bet(RED, table=TABLE) == ""
        await manual.execute(i.Voided("a card fell"), TABLE)
        assert await results_of(manual) == []


async def test_no_results_are_sent_where_the_profile_forbids_it(tmp_path: Path) -> None:
    async with manual_server(tmp_path, CONFIG + "\n[profile]\nresults = false\n") as manual:
        await play(manual, await join(manual))
        assert await results_of(manual) == []
        assert in_the_lobby(manual, results=False) == []
        assert len(manual.server.live[TABLE].results.last()) == 1


async def test_a_table_with_a_similar_id_has_its_own_results(tmp_path: Path) -> None:
    async with manual_server(tmp_path, CONFIG) as manual:
        await play(manual, await join(manual))
        assert RecentResults(manual.server.ledger, TABLE.removesuffix("e")).last() == []
        assert await results_of(manual, table="live_baccarat") == []
        with pytest.raises(Refused, match="no_such_table"):
            await results_route.fn(server=manual.server, table="nowhere", whose=None, n=1)


def short_shoe(decks: int, *_: object) -> Shoe:
    """Return a shoe that burns five cards and whose cut card comes out in the second or third coup."""
    rest = Counter(DECK * decks)
    rest.subtract([FIVE])
    return Shoe((FIVE, *shuffled(tuple(rest.elements()), SeededRandomSource(1))), dealt=0, cut=18)


@patch.object(table_shoes, "fresh_shoe", short_shoe)
async def test_rounds_from_one_shoe_have_its_name(tmp_path: Path) -> None:
    """The coup after the cut card is the last one from its shoe."""
    async with running_server(tmp_path, config_of(BACCARAT)) as server:
        manual = ManualServer(server)
        with patch.object(clock, "now_ms", manual.now_ms):
            player = await join(manual, BACCARAT)
            shoe_states = []
            for _ in range(6):
                await play(manual, player, BACCARAT, (0, "player", 1_000))
                state = server.live[BACCARAT].state
                shoe_states.append((state.cut_card, dealt_out(state)))
            await manual.advance_to("betting", table=BACCARAT)
            await player.until_phase("betting", table=BACCARAT)
            results = await results_of(manual, table=BACCARAT)
            burned = player.events("burned", BACCARAT)
    by_shoe = [len(list(rounds)) for _, rounds in groupby(result.shoe for result in results)]
    last = [number for number, (_, over) in enumerate(shoe_states) if over]
    assert shoe_states[last[0] - 1] == (True, False), "one more coup follows the cut card"
    assert by_shoe[0] == last[0] + 1
    assert len(by_shoe) >= 2
    assert all(result.shoe for result in results)
    assert {event.card for event in burned} == {"5S"}
    assert len(burned) >= 1

"""The results of a live table are in the ledger, so that they survive a restart."""

from collections import Counter
from itertools import groupby
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec import convert

from croupier import clock
from croupier.equipment.cards import DECK, card
from croupier.equipment.rng import shuffled
from croupier.equipment.shoe import Shoe
from croupier.gateway.api import results as asked
from croupier.gateway.pages.lobby import live_table_status
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.runtime.live import table_shoes
from croupier.runtime.live.money.results import RecentResults
from croupier.tables.live import inputs as i
from croupier.tables.live.shoes import dealt_out
from tests.equipment.seeded import SeededDraws
from tests.runtime.live.in_process import ManualServer, guest_of, manual_server, server_in
from tests.runtime.live.player import Player

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("speculate")]
TABLE, BACCARAT = "live_roulette", "live_baccarat"
RED = (0, "red", 1_000)
FIVE = card("5S")


def floor_of(table: str) -> str:
    """Return the configuration of a table that continues only when the test says so."""
    return f"[{table}]\npace_ms = 0\nspin_ms = 1\nbetting_ms = 600000\nball_ms = 1\npause_ms = 600000\n"


FLOOR = floor_of(TABLE)


async def guest_at(hands: ManualServer, table: str = TABLE) -> Player:
    player = await (await guest_of(hands.house)).dial()
    assert await player.join(table) == ""
    return player


async def play(
    hands: ManualServer, player: Player, table: str = TABLE, bet: tuple[int, str, int] = RED
) -> str:
    """Play a coup; return its number."""
    await hands.until("betting", table=table)
    await player.phase("betting", table=table)
    number = hands.house.live[table].state.number
    assert await player.bet(bet, table=table) == ""
    await hands.until("pause", table=table)
    return number


def told(hands: ManualServer, n: int = 500, table: str = TABLE) -> list[wire.PastResult]:
    return convert(asked.fn(server=hands.house, table=table, whose=None, n=n), list[wire.PastResult])


def in_the_lobby(hands: ManualServer, *, results: bool = True) -> list[tuple[str, str]]:
    line = live_table_status(hands.house.live[TABLE], results=results)
    return [(each.number, each.result) for each in line.last]


async def test_results_are_sent_oldest_first_and_survive_a_restart(tmp_path: Path) -> None:
    async with manual_server(tmp_path, FLOOR) as hands:
        assert told(hands) == []
        player = await guest_at(hands)
        numbers = [await play(hands, player) for _ in range(3)]
        first = told(hands)
        assert [each.number for each in first] == numbers
        assert first[-1].round == hands.house.live[TABLE].state.round
        assert all(each.result in map(str, range(37)) and each.shoe == "" for each in first)
        assert told(hands, 2) == first[1:]
        assert in_the_lobby(hands) == [(each.number, each.result) for each in reversed(first)]
    async with manual_server(tmp_path, FLOOR) as hands:
        assert told(hands) == first
        assert in_the_lobby(hands) == [(each.number, each.result) for each in reversed(first)]
        hands.later(24 * 3600 * 1000)
        numbers.append(await play(hands, await guest_at(hands)))
        assert [each.number for each in told(hands)] == numbers


async def test_a_cancelled_round_has_no_result(tmp_path: Path) -> None:
    async with manual_server(tmp_path, FLOOR) as hands:
        player = await guest_at(hands)
        await hands.until("betting", table=TABLE)
        await player.phase("betting", table=TABLE)
        assert await player.bet(RED, table=TABLE) == ""
        await hands.feed(i.Voided("a card fell"), TABLE)
        assert told(hands) == []


async def test_no_results_are_sent_where_the_profile_forbids_it(tmp_path: Path) -> None:
    async with manual_server(tmp_path, FLOOR + "\n[profile]\nresults = false\n") as hands:
        await play(hands, await guest_at(hands))
        assert told(hands) == []
        assert in_the_lobby(hands, results=False) == []
        assert len(hands.house.live[TABLE].results.last()) == 1


async def test_a_table_with_a_similar_id_has_its_own_results(tmp_path: Path) -> None:
    async with manual_server(tmp_path, FLOOR) as hands:
        await play(hands, await guest_at(hands))
        assert RecentResults(hands.house.ledger, TABLE.removesuffix("e")).last() == []
        assert told(hands, table="live_baccarat") == []
        with pytest.raises(Refused, match="no_such_table"):
            asked.fn(server=hands.house, table="nowhere", whose=None, n=1)


def short(decks: int, *_: object) -> Shoe:
    """A five is turned, so five are burned; the cut card comes out in the second coup or the third."""
    rest = Counter(DECK * decks)
    rest.subtract([FIVE])
    return Shoe((FIVE, *shuffled(tuple(rest.elements()), SeededDraws(1))), dealt=0, cut=18)


@patch.object(table_shoes, "fresh_shoe", short)
async def test_rounds_of_one_shoe_share_its_name(tmp_path: Path) -> None:
    """The coup after the cut card is the last of the shoe; then one is shown."""
    async with server_in(tmp_path, floor_of(BACCARAT)) as house:
        hands = ManualServer(house)
        with patch.object(clock, "now_ms", hands.now_ms):
            player = await guest_at(hands, BACCARAT)
            cut = []
            for _ in range(6):
                await play(hands, player, BACCARAT, (0, "player", 1_000))
                state = house.live[BACCARAT].state
                cut.append((state.cut_card, dealt_out(state)))
            await hands.until("betting", table=BACCARAT)
            await player.phase("betting", table=BACCARAT)
            found = told(hands, table=BACCARAT)
            burned = player.heard("burned", BACCARAT)
    by_shoe = [len(list(rounds)) for _, rounds in groupby(each.shoe for each in found)]
    last = [number for number, (_, over) in enumerate(cut) if over]
    assert cut[last[0] - 1] == (True, False), "one more follows the coup of the cut card"
    assert by_shoe[0] == last[0] + 1
    assert len(by_shoe) >= 2
    assert all(each.shoe for each in found)
    assert {each.card for each in burned} == {"5S"}
    assert len(burned) >= 1

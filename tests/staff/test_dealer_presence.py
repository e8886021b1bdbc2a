"""A table pauses while its dealer's page is closed, until they return or the manager acts."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import takewhile
from typing import NamedTuple

import pytest

from croupier.protocol import staff_wire
from croupier.staff.dealer_presence import AWAY_AFTER_S, AWAY_REASON
from tests.dealing.live.player import Player
from tests.staff.clients import StaffBrowser, staff_client
from tests.staff.conftest import Staffed
from tests.staff.player_client import player_at
from tests.staff.test_dealing import STAKE, START_MINOR, OpenedTable

pytestmark = pytest.mark.anyio
TABLE = "infinite"


class DealerAway(NamedTuple):
    """Clients after Ben dealt a first card and closed the page: Ada manages, Cleo plays."""

    ada: StaffBrowser
    cleo: Player

    async def row(self, *, paused: str = "", phase: str = "") -> staff_wire.TableSummary:
        """Return the table's summary once it is paused for a reason, or active in a phase."""
        return await self.ada.overview(
            lambda row: row.clock.paused == paused and phase in ("", row.clock.phase), TABLE
        )


@asynccontextmanager
async def dealer_away(at: Staffed) -> AsyncIterator[DealerAway]:
    async with staff_client(at.address, "Ada", at.ada) as ada, player_at(at.address, TABLE) as cleo:
        async with staff_client(at.address, "Ben", at.ben, TABLE) as ben:
            assert await ada.ask(staff_wire.OpenTable, TABLE) == "ok"
            for shoe in (await ben.until(lambda now: now.clock.phase != "closed")).shuffle:
                assert await ben.ask(staff_wire.ConfirmShuffle, TABLE, shoe) == "ok"
            live = OpenedTable(ada, ben, cleo, TABLE)
            await live.bet()
            await live.deal("TS")
        yield DealerAway(ada, cleo)


async def test_the_table_is_paused_until_the_dealer_returns(open_server: Staffed) -> None:
    async with dealer_away(open_server) as table:
        ada, cleo = table
        await cleo.until(lambda: cleo.events("paused"))
        row = await table.row(paused=AWAY_REASON)
        assert (row.clock.phase, row.dealers) == ("dealing", ())
        await cleo.until(lambda: [line for line in cleo.chat[TABLE] if line.code == "paused"])
        async with staff_client(open_server.address, "Ben", open_server.ben, TABLE) as ben:
            await cleo.until(lambda: cleo.events("resumed"))
            await ben.until(lambda now: not now.clock.paused)
            await OpenedTable(ada, ben, cleo, TABLE).deal("9H", "9S", "down")
            await cleo.until_phase("decisions")
        since = takewhile(lambda line: line.what != "open_table", await ada.log(table=TABLE))
        lines = [line for line in since if line.role == "house"]
        actions = [(line.name, line.what, line.reason, line.answer) for line in lines]
        assert actions[-2:] == [
            ("house", "resume_table", "", "ok"),
            ("house", "pause_table", AWAY_REASON, "ok"),
        ]


async def test_reloading_the_page_does_not_pause_the_table(open_server: Staffed) -> None:
    async with (
        dealer_away(open_server) as table,
        staff_client(open_server.address, "Ben", open_server.ben, TABLE),
    ):
        await asyncio.sleep(AWAY_AFTER_S + 1)
        assert not table.cleo.events("paused")


async def test_a_returning_dealer_does_not_resume_a_managers_pause(open_server: Staffed) -> None:
    async with dealer_away(open_server) as table:
        assert await table.ada.ask(staff_wire.PauseTable, TABLE, "a card fell") == "ok"
        async with staff_client(open_server.address, "Ben", open_server.ben, TABLE):
            await table.ada.overview(lambda row: row.dealers == ("Ben",), TABLE)
            await table.row(paused="a card fell")
        assert not table.cleo.events("resumed")


async def test_the_manager_voids_the_round_and_hands_the_table_over(open_server: Staffed) -> None:
    async with dealer_away(open_server) as table:
        await table.row(paused=AWAY_REASON)
        assert await table.ada.ask(staff_wire.SetDealer, TABLE, "automatic") == "ok"
        assert await table.ada.ask(staff_wire.VoidRound, TABLE, "", "nobody to deal it") == "ok"
        await table.cleo.until(lambda: table.cleo.results)
        (result,) = table.cleo.results.values()
        assert (result.void, result.staked_minor, result.returned_minor) == (True, STAKE, STAKE)
        assert table.cleo.mine[TABLE].balance_minor == START_MINOR
        row = await table.row(phase="betting")
        assert (row.dealer, row.closing) == ("automatic", False)


async def test_between_rounds_the_table_is_handed_over_or_closed_at_once(open_server: Staffed) -> None:
    async with staff_client(open_server.address, "Ada", open_server.ada) as ada:
        table = DealerAway(ada, Player(lambda _: None))
        assert await ada.ask(staff_wire.OpenTable, TABLE) == "ok"
        await table.row(paused=AWAY_REASON)
        assert await ada.ask(staff_wire.CloseTable, TABLE) == "ok"
        await table.row(phase="closed")
        assert await ada.ask(staff_wire.OpenTable, TABLE) == "ok"
        await table.row(paused=AWAY_REASON)
        assert await ada.ask(staff_wire.SetDealer, TABLE, "automatic") == "ok"
        await table.row(phase="betting")

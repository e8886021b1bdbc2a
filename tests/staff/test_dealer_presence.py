"""A table pauses while its dealer's page is closed, until they return or the manager acts."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import pytest

from croupier.protocol import staff_wire
from croupier.staff.dealer_presence import AWAY_AFTER_S, AWAY_REASON
from tests.runtime.live.player import Player
from tests.staff.at_work import StaffBrowser, at_work
from tests.staff.conftest import Staffed
from tests.staff.playing import player_at
from tests.staff.test_dealing import STAKE, START_MINOR, Night

pytestmark = pytest.mark.anyio
TABLE = "infinite"


class Alone(NamedTuple):
    """Clients after Ben dealt a first card and closed the page: Ada manages, Cleo plays."""

    ada: StaffBrowser
    cleo: Player

    async def row(self, *, paused: str = "", phase: str = "") -> staff_wire.TableSummary:
        """Return the table's summary once it is paused for a reason, or active in a phase."""
        return await self.ada.floor(
            lambda row: row.clock.paused == paused and phase in ("", row.clock.phase), TABLE
        )


@asynccontextmanager
async def left_alone(at: Staffed) -> AsyncIterator[Alone]:
    async with at_work(at.address, "Ada", at.ada) as ada, player_at(at.address, TABLE) as cleo:
        async with at_work(at.address, "Ben", at.ben, TABLE) as ben:
            assert await ada.ask(staff_wire.OpenTable, TABLE) == "ok"
            for shoe in (await ben.see(lambda now: now.clock.phase != "closed")).shuffle:
                assert await ben.ask(staff_wire.ConfirmShuffle, TABLE, shoe) == "ok"
            night = Night(ada, ben, cleo, TABLE)
            await night.bet()
            await night.deal("TS")
        yield Alone(ada, cleo)


async def test_the_table_is_paused_until_the_dealer_returns(shop: Staffed) -> None:
    async with left_alone(shop) as table:
        ada, cleo = table
        await cleo.until(lambda: cleo.heard("paused"))
        row = await table.row(paused=AWAY_REASON)
        assert (row.clock.phase, row.dealers) == ("dealing", ())
        await cleo.until(lambda: [line for line in cleo.chat[TABLE] if line.code == "paused"])
        async with at_work(shop.address, "Ben", shop.ben, TABLE) as ben:
            await cleo.until(lambda: cleo.heard("resumed"))
            await ben.see(lambda now: not now.clock.paused)
            await Night(ada, ben, cleo, TABLE).deal("9H", "9S", "down")
            await cleo.phase("decisions")
        lines = [line for line in await ada.log(table=TABLE) if line.role == "house"]
        said = [(line.name, line.what, line.reason, line.answer) for line in lines]
        assert said[-2:] == [("house", "resume_table", "", "ok"), ("house", "pause_table", AWAY_REASON, "ok")]


async def test_reloading_the_page_does_not_pause_the_table(shop: Staffed) -> None:
    async with left_alone(shop) as table, at_work(shop.address, "Ben", shop.ben, TABLE):
        await asyncio.sleep(AWAY_AFTER_S + 1)
        assert not table.cleo.heard("paused")


async def test_a_returning_dealer_does_not_resume_a_managers_pause(shop: Staffed) -> None:
    async with left_alone(shop) as table:
        assert await table.ada.ask(staff_wire.PauseTable, TABLE, "a card fell") == "ok"
        async with at_work(shop.address, "Ben", shop.ben, TABLE):
            await table.ada.floor(lambda row: row.dealers == ("Ben",), TABLE)
            await table.row(paused="a card fell")
        assert not table.cleo.heard("resumed")


async def test_the_manager_voids_the_round_and_hands_the_table_over(shop: Staffed) -> None:
    async with left_alone(shop) as table:
        await table.row(paused=AWAY_REASON)
        assert await table.ada.ask(staff_wire.SetDealer, TABLE, "automatic") == "ok"
        assert await table.ada.ask(staff_wire.VoidRound, TABLE, "", "nobody to deal it") == "ok"
        await table.cleo.until(lambda: table.cleo.results)
        (result,) = table.cleo.results.values()
        assert (result.void, result.staked_minor, result.returned_minor) == (True, STAKE, STAKE)
        assert table.cleo.mine[TABLE].balance_minor == START_MINOR
        row = await table.row(phase="betting")
        assert (row.dealer, row.closing) == ("automatic", False)


async def test_between_rounds_the_table_is_handed_over_or_closed_at_once(shop: Staffed) -> None:
    async with at_work(shop.address, "Ada", shop.ada) as ada:
        table = Alone(ada, Player(lambda _: None))
        assert await ada.ask(staff_wire.OpenTable, TABLE) == "ok"
        await table.row(paused=AWAY_REASON)
        assert await ada.ask(staff_wire.CloseTable, TABLE) == "ok"
        await table.row(phase="closed")
        assert await ada.ask(staff_wire.OpenTable, TABLE) == "ok"
        await table.row(paused=AWAY_REASON)
        assert await ada.ask(staff_wire.SetDealer, TABLE, "automatic") == "ok"
        await table.row(phase="betting")

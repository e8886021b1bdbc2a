"""Baccarat dealt by a person: cut card, burn card, and the last round of a shoe."""

import pytest

from croupier.protocol import staff_wire
from tests.staff.conftest import Staffed
from tests.staff.test_dealing import open_table

pytestmark = pytest.mark.anyio
TABLE = "live_baccarat"
NATURAL = ("9S", "TC", "TH", "TD")


async def test_a_fresh_shoe_is_burned_before_bets_open(shop: Staffed) -> None:
    async with open_table(shop, TABLE) as night:
        now = await night.ben.see(lambda now: now.form == "card")
        assert (now.clock.phase, now.behind_cut) == ("shuffling", 7)
        assert now.wanted.startswith("the shoe's first card, turned; then burn as many cards as it counts")
        assert await night.scan("down", now.ask) == "not_wanted"
        assert await night.scan("4H", now.ask) == "ok"
        assert (await night.ben.see(lambda now: now.dealt != ())).dealt == ("4H",)
        assert await night.ada.ask(staff_wire.CorrectCard, TABLE, "", 0, "4H", "4D", "a diamond") == "ok"
        assert (await night.ben.see(lambda now: "4D" in now.dealt)).dealt == ("4D",)
        await night.bet(bet="player")
        (corrected,) = night.cleo.heard("corrected", TABLE)
        assert corrected.reason == "4H 4D a diamond"
        (burned,) = night.cleo.heard("burned", TABLE)
        assert burned.card == "4H"
        first = await night.ben.see(lambda now: now.form == "card" and now.clock.phase == "dealing")
        assert (first.wanted, first.dealt) == ("the player's first card", ())
        await night.deal(*NATURAL[:3])
        assert await night.ben.ask(staff_wire.ReportCutCard, TABLE) == "ok"
        await night.deal(NATURAL[3])
        assert (await night.result()).returned_minor > 0
        seen = await night.ben.see(lambda now: now.cut_card)
        assert not seen.last_round, "one more follows the round of the cut card"
        await night.bet(bet="player")
        await night.ben.see(lambda now: now.last_round)

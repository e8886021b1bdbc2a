"""Baccarat dealt by a person: cut card, burn card, and the last round of a shoe."""

import pytest

from croupier.protocol import staff_wire
from tests.staff.conftest import Staffed
from tests.staff.test_dealing import open_table

pytestmark = pytest.mark.anyio
TABLE = "live_baccarat"
NATURAL = ("9S", "TC", "TH", "TD")


async def test_a_fresh_shoe_is_burned_before_bets_open(open_server: Staffed) -> None:
    async with open_table(open_server, TABLE) as live:
        now = await live.ben.until(lambda now: now.form == "card")
        assert (now.clock.phase, now.behind_cut) == ("shuffling", 7)
        assert now.wanted.startswith("the shoe's first card, turned; then burn as many cards as it counts")
        assert await live.scan("down", now.ask) == "not_wanted"
        assert await live.scan("4H", now.ask) == "ok"
        assert (await live.ben.until(lambda now: now.dealt != ())).dealt == ("4H",)
        assert await live.ada.ask(staff_wire.CorrectCard, TABLE, "", 0, "4H", "4D", "a diamond") == "ok"
        assert (await live.ben.until(lambda now: "4D" in now.dealt)).dealt == ("4D",)
        await live.bet(bet="player")
        (corrected,) = live.cleo.events("corrected", TABLE)
        assert corrected.reason == "4H 4D a diamond"
        (burned,) = live.cleo.events("burned", TABLE)
        assert burned.card == "4H"
        first = await live.ben.until(lambda now: now.form == "card" and now.clock.phase == "dealing")
        assert (first.wanted, first.dealt) == ("the player's first card", ())
        await live.deal(*NATURAL[:3])
        assert await live.ben.ask(staff_wire.ReportCutCard, TABLE) == "ok"
        await live.deal(NATURAL[3])
        assert (await live.result()).returned_minor > 0
        seen = await live.ben.until(lambda now: now.cut_card)
        assert not seen.last_round, "one more follows the round of the cut card"
        await live.bet(bet="player")
        await live.ben.until(lambda now: now.last_round)

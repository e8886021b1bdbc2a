"""Roulette spun by a person: pocket, invalid spin, and correction."""

import pytest

from croupier.equipment.wheel import SINGLE_ZERO
from croupier.protocol import staff_wire
from tests.staff.conftest import Staffed
from tests.staff.test_dealing import STAKE, START_MINOR, open_table

pytestmark = pytest.mark.anyio
TABLE = "live_roulette"


async def test_a_spin_from_the_call_to_the_settlement(floor: Staffed) -> None:
    """004 2.3: a spin with fewer than three turns is invalid."""
    async with open_table(floor, TABLE) as night:
        await night.bet(bet="red")
        now = await night.ben.see(lambda now: now.form == "pocket")
        assert (now.pockets, now.dice, now.shoes, now.shuffle) == (SINGLE_ZERO, 0, 0, ())
        assert await night.scan("37", now.ask) == "not_wanted"
        assert await night.ben.ask(staff_wire.DeclareNoSpin, TABLE) == "ok"
        again = await night.ben.see(lambda seen: seen.ask != now.ask)
        assert await night.scan("7", now.ask) == "no_card_wanted", "the answer to a spin that wasn't one"
        assert await night.scan("7", again.ask) == "ok"
        result = await night.result()
        assert (result.staked_minor, result.returned_minor) == (STAKE, 2 * STAKE)
        assert night.balance() == START_MINOR + STAKE
        heard = [one.what for one in night.cleo.did[TABLE] if one.what in ("no_spin", "spun")]
        assert heard == ["no_spin", "spun"]
        lines = await night.ada.log(table=TABLE)
        assert [line.what for line in reversed(lines) if line.what in ("no_spin", "deal_card")] == [
            "deal_card",
            "no_spin",
            "deal_card",
            "deal_card",
        ]


async def test_a_misread_pocket_is_corrected_before_it_is_paid(shop: Staffed) -> None:
    async with open_table(shop, TABLE) as night:
        await night.bet(bet="straight_8")
        await night.deal("7")
        now = await night.ben.see(lambda now: now.dealt == ("7",))
        assert now.pockets == SINGLE_ZERO
        assert (
            await night.ada.ask(staff_wire.CorrectCard, TABLE, now.clock.round, 0, "7", "8", "misread")
            == "ok"
        )
        result = await night.result()
        assert result.returned_minor == 36 * STAKE
        assert night.cleo.heard("corrected", TABLE)[0].reason == "7 8 misread"

"""Roulette spun by a person: pocket, invalid spin, and correction."""

import pytest

from croupier.equipment.wheel import SINGLE_ZERO
from croupier.protocol import staff_wire
from tests.staff.conftest import Staffed
from tests.staff.test_dealing import STAKE, START_MINOR, open_table

pytestmark = pytest.mark.anyio
TABLE = "live_roulette"


async def test_a_spin_from_the_call_to_the_settlement(open_server: Staffed) -> None:
    """004 2.3: a spin with fewer than three turns is invalid."""
    async with open_table(open_server, TABLE) as live:
        await live.bet(bet="red")
        now = await live.ben.until(lambda now: now.form == "pocket")
        assert (now.pockets, now.dice, now.shoes, now.shuffle) == (SINGLE_ZERO, 0, 0, ())
        assert await live.scan("37", now.ask) == "not_wanted"
        assert await live.ben.ask(staff_wire.DeclareNoSpin, TABLE) == "ok"
        again = await live.ben.until(lambda seen: seen.ask != now.ask)
        assert await live.scan("7", now.ask) == "no_card_wanted", "an answer to the invalid spin"
        assert await live.scan("7", again.ask) == "ok"
        result = await live.result()
        assert (result.staked_minor, result.returned_minor) == (STAKE, 2 * STAKE)
        assert live.balance() == START_MINOR + STAKE
        events = [one.what for one in live.cleo.did[TABLE] if one.what in ("no_spin", "spun")]
        assert events == ["no_spin", "spun"]
        lines = await live.ada.log(table=TABLE)
        kinds = [line.what for line in reversed(lines) if line.what in ("no_spin", "deal_card")]
        assert kinds[-4:] == ["deal_card", "no_spin", "deal_card", "deal_card"]


async def test_a_misread_pocket_is_corrected_before_it_is_paid(open_server: Staffed) -> None:
    async with open_table(open_server, TABLE) as live:
        await live.bet(bet="straight_8")
        await live.deal("7")
        now = await live.ben.until(lambda now: now.dealt == ("7",))
        assert now.pockets == SINGLE_ZERO
        assert (
            await live.ada.ask(staff_wire.CorrectCard, TABLE, now.clock.round, 0, "7", "8", "misread") == "ok"
        )
        result = await live.result()
        assert result.returned_minor == 36 * STAKE
        assert live.cleo.events("corrected", TABLE)[0].reason == "7 8 misread"

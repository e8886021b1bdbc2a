"""A player has one desk at a table, whoever of his browsers comes and goes."""

from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from croupier import clock
from croupier.config import DEFAULT_CONFIG
from croupier.equipment.cards import DECK
from croupier.games import published_tables
from croupier.protocol import wire
from tests.support.in_process import Inside, Sent, house_of

pytestmark = pytest.mark.anyio

JOIN = wire.Join("join", "double_exposure", "GC")
DEAL = wire.DealRound("deal", "double_exposure", (wire.Stake(0, "main", 1000),))


async def test_who_has_gone_opens_no_table(tmp_path: Path) -> None:
    """His commands are done late: the table is another browser's by then, or put away."""
    cards = DECK * published_tables()["double_exposure"].rules.decks
    with house_of(tmp_path, cards) as house:
        leaving = await Inside.enter(house)
        staying = leaving.same_player(house)
        await staying.say(wire.Hello(wire.PROTOCOL), wire.Ping())
        leaving.send(wire.SaveSettings("save", wire.Settings()), replace(JOIN, currency="EUR"), DEAL)
        leaving.gone()
        await staying.say(JOIN)
        await leaving.finished()
        await staying.say(replace(DEAL, req="mine"))
        assert staying.answer == wire.Ok("mine")
        assert staying.state.currency == "GC"
        assert [one.currency for one in house.ledger.open_rounds()] == ["GC"]


async def test_who_is_at_a_table_when_he_goes_is_dealt_what_he_had_asked_for(tmp_path: Path) -> None:
    cards = DECK * published_tables()["double_exposure"].rules.decks
    with house_of(tmp_path, cards) as house:
        leaving = await Inside.enter(house)
        await leaving.say(JOIN)
        leaving.send(wire.SaveSettings("save", wire.Settings()), DEAL)
        leaving.gone()
        await leaving.finished()
        (record,) = house.ledger.open_rounds()
        staying = leaving.same_player(house)
        await staying.say(wire.Hello(wire.PROTOCOL, (wire.ResumedTable("double_exposure"),)), wire.Ping())
        assert staying.round_id == record.id
        await staying.say(replace(DEAL, req="another"))
        assert staying.answer == wire.No("another", "round_open", {})


async def test_a_round_starts_no_sooner_than_the_jurisdiction_lets_it(tmp_path: Path) -> None:
    """Also when the player has left the table meanwhile."""
    cards = DECK * published_tables()["double_exposure"].rules.decks
    profile = replace(DEFAULT_CONFIG.profile, round_min_ms=5_000)
    with house_of(tmp_path, cards, DEFAULT_CONFIG._replace(profile=profile)) as house:
        player = await Inside.enter(house)
        await player.say(JOIN)
        await player.say(DEAL)
        assert player.state.round is not None
        again_ms = player.state.round.started_ms + 5_000
        assert player.state.next_deal_ms == again_ms
        await player.say(wire.Decide("stand", "double_exposure", player.round_id, player.turn, 0, 0, "stand"))
        await player.say(replace(DEAL, req="soon"))
        assert player.answer == wire.No("soon", "too_soon", {"again_ms": again_ms})
        await player.say(wire.Leave("leave", "double_exposure"))
        await player.say(replace(JOIN, req="join-again"))
        assert player.state.next_deal_ms == again_ms
        with patch.object(clock, "now_ms", lambda: again_ms):
            await player.say(replace(DEAL, req="then"))
        assert isinstance(player.answer, wire.Ok)


async def test_the_time_played_counts_from_the_first_bet_of_the_session(tmp_path: Path) -> None:
    """Not from the arrival: who looks at the lobby doesn't play."""
    cards = DECK * published_tables()["double_exposure"].rules.decks
    with house_of(tmp_path, cards) as house:
        player = await Inside.enter(house)
        assert played_from_ms(player) == 0
        await player.say(JOIN)
        await player.say(DEAL)
        assert player.state.round is not None
        again = player.same_player(house)
        await again.say(wire.Hello(wire.PROTOCOL), wire.Ping())
        assert played_from_ms(again) == player.state.round.started_ms


def played_from_ms(player: Inside) -> int:
    welcome = next(one for one in map(Sent.decode, player.line.frames) if isinstance(one, wire.Welcome))
    return welcome.played_from_ms

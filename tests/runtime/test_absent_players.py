"""Who does nothing is sent away, and a round that nobody finishes ends as the operator chose."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from croupier import clock
from croupier.app.serve import BOOKS, KEY
from croupier.audit.data_folder import audit
from croupier.config import DEFAULT_CONFIG, InactivityConfig
from croupier.equipment.cards import DECK, Card
from croupier.games import published_tables
from croupier.gateway import client_session
from croupier.gateway.pages.history import history_round
from croupier.protocol import wire
from croupier.runtime.server import Server
from croupier.tables.own import OwnRound
from tests.gateway.test_hidden import SERVED, dealt, decided
from tests.support.in_process import Inside, RecordedLine, Sent, house_of

pytestmark = pytest.mark.anyio

TABLE = "double_exposure"
CARDS = DECK * published_tables()[TABLE].rules.decks
STAKE_MINOR = 1000
JOIN = wire.Join("join", TABLE, "GC")
DEAL = wire.DealRound("deal", TABLE, (wire.Stake(0, "main", STAKE_MINOR),))
HELLO = wire.Hello(wire.PROTOCOL)
MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS


@contextmanager
def at(now_ms: int) -> Iterator[None]:
    """The clock stands."""
    with (
        patch.object(clock, "now_ms", lambda: now_ms),
        patch.object(client_session, "now_ms", lambda: now_ms),
    ):
        yield


@contextmanager
def houses(folder: Path, absent: InactivityConfig, cards: tuple[Card, ...] = CARDS) -> Iterator[Server]:
    config = DEFAULT_CONFIG._replace(inactivity=absent)
    with house_of(folder, cards, config) as found:
        yield found


@asynccontextmanager
async def waiting_round(
    folder: Path, absent: InactivityConfig = DEFAULT_CONFIG.inactivity
) -> AsyncIterator[tuple[Server, Inside, wire.PlayedRound]]:
    """A player whose round waits for his decision; in the end the books are right."""
    with houses(folder, absent) as found:
        player = await Inside.enter(found)
        await player.say(JOIN)
        await player.say(DEAL)
        assert player.state.round is not None
        assert not player.state.round.view.ended
        yield found, player, player.state.round
    the_books_are_right(folder)


def the_books_are_right(folder: Path) -> None:
    """As `croupier verify` finds them."""
    assert audit(folder / BOOKS, folder / KEY, lambda *_: None).bad is None


def told(player: Inside) -> list[wire.Message]:
    return [Sent.decode(frame) for frame in player.line.frames]


# --- sessions


@contextmanager
def closing() -> Iterator[list[int]]:
    """The codes with which lines are closed."""
    codes: list[int] = []
    with patch.object(RecordedLine, "close", lambda _, code: codes.append(code)):
        yield codes


async def sweep(found: Server, now_ms: int) -> list[int]:
    with at(now_ms), closing() as codes:
        await found.sweep()
    return codes


async def test_a_player_ends_the_session_on_all_devices_and_the_round_waits(tmp_path: Path) -> None:
    """What *Leave* does in a reality check."""
    async with waiting_round(tmp_path) as (found, player, played):
        began = [one for one in told(player) if isinstance(one, wire.Welcome)][-1].session_started_ms
        other = player.same_player(found)
        await other.say(HELLO, wire.Ping())
        with closing() as codes:
            player.send(wire.EndSession("enough"))
            await player.finished()
        assert codes == [1000, 1000]
        for each in (player, other):
            assert told(each)[-1] == wire.No("", "session_ended", {"minutes": 0})
        again = player.same_player(found)
        await again.say(wire.Hello(wire.PROTOCOL, (wire.ResumedTable(TABLE),)), wire.Ping())
        assert again.round_id == played.id
        welcome = next(one for one in told(again) if isinstance(one, wire.Welcome))
        assert welcome.session_started_ms > began
        assert welcome.played_from_ms == 0


async def test_a_session_in_which_nothing_is_done_ends_and_the_round_waits(tmp_path: Path) -> None:
    async with waiting_round(tmp_path) as (found, player, played):
        began = [one for one in told(player) if isinstance(one, wire.Welcome)][-1].session_started_ms
        acted_ms = clock.now_ms()
        assert await sweep(found, acted_ms + 30 * MINUTE_MS - 100) == []
        assert await sweep(found, acted_ms + 30 * MINUTE_MS) == [1000]
        assert told(player)[-1] == wire.No("", "session_ended", {"minutes": 30})
        frames = len(player.line.frames)
        player.send(wire.Ping(), wire.Decide("late", TABLE, played.id, played.turn, 0, 0, "stand"))
        await player.finished()
        assert len(player.line.frames) == frames

        with at(acted_ms + 31 * MINUTE_MS):
            again = player.same_player(found)
            await again.say(wire.Hello(wire.PROTOCOL, (wire.ResumedTable(TABLE),)), wire.Ping())
        welcome = told(again)[0]
        assert isinstance(welcome, wire.Welcome)
        assert welcome.session_started_ms == acted_ms + 31 * MINUTE_MS > began
        assert welcome.open_tables == (TABLE,)
        assert again.state.round == played
        player.gone()  # the first line is down at last: that changes nothing
        assert found.balances.cash(welcome.player, "GC") == welcome.balances[0].balance_minor
        await again.say(wire.Decide("stand", TABLE, played.id, played.turn, 0, 0, "stand"))
        assert again.answer == wire.Ok("stand")


async def test_what_a_page_sends_by_itself_keeps_no_session(tmp_path: Path) -> None:
    async with waiting_round(tmp_path) as (found, player, _):
        acted_ms = clock.now_ms()
        with at(acted_ms + 29 * MINUTE_MS):
            await player.say(wire.Ping())
            await player.say(HELLO, wire.Ping())
        assert await sweep(found, acted_ms + 30 * MINUTE_MS) == [1000]


async def test_whoever_does_something_in_any_of_his_browsers_stays(tmp_path: Path) -> None:
    async with waiting_round(tmp_path) as (found, player, _):
        second = player.same_player(found)
        await second.say(HELLO, wire.Ping())
        acted_ms = clock.now_ms()
        with at(acted_ms + 29 * MINUTE_MS):
            await second.say(wire.SaveSettings("save", wire.Settings(sound=False)))
        assert await sweep(found, acted_ms + 58 * MINUTE_MS) == []
        with at(acted_ms + 58 * MINUTE_MS):
            await found.sessions.signed_in(player.token)  # he reads his history
        assert await sweep(found, acted_ms + 87 * MINUTE_MS) == []
        assert await sweep(found, acted_ms + 88 * MINUTE_MS) == [1000, 1000]


async def test_a_house_may_let_everybody_stay(tmp_path: Path) -> None:
    async with waiting_round(tmp_path, InactivityConfig(idle_minutes=0)) as (found, player, _):
        assert await sweep(found, clock.now_ms() + 20 * HOUR_MS) == []
        await player.say(wire.Leave("leave", TABLE))
        assert player.answer == wire.Ok("leave")


# --- rounds

STAYS = InactivityConfig(idle_minutes=0)


async def test_a_round_that_waited_long_enough_is_played_out(tmp_path: Path) -> None:
    """Its player has a twelve: he stands, as at a live table."""
    async with waiting_round(tmp_path, STAYS) as (found, player, played):
        await sweep(found, played.started_ms + 24 * HOUR_MS - 1)
        assert player.state.round == played
        await sweep(found, played.started_ms + 24 * HOUR_MS)
        assert player.state.round is not None
        assert player.state.round.view.ended
        record = found.ledger.round(played.id)
        assert record is not None
        assert (record.status, record.staked_minor) == ("settled", STAKE_MINOR)
        read = history_round(found.ledger, found.tables, record)
        assert [step.did.by for step in read.steps if step.did.what == "decided"] == ["time_out"]
        await player.say(wire.Decide("late", TABLE, played.id, played.turn, 0, 0, "stand"))
        assert player.answer == wire.No("late", "round_ended", {"round": played.id})


async def test_or_every_stake_comes_back(tmp_path: Path) -> None:
    async with waiting_round(tmp_path, InactivityConfig(0, 1, "refund")) as (found, player, played):
        await sweep(found, played.started_ms + HOUR_MS)
        assert player.state.round is None
        record = found.ledger.round(played.id)
        assert record is not None
        assert (record.status, record.returned_minor) == ("void", STAKE_MINOR)


async def test_or_it_waits_without_end(tmp_path: Path) -> None:
    async with waiting_round(tmp_path, InactivityConfig(0, 0)) as (found, player, played):
        await sweep(found, played.started_ms + 10_000 * HOUR_MS)
        assert player.state.round == played


@pytest.mark.parametrize(("how", "status"), [("play", "settled"), ("refund", "void")])
async def test_a_house_that_opens_late_ends_what_waited_meanwhile(
    tmp_path: Path, how: str, status: str
) -> None:
    async with waiting_round(tmp_path) as (_, _, played):
        pass
    with houses(tmp_path, InactivityConfig(unfinished=how)) as again:  # type: ignore[arg-type]
        with at(played.started_ms + 24 * HOUR_MS):
            await again.start()
        record = again.ledger.round(played.id)
        assert record is not None
        assert record.status == status
        assert again.player_tables.unfinished(record.player) == ()
    the_books_are_right(tmp_path)


async def test_a_round_that_cant_be_played_out_is_void(tmp_path: Path) -> None:
    async with waiting_round(tmp_path, STAYS) as (found, player, played):
        with patch.object(OwnRound, "played_out", side_effect=RuntimeError("planted")):
            await sweep(found, played.started_ms + 24 * HOUR_MS)
        record = found.ledger.round(played.id)
        assert record is not None
        assert record.status == "void"
        await player.say(wire.DealRound("another", TABLE, DEAL.stakes))
        assert player.answer == wire.Ok("another")


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("name", SERVED)
def test_at_any_decision_a_round_can_be_played_out_at_no_more_cost(name: str, seed: int) -> None:
    table, chance = published_tables()[name], Random(f"{name} {seed}")
    for deal in decided(dealt(table, chance), chance):
        played = OwnRound("r", table, "GC", 0, (), deal)
        out = played.played_out()
        assert out.ended
        assert out.staked_minor == played.staked_minor
        assert out.deal.steps[: len(deal.steps)] == deal.steps

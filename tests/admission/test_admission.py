"""Every stake is admitted where it is held, whatever command it came with: no command has a way around."""

import ast
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args
from unittest.mock import patch

import pytest

import croupier
from croupier.accounts.bonus import Bonus, BonusTerms
from croupier.accounts.responsible_gaming import Measure
from croupier.admission import player_limits
from croupier.admission.player_limits import PlayerLimits
from croupier.play.contract.bets import Wager
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.tables.live.inputs import Placed
from tests.dealing.live.in_process import SLOW, ManualServer, join_table, manual_server
from tests.dealing.live.player import INFINITE, SEVEN, Player, req
from tests.dealing.live.test_player_limits import id_of

pytestmark = pytest.mark.anyio

OWN = "multihand"
BONUSES = """
[bonuses.capped]
title = "At most 20.00"
currency = "EUR"
amount = "3.00"
multiple = 1
max_bet = "20.00"

[bonuses.elsewhere]
title = "Not at this table"
currency = "EUR"
amount = "3.00"
multiple = 1
excluded = ["infinite"]
"""
LARGE, LARGER = (0, "main", 2_001), (0, "main", 2_002)


@pytest.fixture
async def manual(tmp_path: Path, speculate: None) -> AsyncIterator[ManualServer]:
    async with manual_server(tmp_path, SLOW + BONUSES) as manual:
        yield manual


def in_play(manual: ManualServer, player: Player) -> int:
    return manual.server.queries.balances(id_of(player), 0)[2].in_play_minor


async def undo(player: Player, table: str = INFINITE) -> str:
    return await player.ask(wire.Undo(req(), table, player.states[table].clock.round))


# --- the terms of a bonus


@pytest.mark.parametrize(("bonus", "code"), [("capped", "over_bonus_bet"), ("elsewhere", "bonus_table")])
async def test_undo_restores_no_bet_that_the_terms_of_a_bonus_refuse(
    manual: ManualServer, bonus: str, code: str
) -> None:
    _, player = await join_table(manual)
    assert await player.bet(LARGE) == ""
    assert await player.bet() == ""
    await manual.server.bonuses.grant(id_of(player), bonus, "because")
    assert await player.bet(LARGE) == code
    assert await undo(player) == code
    assert in_play(manual, player) == 0
    assert await player.bet() == "", "a bet may always be taken back"


async def test_a_bet_is_not_topped_up_past_the_terms_of_a_bonus(manual: ManualServer) -> None:
    """The whole bet counts, not what is added to it."""
    _, player = await join_table(manual)
    await manual.server.bonuses.grant(id_of(player), "capped", "because")
    assert await player.bet((0, "main", 2_000)) == ""
    assert await player.bet(LARGE) == "over_bonus_bet"
    assert in_play(manual, player) == 2_000


async def test_a_double_may_exceed_the_terms_of_a_bonus(manual: ManualServer) -> None:
    _, player = await join_table(manual)
    assert await player.bet((0, "main", 2_000)) == ""
    await manual.server.bonuses.grant(id_of(player), "capped", "because")
    await manual.advance_to("decisions")
    await player.until_phase("decisions")
    assert await player.decide("double") == ""


async def test_a_stake_at_an_excluded_table_counts_nothing(manual: ManualServer) -> None:
    """It was placed before the bonus was granted, and is settled while it is active."""
    _, player = await join_table(manual)
    assert await player.bet((0, "main", 1_000)) == ""
    await manual.server.bonuses.grant(id_of(player), "elsewhere", "because")
    await manual.advance_to("pause")
    (bonus,) = manual.server.bonuses.views(id_of(player))
    assert bonus.left_minor == 300


def test_an_excluded_table_counts_nothing_by_itself() -> None:
    terms = BonusTerms("b", "B", multiple=1, expires_ms=10, max_bet_minor=0, excluded=("roulette",))
    bonus = Bonus("b1", "p", "EUR", 0, 100, terms, 100)
    assert bonus.counts("classic", 9)
    assert not bonus.counts("roulette", 9)
    assert not bonus.counts("classic", 10)


# --- every command that stakes


@contextmanager
def closed() -> Iterator[None]:
    """Admit no stake."""
    with patch.object(player_limits, "admit", lambda *_: Refused("barred", why="test", until_ms=0)):
        yield


@contextmanager
def asking_everybody() -> Iterator[None]:
    """Ask for every player, also for those without any condition."""
    with patch.object(PlayerLimits, "_may_be_limited", lambda *_: True):
        yield


async def place_a_bet(manual: ManualServer) -> str:
    _, player = await join_table(manual)
    with closed():
        return await refused_or_held(manual, player, player.bet(LARGE))


async def increase_a_bet(manual: ManualServer) -> str:
    _, player = await join_table(manual)
    assert await player.bet(LARGE) == ""
    with closed():
        return await refused_or_held(manual, player, player.bet(LARGER))


async def undo_a_bet(manual: ManualServer) -> str:
    _, player = await join_table(manual)
    assert await player.bet(LARGE) == ""
    assert await player.bet() == ""
    with closed():
        return await refused_or_held(manual, player, undo(player))


async def double_live(manual: ManualServer) -> str:
    _, player = await join_table(manual)
    assert await player.bet((0, "main", 1_000)) == ""
    await manual.advance_to("decisions")
    await player.until_phase("decisions")
    with closed():
        return await refused_or_held(manual, player, player.decide("double"))


async def double_at_a_seat(manual: ManualServer) -> str:
    _, player = await join_table(manual, SEVEN)
    assert await player.ask(wire.Sit(req(), SEVEN, 2)) == ""
    assert await player.bet((2, "main", 1_000), table=SEVEN) == ""
    await manual.advance_to("decisions", table=SEVEN)
    await player.until_phase("decisions", table=SEVEN)
    with closed():
        return await refused_or_held(manual, player, player.decide("double", box=2, table=SEVEN))


async def deal_own(manual: ManualServer) -> str:
    _, player = await join_table(manual)
    assert await player.join(OWN) == ""
    with closed():
        deal = player.ask(wire.DealRound(req(), OWN, (wire.Stake(0, "main", 1_000),)))
        return await refused_or_held(manual, player, deal)


async def raise_own(manual: ManualServer) -> str:
    """Post what a double posts: a further stake in an open round."""
    _, player = await join_table(manual)
    assert await player.join(OWN) == ""
    table = await manual.server.player_tables.open(id_of(player), OWN)
    while True:
        assert await player.ask(wire.DealRound(req(), OWN, (wire.Stake(0, "main", 1_000),))) == ""
        round_ = table.snapshot().state.round
        assert round_ is not None
        if "double" in [option.action for turn in round_.view.turns for option in turn.options]:
            break
        if round_.view.turns:
            with patch.object(PlayerLimits, "_may_be_limited", lambda *_: False):
                await table.end_unfinished(manual.now_ms(), "play")
    decide = wire.Decide(req(), OWN, round_.id, round_.turn, 0, 0, "double")
    with closed():
        return await refused_or_held(manual, player, player.ask(decide))


async def refused_or_held(manual: ManualServer, player: Player, command: Awaitable[str]) -> str:
    """Return the command's refusal; empty if anything more is in play after it."""
    before = in_play(manual, player)
    code = await command
    return code if in_play(manual, player) == before else ""


Attempt = Callable[[ManualServer], Awaitable[str]]
STAKING: Mapping[Any, tuple[Attempt, ...]] = {
    wire.PlaceBet: (place_a_bet, increase_a_bet),
    wire.Undo: (undo_a_bet,),
    wire.Decide: (double_live, double_at_a_seat, raise_own),
    wire.DealRound: (deal_own,),
}
"""The commands that stake. Rebet and Repeat place the stakes of an earlier round with these."""
OTHERS = {
    *(wire.Hello, wire.Join, wire.Leave, wire.Sit, wire.StandUp, wire.PostChat, wire.ReportChatLine),
    *(wire.SaveSettings, wire.AnswerReminder, wire.EndSession, wire.Ping),
}
ATTEMPTS = [attempt for attempts in STAKING.values() for attempt in attempts]
LIVE = [place_a_bet, increase_a_bet, undo_a_bet, double_live, double_at_a_seat]


def test_every_command_is_known_to_stake_or_not() -> None:
    assert {*get_args(wire.Command)} == STAKING.keys() | OTHERS


@pytest.mark.parametrize("attempt", ATTEMPTS)
async def test_no_command_stakes_while_nothing_is_admitted(manual: ManualServer, attempt: Attempt) -> None:
    with asking_everybody():
        assert await attempt(manual) == "barred"


@pytest.mark.parametrize("attempt", LIVE)
async def test_a_way_around_at_live_tables_is_found(manual: ManualServer, attempt: Attempt) -> None:
    @contextmanager
    def reserve_holds(*_: object) -> Iterator[Mapping[Any, Refused]]:
        yield {}

    with asking_everybody(), patch.object(PlayerLimits, "reserve_holds", reserve_holds):
        assert await attempt(manual) == ""


@pytest.mark.parametrize("attempt", [deal_own, raise_own])
async def test_a_way_around_at_own_tables_is_found(manual: ManualServer, attempt: Attempt) -> None:
    with asking_everybody(), patch.object(PlayerLimits, "_reserve_entry", lambda *_: None):
        assert await attempt(manual) == ""


# --- conditions that a command checks sooner


async def test_documents_and_own_limits_are_checked_where_a_stake_is_held(manual: ManualServer) -> None:
    """The input comes without the checks of its command."""
    _, player = await join_table(manual)
    play = manual.server.players.get(id_of(player))
    assert play is not None
    play.limits.unaccepted = ("terms",)
    table = manual.server.live[INFINITE]
    with pytest.raises(Refused, match="documents_not_accepted"):
        await table.execute(placed(player, 1_000))
    play.limits.unaccepted = ()
    await manual.server.restrictions.set_limit(id_of(player), Measure("wager", "day", "EUR"), 999)
    with pytest.raises(Refused, match="over_own_limit"):
        await table.execute(placed(player, 1_000))


async def test_a_reality_check_is_due_where_a_stake_is_held(manual: ManualServer) -> None:
    _, player = await join_table(manual)
    play = manual.server.players.get(id_of(player))
    assert play is not None
    play.limits.reminder_minutes = 30
    manual.advance_clock(31 * 60_000)
    with pytest.raises(Refused, match="reminder_due"):
        await manual.server.live[INFINITE].execute(placed(player, 1_000))
    assert in_play(manual, player) == 0


def placed(player: Player, minor: int) -> Any:
    """Return the table's input of a bet, without the checks of the command."""
    return Placed(id_of(player), (Wager(0, "main", minor),))


# --- the places that post stakes

POSTS = {
    "post_each": {"dealing/live/money/table_money.py"},
    "post_groups": {"dealing/live/money/bonus_money.py"},
    "post_reserved": {"money/wallet/stakes.py"},
}
"""Posts whose callers admit the stakes themselves; `LedgerGateway.post` does it for all others."""
BELOW = {"admission/ledger_gateway.py", "ledger/sql/writer_process.py"}
"""The gateway itself, and the process that it posts to."""


@pytest.mark.parametrize("post", POSTS)
def test_stakes_are_posted_only_where_they_are_admitted(post: str) -> None:
    root = Path(croupier.__file__).parent
    found = {
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == post
    }
    assert found - BELOW == POSTS[post]

"""Live tables under a hostile client, in pairs of worlds that differ in hidden cards only.

Until a card is dealt or turned, both worlds send the same bytes; and no answer depends on one that isn't.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from croupier.equipment.cards import Card
from croupier.games import published_tables
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.runtime.live import table_shoes
from croupier.runtime.live.input_queue import OnDone
from croupier.runtime.live.table import LiveTable
from croupier.tables.live.inputs import AnyInput, Decided
from tests.equipment.seeded import SeededDraws
from tests.runtime.live import test_live_hidden as hidden
from tests.runtime.live.in_process import SLOW, Guest, ManualServer, guest_of
from tests.runtime.live.player import INFINITE, SEVEN, Player
from tests.support import hostile

pytestmark = pytest.mark.anyio

BLACKJACK = (INFINITE, SEVEN)
COUPS = tuple(
    name
    for name, table in published_tables().items()
    if table.dealing == "live" and table.game.name != "blackjack"
)
STILL = SLOW + "".join(f"\n[{name}]\nbetting_ms = 600000\npause_ms = 600000\n" for name in COUPS)
SEEDS = (1, 2)


class Attack:
    """A hostile player at one table beside an honest one, who has bet."""

    def __init__(
        self, hands: ManualServer, table: str, guest: Guest, hostile_: Player, honest: Player
    ) -> None:
        self.hands = hands
        self.table = table
        self.guest = guest
        self.player = hostile_
        self.honest = honest
        self._stake = stake_of(table)

    @property
    def heard(self) -> tuple[list[bytes], list[bytes]]:
        return hidden.plain(self.player.frames), hidden.plain(self.honest.frames)

    async def barrage(self) -> None:
        """Everything a hostile client may send at this moment; all of it must be refused."""
        for command in self._commands():
            code = await self.player.ask(command)
            assert code, command
        for frame in hostile.MALFORMED:
            heard = len(self.player.frames)
            self.player.line(frame)
            await self.player.until(partial(self._heard_more_than, heard))

    def _heard_more_than(self, messages: int) -> bool:
        return len(self.player.frames) > messages

    def _commands(self) -> Iterator[wire.Command]:
        round_ = self.player.states[self.table].clock.round
        yield from _reused(self.table, round_, "spent")
        yield from _foreign(self.table)
        yield wire.PlaceBet("b", self.table, round_, (wire.Stake(0, "no_such_bet", 100),))
        for box in (5, 40):
            yield wire.PlaceBet(
                f"b{box}", self.table, round_, (msgspec.structs.replace(self._stake, box=box),)
            )
        yield wire.ReportChatLine("report", self.table, 999)
        yield wire.StandUp("stand", self.table, 6)
        yield wire.Sit("sit", self.table, 40)

    async def decide(self) -> list[str]:
        """Answers to decisions that aren't the hostile player's, or not offered now."""
        state = self.player.states[self.table]
        at = (self.table, state.clock.round, state.turn)
        return [
            await self.player.ask(wire.Decide(f"d{box}{hand}{action}", *at, box, hand, action))
            for box in (2, 5, 40)
            for hand in (0, 1, 5)
            for action in hostile.ACTIONS
        ]


def _reused(table: str, round_: str, req: str) -> Iterator[wire.Command]:
    yield wire.PlaceBet(req, table, round_, (wire.Stake(0, "main", 100),))
    yield wire.Undo(req, table, round_)
    yield wire.Decide(req, table, round_, 0, 0, 0, "stand")
    yield wire.Sit(req, table, 1)
    yield wire.StandUp(req, table, 1)
    yield wire.PostChat(req, table, "hello")
    yield wire.ReportChatLine(req, table, 1)
    yield wire.Leave(req, table)
    yield wire.Join(req, "classic", "GC")
    yield wire.SaveSettings(req, wire.Settings(sound=False))
    yield wire.DealRound(req, table, (wire.Stake(0, "main", 100),))


def _foreign(table: str) -> Iterator[wire.Command]:
    for other in (table, "classic", "nowhere"):
        yield wire.PlaceBet(f"fb-{other}", other, hostile.OTHER_ROUND, (wire.Stake(0, "main", 100),))
        yield wire.Undo(f"fu-{other}", other, hostile.OTHER_ROUND)
        yield wire.Decide(f"fd-{other}", other, hostile.OTHER_ROUND, 0, 0, 0, "stand")
        yield wire.DealRound(f"fl-{other}", other, (wire.Stake(0, "main", 100),))
    yield wire.Join("fj", "nowhere", "EUR")


def stake_of(table: str) -> wire.Stake:
    """Return the table's minimum of its first main bet."""
    rules = published_tables()[table]
    bet = next(bet for bet in rules.bets.values() if bet.main)
    return wire.Stake(1 if table == SEVEN else 0, bet.name, rules.limits_of(bet, "EUR").min_minor)


@asynccontextmanager
async def attack(folder: Path, table: str, cards: tuple[Card, ...], seed: int = 0) -> AsyncIterator[Attack]:
    """Start a server with a hostile and an honest player, who have bet, while bets are open."""
    with patch.object(table_shoes, "OsRandomSource", lambda: SeededDraws(seed)):
        async with hidden.same_house(folder, cards, STILL) as hands:
            await hands.until("betting", table=table)
            guest, other = await guest_of(hands.house), await guest_of(hands.house)
            one, honest = await guest.dial(), await other.dial()
            for player, seat in ((one, 1), (honest, 2)):
                await _arrive(player, table, seat)
            assert await one.ask(wire.SaveSettings("spent", wire.Settings(shortcuts=False))) == ""
            yield Attack(hands, table, guest, one, honest)


async def _arrive(player: Player, table: str, seat: int) -> None:
    assert await player.join(table) == ""
    await player.phase("betting", table=table)
    stake = stake_of(table)
    if table == SEVEN:
        assert await player.ask(wire.Sit(f"seat{seat}", table, seat)) == ""
        stake = msgspec.structs.replace(stake, box=seat)
    assert await player.bet((stake.box, stake.bet, stake.stake_minor), table=table) == ""


async def until_decisions(here: Attack) -> list[str]:
    """Attack in each phase up to the first decision; return the answers to the hostile decisions."""
    await here.barrage()
    await here.hands.until("warning", table=here.table)
    await here.honest.phase("warning", table=here.table)
    await here.barrage()
    await here.hands.until("offer", "decisions", "pause", table=here.table)
    await here.player.phase("offer", "decisions", "pause", table=here.table)
    await here.honest.phase("offer", "decisions", "pause", table=here.table)
    if here.hands.house.live[here.table].state.phase == "pause":
        return []
    await here.barrage()
    return await here.decide()


async def differ(folder: Path, table: str, seed: int) -> bool:
    """Return whether two worlds that differ in unseen cards only were sent different messages."""
    cards = hidden.shoe_of(seed)
    worlds = []
    for name, dealt in (("one", cards), ("twin", unseen_changed(table, cards, seed))):
        async with attack(folder / name, table, dealt) as here:
            answers = await until_decisions(here)
            worlds.append((answers, *here.heard, await last_decision(here)))
    return worlds[0] != worlds[1]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", BLACKJACK)
async def test_no_answer_depends_on_an_unseen_card(tmp_path: Path, table: str, seed: int) -> None:
    assert not await differ(tmp_path, table, seed)


async def test_a_planted_refusal_that_depends_on_the_next_card_is_noticed(tmp_path: Path) -> None:
    right = LiveTable.submit

    def leaking(
        self: LiveTable, given: AnyInput, answered: OnDone | None = None, *rest: Any, **more: Any
    ) -> None:
        shoes_in_use = self._shoes._in_use.values() if isinstance(given, Decided) else ()
        next_cards = [sealed.dealer.source.shoe.draw()[0] for sealed in shoes_in_use]
        if answered and any(card.rank in "TJQK" for card in next_cards):
            answered(Refused("malfunction"))
        else:
            right(self, given, answered, *rest, **more)

    with patch.object(LiveTable, "submit", leaking):
        assert any([await differ(tmp_path / str(seed), INFINITE, seed) for seed in hidden.SEEDS])


async def last_decision(here: Attack) -> str:
    """Return the answer to the player's own decision, whatever card follows."""
    turns = here.player.turns(here.table)
    if not turns:
        return "none"
    box, hand, (action, *_) = turns[0]
    return await here.player.decide(action, box, hand, table=here.table)


def unseen_changed(table: str, cards: tuple[Card, ...], seed: int) -> tuple[Card, ...]:
    """Return the shoe with other cards where none is seen at the first decision."""
    return hidden.otherwise(cards, seed, face_down=hidden.FACE_DOWN if table == INFINITE else 5)


@pytest.mark.parametrize("table", COUPS)
async def test_nothing_depends_on_the_result_of_a_coup(tmp_path: Path, table: str) -> None:
    worlds = []
    for seed in SEEDS:
        async with attack(tmp_path / str(seed), table, hidden.shoe_of(seed), seed) as here:
            await here.barrage()
            await here.hands.until("warning", table=table)
            await here.player.phase("warning", table=table)
            await here.honest.phase("warning", table=table)
            await here.barrage()
            worlds.append(here.heard)
    assert worlds[1:] == [worlds[0]] * (len(worlds) - 1)


def test_every_live_table_is_attacked() -> None:
    live = {name for name, table in published_tables().items() if table.dealing == "live"}
    assert live == {*BLACKJACK, *COUPS}

"""A hostile client at live tables, in pairs of runs that differ only in hidden cards.

Until a card is dealt or turned, both runs send the same bytes, and no answer depends on a hidden card.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from croupier.dealing.live import table_shoes
from croupier.dealing.live.input_queue import OnDone
from croupier.dealing.live.table import LiveTable
from croupier.equipment.cards import Card
from croupier.games import published_tables
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.tables.live.inputs import AnyInput, Decided
from tests.dealing.live import test_hidden as hidden
from tests.dealing.live.in_process import SLOW, ManualServer, new_guest
from tests.dealing.live.player import INFINITE, SEVEN, Player
from tests.equipment.random_sources import SeededRandomSource
from tests.support import hostile

pytestmark = pytest.mark.anyio

BLACKJACK = (INFINITE, SEVEN)
COUPS = tuple(
    name
    for name, table in published_tables().items()
    if table.dealing == "live" and table.game.name != "blackjack"
)
CONFIG = SLOW + "".join(f"\n[{name}]\nbetting_ms = 600000\npause_ms = 600000\n" for name in COUPS)
SEEDS = (1, 2)


class Attack:
    """A hostile and an honest player at one table, who have both bet."""

    def __init__(self, manual: ManualServer, table: str, attacker: Player, honest: Player) -> None:
        self.manual = manual
        self.table = table
        self.attacker = attacker
        self.honest = honest
        self._stake = stake_of(table)

    @property
    def sent(self) -> tuple[list[bytes], list[bytes]]:
        return hidden.normalized(self.attacker.frames), hidden.normalized(self.honest.frames)

    async def barrage(self) -> None:
        """Send everything that a hostile client may try; all of it must be refused."""
        for command in self._commands():
            code = await self.attacker.ask(command)
            assert code, command
        for frame in hostile.MALFORMED:
            received = len(self.attacker.frames)
            self.attacker.send_frame(frame)
            await self.attacker.until(partial(self._has_more_than, received))

    def _has_more_than(self, messages: int) -> bool:
        return len(self.attacker.frames) > messages

    def _commands(self) -> Iterator[wire.Command]:
        round_ = self.attacker.states[self.table].clock.round
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
        """Return the answers to decisions that aren't the attacker's or aren't offered."""
        state = self.attacker.states[self.table]
        at = (self.table, state.clock.round, state.turn)
        return [
            await self.attacker.ask(wire.Decide(f"d{box}{hand}{action}", *at, box, hand, action))
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
    """Return the minimum stake on the table's first main bet."""
    rules = published_tables()[table]
    bet = next(bet for bet in rules.bets.values() if bet.main)
    return wire.Stake(1 if table == SEVEN else 0, bet.name, rules.limits_of(bet, "EUR").min_minor)


@asynccontextmanager
async def start_attack(
    folder: Path, table: str, cards: tuple[Card, ...], seed: int = 0
) -> AsyncIterator[Attack]:
    """Start a server with a hostile and an honest player, who have bet, while bets are open."""
    with patch.object(table_shoes, "CountedRandomSource", lambda _: SeededRandomSource(seed)):
        async with hidden.reproducible_server(folder, cards, CONFIG) as manual:
            await manual.advance_to("betting", table=table)
            guest, other = await new_guest(manual.server), await new_guest(manual.server)
            attacker, honest = await guest.connect(), await other.connect()
            for player, seat in ((attacker, 1), (honest, 2)):
                await _join_and_bet(player, table, seat)
            assert await attacker.ask(wire.SaveSettings("spent", wire.Settings(shortcuts=False))) == ""
            yield Attack(manual, table, attacker, honest)


async def _join_and_bet(player: Player, table: str, seat: int) -> None:
    assert await player.join(table) == ""
    await player.until_phase("betting", table=table)
    stake = stake_of(table)
    if table == SEVEN:
        assert await player.ask(wire.Sit(f"seat{seat}", table, seat)) == ""
        stake = msgspec.structs.replace(stake, box=seat)
    assert await player.bet((stake.box, stake.bet, stake.stake_minor), table=table) == ""


async def attack_until_decisions(attack: Attack) -> list[str]:
    """Attack in each phase up to the first decision; return the answers to the hostile decisions."""
    await attack.barrage()
    await attack.manual.advance_to("warning", table=attack.table)
    await attack.honest.until_phase("warning", table=attack.table)
    await attack.barrage()
    await attack.manual.advance_to("offer", "decisions", "pause", table=attack.table)
    await attack.attacker.until_phase("offer", "decisions", "pause", table=attack.table)
    await attack.honest.until_phase("offer", "decisions", "pause", table=attack.table)
    if attack.manual.server.live[attack.table].state.phase == "pause":
        return []
    await attack.barrage()
    return await attack.decide()


async def runs_differ(folder: Path, table: str, seed: int) -> bool:
    """Return whether two runs that differ only in unseen cards sent different messages."""
    cards = hidden.shoe_of(seed)
    runs = []
    for name, dealt in (("first", cards), ("second", reshuffle_unseen(table, cards, seed))):
        async with start_attack(folder / name, table, dealt) as attack:
            answers = await attack_until_decisions(attack)
            runs.append((answers, *attack.sent, await decide_own_hand(attack)))
    return runs[0] != runs[1]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", BLACKJACK)
async def test_no_answer_depends_on_an_unseen_card(tmp_path: Path, table: str, seed: int) -> None:
    assert not await runs_differ(tmp_path, table, seed)


async def test_a_planted_refusal_that_depends_on_the_next_card_is_detected(tmp_path: Path) -> None:
    original = LiveTable.submit

    def leaking(
        self: LiveTable, given: AnyInput, on_done: OnDone | None = None, *rest: Any, **more: Any
    ) -> None:
        shoes_in_use = self._shoes._in_use.values() if isinstance(given, Decided) else ()
        next_cards = [sealed.dealer.source.shoe.draw()[0] for sealed in shoes_in_use]
        if on_done and any(card.rank in "TJQK" for card in next_cards):
            on_done(Refused("malfunction"))
        else:
            original(self, given, on_done, *rest, **more)

    with patch.object(LiveTable, "submit", leaking):
        assert any([await runs_differ(tmp_path / str(seed), INFINITE, seed) for seed in hidden.SEEDS])


async def decide_own_hand(attack: Attack) -> str:
    """Return the answer to a decision of the attacker's own hand, whatever card follows."""
    turns = attack.attacker.turns(attack.table)
    if not turns:
        return "none"
    box, hand, (action, *_) = turns[0]
    return await attack.attacker.decide(action, box, hand, table=attack.table)


def reshuffle_unseen(table: str, cards: tuple[Card, ...], seed: int) -> tuple[Card, ...]:
    """Return the shoe with other cards in place of those that are unseen at the first decision."""
    return hidden.reshuffle_unseen(cards, seed, face_down=hidden.FACE_DOWN if table == INFINITE else 5)


@pytest.mark.parametrize("table", COUPS)
async def test_nothing_depends_on_the_result_of_a_coup(tmp_path: Path, table: str) -> None:
    runs = []
    for seed in SEEDS:
        async with start_attack(tmp_path / str(seed), table, hidden.shoe_of(seed), seed) as attack:
            await attack.barrage()
            await attack.manual.advance_to("warning", table=table)
            await attack.attacker.until_phase("warning", table=table)
            await attack.honest.until_phase("warning", table=table)
            await attack.barrage()
            runs.append(attack.sent)
    assert runs[1:] == [runs[0]] * (len(runs) - 1)


def test_every_live_table_is_attacked() -> None:
    live = {name for name, table in published_tables().items() if table.dealing == "live"}
    assert live == {*BLACKJACK, *COUPS}

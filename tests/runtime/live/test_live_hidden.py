"""Unseen cards and other players' stakes don't change a byte of what is sent."""

import re
import secrets
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from itertools import count
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from croupier import clock
from croupier.equipment.cards import DECK, Card
from croupier.equipment.shoe import Shoe
from croupier.gateway import client_session
from croupier.protocol import wire
from croupier.runtime.live import table_shoes
from croupier.runtime.live.broadcast import broadcaster, snapshot
from croupier.tables.live.state import State
from tests.runtime.live.in_process import SLOW, ManualServer, guest_of, server_in
from tests.runtime.live.player import INFINITE, SEVEN, Player, req

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("speculate")]

BEGAN_MS = 1_800_000_000_000
FACE_DOWN = 3
"""The place of the face-down card in the shoe: player, dealer, player, dealer."""
Stakes = tuple[tuple[int, str, int], ...]
MINE: Stakes = ((0, "main", 700), (0, "bust_it", 300))
SEEDS = (0, 1, 2, 3, 4, 6)
"""Shoes in which something is left to decide."""


NAMES = re.compile(rb'\b[rp]_?[0-9a-f]{16,}\b|(?<="req":")[0-9a-f]{16}\b|Guest [0-9a-f]{4}')
NUMBER = re.compile(rb'"v":(\d+)')


def plain(frames: list[bytes]) -> list[bytes]:
    """Return the frames with names and numbers replaced by their order of appearance."""
    names: dict[bytes, bytes] = {}
    first = int(next(found[1] for frame in frames if (found := NUMBER.search(frame))))

    def named(found: re.Match[bytes]) -> bytes:
        return names.setdefault(found[0], b"name %d" % len(names))

    def numbered(found: re.Match[bytes]) -> bytes:
        return b'"v":%d' % (int(found[1]) - first)

    return [NUMBER.sub(numbered, NAMES.sub(named, frame)) for frame in frames]


class Still(ManualServer):
    """A server whose clock moves only when the test moves it."""

    def now_ms(self) -> int:
        return BEGAN_MS + self._ahead_ms


@asynccontextmanager
async def same_house(folder: Path, cards: tuple[Card, ...], floor: str = SLOW) -> AsyncIterator[ManualServer]:
    """Start a server whose times, ids and cards are always the same."""
    names = count()
    shoe = Shoe(cards, dealt=0, cut=len(cards))

    def token(size: int = 32) -> str:
        return f"{next(names):0{2 * size}x}"

    with ExitStack() as ends:
        for module in (clock, client_session):
            ends.enter_context(patch.object(module, "now_ms", lambda: BEGAN_MS))
        for name in ("token_hex", "token_urlsafe"):
            ends.enter_context(patch.object(secrets, name, token))
        ends.enter_context(patch.object(broadcaster, "FIRST_PULSE_MS", 600_000))  # no pulse: its time varies
        ends.enter_context(patch.object(table_shoes, "fresh_shoe", lambda *_: shoe))
        async with server_in(folder, floor) as opened:
            still = Still(opened)
            with patch.object(clock, "now_ms", still.now_ms):
                yield still


async def arrived(hands: ManualServer, table: str) -> Player:
    player = await (await guest_of(hands.house)).dial()
    assert await player.join(table) == ""
    return player


async def sent(folder: Path, cards: tuple[Card, ...], others: Stakes) -> tuple[str, list[bytes], list[bytes]]:
    """Until the first decision at the table that all share: the phase, and what two players were sent.

    The second staked `others`.
    """
    async with same_house(folder, cards) as hands:
        await hands.until("betting")
        one, other = await arrived(hands, INFINITE), await arrived(hands, INFINITE)
        assert await one.bet(*MINE) == ""
        assert await other.bet(*others) == ""
        await hands.until("decisions", "pause")
        await one.phase("decisions", "pause")
        await other.phase("decisions", "pause")
        return one.states[INFINITE].clock.phase, plain(one.frames), plain(other.frames)


def shoe_of(seed: int) -> tuple[Card, ...]:
    cards = list(DECK * 8)
    Random(seed).shuffle(cards)
    return tuple(cards)


def otherwise(cards: tuple[Card, ...], seed: int, face_down: int = FACE_DOWN) -> tuple[Card, ...]:
    """Return the shoe with every unseen card changed; one that is peeked at keeps its class."""
    changed, rest = list(cards), list(cards[face_down + 1 :])
    Random(f"other {seed}").shuffle(rest)
    hidden = cards[face_down]
    alike = next(place for place, card in enumerate(rest) if card != hidden and looks(card) == looks(hidden))
    changed[face_down], rest[alike] = rest[alike], hidden
    return (*changed[: face_down + 1], *rest)


def looks(card: Card) -> str:
    """Return what a dealer sees who looks under an ace or a ten."""
    return "T" if card.rank in "TJQK" else "A" if card.rank == "A" else "none"


@pytest.mark.parametrize("seed", SEEDS)
async def test_unseen_cards_change_nothing_that_is_sent(tmp_path: Path, seed: int) -> None:
    cards = shoe_of(seed)
    first = await sent(tmp_path / "first", cards, MINE)
    assert first[0] == "decisions"
    assert await sent(tmp_path / "twin", otherwise(cards, seed), MINE) == first


async def test_a_planted_leak_of_the_hole_card_is_noticed(tmp_path: Path) -> None:
    right = snapshot.clock_of

    async def leaky(folder: Path, cards: tuple[Card, ...]) -> list[bytes]:
        def leaking(state: State) -> wire.LiveClock:
            left_ms = DECK.index(cards[FACE_DOWN]) if state.phase == "decisions" else None
            return replace(right(state), left_ms=left_ms)

        with patch.object(snapshot, "clock_of", leaking):
            return (await sent(folder, cards, MINE))[1]

    seed = next(seed for seed in SEEDS if looks(shoe_of(seed)[1]) == "none")
    cards = shoe_of(seed)
    assert await leaky(tmp_path / "first", cards) != await leaky(tmp_path / "twin", otherwise(cards, seed))


@pytest.mark.parametrize("seed", SEEDS)
async def test_another_players_stake_changes_nothing_in_a_shared_deal(tmp_path: Path, seed: int) -> None:
    """The decisions are the same; everyone sees amounts of a unit."""
    sides: Stakes = ((0, "main", 4_900), (0, "any_pair", 100), (0, "bust_it", 2_500))
    few: Stakes = ((0, "main", 100), (0, "any_pair", 100), (0, "bust_it", 100))
    rich = await sent(tmp_path / "rich", shoe_of(seed), sides)
    poor = await sent(tmp_path / "poor", shoe_of(seed), few)
    assert rich[1] == poor[1]
    assert rich[2] != poor[2]


async def at_seats(folder: Path, minor: int) -> list[bytes]:
    """Return what a seated player is sent until the close, while another stakes so much."""
    async with same_house(folder, shoe_of(1)) as hands:
        await hands.until("betting", table=SEVEN)
        one, other = await arrived(hands, SEVEN), await arrived(hands, SEVEN)
        for player, seat in ((one, 1), (other, 5)):
            assert await player.ask(wire.Sit(req(), SEVEN, seat)) == ""
        for stake in (minor, 2 * minor, minor):
            assert await other.bet((5, "main", stake), table=SEVEN) == ""
        await hands.until("warning", table=SEVEN)
        await one.phase("warning", table=SEVEN)
        return plain(one.frames)


async def test_another_seats_stake_is_not_sent_before_the_close(tmp_path: Path) -> None:
    assert await at_seats(tmp_path / "rich", 5_000) == await at_seats(tmp_path / "poor", 500)

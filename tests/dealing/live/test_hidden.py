"""Unseen cards and other players' stakes don't change a byte of what a player is sent."""

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
from croupier.dealing.live import table_shoes
from croupier.dealing.live.broadcast import broadcaster, snapshot
from croupier.equipment.cards import DECK, Card
from croupier.equipment.shoe import Shoe
from croupier.gateway import client_session
from croupier.protocol import wire
from croupier.tables.live.state import State
from tests.dealing.live.in_process import SLOW, ManualServer, new_guest, running_server
from tests.dealing.live.player import INFINITE, SEVEN, Player, req

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("speculate")]

BEGAN_MS = 1_800_000_000_000
FACE_DOWN = 3
"""The index of the face-down card in the shoe: player, dealer, player, dealer."""
Stakes = tuple[tuple[int, str, int], ...]
OWN_STAKES: Stakes = ((0, "main", 700), (0, "bust_it", 300))
SEEDS = (0, 1, 2, 3, 4, 6)
"""Shoes whose first round has a decision."""
IDS = re.compile(
    rb'\b[rp]_?[0-9a-f]{16,}\b|(?<="req":")[0-9a-f]{16}\b|Guest [0-9a-f]{4}|#[\d:]{8}-\w{5}-\w{5}'
)
VERSION = re.compile(rb'"v":(\d+)')


def normalized(frames: list[bytes]) -> list[bytes]:
    """Return the frames with ids numbered in order of appearance, and versions counted from 0."""
    names: dict[bytes, bytes] = {}
    first = int(next(found[1] for frame in frames if (found := VERSION.search(frame))))

    def named(found: re.Match[bytes]) -> bytes:
        return names.setdefault(found[0], b"name %d" % len(names))

    def numbered(found: re.Match[bytes]) -> bytes:
        return b'"v":%d' % (int(found[1]) - first)

    return [VERSION.sub(numbered, IDS.sub(named, frame)) for frame in frames]


class FrozenServer(ManualServer):
    """A server whose clock stands still unless the test advances it."""

    def now_ms(self) -> int:
        return BEGAN_MS + self._ahead_ms


@asynccontextmanager
async def reproducible_server(
    folder: Path, cards: tuple[Card, ...], config_toml: str = SLOW
) -> AsyncIterator[ManualServer]:
    """Start a server whose times, ids and cards are the same in every run."""
    names = count()
    shoe = Shoe(cards, dealt=0, cut=len(cards))

    def token(size: int = 32) -> str:
        return f"{next(names):0{2 * size}x}"

    with ExitStack() as ends:
        for module in (clock, client_session):
            ends.enter_context(patch.object(module, "now_ms", lambda: BEGAN_MS))
        for name in ("token_hex", "token_urlsafe"):
            ends.enter_context(patch.object(secrets, name, token))
        ends.enter_context(patch.object(secrets, "randbits", lambda _: next(names)))
        # Pulses are off: their timing varies.
        ends.enter_context(patch.object(broadcaster, "FIRST_PULSE_MS", 600_000))
        ends.enter_context(patch.object(table_shoes, "fresh_shoe", lambda *_: shoe))
        async with running_server(folder, config_toml) as server:
            frozen = FrozenServer(server)
            with patch.object(clock, "now_ms", frozen.now_ms):
                yield frozen


async def join(manual: ManualServer, table: str) -> Player:
    player = await (await new_guest(manual.server)).connect()
    assert await player.join(table) == ""
    return player


async def sent(folder: Path, cards: tuple[Card, ...], others: Stakes) -> tuple[str, list[bytes], list[bytes]]:
    """Play a shared deal until its first decision; return the phase and the frames of two players.

    The second player stakes `others`.
    """
    async with reproducible_server(folder, cards) as manual:
        await manual.advance_to("betting")
        one, other = await join(manual, INFINITE), await join(manual, INFINITE)
        assert await one.bet(*OWN_STAKES) == ""
        assert await other.bet(*others) == ""
        await manual.advance_to("decisions", "pause")
        await one.until_phase("decisions", "pause")
        await other.until_phase("decisions", "pause")
        return one.states[INFINITE].clock.phase, normalized(one.frames), normalized(other.frames)


def shoe_of(seed: int) -> tuple[Card, ...]:
    cards = list(DECK * 8)
    Random(seed).shuffle(cards)
    return tuple(cards)


def reshuffle_unseen(cards: tuple[Card, ...], seed: int, face_down: int = FACE_DOWN) -> tuple[Card, ...]:
    """Return the shoe with other unseen cards; a peek at the face-down card has the same answer."""
    changed, rest = list(cards), list(cards[face_down + 1 :])
    Random(f"other {seed}").shuffle(rest)
    hidden = cards[face_down]
    place = next(
        place for place, card in enumerate(rest) if card != hidden and peek_class(card) == peek_class(hidden)
    )
    changed[face_down], rest[place] = rest[place], hidden
    return (*changed[: face_down + 1], *rest)


def peek_class(card: Card) -> str:
    """Return all that a dealer learns who peeks under an ace or a ten."""
    return "T" if card.rank in "TJQK" else "A" if card.rank == "A" else "none"


@pytest.mark.parametrize("seed", SEEDS)
async def test_unseen_cards_change_nothing_that_is_sent(tmp_path: Path, seed: int) -> None:
    cards = shoe_of(seed)
    first = await sent(tmp_path / "first", cards, OWN_STAKES)
    assert first[0] == "decisions"
    assert await sent(tmp_path / "second", reshuffle_unseen(cards, seed), OWN_STAKES) == first


async def test_a_planted_leak_of_the_hole_card_is_detected(tmp_path: Path) -> None:
    original = snapshot.clock_of

    async def sent_with_leak(folder: Path, cards: tuple[Card, ...]) -> list[bytes]:
        def leaking(state: State) -> wire.LiveClock:
            left_ms = DECK.index(cards[FACE_DOWN]) if state.phase == "decisions" else None
            return replace(original(state), left_ms=left_ms)

        with patch.object(snapshot, "clock_of", leaking):
            return (await sent(folder, cards, OWN_STAKES))[1]

    seed = next(seed for seed in SEEDS if peek_class(shoe_of(seed)[1]) == "none")
    cards = shoe_of(seed)
    first = await sent_with_leak(tmp_path / "first", cards)
    assert await sent_with_leak(tmp_path / "second", reshuffle_unseen(cards, seed)) != first


@pytest.mark.parametrize("seed", SEEDS)
async def test_another_players_stake_changes_nothing_in_a_shared_deal(tmp_path: Path, seed: int) -> None:
    """The decisions are the same; other players see amounts of one unit."""
    high: Stakes = ((0, "main", 4_900), (0, "any_pair", 100), (0, "bust_it", 2_500))
    low: Stakes = ((0, "main", 100), (0, "any_pair", 100), (0, "bust_it", 100))
    with_high = await sent(tmp_path / "high", shoe_of(seed), high)
    with_low = await sent(tmp_path / "low", shoe_of(seed), low)
    assert with_high[1] == with_low[1]
    assert with_high[2] != with_low[2]


async def sent_at_seats(folder: Path, minor: int) -> list[bytes]:
    """Return the frames of a seated player until the bets close, while another seat stakes `minor`."""
    async with reproducible_server(folder, shoe_of(1)) as manual:
        await manual.advance_to("betting", table=SEVEN)
        one, other = await join(manual, SEVEN), await join(manual, SEVEN)
        for player, seat in ((one, 1), (other, 5)):
            assert await player.ask(wire.Sit(req(), SEVEN, seat)) == ""
        for stake in (minor, 2 * minor, minor):
            assert await other.bet((5, "main", stake), table=SEVEN) == ""
        await manual.advance_to("warning", table=SEVEN)
        await one.until_phase("warning", table=SEVEN)
        return normalized(one.frames)


async def test_another_seats_stake_is_not_sent_before_the_close(tmp_path: Path) -> None:
    assert await sent_at_seats(tmp_path / "high", 5_000) == await sent_at_seats(tmp_path / "low", 500)

"""Pairs of worlds that differ in hidden cards only, under a hostile client: every answer is the same.

A refusal that depended on a card nobody has seen would tell what the card is.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import httpx
import msgspec
import pytest

from croupier.app.site import create_site
from croupier.equipment.cards import Card
from croupier.games import published_tables
from croupier.gateway.origins import PublicOrigins
from croupier.gateway.sockets import PLAYER_COOKIE
from croupier.ledger.entries import withdrawal
from croupier.play.contract.game import Table
from croupier.play.contract.wants import Choice, Decision
from croupier.play.driving.dealing import DealtRound
from croupier.protocol import wire
from croupier.runtime.ledger_gateway import LedgerGateway
from croupier.runtime.own import player_table
from croupier.runtime.server import Server
from croupier.staff.service import StaffService
from tests.equipment.seeded import SeededDraws
from tests.gateway.test_hidden import dealt, decided, otherwise, shoe_of, stakes
from tests.support import hostile
from tests.support.in_process import Inside, house_of

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning"),
]

BLACKJACK = ("classic", "premium", "multihand", "double_exposure")
OWN = tuple(name for name, table in published_tables().items() if table.dealing == "own")
SEEDS = range(2)
CARDS: tuple[Card, ...] = ()
"""None: the game's own shoe, wheel or dice, seeded."""


class World:
    """A client in a server of its own; `heard` is all that it was told, over HTTP and its socket."""

    def __init__(self, house: Server, inside: Inside, http: httpx.AsyncClient) -> None:
        self.house = house
        self.inside = inside
        self._http = http
        self.told_over_http: list[bytes] = []

    @property
    def heard(self) -> list[bytes]:
        return [*self.told_over_http, *self.inside.line.frames]

    async def send(self, frame: bytes) -> wire.Message:
        """Send one frame; return the answer, which comes last."""
        self.inside.send_frame(frame)
        await self.inside.line.answered()
        return self.inside.answer

    async def refused(self, frames: list[bytes]) -> None:
        """Send frames that must be refused, each with one message."""
        for frame in frames:
            before = len(self.inside.line.frames)
            answer = await self.send(frame)
            assert isinstance(answer, wire.No), (frame, answer)
            assert len(self.inside.line.frames) == before + 1, frame

    async def withdraw(self, req: str) -> int:
        """Spend an id at the cashier; return the status."""
        order = {"req": req, "currency": "GC", "amount_minor": 1}
        answer = await self._http.post("/api/cashier/withdraw", content=msgspec.json.encode(order))
        self.told_over_http.append(b"%d %s" % (answer.status_code, answer.content))
        return answer.status_code


@asynccontextmanager
async def world(folder: Path, cards: tuple[Card, ...], seed: int = 0) -> AsyncIterator[World]:
    with (
        house_of(folder, cards) as house,
        patch.object(player_table, "OsRandomSource", lambda: SeededDraws(seed)),
    ):
        inside = await Inside.enter(house)
        (empty := folder / "client").mkdir()
        site: Any = create_site(house, StaffService(house), empty, "", 0, PublicOrigins(0))
        transport = httpx.ASGITransport(site)
        cookies = {PLAYER_COOKIE: inside.token}
        async with httpx.AsyncClient(transport=transport, base_url="http://here", cookies=cookies) as http:
            yield World(house, inside, http)


async def spend(world: World) -> None:
    """Spend ids at the cashier; those that look like the server's keys are malformed."""
    for req in hostile.SPENT:
        assert await world.withdraw(req) == httpx.codes.OK
    for shape in hostile.SERVER_KEYS:
        for round_ in ("r1", "X"):
            assert await world.withdraw(shape.format(round=round_)) == httpx.codes.BAD_REQUEST


def offered(now: DealtRound[Any]) -> list[tuple[int, int, str]]:
    return [
        (*want.to, option.action)
        for want in now.round.wants()
        if isinstance(want, Decision)
        for option in want.options
    ]


async def barrage(world: World, table: str, now: DealtRound[Any] | None) -> None:
    """Everything a hostile client may send at this moment."""
    round_ = world.inside.round_id if now else hostile.OTHER_ROUND
    await world.refused(hostile.frames(hostile.reused(table, round_, hostile.SPENT)))
    await world.refused(hostile.frames(hostile.foreign(table)))
    await world.refused(list(hostile.MALFORMED))
    if now:
        await world.refused(
            hostile.frames(hostile.out_of_turn(table, round_, world.inside.turn, offered(now)))
        )


async def played(folder: Path, table: Table, cards: tuple[Card, ...], now: DealtRound[Any]) -> list[bytes]:
    """Return what a hostile client hears until its decision at `now`, and the answer to that decision."""
    decisions = [step for step in now.steps if isinstance(step.want, Decision)]
    async with world(folder, cards) as here:
        await spend(here)
        await here.inside.say(wire.Join("join", table.id, "GC"))
        await barrage(here, table.id, None)
        await here.inside.say(wire.DealRound("deal", table.id, stakes(table)))
        for number, step in enumerate(decisions):
            assert isinstance(step.answer, Choice)
            await here.inside.say(decision(here, table, f"d{number}", (*step.want.to, step.answer.action)))
        await barrage(here, table.id, now)
        heard = here.heard
        for action in offered(now)[:1]:
            answer = await here.send(msgspec.json.encode(decision(here, table, "Y", action)))
            assert answer == wire.Ok("Y"), answer
            heard.append(msgspec.json.encode(answer))
        return heard


def decision(here: World, table: Table, req: str, of: tuple[int, int, str]) -> wire.Decide:
    return wire.Decide(req, table.id, here.inside.round_id, here.inside.turn, *of)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", BLACKJACK)
async def test_no_refusal_depends_on_an_unseen_card(tmp_path: Path, name: str, seed: int) -> None:
    table, chance = published_tables()[name], Random(f"{name} {seed}")
    moments = decided(dealt(table, chance), chance)[:-1]
    for number, now in enumerate(moments):
        one = await played(tmp_path / f"{number}", table, shoe_of(now).shoe.cards, now)
        twin = await played(tmp_path / f"{number}'", table, otherwise(now, chance), now)
        assert twin == one


@pytest.mark.parametrize("name", OWN)
async def test_no_answer_to_a_deal_depends_on_what_it_deals(tmp_path: Path, name: str) -> None:
    """Also where the round ends with it, as every coup does."""
    table = published_tables()[name]
    one, *others = [await opened(tmp_path / str(seed), table, seed) for seed in range(6)]
    assert others == [one] * len(others)


async def opened(folder: Path, table: Table, seed: int) -> tuple[list[bytes], wire.Message]:
    """Return what a hostile client hears before the deal, and the answer to it."""
    stake = least(table)
    async with world(folder, CARDS, seed) as here:
        await spend(here)
        await here.inside.say(wire.Join("join", table.id, "GC"))
        await barrage(here, table.id, None)
        heard = here.heard
        answer = await here.send(msgspec.json.encode(wire.DealRound("Y", table.id, (stake,))))
        assert answer == wire.Ok("Y")
        return heard, answer


def least(table: Table) -> wire.Stake:
    bet = next(bet for bet in table.bets.values() if bet.main)
    return wire.Stake(0, bet.name, table.limits_of(bet, "GC").min_minor)


async def test_a_planted_settlement_key_from_the_request_is_found(tmp_path: Path) -> None:
    """The fault that was found: a client could spend the key of its round's settlement."""
    table = published_tables()["classic"]
    with planted():
        for seed in range(12):
            if await tells_apart(tmp_path / str(seed), table, Random(f"planted {seed}")):
                return
    raise AssertionError("not noticed")


async def tells_apart(folder: Path, table: Table, chance: Random) -> bool:
    """Return whether the answer to some decision of a round depends on the next card."""
    moments = decided(dealt(table, chance), chance)[:-1]
    for number, now in enumerate(moments):
        try:
            one = await played(folder / f"{number}", table, shoe_of(now).shoe.cards, now)
            twin = await played(folder / f"{number}'", table, otherwise(now, chance), now)
        except AssertionError:  # it was refused, since the next card ends the round
            return True
        if twin != one:
            return True
    return False


def planted() -> Any:
    """A bank that keys a settlement by the request that led to it, where the client has spent that key."""
    right: Callable[..., Any] = LedgerGateway.post

    async def post(self: LedgerGateway, posted: Any) -> None:
        *first, last = posted
        if first and last.kind == "settle":
            taken = f"{first[0].key}/settle"
            await right(self, [withdrawal(taken, 0, last.player, "GC", 1)])
            last = msgspec.structs.replace(last, key=taken)
        await right(self, [*first, last])

    return patch.object(LedgerGateway, "post", post)

"""Pairs of servers that differ in hidden cards only give a hostile client the same answers.

A refusal that depended on a card nobody has seen would reveal the card.
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

from croupier.admission.ledger_gateway import LedgerGateway
from croupier.app.site import create_site
from croupier.dealing.own import player_table
from croupier.equipment.cards import Card
from croupier.games import published_tables
from croupier.gateway.origins import PublicOrigins
from croupier.gateway.server import Server
from croupier.gateway.sockets import PLAYER_COOKIE
from croupier.ledger.entries import withdrawal
from croupier.play.contract.game import Table
from croupier.play.contract.wants import Choice, Decision
from croupier.play.driving.dealing import DealtRound
from croupier.protocol import wire
from croupier.staff.service import StaffService
from tests.equipment.random_sources import SeededRandomSource
from tests.gateway.test_hidden import dealt, decided, shoe_of, stakes, with_other_cards
from tests.support import hostile
from tests.support.in_process import InProcessClient, server_dealing

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning"),
]

BLACKJACK = ("classic", "premium", "multihand", "double_exposure")
OWN = tuple(name for name, table in published_tables().items() if table.dealing == "own")
SEEDS, DEALS = range(2), 4
CARDS: tuple[Card, ...] = ()
"""None: the game's own shoe, wheel or dice, seeded."""


class AttackedServer:
    """A client in a server of its own; `received` is everything sent to it, over HTTP and its socket."""

    def __init__(self, server: Server, inside: InProcessClient, http: httpx.AsyncClient) -> None:
        self.server = server
        self.inside = inside
        self._http = http
        self.http_answers: list[bytes] = []

    @property
    def received(self) -> list[bytes]:
        return [*self.http_answers, *self.inside.connection.frames]

    async def send(self, frame: bytes) -> wire.Message:
        """Send one frame; return the answer, which comes last."""
        self.inside.send_frame(frame)
        await self.inside.connection.answered()
        return self.inside.answer

    async def refused(self, frames: list[bytes]) -> None:
        """Send frames that must be refused, each with one message."""
        for frame in frames:
            before = len(self.inside.connection.frames)
            answer = await self.send(frame)
            assert isinstance(answer, wire.No), (frame, answer)
            assert len(self.inside.connection.frames) == before + 1, frame

    async def withdraw(self, req: str) -> int:
        """Spend an id at the cashier; return the status."""
        order = {"req": req, "currency": "GC", "amount_minor": 1}
        answer = await self._http.post("/api/cashier/withdraw", content=msgspec.json.encode(order))
        self.http_answers.append(b"%d %s" % (answer.status_code, answer.content))
        return answer.status_code


@asynccontextmanager
async def attacked(folder: Path, cards: tuple[Card, ...], seed: int = 0) -> AsyncIterator[AttackedServer]:
    with (
        server_dealing(folder, cards) as server,
        patch.object(player_table, "CountedRandomSource", lambda _: SeededRandomSource(seed)),
    ):
        inside = await InProcessClient.connect(server)
        (empty := folder / "client").mkdir()
        site: Any = create_site(server, StaffService(server), empty, "", 0, PublicOrigins(0))
        transport = httpx.ASGITransport(site)
        cookies = {PLAYER_COOKIE: inside.token}
        async with httpx.AsyncClient(transport=transport, base_url="http://here", cookies=cookies) as http:
            yield AttackedServer(server, inside, http)


async def spend(here: AttackedServer) -> None:
    """Spend ids at the cashier; those that look like the server's keys are malformed."""
    for req in hostile.USED_IDS:
        assert await here.withdraw(req) == httpx.codes.OK
    for shape in hostile.SERVER_KEYS:
        for round_ in ("r1", "X"):
            assert await here.withdraw(shape.format(round=round_)) == httpx.codes.BAD_REQUEST


def offered(now: DealtRound[Any]) -> list[tuple[int, int, str]]:
    return [
        (*want.to, option.action)
        for want in now.round.wants()
        if isinstance(want, Decision)
        for option in want.options
    ]


async def barrage(here: AttackedServer, table: str, now: DealtRound[Any] | None) -> None:
    """Send everything that a hostile client may try at this moment; all of it must be refused."""
    round_ = here.inside.round_id if now else hostile.OTHER_ROUND
    await here.refused(hostile.frames(hostile.reused(table, round_, hostile.USED_IDS)))
    await here.refused(hostile.frames(hostile.foreign(table)))
    await here.refused(list(hostile.MALFORMED))
    if now:
        await here.refused(hostile.frames(hostile.out_of_turn(table, round_, here.inside.turn, offered(now))))


async def played(folder: Path, table: Table, cards: tuple[Card, ...], now: DealtRound[Any]) -> list[bytes]:
    """Return what a hostile client receives until its decision at `now`, and the answer to that decision."""
    decisions = [step for step in now.steps if isinstance(step.want, Decision)]
    async with attacked(folder, cards) as here:
        await spend(here)
        await here.inside.request(wire.Join("join", table.id, "GC"))
        await barrage(here, table.id, None)
        await here.inside.request(wire.DealRound("deal", table.id, stakes(table)))
        for number, step in enumerate(decisions):
            assert isinstance(step.answer, Choice)
            await here.inside.request(
                decision(here, table, f"d{number}", (*step.want.to, step.answer.action))
            )
        await barrage(here, table.id, now)
        received = here.received
        for action in offered(now)[:1]:
            answer = await here.send(msgspec.json.encode(decision(here, table, "Y", action)))
            assert answer == wire.Ok("Y"), answer
            received.append(msgspec.json.encode(answer))
        return received


def decision(here: AttackedServer, table: Table, req: str, of: tuple[int, int, str]) -> wire.Decide:
    return wire.Decide(req, table.id, here.inside.round_id, here.inside.turn, *of)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", BLACKJACK)
async def test_no_refusal_depends_on_an_unseen_card(tmp_path: Path, name: str, seed: int) -> None:
    table, chance = published_tables()[name], Random(f"{name} {seed}")
    moments = decided(dealt(table, chance), chance)[:-1]
    for number, now in enumerate(moments):
        one = await played(tmp_path / f"{number}", table, shoe_of(now).shoe.cards, now)
        twin = await played(tmp_path / f"{number}'", table, with_other_cards(now, chance), now)
        assert twin == one


@pytest.mark.parametrize("name", OWN)
async def test_no_answer_to_a_deal_depends_on_what_it_deals(tmp_path: Path, name: str) -> None:
    """This includes deals that end the round, as in every coup."""
    table = published_tables()[name]
    one, *others = [await opened(tmp_path / str(seed), table, seed) for seed in range(DEALS)]
    assert others == [one] * len(others)


async def opened(folder: Path, table: Table, seed: int) -> tuple[list[bytes], wire.Message]:
    """Return what a hostile client receives before the deal, and the answer to it."""
    stake = lowest_stake(table)
    async with attacked(folder, CARDS, seed) as here:
        await spend(here)
        await here.inside.request(wire.Join("join", table.id, "GC"))
        await barrage(here, table.id, None)
        received = here.received
        answer = await here.send(msgspec.json.encode(wire.DealRound("Y", table.id, (stake,))))
        assert answer == wire.Ok("Y")
        return received, answer


def lowest_stake(table: Table) -> wire.Stake:
    bet = next(bet for bet in table.bets.values() if bet.main)
    return wire.Stake(0, bet.name, table.limits_of(bet, "GC").min_minor)


async def test_a_planted_settlement_key_from_the_request_is_found(tmp_path: Path) -> None:
    """The fault that was found: a client could spend the key of its round's settlement."""
    table = published_tables()["classic"]
    with planted():
        for seed in range(12):
            if await reveals_a_card(tmp_path / str(seed), table, Random(f"planted {seed}")):
                return
    raise AssertionError("not noticed")


async def reveals_a_card(folder: Path, table: Table, chance: Random) -> bool:
    """Return whether the answer to some decision of a round depends on the next card."""
    moments = decided(dealt(table, chance), chance)[:-1]
    for number, now in enumerate(moments):
        try:
            one = await played(folder / f"{number}", table, shoe_of(now).shoe.cards, now)
            twin = await played(folder / f"{number}'", table, with_other_cards(now, chance), now)
        except AssertionError:  # the decision was refused, since the next card ends the round
            return True
        if twin != one:
            return True
    return False


def planted() -> Any:
    """Plant a ledger gateway that keys a settlement by its request, after the client has used that key."""
    right: Callable[..., Any] = LedgerGateway.post

    async def post(self: LedgerGateway, posted: Any) -> None:
        *first, last = posted
        if first and last.kind == "settle":
            taken = f"{first[0].key}/settle"
            await right(self, [withdrawal(taken, 0, last.player, "GC", 1)])
            last = msgspec.structs.replace(last, key=taken)
        await right(self, [*first, last])

    return patch.object(LedgerGateway, "post", post)

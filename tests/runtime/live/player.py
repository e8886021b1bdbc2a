"""A player at live tables over any connection: keeps the messages and checks their order."""

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import msgspec

from croupier.protocol import wire

WITHIN_S = 20.0
INFINITE, SEVEN = "infinite", "seven_seat"
ROULETTE, BACCARAT = "live_roulette", "live_baccarat"
read = msgspec.json.Decoder(wire.Message).decode


class Player:
    """`say` sends a command."""

    def __init__(self, say: Callable[[bytes], None]) -> None:
        self.line = say
        self.frames: list[bytes] = []
        self.told: list[wire.Message] = []
        self.states: dict[str, wire.LiveState] = {}
        self.mine: dict[str, wire.PlayerState] = {}
        self.did: dict[str, list[wire.RoundEvent]] = defaultdict(list)
        self.chat: dict[str, list[wire.ChatLine]] = defaultdict(list)
        self.results: dict[str, wire.PlayerResult] = {}
        self.welcome: wire.Welcome | None = None
        self.cut_off = False
        self._v: dict[str, int] = {}
        self._answers: dict[str, asyncio.Future[wire.Ok | wire.No]] = {}
        self._news = asyncio.Event()

    # --- received

    def take(self, frame: bytes) -> None:
        message = read(frame)
        self.frames.append(frame)
        self.told.append(message)
        match message:
            case wire.LiveSnapshot(table=table):
                self._v[table] = message.v
                self.states[table] = message.state
                self.chat[table] = list(message.chat)
                self._my(table, message.mine)
            case wire.LiveUpdate(table=table):
                assert message.v == self._v[table] + 1, "events come in their order, each once"
                self._v[table] = message.v
                self.states[table] = message.state
                self.did[table] += message.did
            case wire.PlayerUpdate(table=table):
                self._my(table, message.mine)
            case wire.ChatPosted(table=table):
                self.chat[table].append(message.line)
            case wire.Welcome():
                self.welcome = message
            case wire.Ok(req=req) | wire.No(req=req) if req in self._answers:
                self._answers.pop(req).set_result(message)
            case _:
                pass
        self._news.set()

    def _my(self, table: str, mine: wire.PlayerState) -> None:
        self.mine[table] = mine
        if mine.result:
            self.results[mine.result.round] = mine.result

    def ended(self) -> None:
        """Note that the connection is lost."""
        self.cut_off = True
        self._news.set()

    async def until(self, true: Callable[[], Any]) -> None:
        async with asyncio.timeout(WITHIN_S):
            while not true():
                self._news.clear()
                await self._news.wait()

    async def phase(self, *phases: str, table: str = INFINITE) -> wire.LiveState:
        """Wait until the table is in one of these phases; return its state."""
        await self.until(lambda: self.states[table].clock.phase in phases)
        return self.states[table]

    def heard(self, what: str, table: str = INFINITE) -> list[wire.RoundEvent]:
        return [one for one in self.did[table] if one.what == what]

    # --- sent

    def send(self, command: Any) -> None:
        self.line(msgspec.json.encode(command))

    def asked(self, command: Any) -> asyncio.Future[wire.Ok | wire.No]:
        """Send a command; return its future answer."""
        answer: asyncio.Future[wire.Ok | wire.No] = asyncio.get_running_loop().create_future()
        self._answers[command.req] = answer
        self.send(command)
        return answer

    async def ask(self, command: Any) -> str:
        """Send a command; return the code of its refusal, empty if it is done."""
        async with asyncio.timeout(WITHIN_S):
            said = await self.asked(command)
        return said.code if isinstance(said, wire.No) else ""

    async def hello(self, *tables: wire.ResumedTable) -> None:
        self.welcome = None
        self.send(wire.Hello(wire.PROTOCOL, tables))
        await self.until(lambda: self.welcome)

    async def join(self, table: str = INFINITE, currency: str = "EUR") -> str:
        return await self.ask(wire.Join(req(), table, currency))

    async def bet(self, *stakes: tuple[int, str, int], table: str = INFINITE) -> str:
        return await self.ask(self.a_bet(*stakes, table=table))

    def a_bet(self, *stakes: tuple[int, str, int], table: str = INFINITE) -> wire.PlaceBet:
        round_ = self.states[table].clock.round
        return wire.PlaceBet(req(), table, round_, tuple(wire.Stake(*stake) for stake in stakes))

    async def decide(self, action: str, box: int = 0, hand: int = 0, table: str = INFINITE) -> str:
        return await self.ask(self.a_decision(action, box, hand, table))

    def a_decision(self, action: str, box: int = 0, hand: int = 0, table: str = INFINITE) -> wire.Decide:
        state = self.states[table]
        return wire.Decide(req(), table, state.clock.round, state.turn, box, hand, action)

    def turns(self, table: str = INFINITE) -> list[tuple[int, int, tuple[str, ...]]]:
        """Return box, hand and options of each of the player's open decisions."""
        state, mine = self.states[table], self.mine[table]
        if not mine.stakes or state.round is None or state.clock.phase not in ("offer", "decisions"):
            return []
        made = {(one.box, one.hand) for one in mine.made if one.waiting}
        boxes = {stake.box for stake in mine.stakes}
        return [
            (turn.box, turn.hand, tuple(option.action for option in turn.options))
            for turn in state.round.turns
            if turn.box in boxes and (turn.box, turn.hand) not in made
        ]


def req() -> str:
    return secrets.token_hex(8)

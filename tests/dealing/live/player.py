"""A player at live tables, over any connection: stores the messages and checks their order."""

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import msgspec

from croupier.protocol import wire

TIMEOUT_S = 60.0
"""Long, since commits may take seconds on a busy machine."""
INFINITE, SEVEN = "infinite", "seven_seat"
ROULETTE, BACCARAT = "live_roulette", "live_baccarat"
decode = msgspec.json.Decoder(wire.Message).decode


class Player:
    """A player at live tables, with everything that was received.

    `send_frame` sends bytes to the server.
    """

    def __init__(self, send_frame: Callable[[bytes], None]) -> None:
        self.send_frame = send_frame
        self.frames: list[bytes] = []
        self.messages: list[wire.Message] = []
        self.states: dict[str, wire.LiveState] = {}
        self.mine: dict[str, wire.PlayerState] = {}
        self.did: dict[str, list[wire.RoundEvent]] = defaultdict(list)
        self.chat: dict[str, list[wire.ChatLine]] = defaultdict(list)
        self.results: dict[str, wire.PlayerResult] = {}
        self.welcome: wire.Welcome | None = None
        self.disconnected = False
        self._versions: dict[str, int] = {}
        self._answers: dict[str, asyncio.Future[wire.Ok | wire.No]] = {}
        self._arrived = asyncio.Event()

    # --- received

    def receive(self, frame: bytes) -> None:
        message = decode(frame)
        self.frames.append(frame)
        self.messages.append(message)
        match message:
            case wire.LiveSnapshot(table=table):
                self._versions[table] = message.v
                self.states[table] = message.state
                self.chat[table] = list(message.chat)
                self._update_own(table, message.mine)
            case wire.LiveUpdate(table=table):
                assert message.v == self._versions[table] + 1, "updates arrive in order, each exactly once"
                self._versions[table] = message.v
                self.states[table] = message.state
                self.did[table] += message.did
            case wire.PlayerUpdate(table=table):
                self._update_own(table, message.mine)
            case wire.ChatPosted(table=table):
                self.chat[table].append(message.line)
            case wire.Welcome():
                self.welcome = message
            case wire.Ok(req=req) | wire.No(req=req) if req in self._answers:
                self._answers.pop(req).set_result(message)
            case _:
                pass
        self._arrived.set()

    def _update_own(self, table: str, mine: wire.PlayerState) -> None:
        self.mine[table] = mine
        if mine.result:
            self.results[mine.result.round] = mine.result

    def connection_lost(self) -> None:
        """Record the loss of the connection."""
        self.disconnected = True
        self._arrived.set()

    async def until(self, condition: Callable[[], Any]) -> None:
        async with asyncio.timeout(TIMEOUT_S):
            while not condition():
                self._arrived.clear()
                await self._arrived.wait()

    async def until_phase(self, *phases: str, table: str = INFINITE) -> wire.LiveState:
        """Wait until the table is in one of these phases; return its state."""
        await self.until(lambda: self.states[table].clock.phase in phases)
        return self.states[table]

    def events(self, what: str, table: str = INFINITE) -> list[wire.RoundEvent]:
        return [event for event in self.did[table] if event.what == what]

    # --- sent

    def send(self, command: Any) -> None:
        self.send_frame(msgspec.json.encode(command))

    def submit(self, command: Any) -> asyncio.Future[wire.Ok | wire.No]:
        """Send a command; return the future of its answer."""
        answer: asyncio.Future[wire.Ok | wire.No] = asyncio.get_running_loop().create_future()
        self._answers[command.req] = answer
        self.send(command)
        return answer

    async def ask(self, command: Any) -> str:
        """Send a command; return the code of its refusal, empty if it was accepted."""
        async with asyncio.timeout(TIMEOUT_S):
            answer = await self.submit(command)
        return answer.code if isinstance(answer, wire.No) else ""

    async def hello(self, *tables: wire.ResumedTable) -> None:
        self.welcome = None
        self.send(wire.Hello(wire.PROTOCOL, tables))
        await self.until(lambda: self.welcome)

    async def join(self, table: str = INFINITE, currency: str = "EUR") -> str:
        return await self.ask(wire.Join(req(), table, currency))

    async def bet(self, *stakes: tuple[int, str, int], table: str = INFINITE) -> str:
        return await self.ask(self.bet_command(*stakes, table=table))

    def bet_command(self, *stakes: tuple[int, str, int], table: str = INFINITE) -> wire.PlaceBet:
        round_ = self.states[table].clock.round
        return wire.PlaceBet(req(), table, round_, tuple(wire.Stake(*stake) for stake in stakes))

    async def decide(self, action: str, box: int = 0, hand: int = 0, table: str = INFINITE) -> str:
        return await self.ask(self.decide_command(action, box, hand, table))

    def decide_command(self, action: str, box: int = 0, hand: int = 0, table: str = INFINITE) -> wire.Decide:
        state = self.states[table]
        return wire.Decide(req(), table, state.clock.round, state.turn, box, hand, action)

    def turns(self, table: str = INFINITE) -> list[tuple[int, int, tuple[str, ...]]]:
        """Return the box, the hand and the options of each of the player's open decisions."""
        state, mine = self.states[table], self.mine[table]
        if not mine.stakes or state.round is None or state.clock.phase not in ("offer", "decisions"):
            return []
        decided = {(decision.box, decision.hand) for decision in mine.made if decision.waiting}
        boxes = {stake.box for stake in mine.stakes}
        return [
            (turn.box, turn.hand, tuple(option.action for option in turn.options))
            for turn in state.round.turns
            if turn.box in boxes and (turn.box, turn.hand) not in decided
        ]


def req() -> str:
    return secrets.token_hex(8)

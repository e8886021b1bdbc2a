"""Other players for the pictures: over sockets of their own, so that seats and shares are filled."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple

from croupier.games.blackjack.view import TurnView
from croupier.protocol import wire
from tests.runtime.live.dialled import dialled
from tests.runtime.live.player import Player, req


class Guest(NamedTuple):
    """Who bets the same in every round, and takes the first of his `wishes` that is on offer.

    `seat` is also the box of his stakes; `says` is his line of chat.
    """

    stakes: Sequence[tuple[str, int]]
    wishes: Sequence[str]
    seat: int = 0
    says: str = ""


@contextmanager
def crowd(address: str, guests: Mapping[str, Sequence[Guest]]) -> Iterator[None]:
    """They play in a thread of their own until the block is left: the browser's pages have the other."""
    loop = asyncio.new_event_loop()
    leave = asyncio.Event()
    with ThreadPoolExecutor(1) as aside:
        playing = aside.submit(loop.run_until_complete, _until(leave, address, guests))
        try:
            yield
        finally:
            loop.call_soon_threadsafe(leave.set)
            playing.result()
            loop.close()


async def _until(leave: asyncio.Event, address: str, guests: Mapping[str, Sequence[Guest]]) -> None:
    async with asyncio.TaskGroup() as group:
        playing = [
            group.create_task(_plays(address, table, one)) for table, some in guests.items() for one in some
        ]
        await leave.wait()
        for task in playing:
            task.cancel()


async def _plays(address: str, table: str, guest: Guest) -> None:
    async with dialled(address) as line:
        player = line.player
        await player.join(table)
        await player.until(lambda: table in player.mine)
        if player.states[table].seats or table == "seven_seat":
            await player.ask(wire.Sit(req(), table, guest.seat))
        if guest.says:
            await player.ask(wire.PostChat(req(), table, guest.says))
        while True:
            await _does(player, table, guest)
            await asyncio.sleep(0.2)


async def _does(player: Player, table: str, guest: Guest) -> None:
    """Whatever is to be done now."""
    clock = player.states[table].clock
    if clock.phase == "betting" and not player.mine[table].stakes:
        await player.bet(*((guest.seat, bet, minor) for bet, minor in guest.stakes), table=table)
    for turn in _turns(player, table):
        offered = {option.action for option in turn.options}
        action = next(wish for wish in guest.wishes if wish in offered)
        await player.decide(action, turn.box, turn.hand, table)


def _turns(player: Player, table: str) -> list[TurnView]:
    """His that are open. What he has decided already he decides again alike, or is refused."""
    state, boxes = player.states[table], {stake.box for stake in player.mine[table].stakes}
    if state.round is None or state.clock.phase not in ("insurance", "decisions"):
        return []
    return [turn for turn in state.round.turns if turn.box in boxes]

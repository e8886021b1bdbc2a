"""Other players in the screenshots, connected by sockets of their own."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple

from croupier.games.blackjack.view import TurnView
from croupier.protocol import wire
from tests.dealing.live.player import Player, req
from tests.dealing.live.socket_client import connected_guest


class Guest(NamedTuple):
    """A player who makes the same bets in every round and takes the first of their `wishes` that is offered.

    `seat` is also the box of the stakes; `says` is a line of chat.
    """

    stakes: Sequence[tuple[str, int]]
    preferences: Sequence[str]
    seat: int = 0
    says: str = ""


@contextmanager
def other_players(address: str, guests: Mapping[str, Sequence[Guest]]) -> Iterator[None]:
    """Let guests play in a thread of their own until the block ends; the browser's pages use this one."""
    loop = asyncio.new_event_loop()
    leave = asyncio.Event()
    with ThreadPoolExecutor(1) as aside:
        tasks = aside.submit(loop.run_until_complete, _until(leave, address, guests))
        try:
            yield
        finally:
            loop.call_soon_threadsafe(leave.set)
            tasks.result()
            loop.close()


async def _until(leave: asyncio.Event, address: str, guests: Mapping[str, Sequence[Guest]]) -> None:
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(_play(address, table, one)) for table, some in guests.items() for one in some
        ]
        await leave.wait()
        for task in tasks:
            task.cancel()


async def _play(address: str, table: str, guest: Guest) -> None:
    async with connected_guest(address) as line:
        player = line.player
        await player.join(table)
        await player.until(lambda: table in player.mine)
        if player.states[table].seats or table == "seven_seat":
            await player.ask(wire.Sit(req(), table, guest.seat))
        if guest.says:
            await player.ask(wire.PostChat(req(), table, guest.says))
        while True:
            await _act(player, table, guest)
            await asyncio.sleep(0.2)


async def _act(player: Player, table: str, guest: Guest) -> None:
    """Do what is due now."""
    clock = player.states[table].clock
    if clock.phase == "betting" and not player.mine[table].stakes:
        await player.bet(*((guest.seat, bet, minor) for bet, minor in guest.stakes), table=table)
    for turn in _turns(player, table):
        offered = {option.action for option in turn.options}
        action = next(wish for wish in guest.preferences if wish in offered)
        await player.decide(action, turn.box, turn.hand, table)


def _turns(player: Player, table: str) -> list[TurnView]:
    """Return the guest's open turns; a repeated decision is the same, or is refused."""
    state, boxes = player.states[table], {stake.box for stake in player.mine[table].stakes}
    if state.round is None or state.clock.phase not in ("offer", "decisions"):
        return []
    return [turn for turn in state.round.turns if turn.box in boxes]

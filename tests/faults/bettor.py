"""Players who bet at live tables of several nodes, and checks of what they have then."""

import asyncio
import time
from contextlib import suppress
from functools import partial

from croupier import clock
from croupier.protocol import wire
from tests.dealing.live.player import Player
from tests.dealing.live.socket_client import PlayerClient, connected_guest
from tests.support.browser_connection import Browser
from tests.support.server_process import ServerProcess

STAKE = (0, "main", 1_000)
RAISED_MINOR = range(2_000, 7_000, 1_000)
RAISED_MS, RAISE_EACH_S = 10, 0.002
"""Raises begin this long before bets close, and come so often that a commit is under way when they close."""
GRANT_MINOR = 100_000
FOLLOWED_S = 3.0
"""Time in which each node knows the balances."""


async def joined_in(player: Player, limit_s: float) -> float:
    """Return after how many seconds the player could join the table."""
    began = time.monotonic()
    while (refused := await player.join()) and time.monotonic() < began + limit_s:
        assert refused == "server_unavailable"
        await asyncio.sleep(0.05)
    assert not refused, f"not joined within {limit_s} s"
    return time.monotonic() - began


class Bettor:
    """A player at one table; `accepted_minor`: the stakes that the server has accepted.

    `round`: the round in which the player has bet.
    """

    def __init__(self, client: PlayerClient, table: str) -> None:
        self.client = client
        self.table = table
        self.accepted_minor = 0
        self.round = ""

    @property
    def clock(self) -> wire.LiveClock:
        """The table's clock, as far as the player knows."""
        return self.client.player.states[self.table].clock

    async def until_bets_close(self, before_ms: int = 0) -> None:
        """Wait until the time for bets is up, or will be up soon, if it isn't yet."""
        if (closes_ms := self.clock.bets_close_ms) is not None:
            await asyncio.sleep(max(0, closes_ms - before_ms - clock.now_ms()) / 1000)

    async def bet(self) -> None:
        """Bet, in a later round if the present one takes no more bets."""
        player = self.client.player
        assert await player.join(self.table) == ""
        while True:
            self.round = (await player.until_phase("betting", table=self.table)).clock.round
            if (refused := await player.bet(STAKE, table=self.table)) == "":
                break
            assert refused in ("betting_closed", "round_ended"), refused
        self.accepted_minor = STAKE[2]

    async def raise_late(self) -> None:
        """Raise the bet again and again just before bets close, without waiting for the answers."""
        await self.until_bets_close(RAISED_MS)
        for minor in RAISED_MINOR:
            if self.clock.round != self.round:
                return
            command = self.client.player.bet_command((*STAKE[:2], minor), table=self.table)
            self.client.player.submit(command).add_done_callback(partial(self._raised, minor))
            await asyncio.sleep(RAISE_EACH_S)

    def _raised(self, minor: int, answer: asyncio.Future[wire.Ok | wire.No]) -> None:
        if isinstance(answer.result(), wire.Ok):
            self.accepted_minor = max(self.accepted_minor, minor)

    async def double(self) -> None:
        """Double when that may be decided, unless the owner fails before."""
        player = self.client.player
        with suppress(TimeoutError):
            await player.until(lambda: player.turns(self.table))
            box, hand, options = player.turns(self.table)[0]
            if "double" in options and not await player.decide("double", box, hand, self.table):
                self.accepted_minor += STAKE[2]

    async def until_disconnected(self) -> None:
        player = self.client.player
        await player.until(lambda: player.disconnected)

    async def check_money(self, node: ServerProcess) -> None:
        """Check that the round has ended once, and that the node's balance follows from the history."""
        until = time.monotonic() + FOLLOWED_S
        async with Browser(node.address) as browser:
            browser.http.cookies = self.client.browser.http.cookies
            line = await only_line(browser)
        assert line.staked_minor >= self.accepted_minor
        expected = (GRANT_MINOR - line.staked_minor + line.returned_minor, 0)
        while (found := await self._balance(node)) != expected:
            assert time.monotonic() < until, f"{found} instead of {expected}"
            await asyncio.sleep(0.1)

    async def _balance(self, node: ServerProcess) -> tuple[int, int]:
        """Return the balance and the money in play, as a node has them."""
        async with connected_guest(node.address, self.client) as fresh:
            assert fresh.player.welcome is not None
            (euro,) = (each for each in fresh.player.welcome.balances if each.currency == "EUR")
        return euro.balance_minor, euro.in_play_minor


async def only_line(browser: Browser) -> wire.HistoryLine:
    """Return the player's only round, which has ended."""
    history = await browser.get("/api/history", wire.History)
    assert len(history.lines) == 1
    (line,) = history.lines
    assert line.status in ("settled", "void")
    assert line.staked_minor >= STAKE[2]
    if line.status == "void":
        assert line.returned_minor == line.staked_minor
    return line

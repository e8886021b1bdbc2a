"""One call of one system with one fault: who is told of it, how soon, and whether others can play."""

import asyncio
import secrets
import time
from collections.abc import Awaitable
from contextlib import suppress
from typing import NamedTuple

from croupier.app.serve import DATABASE
from croupier.integration.wallet_operator.operator import WalletBalance, WalletControl
from croupier.ledger.sqlite.store import SqliteReader
from croupier.protocol import wire
from tests.faults.outside.link import OutsideFault
from tests.faults.outside.site import Site
from tests.support.browser_connection import connect_guest

TOLD_S = 5.0
ENDS_S = 40.0
START_MINOR = 10_000
FAILS: frozenset[OutsideFault] = frozenset({"drop", "contradict", "silence"})
"""Faults after which the server has no answer."""
ANSWERED: frozenset[tuple[str, OutsideFault]] = frozenset({("/token", "contradict")})
"""Contradictions that are answers: a token of nobody is a failed sign-in, which the event log has."""
OTHER, OTHER_STAKE = "roulette", wire.Stake(0, "red", 1_000)


class Met(NamedTuple):
    """A line of the report. `staff_s` None: staff need not know."""

    system: str
    call: str
    fault: str
    told: str
    told_s: float
    staff_s: float | None
    ended_s: float


class Run:
    """The steps that all calls share. `killed`: the server is killed while the call is on its way."""

    def __init__(self, site: Site, system: str, path: str, fault: OutsideFault, *, killed: bool) -> None:
        self.site = site
        self.system = system
        self.path = path
        self.fault = fault
        self.killed = killed
        self.link = site.links[system]
        self.name = f"p-{secrets.token_hex(6)}"
        self._before = self._began_s = self._told_s = 0.0
        self._told = "-"
        self._staff_s: float | None = None

    @property
    def fails(self) -> bool:
        return self.fault in FAILS

    def fund(self) -> None:
        """Give the player a balance in the wallet."""
        balance = WalletBalance(self.name, "SC", START_MINOR)
        self.site.operator.control(WalletControl(balances=(balance,)))

    async def begin(self, **others: OutsideFault) -> None:
        """Have the fault from now on, and `others` at further paths, which are written without a slash."""
        self._before = await asyncio.to_thread(self.site.unanswered, self.system)
        self.link.met.clear()
        self.link.faults = {self.path: self.fault, **{f"/{path}": fault for path, fault in others.items()}}
        self._began_s = time.monotonic()

    async def attempt(self, work: Awaitable[str]) -> str:
        """Do what makes the call, and note what the player is told; kill the server meanwhile if asked to."""
        task = asyncio.ensure_future(work)
        if self.killed:
            await self.meet()
            await asyncio.to_thread(self.site.server.kill)
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task
            self.link.heal()
            await asyncio.to_thread(self.site.start)
            return "killed"
        self._told = await task
        self._told_s = time.monotonic() - self._began_s
        assert self._told_s <= TOLD_S, f"the player is told after {self._told_s:.1f} s"
        return self._told

    def note(self, told: str) -> None:
        """Note what the player was told, where `attempt` doesn't."""
        self._told = told

    async def meet(self) -> None:
        """Wait until the call has met the fault."""
        async with asyncio.timeout(ENDS_S):
            while (self.path, self.fault) not in self.link.met:  # noqa: ASYNC110 - threads of links
                await asyncio.sleep(0.01)

    async def end(self) -> None:
        """Check that staff are told, and that others can play; then have no fault."""
        if self.killed:
            return
        await self.meet()
        if self.fails and (self.path, self.fault) not in ANSWERED:
            left_s = TOLD_S - (time.monotonic() - self._began_s)
            await asyncio.to_thread(self.site.staff_see, self.system, self._before, max(left_s, 0.5))
            self._staff_s = time.monotonic() - self._began_s
        await self._others_play()
        self.link.heal()

    async def _others_play(self) -> None:
        async with connect_guest(self.site.server.address) as guest:
            await guest.join(OTHER)
            answer = await guest.deal(OTHER, OTHER_STAKE)
            assert answer.code == "", f"others are refused: {answer.code}"

    async def settle(self, player: str) -> None:
        """Wait until no call to the wallet is open, and check the player's money there."""
        reader = SqliteReader(self.site.server.data / DATABASE)
        try:
            async with asyncio.timeout(ENDS_S):
                while any(  # noqa: ASYNC110 - the server brings it about
                    call.ticket.player == player for call in reader.wallet_calls()
                ):
                    await asyncio.sleep(0.05)
            totals = reader.totals(player).get("SC", (0, 0))
        finally:
            reader.close()
        log = await asyncio.to_thread(lambda: self.site.operator.log)
        balances = {each.player: each.balance_minor for each in log.balances if each.currency == "SC"}
        expected = START_MINOR - totals[0] + totals[1]
        assert balances[self.name] == expected, f"the wallet has {balances[self.name]}, not {expected}"

    def met(self) -> Met:
        ended_s = time.monotonic() - self._began_s
        fault = f"{self.fault}, kill" if self.killed else self.fault
        return Met(self.system, self.path, fault, self._told, self._told_s, self._staff_s, ended_s)

"""Random rounds of several players, whose wallet misbehaves and whose server crashes.

The server's side of a wallet, with a real ledger, asks the reference operator. Calls without an answer are
repeated at once instead of after a time. All choices follow from a seed; the order of what happens at once
doesn't.
"""

import asyncio
import random
from collections import Counter
from itertools import count
from unittest.mock import patch

from croupier import clock
from croupier.admission.balances import BalanceCache
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.integration.wallet_operator.operator import ReferenceOperator
from croupier.integration.wallet_operator.wallet import OperatorWallet, WalletAccount
from croupier.ledger import entries
from croupier.ledger.entries import Ticket
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.ledger.wallet_calls import HeldCalls, SharedCalls
from croupier.ledger.wallet_rounds import WalletRounds
from croupier.money.wallet import driver
from croupier.money.wallet.balances import WalletBalances
from croupier.money.wallet.driver import WalletDriver
from croupier.money.wallet.names import OperatorNames
from croupier.money.wallet.service import WalletService
from croupier.money.wallet.stakes import WalletStakes
from croupier.outside.systems import OutsideSystem
from croupier.players.connected_players import ConnectedPlayers
from croupier.refusal import Refused
from tests.money.wallet.misbehaving import SECRET, MisbehavingWallet

CURRENCY, TABLE, GAME = "EUR", "classic", "blackjack"
START_MINOR, STAKE_MINOR_MAX = 100_000, 9_000
ROUNDS, MORE_STAKES_MAX = 2, 2
CRASHES, VOIDS = 0.3, 0.1
"""Shares of the plays that end in a crash, and of the rounds that are void."""
CRASH_S_MAX = 0.1
ORPHANED_MS, ADOPTS_S = 20, 0.005
"""So short that a server takes calls over also from others that still work on them."""
DELIVERIES_MAX = 20
"""Maximum number of times that a call is sent to a wallet that answers."""


class SameNames(OperatorNames):
    """The operator's names of players are their ids."""

    def __init__(self) -> None:
        pass

    async def of(self, player: str) -> str:
        return player


class ServerSide:
    """The parts of a server that its wallet needs, on a ledger that outlives them."""

    def __init__(self, ledger: SqliteLedger, client: MisbehavingWallet, *, shared: bool) -> None:
        """`shared`: other servers use the same ledger."""
        balances, names = BalanceCache(), SameNames()
        players = ConnectedPlayers(balances)
        limits = PlayerLimits(ledger, balances, players.visit_began_ms)
        calls = SharedCalls(ledger) if shared else HeldCalls()
        self.rounds = rounds = WalletRounds([CURRENCY], {TABLE: GAME}, calls)
        self.gateway = LedgerGateway(ledger, balances, limits, rounds)
        system = OutsideSystem("wallet")
        shown = WalletBalances(self.gateway, ledger, balances, players, client, system)
        self.stakes = WalletStakes(self.gateway, limits, rounds, names, client, shown)
        self.driver = WalletDriver(self.gateway, rounds, names, client, shown, system)
        self._service = WalletService(ledger, rounds, self.stakes, self.driver, shown, client, names)

    async def start(self) -> None:
        await self._service.load()
        self._delivering = [asyncio.create_task(self.driver.run())]
        if self.rounds.calls.are_shared:
            self._delivering.append(asyncio.create_task(self._adopt()))

    async def _adopt(self) -> None:
        """Look for the calls of servers that have crashed."""
        while True:
            await asyncio.sleep(ADOPTS_S)
            await self.driver.adopt()

    async def crash(self) -> None:
        """Stop the deliveries at once."""
        for task in self._delivering:
            task.cancel()
        await asyncio.gather(*self._delivering, return_exceptions=True)


class Campaign:
    """Rounds of many players with an operator's wallet.

    `nets` has what each player has won, as their rounds ended; `moves` counts changes of the server.

    Each of several servers takes rounds over from the others, and one at a time crashes.
    """

    def __init__(
        self, ledger: SqliteLedger, wallet: type[OperatorWallet], players: int, seed: int, servers: int
    ) -> None:
        self.players = [f"p{number}" for number in range(players)]
        self.wallet = wallet({WalletAccount(player, CURRENCY): START_MINOR for player in self.players})
        self.nets: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.crashes = self.moves = 0
        self._chance = random.Random(seed)
        self.client = MisbehavingWallet(ReferenceOperator(SECRET, self.wallet), self._chance)
        self._ledger = ledger
        self._numbers = count(1)
        self._shared = servers > 1
        self._servers = [self._new_server() for _ in range(servers)]
        self._at: dict[str, ServerSide] = {}
        """The servers of the open rounds."""

    def _new_server(self) -> ServerSide:
        return ServerSide(self._ledger, self.client, shared=self._shared)

    async def run(self, calls: int) -> None:
        """Play until so many calls were made, then have everything acknowledged."""
        for server in self._servers:
            await server.start()
        while self.client.calls < calls:
            await self._play(until_crash=self._chance.random() < CRASHES)
        self.client.is_honest = True
        for server in self._servers[1:]:
            await server.crash()
        del self._servers[1:]
        await self._recover()
        for _ in range(DELIVERIES_MAX):
            await self._servers[0].driver.work()
            await asyncio.sleep(ADOPTS_S if self._shared else 0)
        await self._servers[0].crash()
        self.client.deliver_all()

    async def _play(self, *, until_crash: bool) -> None:
        """Have all players play; a crash stops them, and the deliveries, at a random moment."""
        playing = asyncio.gather(*map(self._rounds, self.players))
        if until_crash:
            await asyncio.wait([playing], timeout=self._chance.random() * CRASH_S_MAX)
            playing.cancel()
        await asyncio.gather(playing, return_exceptions=until_crash)
        if until_crash:
            self.crashes += 1
            await self._recover()

    async def _recover(self) -> None:
        """Crash a server and begin anew with what the ledger has: calls go on, and open rounds end."""
        which = self._chance.randrange(len(self._servers))
        await self._servers[which].crash()
        last = entries.note(self._key(), clock.now_ms(), {"note": "crash"})
        await asyncio.wrap_future(self._ledger.post([last]))
        self._servers[which] = self._new_server()
        self._at.clear()
        await self._servers[which].start()
        for record in self._ledger.open_rounds():
            await self._end(record.ticket, record.staked_minor)

    async def _rounds(self, player: str) -> None:
        for _ in range(ROUNDS):
            ticket = Ticket(f"round{next(self._numbers)}", player, TABLE, CURRENCY)
            staked = await self._stake(ticket, 0)
            for _ in range(self._chance.randint(0, MORE_STAKES_MAX) if staked else 0):
                staked = await self._stake(ticket, staked)
            if staked:
                await self._end(ticket, staked)

    async def _stake(self, ticket: Ticket, staked_minor: int) -> int:
        """Stake more; return the whole stake, which is the one before if more is refused."""
        more_minor = self._chance.randint(1, STAKE_MINOR_MAX)
        if staked_minor:
            entry = entries.answer(ticket, self._key(), clock.now_ms(), extra_minor=more_minor)
        else:
            entry = entries.deal(ticket, self._key(), clock.now_ms(), number="#1", staked_minor=more_minor)
        try:
            await self._server(ticket).stakes.post(ticket.player, [entry])
        except Refused as refusal:
            self.refusals[refusal.code] += 1
            return staked_minor
        return staked_minor + more_minor

    async def _end(self, ticket: Ticket, staked_minor: int) -> None:
        """Settle a round, or void it."""
        of_round = ticket, self._key(), clock.now_ms()
        returned_minor = staked_minor
        if self._chance.random() < VOIDS:
            entry = entries.void(*of_round, staked_minor=staked_minor, reason="malfunction")
        else:
            returned_minor = self._chance.choice((0, staked_minor, 2 * staked_minor))
            entry = entries.settle(*of_round, staked_minor=staked_minor, returned_minor=returned_minor)
        self.nets[ticket.player] += returned_minor - staked_minor  # a crash doesn't stop what is being posted
        await self._server(ticket).gateway.post([entry])
        del self._at[ticket.round]

    def _server(self, ticket: Ticket) -> ServerSide:
        """Return the server of a round, which may be another one than before."""
        server, before = self._chance.choice(self._servers), self._at.get(ticket.round)
        if server != before and (record := self._ledger.round(ticket.round)):
            server.rounds.recall(record, server.rounds.is_paid(self._ledger, record.id))
            self.moves += 1
        self._at[ticket.round] = server
        return server

    def _key(self) -> str:
        return f"key{next(self._numbers)}"


async def played(
    ledger: SqliteLedger,
    *,
    calls: int,
    seed: int,
    players: int = 32,
    wallet: type[OperatorWallet] = OperatorWallet,
    servers: int = 1,
) -> Campaign:
    """Return a campaign with so many calls, after everything is acknowledged."""
    campaign = Campaign(ledger, wallet, players, seed, servers)
    with (
        patch.object(driver, "RETRY_MS_MIN", 0),
        patch.object(driver, "RETRY_MS_MAX", 0),
        patch.object(driver, "ORPHANED_MS", ORPHANED_MS),
    ):
        await campaign.run(calls)
    return campaign

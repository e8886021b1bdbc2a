"""An own table of the operator's player, in a server without a network."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self
from unittest.mock import patch

from croupier.equipment.cards import cards
from croupier.equipment.shoe import Shoe
from croupier.gateway.server import Server
from croupier.play.driving.sources import ShoeSource
from croupier.protocol import wire
from croupier.tables import own
from tests.dealing.live.in_process import running_server
from tests.dealing.live.player import req
from tests.support.in_process import DECODER, InProcessClient
from tests.support.wallet import LocalOperator, config_toml, delivering, launched, reaching

TABLE, STAKE_MINOR = "classic", 1_000
NINETEEN = "TC 7D 9C TD 2C 3C 4C 5C"
"""The player's 19 beats the dealer's 17."""
ELEVEN = "5C 7D 6D TD TC 2C 3C 4C"
"""The player's 11 against a seven; a ten comes next."""


class OwnTable:
    """A launched player at their own table."""

    def __init__(self, server: Server, client: InProcessClient) -> None:
        self.server, self.client = server, client
        self.welcome = next(one for one in self.messages if isinstance(one, wire.Welcome))
        self.player = self.welcome.player

    @classmethod
    async def open(cls, server: Server, name: str = "anna") -> Self:
        client = InProcessClient(server, await launched(server, name))
        await client.request(wire.Hello(wire.PROTOCOL), wire.Ping())
        await client.request(wire.Join("join", TABLE, "SC"))
        return cls(server, client)

    @property
    def messages(self) -> list[wire.Message]:
        return [*map(DECODER.decode, self.client.connection.frames)]

    @property
    def decided(self) -> list[tuple[str, str]]:
        """The decisions that were made, and by whom."""
        updates = (one for one in self.messages if isinstance(one, wire.TableUpdate))
        return [(did.action, did.by) for update in updates for did in update.did if did.what == "decided"]

    @property
    def shown_minor(self) -> int:
        """The balance that the player saw last."""
        found = (one.balance for one in reversed(self.messages) if isinstance(one, wire.BalanceUpdate))
        return next(balance.balance_minor for balance in found if balance.currency == "SC")

    async def deal(self, stake_minor: int = STAKE_MINOR) -> str:
        """Deal; return the code of the refusal."""
        await self.client.request(wire.DealRound(req(), TABLE, (wire.Stake(0, "main", stake_minor),)))
        return self._refusal

    async def decide(self, action: str) -> str:
        command = wire.Decide(req(), TABLE, self.client.round_id, self.client.turn, 0, 0, action)
        await self.client.request(command)
        return self._refusal

    @property
    def _refusal(self) -> str:
        answer = next(one for one in reversed(self.messages) if isinstance(one, wire.Ok | wire.No))
        return answer.code if isinstance(answer, wire.No) else ""


@asynccontextmanager
async def serving(folder: Path, operator: LocalOperator, dealt: str = NINETEEN) -> AsyncIterator[Server]:
    """Run a server that deals every round from these cards."""
    shoe = Shoe(cards(dealt), dealt=0, cut=8)
    with reaching(operator), patch.object(own, "fresh_source", lambda *_: ShoeSource(shoe)):
        async with running_server(folder, config_toml(folder)) as server, delivering(server):
            yield server

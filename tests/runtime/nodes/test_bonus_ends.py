"""A bonus whose balance one node doesn't know yet: its end takes what the journal has, and nothing else."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from croupier import clock
from croupier.accounts.bonus import Bonus
from croupier.ledger import entries
from croupier.ledger.bonus_entries import bonus_stake
from croupier.ledger.entries import Ticket
from croupier.ledger.sql.store import SqlLedger
from croupier.protocol.wire import CashierRequest
from croupier.refusal import Refused
from croupier.runtime.nodes.local_bus import LocalBus
from croupier.runtime.server import Server
from tests.support.nodes import node, tables_named

pytestmark = pytest.mark.anyio
GC = "GC"
GRANTED, STAKED = 1_000, 400
CONFIG = """
[bonuses.gift]
title = "A gift"
currency = "GC"
amount = "1000"
multiple = 10
days = 7
"""


class Granted(NamedTuple):
    """Two nodes, and a player with a bonus that both know."""

    one: Server
    other: Server
    player: str
    bonus: Bonus

    def held(self, kind: str) -> int:
        return self.one.ledger.balances(self.player)[GC].get(kind, 0)

    async def stake_at_the_other(self) -> None:
        """Stake some of the bonus through the other node; this one isn't told yet."""
        ticket = Ticket(f"round:{self.player}", self.player, "classic", GC)
        deal = entries.deal(ticket, f"deal:{self.player}", clock.now_ms(), number="#1", staked_minor=STAKED)
        stake = bonus_stake(self.bonus.id, ticket, deal.key, clock.now_ms(), STAKED)
        await self.other.gateway.post([stake, deal])


@pytest.fixture
async def granted(ledger: SqlLedger, tmp_path: Path) -> AsyncIterator[Granted]:
    tables, bus = tables_named("classic"), LocalBus()
    async with AsyncExitStack() as stack:
        one, other = [
            await stack.enter_async_context(node(ledger, tmp_path, tables, CONFIG, bus)) for _ in "ab"
        ]
        known = await one.sessions.signed_in(await one.sessions.add_guest())
        assert known is not None
        await one.bonuses.grant(known.id, "gift", "a test")
        (bonus,) = one.bonuses.of(known.id, GC)
        await other.bonuses.reload(known.id)
        yield Granted(one, other, known.id, bonus)


async def test_a_player_cancels_only_what_they_agreed_to(granted: Granted) -> None:
    await granted.other.bonuses.cancel(granted.player, granted.bonus.id)
    with pytest.raises(Refused, match="no_such_bonus"):
        await granted.one.bonuses.give_up(granted.player, granted.bonus.id, GRANTED)
    assert granted.held("bonus") == 0


async def test_a_cancelled_bonus_loses_what_the_journal_has(granted: Granted) -> None:
    await granted.stake_at_the_other()
    with pytest.raises(Refused, match="bonus_forfeit"):
        await granted.one.bonuses.give_up(granted.player, granted.bonus.id, GRANTED + 1)
    await granted.one.bonuses.give_up(granted.player, granted.bonus.id, GRANTED)
    assert granted.held("bonus") == 0


async def test_staff_cancel_what_the_journal_has(granted: Granted) -> None:
    await granted.stake_at_the_other()
    await granted.one.bonuses.cancel(granted.player, granted.bonus.id)
    assert granted.held("bonus") == 0


async def test_a_withdrawal_ends_a_bonus_that_another_node_granted(granted: Granted) -> None:
    await granted.one.bonuses.cancel(granted.player, granted.bonus.id)
    await granted.other.bonuses.reload(granted.player)
    await granted.other.bonuses.grant(granted.player, "gift", "another")
    known = await granted.one.sessions.signed_in(await granted.one.sessions.add_guest())
    assert known is not None
    player = known._replace(id=granted.player)
    with pytest.raises(Refused, match="bonus_forfeit"):
        await granted.one.cashier.withdraw(player, CashierRequest("w1", GC, 100))
    cash = granted.held("cash")
    await granted.one.cashier.withdraw(player, CashierRequest("w2", GC, 100, GRANTED))
    assert (granted.held("bonus"), granted.held("cash")) == (0, cash - 100)
    await granted.one.cashier.withdraw(player, CashierRequest("w2", GC, 100, GRANTED))
    assert granted.held("cash") == cash - 100, "a repeated request withdraws once"

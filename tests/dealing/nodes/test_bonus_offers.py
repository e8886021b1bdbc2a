"""A player opts in on two nodes at once and deposits on one of them: the bonus is granted once."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.accounts.identity import Identity
from croupier.accounts.payments import PaymentNews
from croupier.app import server as app
from croupier.cluster.local_bus import LocalBus
from croupier.ledger.bonus_entries import GRANTS, OPT_INS
from croupier.ledger.sql.store import SqlLedger
from croupier.protocol.wire import CashierRequest
from tests.faults.limits.surroundings import SLOW_PAYMENTS
from tests.support.nodes import node, tables_named

pytestmark = pytest.mark.anyio

CONFIG = """
[payments.currencies.EUR]
provider = "play_money"

[bonuses.first]
title = "First deposit bonus"
currency = "EUR"
multiple = 10
days = 7
offer = "first_deposit"
match_percent = 50
match_max = "20.00"
"""
EUR = "EUR"


async def test_a_first_deposit_brings_its_bonus_once(ledger: SqlLedger, tmp_path: Path) -> None:
    tables, bus = tables_named("classic"), LocalBus()
    async with AsyncExitStack() as stack:
        stack.enter_context(patch.object(app, "payment_services", lambda *_: SLOW_PAYMENTS))
        nodes = [await stack.enter_async_context(node(ledger, tmp_path, tables, CONFIG, bus)) for _ in "ab"]
        known = await nodes[0].sessions.signed_in(await nodes[0].sessions.add_guest())
        assert known is not None
        player = known._replace(identity=Identity("account", "ada"))
        (offer,) = await nodes[0].offers.of(player)
        await asyncio.gather(*(each.offers.accept(player, offer.offer) for each in nodes))
        assert len(ledger.entries(f"{OPT_INS}{player.id}:")) == 1
        payment = await nodes[0].payments.deposit(player, CashierRequest("one", EUR, 3_000))
        paid = PaymentNews("paid", payment.amount_minor)
        await asyncio.gather(*(each.payments.driver.apply(payment, paid) for each in nodes))
        for each in nodes:
            each.offers.deposited(player.id)
        await asyncio.gather(*(each.offers.work() for each in nodes))
        assert len(ledger.entries(f"{GRANTS}{player.id}:")) == 1
        assert ledger.balances(player.id)[EUR]["bonus"] == 1_500
        for each in nodes:
            await each.bonuses.reload(player.id)
            assert [bonus.status for bonus in each.bonuses.history(player.id)] == ["active"]

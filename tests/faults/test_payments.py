"""The server is killed in the middle of payments, and carries them on when it starts again."""

import asyncio
from pathlib import Path

import pytest

from croupier.integration.payment_provider.provider import ProviderControl, ProviderDecision
from croupier.money.payments.service import payment_id
from croupier.protocol import wire
from tests.support.accounts import account_at, device_at, new_name
from tests.support.paying import assert_audited
from tests.support.payment_provider import notify_url, paying_server, provider_process
from tests.support.payments import AMOUNT, begin, euros, order, paid_in, reaches

pytestmark = pytest.mark.anyio


async def test_payments_go_on_after_a_kill(tmp_path: Path) -> None:
    name = new_name()
    with provider_process(tmp_path) as provider, paying_server(tmp_path, provider) as server:
        async with account_at(server.address, name) as player:
            await paid_in(player, provider, 2 * AMOUNT)
            pending = await begin(player, "deposit")
            limit = wire.LimitRequest("deposit", "day", "EUR", 3 * AMOUNT)
            await player.post("/api/responsible-gaming/limit", wire.ResponsibleGaming, limit)
            provider.misbehave("drop_answer", "no_notification")
            withdrawal = order()
            under_way = asyncio.create_task(begin(player, "withdraw", withdrawal))
            await reaches(
                player, payment_id((await player.get("/api/me", wire.Me)).player, withdrawal.req), "sent"
            )
            server.kill()
            with pytest.raises(Exception):  # noqa: B017, PT011 - the connection breaks in some way
                await under_way
        provider.decide(ProviderDecision(pending.payment, "paid"))
        provider.misbehave()
        server.start()
        provider.control(ProviderControl(notify_url=notify_url(server)))
        async with device_at(server.address, name) as player:
            sent_again = await begin(player, "withdraw", withdrawal)
            await reaches(player, sent_again.payment, "paid")
            await reaches(player, pending.payment, "confirmed")
            assert await euros(player) == 2 * AMOUNT
        assert provider.log.executed.count(("withdrawal", sent_again.payment)) == 1
    assert_audited(tmp_path / "data")

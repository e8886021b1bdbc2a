"""A player who is taking a break or is excluded may sign in, read and withdraw, and do nothing else."""

import httpx
import msgspec
import pytest

from croupier.protocol import wire
from tests.app.test_site import ANSWERS, ORDERS
from tests.support.accounts import account_at, device_at, new_name, sent
from tests.support.browser_connection import Browser, new_req
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

ROUTES = """
/api/cashier/deposit                   barred
/api/payments/deposit                  barred
/api/bonuses/accept                    barred
/api/bonuses/cancel                    barred
/api/documents/accept                  barred
/api/rounds/{round_id}/share           barred
/api/rounds/{round_id}/unshare         barred
/api/advice                            barred
/api/training                          barred
/api/camera/watch                      barred
/api/camera/answer                     barred
/api/camera/layer                      barred
/api/camera/shown                      barred
/api/camera/stop                       barred
/api/camera/stream                     barred
/api/cashier/withdraw                  allowed
/api/payments/withdraw                 allowed
/api/responsible-gaming/limit          allowed
/api/responsible-gaming/break          allowed
/api/responsible-gaming/deposit-limit  allowed
/api/account                           allowed   a guest needs an account for a withdrawal
/api/account/passkey                   allowed
/api/account/passkey/creation          allowed
/api/account/mail                      allowed   the account stays in its player's hands
/api/account/mail/remove               allowed
/api/account/devices/end               allowed
/api/account/devices/end-others        allowed
/api/passkeys                          allowed
/api/passkeys/creation                 allowed
/api/passkeys/removal                  allowed
/api/account/password                  allowed
/api/account/confirmation              allowed
/api/account/mail/verify               anybody   these need no session, or begin or end one
/api/recovery                          anybody
/api/recovery/account                  anybody
/api/recovery/password                 anybody
/api/guest                             anybody
/api/sign-in                           anybody
/api/sign-in/challenge                 anybody
/api/sign-in/passkey                   anybody
/api/sign-out                          anybody
/api/launch                            anybody
/api/oidc/start                        anybody
/api/oidc/finish                       anybody
/api/operator/sessions                 anybody
/api/payments/notify                   anybody
"""
RULES = {line.split()[0]: line.split()[1] for line in ROUTES.strip().splitlines()}
COMMANDS = """
join           {"table": "classic", "currency": "GC"}
deal           {"table": "classic", "stakes": [{"box": 0, "bet": "main", "stake_minor": 100}]}
decide         {"table": "classic", "round": "r", "turn": 1, "box": 0, "hand": 0, "action": "stand"}
bet            {"table": "live_roulette", "round": "r", "stakes": []}
undo           {"table": "live_roulette", "round": "r"}
sit            {"table": "live_blackjack", "seat": 1}
stand_up       {"table": "live_blackjack", "seat": 1}
say            {"table": "live_roulette", "text": "hello"}
report         {"table": "live_roulette", "line": 1}
"""


def test_every_order_has_a_rule() -> None:
    assert set(RULES) == {path for method, path in ANSWERS if method != "get"}


@pytest.mark.parametrize(("why", "days"), [("time_out", 1), ("exclusion", 180)])
async def test_a_barred_player_signs_in_and_withdraws(
    http_server: ServerProcess, why: str, days: int
) -> None:
    name, order = new_name(), {"why": why, "days": days}
    async with account_at(http_server.address, name) as first:
        page = await first.post("/api/responsible-gaming/break", wire.ResponsibleGaming, order)
        assert page.barred is not None
    refusal: dict[str, str | int] = {"why": why, "until_ms": page.barred.until_ms}
    async with device_at(http_server.address, name) as browser:
        assert (await browser.get("/api/me", wire.Me)).barred == page.barred
        for line in COMMANDS.strip().splitlines():
            tag, _, fields = line.partition(" ")
            await browser.socket.send(f'{{"t": "{tag}", "req": "{tag}", {fields.strip()[1:]}')
            assert wire.No(tag, "barred", refusal) in await browser.drain(), tag
        await browser.disconnect()
        for path, rule in RULES.items():
            if rule != "anybody":
                answer = await _order(browser, path)
                is_barred = answer.status_code == 409 and answer.json() == {"code": "barred", "args": refusal}
                assert is_barred == (rule == "barred"), (path, answer.text)
        moved = [line.what for line in await browser.get("/api/statement", list[wire.StatementEntry])]
        assert (moved.count("withdrawal"), moved.count("deposit")) == (2, 0)


async def _order(browser: Browser, path: str) -> httpx.Response:
    """Send an order that isn't malformed, with an id of its own."""
    body = ORDERS.get(path)
    if isinstance(body, wire.CashierRequest):
        body = msgspec.structs.replace(body, req=new_req())
    return await sent(browser, path.format(round_id="r"), body)

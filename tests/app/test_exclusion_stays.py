"""Nobody shortens a self-exclusion: no route of players, and no command of the staff."""

from pathlib import Path

import httpx
import msgspec
import pytest

import croupier.staff
from croupier.accounts.responsible_gaming import DAY_MS
from croupier.clock import now_ms
from croupier.protocol import wire
from tests.app.test_site import ANSWERS, ORDERS
from tests.support.accounts import PASSWORD, account_at, code_of, new_name, sent, sign_in
from tests.support.browser_connection import Browser
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

SHORTER = (wire.BreakRequest("exclusion", 180), wire.BreakRequest("time_out", 1))
LENGTH_DAYS = 365
CHANGED_PASSWORD = "another horse"
"""The new password of `ORDERS`."""


async def test_no_route_of_players_shortens_an_exclusion(http_server: ServerProcess) -> None:
    name = new_name()
    async with account_at(http_server.address, name) as browser:
        order = wire.BreakRequest("exclusion", LENGTH_DAYS)
        assert code_of(await sent(browser, "/api/responsible-gaming/break", order)) == ""
        cookies = dict(browser.http.cookies)
        changes = [(path, ORDERS.get(path)) for method, path in ANSWERS if method != "get"]
        changes += [("/api/responsible-gaming/break", shorter) for shorter in SHORTER]
        for path, body in changes:
            async with httpx.AsyncClient(cookies=cookies) as http:
                content = msgspec.json.encode(body) if body else b""
                await http.post(http_server.address + path, content=content)
    async with Browser(http_server.address) as other:
        answers = [await sign_in(other, name, password) for password in (PASSWORD, CHANGED_PASSWORD)]
        (me,) = (answer.json() for answer in answers if not code_of(answer))
        left_ms = me["barred"]["until_ms"] - now_ms()
        assert (LENGTH_DAYS - 1) * DAY_MS < left_ms <= LENGTH_DAYS * DAY_MS


def test_the_staff_reaches_no_restrictions_of_players() -> None:
    """Managers see the player's own page of them, `responsible_gaming_page`, which changes nothing."""
    sources = list(Path(croupier.staff.__path__[0]).glob("**/*.py"))
    found = [
        path.name
        for path in sources
        for word in ("restrictions", "set_limit", "start_break", "player_limits", "Barred")
        if word in path.read_text(encoding="utf-8")
    ]
    assert sources
    assert found == []

"""Chat lines survive a killed server.

Another player connects before the kill, so that a commit follows the one that stored the line.
"""

import pytest

from croupier.protocol import wire
from tests.support.browser_connection import Browser, another_browser, connect_guest, new_req
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

TABLE = "infinite"


async def chat_of(browser: Browser) -> tuple[wire.ChatLine, ...]:
    """Return the lines in the snapshot of a player who joins."""
    answer = await browser.join(TABLE, "EUR")
    return next(message.chat for message in answer.messages if isinstance(message, wire.LiveSnapshot))


async def test_a_line_survives_a_killed_server(fresh_server: ServerProcess) -> None:
    async with connect_guest(fresh_server.address) as ann:
        assert await chat_of(ann) == ()
        assert isinstance((await ann.ask(wire.PostChat(new_req(), TABLE, "Good evening"))).reply, wire.Ok)
        (line,) = await chat_of(ann)
        async with connect_guest(fresh_server.address) as bob:
            assert await chat_of(bob) == (line,)
        fresh_server.kill()
        fresh_server.start()
        async with another_browser(ann, fresh_server.address) as again:
            assert await chat_of(again) == (line,)
            assert isinstance((await again.ask(wire.PostChat(new_req(), TABLE, "Here again"))).reply, wire.Ok)
            before, after = await chat_of(again)
    assert (before, after.line, after.player) == (line, line.line + 1, line.player)

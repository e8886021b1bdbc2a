"""Lines are kept when a server is killed and starts again.

Another player connects meanwhile: a commit after the one that kept the line.
"""

import pytest

from croupier.protocol import wire
from tests.support.browser_connection import Browser, guest_at, new_req, same_player
from tests.support.server_process import HouseProcess

pytestmark = pytest.mark.anyio

TABLE = "infinite"


async def chat_of(browser: Browser) -> tuple[wire.ChatLine, ...]:
    """Return the lines in the snapshot of a player who joins."""
    answer = await browser.join(TABLE, "EUR")
    return next(one.chat for one in answer.told if isinstance(one, wire.LiveSnapshot))


async def test_a_line_survives_a_killed_server(mortal: HouseProcess) -> None:
    async with guest_at(mortal.address) as ann:
        assert await chat_of(ann) == ()
        assert isinstance((await ann.ask(wire.PostChat(new_req(), TABLE, "Good evening"))).said, wire.Ok)
        (line,) = await chat_of(ann)
        async with guest_at(mortal.address) as bob:
            assert await chat_of(bob) == (line,)
        mortal.kill()
        mortal.start()
        async with same_player(ann, mortal.address) as again:
            assert await chat_of(again) == (line,)
            assert isinstance((await again.ask(wire.PostChat(new_req(), TABLE, "Here again"))).said, wire.Ok)
            before, after = await chat_of(again)
    assert (before, after.line, after.player) == (line, line.line + 1, line.player)

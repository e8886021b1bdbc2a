"""Idempotency of staff commands over all connections."""

import pytest

from croupier.protocol import staff_wire
from tests.staff.clients import StaffBrowser, staff_client
from tests.staff.conftest import Staffed
from tests.support.browser_connection import new_req

pytestmark = pytest.mark.anyio


async def answer(work: StaffBrowser, action: staff_wire.Action) -> str:
    """`ok`, or the code of the refusal."""
    await work.send(action)
    while True:
        message = await work.next()
        if isinstance(message, staff_wire.Ok | staff_wire.No) and message.req == action.req:
            return "ok" if isinstance(message, staff_wire.Ok) else message.code


async def test_a_repeated_action_is_executed_and_logged_once(shared_server: Staffed) -> None:
    async with staff_client(shared_server.address, "Ada", shared_server.ada) as ada:
        muted = staff_wire.MutePlayer(new_req(), "infinite", "muted-twice", 5)
        first = await answer(ada, muted)
        async with staff_client(shared_server.address, "Ada", shared_server.ada) as elsewhere:
            assert await answer(elsewhere, muted) == await answer(ada, muted) == first
            other = staff_wire.MutePlayer(muted.req, "infinite", "never-muted", 5)
            assert await answer(elsewhere, other) == await answer(ada, other) == "key_reused"
            assert await answer(ada, staff_wire.OpenTable(muted.req, "infinite")) == "key_reused"
        lines = [line for line in await ada.log() if line.what == "mute_player"]
        assert len([line for line in lines if line.details.get("player") == "muted-twice"]) == 1
        assert not [line for line in lines if line.details.get("player") == "never-muted"]

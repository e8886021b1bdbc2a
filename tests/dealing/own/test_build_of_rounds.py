"""Every round names the build that dealt it, and its history and replay show the whole build."""

import json
import sqlite3
from contextlib import closing

import pytest

from croupier.app.serve import DATABASE
from croupier.build import current_build
from croupier.protocol import wire
from tests.support import preloaded
from tests.support.browser_connection import connect_guest
from tests.support.server_process import CROUPIER, ServerProcess

pytestmark = pytest.mark.anyio


async def test_a_rounds_history_and_replay_name_the_build(fresh_server: ServerProcess) -> None:
    async with connect_guest(fresh_server.address) as browser:
        await browser.join("roulette")
        await browser.deal("roulette", wire.Stake(0, "red", 1000))
        (line,) = (await browser.get("/api/history", wire.History)).lines
        shown = await browser.get(f"/api/rounds/{line.round}", wire.HistoryRound)
    build = current_build()
    assert shown.versions["server"] == build.id
    assert shown.versions["build"] == build.describe()
    replayed = preloaded.run([*CROUPIER, "replay", line.round, "--json", "--data", fresh_server.data])
    assert json.loads(replayed.stdout)["versions"] == shown.versions


async def test_a_restart_records_no_build_again(fresh_server: ServerProcess) -> None:
    fresh_server.stop()
    fresh_server.start()
    with closing(sqlite3.connect(fresh_server.data / DATABASE)) as database:
        keys = [key for (key,) in database.execute("SELECT key FROM journal WHERE key LIKE 'build:%'")]
    assert keys == [f"build:{current_build().id}"]

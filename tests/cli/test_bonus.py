"""`croupier bonus` with a running and with a stopped server."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from typer.testing import CliRunner, Result

from croupier.cli.main import app
from tests.support.browser_connection import connect_guest
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.anyio

CONFIG = """
[bonuses.small]
title = "Small bonus"
currency = "EUR"
amount = "20.00"
multiple = 3
"""


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["bonus", *words], env={"COLUMNS": "200"})


async def bonus(data: Path, *words: str) -> Result:
    """Run `croupier bonus ...` in a thread of its own, since it runs an event loop."""
    config = str(data.parent / "croupier.toml")
    return await anyio.to_thread.run_sync(partial(run, *words, "--data", str(data), "--config", config))


async def listed(data: Path, player: str) -> list[tuple[str, int]]:
    found: list[dict[str, Any]] = json.loads((await bonus(data, "list", player, "--json")).stdout)
    return [(one["status"], one["balance_minor"]) for one in found]


async def test_a_bonus_is_granted_and_cancelled_by_either_server(tmp_path: Path) -> None:
    config, because = tmp_path / "croupier.toml", ("--reason", "a complaint")
    config.write_text(CONFIG)
    server = ServerProcess(tmp_path / "data", options=("--config", str(config))).start()
    async with connect_guest(server.address) as browser:
        player = (await browser.hello())[0].player
        (granted,) = json.loads(
            (await bonus(server.data, "grant", player, "small", *because, "--json")).stdout
        )
        assert (await browser.hello())[0].bonuses[0].bonus == granted["bonus"]
        again = await bonus(server.data, "grant", player, "small", *because)
        assert (again.exit_code, again.stderr.count("\n")) == (2, 1)
        assert "has an active bonus" in again.stderr
    server.stop()
    assert await listed(server.data, player) == [("active", 2_000)]
    shown = await bonus(server.data, "cancel", player, granted["bonus"], *because)
    assert "cancelled" in shown.stdout
    assert "no such bonus" in (await bonus(server.data, "cancel", player, granted["bonus"], *because)).stderr
    assert "no player has that id" in (await bonus(server.data, "list", "p_nobody")).stderr
    assert (await bonus(server.data, "grant", player, "small", "--reason", "")).exit_code == 2
    assert (await bonus(server.data, "grant", player, "small", *because)).exit_code == 0
    assert await listed(server.data, player) == [("active", 2_000), ("cancelled", 0)]


def test_a_folder_without_a_database_is_left_alone(tmp_path: Path) -> None:
    assert "no database in" in run("list", "p_ann", "--data", str(tmp_path)).stderr
    assert list(tmp_path.iterdir()) == []

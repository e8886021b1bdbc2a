"""The files in docs/guide/add-a-game.md are a game that conforms, is dealt, and pays as the page states."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from croupier.protocol import wire
from tests.guide.pages import GUIDE, files_of, written
from tests.support import preloaded
from tests.support.browser_connection import Browser, new_req
from tests.support.server_process import CROUPIER, ServerProcess

PAGE = "add-a-game.md"
ROOT = GUIDE.parents[1]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of games with the page's files."""
    return written(PAGE, "under_over", tmp_path_factory.mktemp("my-games"))


def croupier(games: Path, *words: str) -> str:
    command = [*CROUPIER, "--games", str(games), *words]
    environment = {**os.environ, "COLUMNS": "200"}
    done = preloaded.run(command, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_file_of_the_folder_is_on_the_page(games: Path) -> None:
    listed = (GUIDE / PAGE).read_text().partition("my-games/under_over/\n")[2].partition("```")[0]
    names = {line.split()[0].rstrip("/") for line in listed.splitlines()}
    assert names == {path.name for path in (games / "under_over").iterdir() if path.name != "__pycache__"}


def test_the_listed_diff_is_the_games_files_and_the_generated_ones() -> None:
    listed = (GUIDE / PAGE).read_text().partition("its rules:\n\n```\n")[2].partition("```")[0]
    homes = {"under_over": "src/croupier/games/under_over", "web": "web/src/games"}
    files = {f"{homes[top]}/{rest}" for top, _, rest in (name.partition("/") for name, _ in files_of(PAGE))}
    generated = {"web/src/games/under_over/wire.ts", "docs/rules/under-over.md", "docs/rules/tables.md"}
    generated |= {"docs/protocol.md", "docs/staff-protocol.md"}
    assert {line.split()[0] for line in listed.splitlines()} == files | generated


def test_every_link_of_the_page_resolves() -> None:
    text = (GUIDE / PAGE).read_text()
    links = [link.partition(")")[0].partition("#")[0] for link in text.split("](")[1:]]
    assert len(links) > 4
    assert [link for link in links if not (GUIDE / link).exists()] == []


def test_the_game_passes_the_conformance_suite(games: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/conformance"]
    environment = {**os.environ, "CROUPIER_GAMES": str(games)}
    done = subprocess.run(
        [*command, "-k", "under_over"],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    cases = (games / "under_over/cases/under_over.txt").read_text().count("\ntable ")
    refusals_rounds_and_walks = 2 * (1 + 1 + 2)
    assert f"{cases + refusals_rounds_and_walks} passed" in done.stdout


def test_the_game_has_the_return_stated_on_the_page(games: Path) -> None:
    found = json.loads(croupier(games, "rtp", "under_over", "--json"))
    assert {bet: odds["fraction"] for bet, odds in found["bets"].items()} == dict.fromkeys(
        ("under", "seven", "over"), "5/6"
    )
    what_if = croupier(games, "rtp", "under_over", "--json", "--set", 'seven=["seven 5:1"]')
    assert json.loads(what_if)["bets"]["seven"]["fraction"] == "1"


def test_the_games_rules_page_has_its_rules(games: Path) -> None:
    page = croupier(games, "rules", "live_under_over")
    for sentence in ("Two dice are rolled once", "Seven", "4:1", "Under seven and Over seven"):
        assert sentence in page


async def ask(browser: Browser, command: Any) -> list[dict[str, Any]]:
    """Return all messages up to the answer, as JSON, since this process doesn't have the game."""
    await browser.send(command)
    messages: list[dict[str, Any]] = []
    while not messages or messages[-1].get("req") != command.req:
        messages.append(json.loads(await browser.socket.recv()))
    assert messages[-1]["t"] == "ok", messages[-1]
    return messages


async def played(address: str) -> dict[str, Any]:
    """Play a coup at the own table as a player's browser does; return its view."""
    async with Browser(address) as browser:
        await browser.guest()
        await browser.connect()
        await browser.send(wire.Hello(wire.PROTOCOL, ()))
        await ask(browser, wire.Join(new_req(), "under_over", "GC"))
        stakes = tuple(wire.Stake(0, bet, 100) for bet in ("under", "seven", "over"))
        messages = await ask(browser, wire.DealRound(new_req(), "under_over", stakes))
        (event,) = (message for message in messages if message["t"] == "event")
        (line,) = (await browser.get("/api/history", wire.History)).lines
        assert (line.table, line.status) == ("under_over", "settled")
        view: dict[str, Any] = event["state"]["round"]["view"]
        return view


def test_a_server_deals_the_game(games: Path, tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data", program=(*CROUPIER, "--games", str(games)))
    try:
        view = asyncio.run(played(server.start().address))
    finally:
        assert server.stop() == 0
    total = sum(view["dice"])
    (won,) = view["won"]
    assert view["result"] == str(total)
    assert won == ("seven" if total == 7 else "under" if total < 7 else "over")
    assert view["returned_minor"] == (500 if won == "seven" else 200)
    report = json.loads(croupier(games, "verify", "--data", str(tmp_path / "data"), "--json"))
    assert (report["bad"], report["rounds"], report["replayed"]) == (None, 1, 1)


def test_the_page_has_the_client_files_that_the_client_finds_by_name() -> None:
    names = [name for name, _ in files_of(PAGE) if name.startswith("web/")]
    assert {"web/under_over/mark.ts", "web/under_over/index.ts"} <= set(names)

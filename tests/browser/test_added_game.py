"""The game of docs/guide/add-a-game.md in a browser: before it has a client folder, and with it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened
from tests.browser.partly import partly
from tests.browser.player import Player
from tests.guide.pages import written
from tests.support.server_process import CROUPIER, ServerProcess

pytestmark = pytest.mark.browser

PAGE = "add-a-game.md"
WEB = Path(__file__).parents[2] / "web"
SERVING = """
import sys
from pathlib import Path
from croupier import games
games.add_folder(sys.argv.pop(1))
from croupier.app import serve
serve.CLIENT = Path(sys.argv.pop(1))
from croupier.cli.main import main
main()
"""
"""A server with another client: `main` reads the remaining arguments."""


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(PAGE, "under_over", tmp_path_factory.mktemp("my-games"))


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client's sources, with the page's folder among the games."""
    folder = tmp_path_factory.mktemp("client") / "web"
    shutil.copytree(WEB, folder, ignore=shutil.ignore_patterns("node_modules"))
    (folder / "node_modules").symlink_to(WEB / "node_modules")
    written(PAGE, "web", folder.parent / "page")
    shutil.copytree(folder.parent / "page/web", folder / "src/games", dirs_exist_ok=True)
    return folder


def npx(folder: Path, *words: str) -> None:
    """Return the command of a client tool, run by the node that is installed beside this Python."""
    bin_ = str(Path(sys.executable).parent)
    surroundings: Mapping[str, str] = {**os.environ, "PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["npx", "--no-install", *words],
        cwd=folder,
        env=surroundings,
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def plain(games: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Start a server whose client has no folder of the game."""
    server = ServerProcess(
        tmp_path_factory.mktemp("plain") / "data", program=(*CROUPIER, "--games", str(games))
    )
    yield server.start()
    server.stop()


@pytest.fixture(scope="module")
def drawn(games: Path, sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Start a server whose client was built with the game's folder."""
    static = sources.parent / "static"
    npx(sources, "vite", "build", "--minify", "false", "--outDir", str(static))
    program = (sys.executable, "-c", SERVING, str(games), str(static))
    server = ServerProcess(tmp_path_factory.mktemp("drawn") / "data", program=program)
    yield server.start()
    server.stop()


def play(page: Page) -> None:
    """Place a chip on each bet, take one back, and deal."""
    Player(page, 1).sit("under_over")
    page.locator("[data-testid^='chip-']").first.click()
    for bet in ("under", "seven", "over", "over"):
        page.get_by_test_id(f"bet-{bet}").click()
    expect(page.get_by_test_id("placed")).to_have_text("GC 400")
    page.get_by_test_id("bet-over").click(button="right")
    expect(page.get_by_test_id("placed")).to_have_text("GC 300")
    page.get_by_test_id("deal").click()
    expect(page.locator("[data-phase='ended']")).to_be_visible()


def check_settled(page: Page, total: int) -> None:
    """Check that the one bet that won is highlighted and was paid."""
    won = "seven" if total == 7 else "under" if total < 7 else "over"
    lit = [bet for bet in ("under", "seven", "over") if is_highlighted(page, bet)]
    assert lit == [won]
    expect(page.get_by_test_id("result")).to_have_attribute("data-net", "200" if won == "seven" else "-100")


def is_highlighted(page: Page, bet: str) -> bool:
    return "won" in (page.get_by_test_id(f"bet-{bet}").get_attribute("class") or "").split()


def test_it_plays_before_it_has_a_client_folder(chromium: Browser, plain: ServerProcess) -> None:
    with opened(chromium, plain, width=1280, height=800) as page:
        play(page)
        check_settled(page, int(page.get_by_test_id("came-up").inner_text()))


def test_its_client_folder_passes_the_checks(sources: Path) -> None:
    """The folder is checked with all that it imports; `npm run check` checks the rest of the client."""
    config = {"extends": "./tsconfig.json", "include": ["src/games/under_over"]}
    (sources / "tsconfig.game.json").write_text(json.dumps(config))
    npx(sources, "svelte-check", "--fail-on-warnings", "--tsconfig", "./tsconfig.game.json")
    npx(sources, "prettier", "--check", "src/games/under_over")


@pytest.mark.parametrize(("width", "height"), partly([(1280, 800), (360, 740)], [360]))
def test_it_plays_with_its_client_folder(
    chromium: Browser, drawn: ServerProcess, width: int, height: int
) -> None:
    with opened(chromium, drawn, width=width, height=height) as page:
        play(page)
        check_settled(page, sum(map(int, page.locator(".scene p").inner_text().split(" · "))))

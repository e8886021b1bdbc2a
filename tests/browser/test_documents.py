"""000, introduction and sections 4 and 5: the terms are read, accepted before the first bet, and amended."""

from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import SLOW_MS, Player
from tests.browser.test_everybody_can_play import check
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

EXAMPLE = Path(__file__).parents[2] / "examples" / "documents"
TABLE = "double_exposure"
AMENDED = '{ version = "1.2", date = "2026-11-26", changes = "Section 3 is new.", ask_again = false }, '


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the example's documents, which tests may change."""
    folder = tmp_path_factory.mktemp("documents")
    copytree(EXAMPLE, folder / "documents")
    return folder


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[ServerProcess]:
    (folder / "server.toml").write_text('[documents]\nfolder = "documents"\n')
    server = ServerProcess(folder / "data", options=("--config", str(folder / "server.toml"))).start()
    yield server
    server.stop()


@pytest.fixture
def amend(folder: Path, server: ServerProcess) -> Callable[[], None]:
    """Return a function that publishes new terms, without asking again, and restarts the server."""

    def publish() -> None:
        index = folder / "documents" / "documents.toml"
        index.write_text(index.read_text().replace("versions = [\n", f"versions = [{AMENDED}\n", 1))
        server.stop()
        server.start()

    return publish


def test_the_due_documents_are_not_fetched_again_for_each_message(kept: Page) -> None:
    fetched = list[str]()
    kept.on("request", lambda request: fetched.append(request.url))
    kept.goto("/table/infinite")
    kept.get_by_role("button", name="Not now").click(timeout=SLOW_MS)
    kept.wait_for_timeout(4_000)
    assert len([url for url in fetched if url.endswith("/documents/due")]) <= 2


def test_the_terms_are_read_and_accepted_and_an_amendment_is_shown_once(
    kept: Page, server: ServerProcess, amend: Callable[[], None]
) -> None:
    _read_the_terms(kept)
    _accept_them_before_the_first_bet(kept)
    amend()
    _see_the_amendment_once(kept, server.address)


def _read_the_terms(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Terms and policies").click()
    expect(page.get_by_role("listitem").first).to_contain_text(
        "Terms and conditions version 1.1, 25 Nov 2026", timeout=SLOW_MS
    )
    expect(page.get_by_text("the one higher in this list prevails")).to_be_visible()
    check(page, "documents")
    page.get_by_role("link", name="Privacy policy").click()
    expect(page.get_by_role("heading", name="Privacy policy")).to_be_visible()
    check(page, "document")


def _accept_them_before_the_first_bet(page: Page) -> None:
    player = Player(page, seed=1)
    player.sit(TABLE)
    dialog = page.get_by_role("dialog", name="Before you play")
    expect(dialog.get_by_role("listitem")).to_have_count(2, timeout=SLOW_MS)
    check(page, "documents-due")
    dialog.get_by_role("button", name="Not now").click()
    player.place()
    page.get_by_test_id("deal").click()
    expect(dialog).to_be_visible(timeout=SLOW_MS)
    dialog.get_by_role("button", name="Accept").click()
    expect(dialog).to_be_hidden()
    page.get_by_test_id("deal").click()
    while player.wait_for_turn():
        player.decide("mouse")


def _see_the_amendment_once(page: Page, address: str) -> None:
    page.goto(address)
    shown = page.get_by_role("dialog", name="Our documents have changed")
    expect(shown).to_contain_text("you accepted version 1.1", timeout=SLOW_MS)
    expect(shown.get_by_role("definition")).to_have_text("Section 3 is new.")
    check(page, "documents-changed")
    shown.get_by_role("button", name="Continue").click()
    expect(shown).to_be_hidden()
    page.reload()
    expect(page.get_by_test_id("balance")).to_be_visible(timeout=SLOW_MS)
    page.goto(f"{address}/table/{TABLE}")
    expect(page.locator("[data-phase='betting']")).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_role("dialog")).to_have_count(0)

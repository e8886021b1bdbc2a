"""000, introduction and section 4: documents are accepted before the first bet; amendments are shown."""

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from croupier.app.serve import DATABASE
from croupier.protocol import wire
from tests.dealing.live.in_process import FAST, new_guest, running_server
from tests.dealing.live.player import INFINITE, req
from tests.support.browser_connection import Browser
from tests.support.server_process import ServerProcess
from tests.support.servers import assert_clean_stop

pytestmark = pytest.mark.anyio

FIRST = '{ version = "1.0", date = "2026-11-01", changes = "First version." }'
STAKE = wire.Stake(0, "main", 1_000)
TABLE = "double_exposure"


class Site(NamedTuple):
    """A server with terms to accept and a privacy policy; `folder` has the documents."""

    server: ServerProcess
    folder: Path

    def restart(self, *versions: str) -> None:
        assert self.server.stop() == 0
        publish(self.folder, *versions)
        self.server.start()


def publish(folder: Path, *versions: str) -> None:
    """Write the documents, for the next start of a server."""
    listed = f"versions = [{', '.join(versions)}]"
    terms = f'[terms]\ntitle = "Terms"\nfile = "terms.md"\nmust_accept = true\n{listed}\n'
    privacy = f'[privacy]\ntitle = "Privacy"\nfile = "privacy.md"\nversions = [{FIRST}]\n'
    (folder / "documents.toml").write_text(f'precedence = "The higher prevails."\n{terms}{privacy}')
    (folder / "terms.md").write_text("## 1. Play\n\nBe of age.\n")
    (folder / "privacy.md").write_text("<script>alert(1)</script>\n\nNothing is stored.\n")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    yield from serve_documents(tmp_path)


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that isn't restarted, for all tests that need no other."""
    yield from serve_documents(tmp_path_factory.mktemp("site"))


def serve_documents(at: Path) -> Iterator[Site]:
    config = at / "server.toml"
    folder = at / "documents"
    folder.mkdir()
    config.write_text('[documents]\nfolder = "documents"\n')
    server = ServerProcess(at / "data", options=("--config", str(config)))
    site = Site(server, folder)
    publish(folder, FIRST)
    server.start()
    yield site
    assert_clean_stop(server)


@asynccontextmanager
async def signed_in(site: Site) -> AsyncIterator[Browser]:
    async with Browser(site.server.address) as browser:
        await browser.guest()
        yield browser


async def due(browser: Browser) -> list[tuple[str, str, str, bool]]:
    found = await browser.get("/api/documents/due", list[wire.DueDocument])
    return [(one.document, one.version, one.accepted, one.must_accept) for one in found]


async def accept(browser: Browser, version: str, document: str = "terms") -> httpx.Response:
    body = {"document": document, "version": version}
    return await browser.http.post(f"{browser.address}/api/documents/accept", json=body)


async def deal(browser: Browser) -> str:
    """Deal a round with a new socket, and play it to its end; return the code of a refused deal."""
    await browser.connect()
    await browser.hello()
    await browser.join(TABLE)
    answer = await browser.deal(TABLE, STAKE)
    while not answer.code and (played := answer.state().round) and not played.view.ended:
        answer = await browser.decide(TABLE, played, "stand")
    await browser.disconnect()
    return answer.code


async def test_documents_are_published_in_order_of_precedence(unchanged: Site) -> None:
    async with Browser(unchanged.server.address) as anonymous:
        found = await anonymous.get("/api/documents", wire.DocumentList)
        assert found.precedence == "The higher prevails."
        assert [(one.document, one.must_accept) for one in found.documents] == [
            ("terms", True),
            ("privacy", False),
        ]
        page = await anonymous.get("/api/documents/privacy", wire.DocumentPage)
        assert "<script>" not in page.html
        assert page.versions == (wire.DocumentChange("1.0", "2026-11-01", "First version."),)
        missing = await anonymous.http.get(f"{anonymous.address}/api/documents/none")
        assert (missing.status_code, missing.json()["code"]) == (404, "no_such_document")


async def test_no_bet_is_taken_before_the_terms_are_accepted(tmp_path: Path) -> None:
    """At any table and on any device."""
    publish(tmp_path, FIRST)
    config = f'{FAST}\n[documents]\nfolder = "{tmp_path}"\n'
    async with running_server(tmp_path, config) as server:
        guest, other = await new_guest(server), await new_guest(server)
        desktop, newcomer = await guest.connect(), await other.connect()
        assert await desktop.join(INFINITE) == ""
        assert await desktop.join(TABLE, "GC") == ""
        assert desktop.welcome is not None
        round_ = desktop.states[INFINITE].clock.round
        unaccepted = wire.PlaceBet(req(), INFINITE, round_, (STAKE,)), wire.DealRound(req(), TABLE, (STAKE,))
        for command in unaccepted:
            assert await desktop.ask(command) == "documents_not_accepted"
        await server.acceptance.accept(desktop.welcome.player, "terms", "1.0")
        assert await desktop.ask(wire.DealRound(req(), TABLE, (STAKE,))) == ""
        await desktop.until_phase("betting", table=INFINITE)
        assert await desktop.bet((0, "main", 1_000)) == ""
        assert await newcomer.join(TABLE, "GC") == ""
        assert await newcomer.ask(wire.DealRound(req(), TABLE, (STAKE,))) == "documents_not_accepted"
        await guest.disconnect()
        await other.disconnect()


async def test_an_acceptance_is_recorded_once_and_survives_a_restart(site: Site) -> None:
    async with signed_in(site) as browser:
        await accept(browser, "1.0")
        await accept(browser, "1.0")
        assert site.server.stop() == 0
        with closing(sqlite3.connect(site.server.data / DATABASE)) as database:
            counted = database.execute("SELECT count(*) FROM journal WHERE key LIKE 'accepted:%'").fetchone()
        assert counted == (1,)
        site.server.start()
        browser.address = site.server.address
        assert await due(browser) == []
        assert await deal(browser) == ""


async def test_an_amendment_is_shown_and_asks_again_if_the_operator_configures_it(site: Site) -> None:
    second = '{ version = "1.1", date = "2026-11-02", changes = "A misprint.", ask_again = false }'
    third = '{ version = "1.2", date = "2026-11-03", changes = "Section 2 is new." }'
    async with signed_in(site) as browser:
        await accept(browser, "1.0")
        site.restart(second, FIRST)
        browser.address = site.server.address
        (shown,) = await browser.get("/api/documents/due", list[wire.DueDocument])
        assert shown.changes == (wire.DocumentChange("1.1", "2026-11-02", "A misprint."),)
        assert (shown.accepted, shown.must_accept) == ("1.0", False)
        assert await deal(browser) == ""
        site.restart(third, second, FIRST)
        browser.address = site.server.address
        assert await due(browser) == [("terms", "1.2", "1.0", True)]
        assert await deal(browser) == "documents_not_accepted"
        stale = await accept(browser, "1.1")
        assert (stale.status_code, stale.json()["code"]) == (409, "document_changed")
        assert await deal(browser) == "documents_not_accepted"
        await accept(browser, "1.2")
        assert await deal(browser) == ""


async def test_the_digest_of_the_accepted_text_is_recorded(unchanged: Site) -> None:
    async with signed_in(unchanged) as browser:
        await accept(browser, "1.0")
    text = (unchanged.folder / "terms.md").read_bytes()
    database = unchanged.server.data / DATABASE
    recorded = database.read_bytes() + database.with_name(f"{DATABASE}-wal").read_bytes()
    assert sha256(text).hexdigest().encode() in recorded


@pytest.mark.parametrize(
    "body", [{}, {"document": "terms"}, {"document": "terms", "version": ""}, {"document": 1, "version": "1"}]
)
async def test_a_malformed_acceptance_is_refused(unchanged: Site, body: dict[str, object]) -> None:
    async with Browser(unchanged.server.address) as browser:
        await browser.guest()
        answer = await browser.http.post(f"{browser.address}/api/documents/accept", json=body)
        assert answer.status_code == 400
        assert await due(browser) == [("terms", "1.0", "", True)]

"""PostgreSQL or NATS is stopped in play: pages say so, nothing accepted is lost, and play goes on."""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec import json
from playwright.sync_api import Browser, Locator, Page, expect

from croupier.app.serve import SHOES_KEY
from croupier.audit.data_folder import audit
from croupier.ledger.stores import open_ledger_reader
from croupier.protocol import wire
from tests.browser.conftest import opened, player_of
from tests.browser.dealt_by_hand import expect_accepted_bet
from tests.browser.player import SLOW_MS, Player, digits
from tests.browser.test_live_coups import wait_for_betting_time
from tests.browser.test_trouble import finish, hands, to_a_decision
from tests.support.nats_server import NatsServer, needs_nats
from tests.support.postgresql_server import PostgresqlServer, needs_postgresql_programs
from tests.support.server_process import ServerProcess

pytestmark = [pytest.mark.browser(long=True), needs_nats, needs_postgresql_programs]

CONFIG = """
[infinite]
pace_ms = 50
betting_ms = 8000
warning_ms = 1000
offer_ms = 1000
decision_ms = 1000
pause_ms = 5000
"""
NOTICE = "The server is waiting for its database."
AWAY_MS = 2_000


class Site(NamedTuple):
    server: ServerProcess
    database: PostgresqlServer
    nats: NatsServer


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """Start a server on a PostgreSQL and a NATS server of its own; its journal must verify at the end."""
    (tmp_path / "croupier.toml").write_text(CONFIG)
    with ExitStack() as stack:
        database, nats = stack.enter_context(PostgresqlServer()), stack.enter_context(NatsServer())
        options = ("--database", database.url.text, *nats.options(tmp_path))
        server = ServerProcess(
            tmp_path / "data", options=(*options, "--config", str(tmp_path / "croupier.toml"))
        )
        stack.callback(server.stop)
        yield Site(server.start(), database, nats)
        assert server.stop() == 0
        assert audit(database.url, server.data / SHOES_KEY, lambda *_: None).bad is None


@contextmanager
def players(chromium: Browser, server: ServerProcess) -> Iterator[tuple[Page, Page]]:
    with ExitStack() as stack:
        yield tuple(  # type: ignore[misc]
            stack.enter_context(opened(chromium, server, width=1280, height=800)) for _ in range(2)
        )


def notice(page: Page) -> Locator:
    return page.get_by_role("alert").get_by_text(NOTICE)


def test_pages_wait_for_the_database_and_go_on(chromium: Browser, site: Site) -> None:
    with players(chromium, site.server) as (ann, bob):
        at_own_table = Player(ann, seed=3)
        at_own_table.sit("premium")
        bob.goto("/table/infinite")
        before = [balances(page, site) for page in (ann, bob)]

        def agree() -> None:
            for page, had in zip((ann, bob), before, strict=True):
                expect_agreement(page, site, had)

        to_a_hand(ann, at_own_table)
        dealt = hands(ann)
        bet_live(bob)

        site.database.stop("fast")
        for page in (ann, bob):
            expect(notice(page)).to_be_visible(timeout=SLOW_MS)
        ann.keyboard.press("s")  # waits in the server
        ann.wait_for_timeout(AWAY_MS)
        assert hands(ann) == dealt, "nothing is shown that isn't in the database"
        assert at_own_table.phase == "playing"
        assert bob.locator("[data-table-root]").get_attribute("data-phase") in {"betting", "warning"}

        site.database.start()
        for page in (ann, bob):
            expect(notice(page)).to_have_count(0, timeout=SLOW_MS)
        expect(ann.locator("[data-table-root]")).to_have_attribute("data-phase", "ended", timeout=SLOW_MS)
        expect_settled(bob)
        agree()
        play_without_the_message_server(ann, bob, site)
        agree()


def play_without_the_message_server(ann: Page, bob: Page, site: Site) -> None:
    """Play a round at each table."""
    expect(bob.get_by_test_id("result")).to_be_hidden(timeout=SLOW_MS)
    site.nats.stop()
    Player(ann, seed=4).play_round("mouse")
    bet_live(bob)
    site.nats.start()
    expect_settled(bob)
    for page in (ann, bob):
        expect(notice(page)).to_have_count(0)


def to_a_hand(page: Page, player: Player) -> None:
    """Deal until a hand may stand."""
    to_a_decision(page, player)
    while not page.get_by_test_id("action-stand").is_visible():
        finish(player)
        to_a_decision(page, player)


def balances(page: Page, site: Site) -> dict[str, int]:
    """Return the player's cash in the database, by currency."""
    with closing(open_ledger_reader(site.database.url)) as reader:
        return {code: kinds["cash"] for code, kinds in reader.balances(player_of(page)).items()}


def bet_live(page: Page) -> None:
    wait_for_betting_time(page, "[5-8]")
    page.get_by_test_id("chip-500").click()
    page.get_by_test_id("spot-0-main").click()
    expect_accepted_bet(page)


def expect_settled(page: Page) -> None:
    """Wait for the result of a live round with a bet of five."""
    expect(page.get_by_test_id("result")).to_be_visible(timeout=2 * SLOW_MS)
    expect(page.get_by_test_id("in-play")).to_have_text("€0.00", timeout=SLOW_MS)


def expect_agreement(page: Page, site: Site, before: dict[str, int]) -> None:
    """Check that the page, its history and the database agree, and that rounds were played."""
    history = json.decode(page.request.get("/api/history").body(), type=wire.History)
    assert {line.status for line in history.lines} == {"settled"}
    code, now = history.lines[0].currency, balances(page, site)
    assert digits(page.get_by_test_id("balance").text_content()) == now[code]
    assert now[code] == before[code] + history.returned_minor[code] - history.staked_minor[code]

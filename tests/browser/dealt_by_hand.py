"""A server whose live tables are dealt by a person, with cards chosen by the test.

The pages of staff and players move from table to table, since a new page takes a second of processor time.
"""

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import opened
from tests.browser.player import POLLING_MS, SLOW_MS, TIME_TO_BET, digits
from tests.browser.test_staff import scan, sign_in
from tests.staff.clients import add
from tests.support.server_process import ServerProcess

CONFIG_TOML = """
[{table}]
dealer = "person"
betting_ms = {betting_ms}
warning_ms = 3000
decision_ms = {decision_ms}
offer_ms = {decision_ms}
check_ms = 200
pause_ms = 5000
"""
DESKTOP, PHONE = (1440, 900), (390, 844)
STAFF = {"manager": "Ada", "dealer": "Ben"}
PLAYERS = {"ann": DESKTOP, "bob": PHONE}
BETTING_MS, DECISION_MS = 8_000, 90_000
TIME_TO_BET_S = 5
"""Seconds until bets close, in which two players can bet on a busy machine."""


class DealtSite:
    """The pages of a manager, a dealer and two players, each opened when it is first needed."""

    def __init__(self, chromium: Browser, server: ServerProcess) -> None:
        self._chromium = chromium
        self._server = server
        self._pages = dict[str, Page]()
        self._open = ExitStack()

    def at(self, table: str) -> "DealtTable":
        return DealtTable(self, table)

    def page_at(self, who: str, path: str) -> Page:
        """Return this person's page, at this path."""
        page = self._pages.get(who) or self._open_page(who, path)
        if not page.url.endswith(path):
            page.goto(path)
        return page

    def _open_page(self, who: str, path: str) -> Page:
        wide, high = PLAYERS.get(who, DESKTOP)
        page = self._open.enter_context(opened(self._chromium, self._server, width=wide, height=high))
        self._pages[who] = page
        if who in STAFF:
            page.goto(path)
            sign_in(page, STAFF[who], add(self._server.data, STAFF[who], who))
        return page

    def close(self) -> None:
        self._open.close()


class DealtTable:
    """The pages of a table; each goes there when it is first used."""

    def __init__(self, site: DealtSite, table: str) -> None:
        self._site = site
        self._table = table

    @cached_property
    def manager(self) -> Page:
        return self._site.page_at("manager", f"/staff/table/{self._table}")

    @cached_property
    def dealer(self) -> Page:
        """Return the dealer's page; without a dealer the table is paused."""
        page = self._site.page_at("dealer", f"/staff/table/{self._table}")
        expect(page.get_by_test_id("wanted")).not_to_contain_text("Paused", timeout=SLOW_MS)
        return page

    @cached_property
    def ann(self) -> Page:
        """Return the page of a player on a desktop."""
        return self._player("ann")

    @cached_property
    def bob(self) -> Page:
        """Return the page of a player on a phone."""
        return self._player("bob")

    def _player(self, who: str) -> Page:
        expect(self.dealer.get_by_test_id("wanted")).to_be_visible()  # the table is paused without a dealer
        page = self._site.page_at(who, f"/table/{self._table}")
        expect(page.get_by_test_id("saying")).not_to_be_empty(timeout=SLOW_MS)
        return page

    @property
    def players(self) -> tuple[Page, Page]:
        return self.ann, self.bob

    def deal(self, *cards: str) -> None:
        """Enter each card when it is requested; a face-down card is `down`."""
        for card in cards:
            self.expect_request("card")
            requested = self.dealer.get_by_test_id("wanted").text_content() or ""
            scan(self.dealer, card)
            expect(self.dealer.get_by_test_id("wanted")).not_to_have_text(requested, timeout=SLOW_MS)

    def expect_request(self, words: str) -> None:
        """Wait until the dealer's page requests this."""
        expect(self.dealer.get_by_test_id("wanted")).to_contain_text(words, timeout=2 * SLOW_MS)


@contextmanager
def dealt_server(
    folder: Path, *blocks: str, copies: Mapping[str, str] | None = None
) -> Iterator[ServerProcess]:
    """Start a server with these blocks of live tables.

    `copies` are further tables: published tables of blackjack, by the name of the copy.
    """
    (folder / "croupier.toml").write_text("".join(blocks))
    (folder / "tables.toml").write_text("".join(copy(table, name) for name, table in (copies or {}).items()))
    options = ("--config", str(folder / "croupier.toml"), "--tables", str(folder / "tables.toml"))
    server = ServerProcess(folder / "data", options=options).start()
    yield server
    server.stop()


@contextmanager
def dealt_pages(chromium: Browser, server: ServerProcess) -> Iterator[DealtSite]:
    site = DealtSite(chromium, server)
    try:
        yield site
    finally:
        site.close()


def copy(table: str, name: str) -> str:
    """Return the block of a published table of blackjack, under another name."""
    published = files("croupier.games.blackjack").joinpath("variants.toml").read_text()
    (block,) = (each for each in published.split("\n[") if each.startswith(f"{table}]"))
    renamed = f"[{name}]{block.removeprefix(f'{table}]')}\n"
    assert list(tomllib.loads(renamed)) == [name]
    return renamed


def block(table: str, *, betting_ms: int = BETTING_MS, decision_ms: int = DECISION_MS) -> str:
    """Return the configuration of a live table that a person deals."""
    return CONFIG_TOML.format(table=table, betting_ms=betting_ms, decision_ms=decision_ms)


@contextmanager
def dealt_table(
    chromium: Browser,
    folder: Path,
    table: str,
    *,
    betting_ms: int = BETTING_MS,
    decision_ms: int = DECISION_MS,
) -> Iterator[DealtTable]:
    """Start a server for one table, before its first shuffle."""
    config = block(table, betting_ms=betting_ms, decision_ms=decision_ms)
    with dealt_server(folder, config) as server, dealt_pages(chromium, server) as site:
        yield site.at(table)


def confirm_shuffles(live: DealtTable) -> None:
    """Confirm the shuffle of every shoe that the dealer's page requests; later rounds request none."""
    if "huffle" not in (live.dealer.get_by_test_id("wanted").text_content() or ""):
        return
    buttons = live.dealer.locator("[data-testid^='shuffled-']")
    for shoe in range(buttons.count()):
        button = live.dealer.get_by_test_id(f"shuffled-{shoe}")
        button.click()
        expect(button).to_be_hidden(timeout=SLOW_MS)


def wait_for_open_bets(page: Page, least_s: int = TIME_TO_BET_S) -> None:
    """Wait until bets are open for at least so long."""
    page.wait_for_function(TIME_TO_BET, arg=least_s, timeout=4 * SLOW_MS, polling=POLLING_MS)


def expect_accepted_bet(page: Page | Locator) -> None:
    """Wait until the server has accepted the bet shown."""
    expect(page.get_by_test_id("bet-state")).to_have_attribute("data-stands", "true", timeout=SLOW_MS)


def bet(page: Page, chip: int, *spots: str) -> None:
    """Place a chip on each spot, such as `0-main`, by default that one."""
    page.get_by_test_id(f"chip-{chip}").click()
    for spot in spots or ("0-main",):
        page.get_by_test_id(f"spot-{spot}").click()
    expect_accepted_bet(page)


def balance_of(page: Page) -> int:
    """Return the balance shown, in smallest units."""
    return digits(page.get_by_test_id("balance").text_content())


def expect_balance(page: Page, minor: int) -> None:
    expect(page.get_by_test_id("balance")).to_have_text(f"€{minor / 100:,.2f}", timeout=2 * SLOW_MS)


def expect_result(page: Page, net_minor: int) -> None:
    expect(page.get_by_test_id("result")).to_have_attribute("data-net", str(net_minor), timeout=2 * SLOW_MS)


def expect_status(page: Page, words: str) -> None:
    expect(page.get_by_test_id("saying")).to_have_text(words, timeout=2 * SLOW_MS)


def press(page: Page, key: str) -> None:
    page.locator("[data-table-root]").focus()
    page.wait_for_timeout(400)  # a decision can be pressed a moment after it appeared
    page.keyboard.press(key)


def look_at(page: Page, name: str) -> None:
    """Use the link in the bar above; on a phone it is in a menu."""
    page.evaluate("name => document.querySelector(`header a[href='/${name}']`).click()", name)
    expect(page.get_by_role("heading", level=1)).to_have_text(name.capitalize(), timeout=SLOW_MS)


def sit(page: Page, seat: int) -> None:
    page.get_by_test_id(f"sit-{seat}").click()
    expect(page.locator("[data-own='true']")).to_be_visible(timeout=SLOW_MS)

"""Managers read results and liabilities of real rounds, adjust a balance, and close an account."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.app.serve import DATABASE
from croupier.ledger.entries import PLAYER_KINDS
from tests.browser.player import SLOW_MS
from tests.browser.screens import SIZES
from tests.browser.test_everybody_can_play import check, check_sizes
from tests.browser.test_staff import page_at, sign_in
from tests.staff.clients import add
from tests.support.paying import assert_audited
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser
# A guest who stakes on red, and on red again.
PLAYS = """
async () => {
  const { socket_port } = await (await fetch('/api/server')).json();
  const line = new WebSocket(`ws://${location.hostname}:${socket_port}/ws`);
  const said = (command) => new Promise((answered, failed) => {
    const hear = ({ data }) => {
      const message = JSON.parse(data);
      if (message.t === 'no') failed(new Error(data));
      if (message.t === 'ok' && message.req === command.req) answered();
    };
    line.addEventListener('message', hear);
    line.send(JSON.stringify({ table: 'roulette', ...command }));
  });
  await new Promise((open) => { line.onopen = open; });
  line.send(JSON.stringify({ t: 'hello', protocol: 4 }));
  await said({ t: 'join', req: 'j', currency: 'EUR' });
  for (const req of ['r1', 'r2', 'r3'])
    await said({ t: 'deal', req, stakes: [{ box: 0, bet: 'red', stake_minor: 1000 }] });
}
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose audit passes at the end."""
    server = ServerProcess(tmp_path_factory.mktemp("office") / "data").start()
    yield server
    server.stop()
    assert_audited(server.data)


@pytest.fixture(scope="module")
def ada(chromium: Browser, server: ServerProcess) -> Iterator[Page]:
    """The page of a manager who has signed in."""
    with page_at(chromium, server, "/staff/results") as page:
        sign_in(page, "Ada", add(server.data, "Ada", "manager"))
        yield page


def database_sum(server: ServerProcess, query: str, *values: str) -> int:
    with closing(sqlite3.connect(server.data / DATABASE)) as database:
        return int(database.execute(query, values).fetchone()[0])


def minor_of(page: Page, line: str) -> int:
    return int(page.get_by_test_id(line).locator("[data-minor]").get_attribute("data-minor") or "")


def test_a_manager_reads_the_results_and_liabilities_of_real_rounds(
    kept: Page, ada: Page, server: ServerProcess
) -> None:
    expect(ada.get_by_test_id("empty")).to_have_text("No activity in this period.", timeout=SLOW_MS)
    kept.goto("/")
    kept.wait_for_load_state("networkidle")
    kept.evaluate(PLAYS)
    ada.reload()
    totals = ada.get_by_test_id("totals")
    expect(totals).to_contain_text("€30.00", timeout=SLOW_MS)
    won = database_sum(
        server, "SELECT balance_minor FROM account WHERE kind = 'table' AND owner = ?", "roulette"
    )
    assert minor_of(ada, "table-roulette") == won
    expect(ada.get_by_role("img", name="GGR by day")).to_be_visible()
    assert ada.locator("svg rect").count() == len([*range(7)])
    check_sizes(ada, "results", (SIZES[1], SIZES[-1]))
    ada.get_by_test_id("table").select_option("classic")
    expect(ada.get_by_test_id("empty")).to_be_visible(timeout=SLOW_MS)
    with ada.expect_download() as saved:
        ada.get_by_role("link", name="Save as CSV").click()
    assert "No Activity" in saved.value.path().read_text()

    ada.goto("/staff/liabilities")
    expect(ada.get_by_test_id("liability-EUR")).to_be_visible(timeout=SLOW_MS)
    marks = ",".join("?" * len(PLAYER_KINDS))
    owed = f"SELECT sum(balance_minor) FROM account WHERE currency = 'EUR' AND kind IN ({marks})"
    assert minor_of(ada, "liability-EUR") == database_sum(server, owed, *PLAYER_KINDS)
    check(ada, "liabilities")
    ada.goto("/staff/payments")
    expect(ada.get_by_test_id("empty")).to_be_visible(timeout=SLOW_MS)
    check(ada, "payments")
    ada.goto("/staff/log")
    expect(ada.get_by_test_id("event").first).to_be_visible(timeout=SLOW_MS)
    ada.get_by_text("More filters").click()
    ada.get_by_test_id("what").select_option("add_staff")
    ada.get_by_role("button", name="Search").click()
    expect(ada.get_by_test_id("event")).to_have_count(1, timeout=SLOW_MS)
    check(ada, "event log")


def ask_adjustment(page: Page, amount: str, reason: str) -> None:
    page.get_by_role("button", name="Adjust a balance").click()
    page.get_by_test_id("amount").fill(amount)
    page.get_by_test_id("currency").select_option("EUR")
    page.get_by_test_id("reason").fill(reason)
    check(page, "adjustment")
    page.get_by_test_id("confirm").click()
    expect(page.get_by_role("dialog")).to_be_hidden(timeout=SLOW_MS)


def test_two_managers_adjust_a_balance_and_one_closes_the_account(
    chromium: Browser, kept: Page, ada: Page, server: ServerProcess
) -> None:
    bob = add(server.data, "Bob", "manager")
    kept.goto("/")
    kept.wait_for_load_state("networkidle")
    player = kept.evaluate("async () => (await (await fetch('/api/me')).json()).player")
    ada.goto("/staff/players")
    ada.get_by_test_id("search").fill(player[:10])
    ada.keyboard.press("Enter")
    check(ada, "players")
    ada.get_by_test_id(f"found-{player}").get_by_role("link").click()
    expect(ada.get_by_test_id("balances-EUR")).to_contain_text("€1,000.00", timeout=SLOW_MS)
    check(ada, "player")
    ask_adjustment(ada, "12.50", "A spilled shoe")
    ada.get_by_role("link", name="Approvals").click()
    expect(ada.get_by_test_id("approval")).to_contain_text("Another manager decides", timeout=SLOW_MS)

    with page_at(chromium, server, "/staff/approvals", width=390) as deciding:
        sign_in(deciding, "Bob", bob)
        expect(deciding.get_by_role("link", name="Approvals 1 waiting")).to_be_visible()
        expect(deciding.get_by_test_id("approval")).to_contain_text("€1,000.00 → €1,012.50", timeout=SLOW_MS)
        check(deciding, "approvals")
        deciding.get_by_role("button", name="Approve").click()
        deciding.get_by_test_id("confirm").click()
        expect(deciding.get_by_test_id("approval")).to_contain_text("approved by Bob", timeout=SLOW_MS)
        deciding.goto(f"/staff/players/{player}/statement")
        expect(deciding.get_by_text("A spilled shoe")).to_be_visible(timeout=SLOW_MS)
        check(deciding, "statement")

    ada.goto(f"/staff/players/{player}")
    ada.get_by_role("button", name="Close the account").click()
    ada.get_by_test_id("reason").fill("The player asked for it")
    ada.get_by_test_id("confirm").click()
    expect(ada.get_by_test_id("closed")).to_contain_text("The player asked for it", timeout=SLOW_MS)
    expect(kept.get_by_role("dialog")).to_contain_text("This account is closed", timeout=SLOW_MS)

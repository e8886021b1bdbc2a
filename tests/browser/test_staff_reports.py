"""A manager reads the results and liabilities of rounds that were really played."""

import sqlite3
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


def database_sum(server: ServerProcess, query: str, *values: str) -> int:
    with closing(sqlite3.connect(server.data / DATABASE)) as database:
        return int(database.execute(query, values).fetchone()[0])


def minor_of(page: Page, line: str) -> int:
    return int(page.get_by_test_id(line).locator("[data-minor]").get_attribute("data-minor") or "")


def test_a_manager_reads_the_results_and_liabilities_of_real_rounds(
    chromium: Browser, fresh_server: ServerProcess
) -> None:
    server = fresh_server
    ada = add(server.data, "Ada", "manager")
    with page_at(chromium, server, "/") as player, page_at(chromium, server, "/staff/results") as manager:
        sign_in(manager, "Ada", ada)
        expect(manager.get_by_test_id("empty")).to_have_text("No activity in this period.", timeout=SLOW_MS)
        player.wait_for_load_state("networkidle")
        player.evaluate(PLAYS)
        manager.reload()
        totals = manager.get_by_test_id("totals")
        expect(totals).to_contain_text("€30.00", timeout=SLOW_MS)
        won = database_sum(
            server, "SELECT balance_minor FROM account WHERE kind = 'table' AND owner = ?", "roulette"
        )
        assert minor_of(manager, "table-roulette") == won
        expect(manager.get_by_role("img", name="GGR by day")).to_be_visible()
        assert manager.locator("svg rect").count() == len([*range(7)])
        check_sizes(manager, "results", (SIZES[1], SIZES[-1]))
        manager.get_by_test_id("table").select_option("classic")
        expect(manager.get_by_test_id("empty")).to_be_visible(timeout=SLOW_MS)
        with manager.expect_download() as saved:
            manager.get_by_role("link", name="Save as CSV").click()
        assert "No Activity" in saved.value.path().read_text()

        manager.goto("/staff/liabilities")
        expect(manager.get_by_test_id("liability-EUR")).to_be_visible(timeout=SLOW_MS)
        marks = ",".join("?" * len(PLAYER_KINDS))
        owed = f"SELECT sum(balance_minor) FROM account WHERE currency = 'EUR' AND kind IN ({marks})"
        assert minor_of(manager, "liability-EUR") == database_sum(server, owed, *PLAYER_KINDS)
        check(manager, "liabilities")
        manager.goto("/staff/payments")
        expect(manager.get_by_test_id("empty")).to_be_visible(timeout=SLOW_MS)
        check(manager, "payments")
        manager.goto("/staff/log")
        expect(manager.get_by_test_id("event").first).to_be_visible(timeout=SLOW_MS)
        manager.get_by_text("More filters").click()
        manager.get_by_test_id("what").select_option("add_staff")
        manager.get_by_role("button", name="Search").click()
        expect(manager.get_by_test_id("event")).to_have_count(1, timeout=SLOW_MS)
        check(manager, "event log")
    server.stop()
    assert_audited(server.data)

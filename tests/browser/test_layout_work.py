"""A change at a table lays the page out once.

If a row above a size container is as high as its content (`auto`), the browser lays the table out at another
height first, and all container queries are evaluated twice. Each step of a timer then costs as much as a
change of the whole table.
"""

import pytest
from playwright.sync_api import CDPSession, Page

from tests.browser.player import SLOW_MS, follow
from tests.browser.test_four_tables import root

pytestmark = pytest.mark.browser

CHANGES = 20
CHANGED = """
(bar, changes) => {
  for (let change = 0; change < changes; change++) {
    bar.append(Object.assign(document.createElement('span'), { className: 'unseen', textContent: change }));
    document.body.offsetHeight; // lays the page out
  }
}
"""


TABLES = ("live_sic_bo", "live_roulette", "live_baccarat", "infinite", "classic")


def test_a_change_is_laid_out_once_at_each_table(kept: Page) -> None:
    page = kept
    page.goto("/")
    metrics = page.context.new_cdp_session(page)
    metrics.send("Performance.enable")
    for table in TABLES:
        page.get_by_test_id(f"table-{table}").click(timeout=SLOW_MS)
        root(page, table).locator("[data-cloth-root] button").first.wait_for(timeout=SLOW_MS)
        bar = root(page, table).get_by_role("group", name="Actions")
        before = style_recalculations(metrics)
        bar.evaluate(CHANGED, CHANGES)
        assert style_recalculations(metrics) - before <= 2 * CHANGES, table
        follow(page, "/")
    metrics.detach()


def style_recalculations(metrics: CDPSession) -> int:
    counted = metrics.send("Performance.getMetrics")["metrics"]
    return int({one["name"]: one["value"] for one in counted}["RecalcStyleCount"])

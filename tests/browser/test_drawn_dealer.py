"""The automatic dealer's place: beside the table and never over it, and in time with the cards."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened
from tests.browser.player import SLOW_MS, bet_in_time, follow
from tests.browser.screens import assert_layout, resize
from tests.browser.test_four_tables import SCROLLS_PX, open_all
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

CONFIG_TOML = """
[infinite]
pace_ms = 400
betting_ms = 4000
warning_ms = 500
offer_ms = 2000
decision_ms = 2000
pause_ms = 2000

[seven_seat]
dealer = "person"
"""
PICTURE = re.compile("Dealer.s picture")
FOUR = ("infinite", "live_roulette", "live_baccarat", "live_sic_bo")
DESKTOP, PHONE = (1440, 900), (390, 844)
OVERLAPS = """
(dealers) => {
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const others = '[data-table-root] :is(button, [data-testid=light], [data-testid^=hand-], [data-cloth])';
  const boxes = [...document.querySelectorAll(others)].map((other) => [other, other.getBoundingClientRect()]);
  return dealers.flatMap((dealer) => {
    const box = dealer.getBoundingClientRect();
    return boxes.filter(([, other]) => meet(box, other)).map(([other]) => other.outerHTML.slice(0, 80));
  });
}
"""
NOTED = """
window.noted = [];
addEventListener('animationstart', ({ target, animationName }) => {
  if (target.closest('[data-testid=drawn-dealer]')) noted.push(animationName.replace(/.*-/, ''));
}, true);
"""
SEEN = """
window.seen = [];
new MutationObserver(() => {
  const dealer = document.querySelector('[data-testid=drawn-dealer]');
  if (!dealer) return;
  const { count, gesture } = dealer.dataset, call = dealer.querySelector('p').textContent;
  const [before = {}] = seen.slice(-1);
  if (before.count !== count || before.call !== call) seen.push({ count, gesture, call });
}).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder: Path = tmp_path_factory.mktemp("server")
    (folder / "croupier.toml").write_text(CONFIG_TOML, encoding="utf-8")
    options = ("--config", str(folder / "croupier.toml"))
    process = ServerProcess(folder / "data", options=options).start()
    yield process
    process.stop()


def bet(page: Page) -> None:
    """Bet in the next round of Infinite."""
    bet_in_time(page, page.get_by_test_id("spot-0-main").click, least_s=2)


def overlaps(page: Page) -> object:
    return page.get_by_test_id("drawn-dealer").evaluate_all(OVERLAPS)


def expect_covers_nothing(page: Page, table: str) -> None:
    """Check the place of the dealer on a desktop and a phone."""
    dealer = page.get_by_test_id("drawn-dealer")
    expect(dealer).to_be_visible(timeout=SLOW_MS)
    assert_layout(page, table, (DESKTOP, PHONE))
    for size in (DESKTOP, PHONE):
        resize(page, size)
        expect(dealer).to_be_visible()
        assert overlaps(page) == []


@pytest.mark.campaign
@pytest.mark.parametrize("table", [*FOUR[2:], "live_dragon_tiger"])
def test_the_place_covers_nothing_on_a_desktop_and_a_phone(page: Page, table: str) -> None:
    page.goto(f"/table/{table}")
    expect_covers_nothing(page, table)


def test_all_bets_of_four_tables_are_in_view_beside_four_dealers(page: Page) -> None:
    width, height = DESKTOP
    page.set_viewport_size({"width": width, "height": height})
    open_all(page, *FOUR)
    expect(page.get_by_test_id("drawn-dealer")).to_have_count(4, timeout=SLOW_MS)
    assert overlaps(page) == []
    for table in FOUR[1:]:
        cloth = page.get_by_test_id(f"frame-{table}").locator("[data-cloth]")
        assert cloth.evaluate(SCROLLS_PX) == 0, table


def test_the_dealer_deals_turns_and_calls_in_time(chromium: Browser, server: ServerProcess) -> None:
    with opened(chromium, server, width=1440, height=900) as page:
        page.emulate_media(reduced_motion="no-preference")
        page.add_init_script(NOTED + SEEN)
        page.goto("/table/infinite")
        bet(page)
        expect(page.get_by_test_id("hand-0-0")).to_be_visible(timeout=SLOW_MS)
        expect(page.get_by_test_id("drawn-dealer")).to_contain_text("You have", timeout=SLOW_MS)
        seen = page.evaluate("seen")
        dealt = next(at for at, one in enumerate(seen) if "You have" in one["call"])
        assert any("No more bets" in one["call"] for one in seen[:dealt])
        gestures = {one["count"]: one["gesture"] for one in seen[: dealt + 1]}
        assert list(gestures.values()).count("deals") >= 3, "a gesture for each card"
        assert {"deal", "carry", "speak", "open"} <= set(page.evaluate("noted"))


def test_the_dealer_covers_nothing_rests_with_reduced_motion_and_can_be_switched_off(page: Page) -> None:
    page.add_init_script(NOTED)
    # none is drawn where a person deals
    with page.expect_response("**/api/live-tables"):
        page.goto("/table/seven_seat")
    expect(page.get_by_test_id("light")).to_be_visible(timeout=SLOW_MS)
    dealer = page.get_by_test_id("drawn-dealer")
    expect(dealer).to_have_count(0)

    for table in (FOUR[1], FOUR[0]):
        follow(page, "/")
        page.get_by_test_id(f"table-{table}").click(timeout=SLOW_MS)
        expect_covers_nothing(page, table)

    # reduced motion stops the figure, and the player may switch it off
    resize(page, DESKTOP)
    bet(page)
    expect(dealer).to_have_attribute("data-gesture", "deals", timeout=SLOW_MS)
    assert page.evaluate("noted") == []
    page.get_by_test_id("table-menu").click()
    page.get_by_test_id("menu-settings").click()
    page.get_by_role("group", name=PICTURE).get_by_text("Off", exact=True).click()
    expect(dealer).to_have_count(0)

"""Axe finds nothing, nothing overflows, and no mouse is needed: on every page and in every phase."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect

from tests.browser.conftest import opened
from tests.browser.player import SLOW_MS, Player
from tests.browser.screens import SIZES as WINDOWS
from tests.browser.screens import resize
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

AXE = Path("web/node_modules/axe-core/axe.min.js")
PAGES = ("/", "/history", "/cashier", "/safer-play", "/settings", "/learn", "/nowhere")
ALWAYS_SHOWN = ("clock", "balance", "session", "played")
PANELS = ("settings", "limits", "rules", "history", "keys")
# The last is a desktop's 1280 x 1024 at 400 % zoom.
SIZES = ((320, 640), (390, 844), (820, 1180), (844, 390), (1280, 800), (1440, 900), (320, 256))
REACHING_OVER = """
[...document.querySelectorAll('[data-testid^=hand-] :is(li, .foot), .line')]
  .map((part) => [part.textContent.trim(), part.getBoundingClientRect()])
  .filter(([, { left, right }]) => left < -1 || right > innerWidth + 1)
  .map(([text]) => text)
"""
# A focus ring within its element is covered by positioned children, unless it is drawn above them.
RINGED = """
() => {
  const at = document.activeElement;
  const covered = (part) => {
    const { left, top, height } = part.getBoundingClientRect();
    let over = document.elementFromPoint(left + 2, top + height / 2);
    for (; over && over !== part; over = over.parentElement)
      if (getComputedStyle(over).position !== 'static') return true;
    return false;
  };
  const ringed = (part, pseudo) => {
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(part, pseudo);
    const ring = outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
    return ring && (pseudo || parseFloat(outlineOffset) >= 0 || !covered(part));
  };
  const parts = [at, at.parentElement, at.closest('article')].filter(Boolean);
  return at !== document.body && parts.some((part) => ringed(part) || ringed(part, '::after'));
}
"""
TABLES = ("classic", "multihand", "double_exposure")
NOW = ((1280, 800), (320, 640))
"""Sizes at which `make test` runs axe on all pages."""
LOW = ((844, 390), (320, 256))
"""Sizes at which it checks only that nothing overflows; `make campaign` runs axe at every size."""
PHASES_NOW = {
    ("multihand", (390, 844)),
    ("classic", (844, 390)),
    ("double_exposure", (1280, 800)),
    ("multihand", (320, 256)),
}
PHASES = [
    pytest.param(
        size,
        table,
        id=f"{table}-{size[0]}x{size[1]}",
        marks=() if (table, size) in PHASES_NOW else pytest.mark.campaign,
    )
    for table in TABLES
    for size in SIZES
]
BUTTON_PX_MIN, OWN_CARD_PX_MIN, PHONE_PX = 44, 56, 390


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def sized(request: pytest.FixtureRequest, chromium: Browser, server: ServerProcess) -> Iterator[Page]:
    width, height = request.param
    with opened(chromium, server, width=width, height=height) as page:
        yield page


def violations(page: Page) -> list[str]:
    """Return axe's violations as rule and place."""
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run({ resultTypes: ['violations'] })).violations")
    return [f"{rule['id']}: {node['target']}" for rule in found for node in rule["nodes"]]


def overflowing(page: Page) -> int:
    """Return by how many pixels the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))


def cut_off(page: Page) -> list[str]:
    """Return cards, totals and stakes that extend over the window's sides, where the cloth clips them."""
    found: list[str] = page.evaluate(REACHING_OVER)
    return found


def check(page: Page, where: str) -> None:
    """Check again what overlaps only while one element replaces another."""
    right: tuple[str, list[str], int, list[str]] = (where, [], 0, [])
    if _look(page, where) != right:
        page.wait_for_timeout(500)
        assert _look(page, where) == right


def check_sizes(page: Page, where: str, sizes: Iterable[tuple[int, int]] = WINDOWS) -> None:
    """Check that the page fits each size, and at the last one, which it is left at, with axe."""
    for size in sizes:
        resize(page, size)
        fits(page, f"{where} at {size}")
    check(page, where)


def fits(page: Page, where: str) -> None:
    """Check twice, since a moving part may extend over the window for a moment."""
    if _reaches_over(page):
        page.wait_for_timeout(500)
        assert not _reaches_over(page), where


def _reaches_over(page: Page) -> bool:
    return overflowing(page) > 0 or bool(cut_off(page))


def _look(page: Page, where: str) -> tuple[str, list[str], int, list[str]]:
    return where, violations(page), max(0, overflowing(page)), cut_off(page)


@pytest.mark.campaign
def test_every_page_and_table_is_accessible_at_every_size(sized: Page) -> None:
    for path in PAGES:
        sized.goto(path)
        for figure in ALWAYS_SHOWN:
            expect(sized.get_by_test_id(figure)).to_be_in_viewport()
        sized.wait_for_load_state("networkidle")
        check(sized, path)
    for table in TABLES:
        Player(sized, seed=3).sit(table)
        check(sized, f"betting at {table}")


def test_every_page_is_accessible(kept: Page) -> None:
    page = kept
    page.goto(PAGES[0])
    for path in PAGES:
        _open(page, path)
        page.wait_for_load_state("networkidle")
        for size in (*LOW, *NOW):
            resize(page, size)
            for figure in ALWAYS_SHOWN:
                expect(page.get_by_test_id(figure)).to_be_in_viewport()
            look = check if size in NOW else fits
            look(page, f"{path} at {size}")


def _open(page: Page, path: str) -> None:
    """Follow a link, or load the page if there is none."""
    link = page.locator(f"header a[href='{path}'], main a[href='{path}']").first
    if link.count():
        link.evaluate("link => link.click()")
        expect(page).to_have_url(path, timeout=SLOW_MS)
    else:
        page.goto(path)


@pytest.mark.parametrize(("sized", "table"), PHASES, indirect=["sized"])
def test_every_phase_of_a_table_is_accessible(sized: Page, table: str) -> None:
    player = Player(sized, seed=3)
    player.sit(table)
    fits(sized, "betting")
    for spot in sized.locator("[data-testid^='spot-'][data-testid$='-main']").all():
        spot.click()
    check(sized, "chips placed")
    sized.get_by_test_id("deal").click()
    sized.locator("[data-phase='playing'], [data-phase='ended']").wait_for()
    check(sized, "dealt")
    while player.wait_for_turn():
        _check_sizes(sized)
        player.decide("mouse")
    check(sized, "ended")


def _check_sizes(page: Page) -> None:
    """Check that decisions fit a finger, and that cards in turn are legible on an upright phone."""
    for button in page.locator("[data-testid^='action-']:visible").all():
        assert _box(button)["height"] >= BUTTON_PX_MIN
    window = page.viewport_size
    if window and window["width"] == PHONE_PX:
        cards = page.locator("[data-testid^='hand-'].active .card").all()
        assert all(_box(card)["width"] >= OWN_CARD_PX_MIN for card in cards), "none is in turn at insurance"


def _box(part: Locator) -> FloatRect:
    box = part.bounding_box()
    assert box, "the element isn't shown"
    return box


def test_every_panel_is_accessible(kept: Page) -> None:
    page = kept
    page.goto("/table/multihand")
    for panel in PANELS:
        page.get_by_test_id("table-menu").click()
        page.get_by_test_id(f"menu-{panel}").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        check(page, panel)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()


def test_a_session_without_a_mouse(kept: Page) -> None:
    """Play a round from lobby to lobby by keys alone, with the focus always visible."""
    page = kept
    page.goto("/")
    tab_to(page.get_by_test_id("table-premium"))
    press(page, "Enter")
    expect(page.locator("main")).to_be_focused()
    focus_is_visible(page)
    _play_round(page)
    _panels_and_back(page)
    tab_to(page.get_by_role("link", name="History"), by="Shift+Tab")
    press(page, "Enter")
    tab_to(page.get_by_role("link", name="Round #"))
    press(page, "Enter")
    expect(page.get_by_test_id("id")).to_be_visible()
    tab_to(page.get_by_role("link", name="Lobby"), by="Shift+Tab")
    press(page, "Enter")
    tab_to(page.get_by_test_id("table-infinite"))
    press(page, "Enter")
    _chat(page)
    tab_to(page.get_by_test_id("table-menu"))
    press(page, "Enter")
    tab_to(page.get_by_test_id("menu-leave"))
    press(page, "Enter")
    expect(page.get_by_test_id("table-premium")).to_be_visible()
    focus_is_visible(page)


def _play_round(page: Page) -> None:
    tab_to(page.get_by_test_id("spot-0-main"))
    press(page, "Enter")
    expect(page.get_by_test_id("placed")).to_contain_text("10,000")
    tab_to(page.get_by_test_id("deal"))
    press(page, "Enter")
    player = Player(page, seed=5)
    while player.wait_for_turn():
        expect(page.locator("[data-table-root]")).to_be_focused()
        focus_is_visible(page)
        player.decide("keys")
    expect(page.get_by_test_id("result")).to_be_visible()
    focus_is_visible(page)


def _panels_and_back(page: Page) -> None:
    """Open and close each panel from the menu and by its own button; the focus returns to where it was."""
    menu = page.get_by_test_id("table-menu")
    tab_to(menu, by="Shift+Tab")
    press(page, "Enter")
    tab_to(page.get_by_test_id("menu-history"))
    _opens_and_closes(page, menu)
    limits = page.get_by_test_id("limits")
    tab_to(limits, by="Shift+Tab")
    _opens_and_closes(page, limits)


def _opens_and_closes(page: Page, opener: Locator) -> None:
    press(page, "Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(":focus")).to_be_visible()
    focus_is_visible(page)
    press(page, "Escape")
    expect(dialog).to_be_hidden()
    expect(opener).to_be_focused()


def _chat(page: Page) -> None:
    button = page.get_by_role("button", name="Chat")
    tab_to(button)
    press(page, "Enter")
    expect(page.get_by_test_id("chat-text")).to_be_focused()
    page.keyboard.type("Good evening")
    press(page, "Enter")
    expect(page.get_by_role("log")).to_contain_text("You Good evening")
    press(page, "Escape")
    expect(page.get_by_test_id("chat")).to_have_count(0)
    expect(button).to_be_focused()


def press(page: Page, key: str) -> None:
    page.keyboard.press(key)
    focus_is_visible(page)


def tab_to(goal: Locator, by: str = "Tab") -> None:
    """Press Tab until the focus is there; it must be visible at each stop."""
    expect(goal).to_be_visible(timeout=SLOW_MS)
    for _ in range(60):
        press(goal.page, by)
        if goal.evaluate("goal => goal === document.activeElement"):
            return
    raise AssertionError(f"60 presses of {by} didn't reach {goal}")


def focus_is_visible(page: Page) -> None:
    """The focused element or its container has a focus ring; the page's body never has the focus."""
    page.wait_for_function(RINGED, timeout=SLOW_MS)

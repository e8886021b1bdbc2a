"""The chat of a live table: two browsers chat, everything is text, and the window can be placed anywhere."""

from collections.abc import Iterator
from time import monotonic

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import opened
from tests.browser.player import SLOW_MS
from tests.browser.screens import resize
from tests.browser.test_everybody_can_play import check
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

MARKUP = "Good evening <img src=x onerror=alert(1)> & <b>all</b>"
OPENS_MS = 3 * SLOW_MS
"""A live table opens only once a new player's first entries are durable."""
DESKTOP, PHONE = (1440, 900), (390, 844)


@pytest.fixture
def ann(kept: Page) -> Page:
    resize(kept, DESKTOP)
    return kept


@pytest.fixture
def bob(chromium: Browser, server: ServerProcess) -> Iterator[Page]:
    with opened(chromium, server, width=DESKTOP[0], height=DESKTOP[1]) as page:
        yield page


def sit(page: Page, tables: str = "infinite") -> None:
    page.goto(f"/table/{tables}")
    expect(page.locator("[data-table-root]").first).to_be_visible(timeout=OPENS_MS)


def chat_button(page: Page, table: str = "infinite") -> Locator:
    return page.get_by_test_id(f"frame-{table}").get_by_role("button", name="Chat")


def talk(page: Page) -> None:
    chat_button(page).click()
    expect(page.get_by_test_id("chat-text")).to_be_focused()


def send_chat(page: Page, text: str) -> None:
    page.get_by_test_id("chat-text").fill(text)
    page.keyboard.press("Enter")


def log(page: Page) -> Locator:
    return page.get_by_role("log")


def line_of(page: Page, text: str) -> Locator:
    return log(page).locator("li", has_text=text)


def test_two_players_chat_in_plain_text_report_mute_and_hide_lines(ann: Page, bob: Page) -> None:
    sit(ann)
    sit(bob)
    talk(ann)
    send_chat(ann, MARKUP)
    expect(log(ann)).to_contain_text(f"You {MARKUP}")
    expect(ann.get_by_test_id("chat-text")).to_have_value("")
    expect(chat_button(bob)).to_have_accessible_name("Chat, 1 new", timeout=SLOW_MS)
    bob.keyboard.press("c")
    expect(bob.get_by_test_id("chat-text")).to_be_focused()
    expect(bob.get_by_test_id("chat-text")).to_have_value("")
    expect(log(bob)).to_contain_text(MARKUP)
    expect(log(bob).locator("b, img")).to_have_count(0)
    expect(chat_button(bob)).to_have_accessible_name("Chat")

    # a refused line stays to be edited, and a line can be reported
    send_chat(ann, "Come to www.example.com")
    expect(ann.get_by_text("Links and addresses")).to_be_visible()
    expect(ann.get_by_test_id("chat-text")).to_have_value("Come to www.example.com")
    send_chat(ann, "Something to be reported")
    reported = line_of(bob, "Something to be reported")
    reported.get_by_role("button").click()
    reported.get_by_role("button", name="Report message").click()
    expect(bob.get_by_text("Reported.")).to_be_visible()

    # a setting hides the lines of all other players
    bob.get_by_test_id("table-menu").click()
    bob.get_by_test_id("menu-settings").click()
    bob.get_by_label("Hide other players").check()
    bob.keyboard.press("Escape")
    expect(log(bob)).not_to_contain_text("Something to be reported")
    bob.get_by_role("button", name="Show them").click()
    expect(log(bob)).to_contain_text("Something to be reported")
    _mute_permanently_for_themselves_only(ann, bob)


def _mute_permanently_for_themselves_only(ann: Page, bob: Page) -> None:
    send_chat(ann, "Nobody wants to read this")
    muted = line_of(bob, "Nobody wants to read this")
    muted.get_by_role("button").click()
    muted.get_by_role("button", name="Mute player").click()
    expect(muted).to_be_hidden()
    bob.reload()
    talk(bob)
    expect(muted).to_be_hidden()
    expect(log(ann)).to_contain_text("Nobody wants to read this")
    bob.get_by_role("button", name="Unmute all").click()
    expect(muted).to_be_visible()


def test_the_window_moves_stays_inside_and_is_accessible_and_follows_the_active_table(ann: Page) -> None:
    sit(ann)
    talk(ann)
    _count_down_the_end_of_a_long_line(ann)
    send_chat(ann, "Good luck")
    expect(log(ann).get_by_text("You")).to_be_visible()
    check(ann, "chat")
    _move_and_grow_by_keys(ann)
    _move_by_pointer(ann)

    # a phone has another window
    resize(ann, PHONE)
    check(ann, "chat on a phone")
    ann.get_by_test_id("chat-text").focus()
    ann.keyboard.press("Escape")
    expect(ann.get_by_test_id("chat")).to_have_count(0)
    expect(ann.locator("[data-table-root]")).to_be_focused()

    # one chat follows the active table
    resize(ann, DESKTOP)
    sit(ann, "infinite+seven_seat")
    talk(ann)
    expect(log(ann)).to_have_accessible_name("Infinite Blackjack chat")
    ann.keyboard.press("Alt+2")
    expect(log(ann)).to_have_accessible_name("Seven-seat Blackjack chat")
    chat_button(ann, "seven_seat").click()
    expect(log(ann)).to_have_count(0)


def _count_down_the_end_of_a_long_line(page: Page) -> None:
    field = page.get_by_test_id("chat-text")
    field.fill("x" * 159)
    expect(page.get_by_text(" left", exact=False).locator("visible=true")).to_have_count(0)
    field.fill("x" * 190)
    expect(page.get_by_text("10 left")).to_be_visible()
    field.press_sequentially("y" * 20)
    assert len(field.input_value()) == 200


def _move_and_grow_by_keys(page: Page) -> None:
    """Check that the window remembers its place, too."""
    window = page.get_by_test_id("chat")
    _dock(page, "Floating")
    before = _box(window)
    page.get_by_test_id("chat-move").focus()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowDown"):
        page.keyboard.press(key)
    page.get_by_test_id("chat-size").focus()
    for key in ("ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    after = [old + by for old, by in zip(before, (-32, 16, 16, 16), strict=True)]
    _expect_box(window, after)
    page.reload()
    talk(page)
    _expect_box(window, after)


def _move_by_pointer(page: Page) -> None:
    """Check that the window stays inside and beside the table."""
    window = page.get_by_test_id("chat")
    grip = _box(page.get_by_test_id("chat-move"))
    page.mouse.move(grip[0] + 8, grip[1] + 8)
    page.mouse.down()
    page.mouse.move(-500, 300, steps=4)
    page.mouse.up()
    left, _, width, _ = _box(window)
    assert left == 0
    _dock(page, "On the left")
    assert _box(window)[0] == 0
    assert _box(page.get_by_test_id("frame-infinite"))[0] == pytest.approx(width, abs=1)


def _dock(page: Page, where: str) -> None:
    page.get_by_test_id("chat-place").click()
    page.get_by_role("button", name=where).click()


def _expect_box(of: Locator, box: list[float]) -> None:
    """A key's effect is drawn with the next frame, not with the key."""
    deadline = monotonic() + SLOW_MS / 1000
    while _box(of) != box and monotonic() < deadline:
        of.page.wait_for_timeout(50)
    assert _box(of) == box


def _box(of: Locator) -> list[float]:
    box = of.bounding_box()
    assert box is not None
    return [box["x"], box["y"], box["width"], box["height"]]

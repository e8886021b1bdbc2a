"""Dialogs over the table, its messages, and its recovery from unexpected messages."""

import re
import sqlite3
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from croupier.app.serve import DATABASE
from croupier.protocol import wire
from tests.browser.ahead import deal_until
from tests.browser.on_the_wire import change
from tests.browser.player import SLOW_MS, Player, follow
from tests.browser.test_everybody_can_play import press, tab_to
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

HOUR_MS = 3_600_000
LISTEN = """
() => {
  window.said = { polite: [], urgent: [] };
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const region = target.closest?.('[data-testid=polite], [data-testid=urgent]');
      if (region?.textContent) window.said[region.dataset.testid].push(region.textContent.trim());
    }
  }).observe(document, { subtree: true, childList: true });
}
"""


def test_esc_closes_only_the_topmost_dialog_and_a_screen_reader_gets_the_sentences_of_the_log(
    kept: Page,
) -> None:
    page = kept
    page.goto("/table/multihand")
    menu = page.get_by_test_id("table-menu")
    menu.click()
    page.get_by_test_id("menu-rules").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(menu).to_be_focused()
    menu.click()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("menu-rules")).to_be_hidden()
    expect(page.get_by_test_id("deal")).to_be_visible()

    page.evaluate(LISTEN)
    page.get_by_role("button", name="Table in words").click()
    Player(page, seed=12).play_round("mouse")
    expect(page.get_by_test_id("result")).to_be_visible()
    log = page.get_by_test_id("words").locator("p").all_inner_texts()
    assert re.fullmatch(r".*Staked GC\s[\d,]+, returned GC\s[\d,]+\.", log[-1])
    turns = [line for line in log if line.startswith("Your turn")]
    expect(page.get_by_test_id("polite")).to_contain_text(log[-1])
    expect(page.get_by_test_id("urgent")).to_contain_text(turns[-1] if turns else "")
    announced = page.evaluate("window.said")
    bets = re.compile(r"Total bet GC\s[\d,]+\. ?")
    spoken = [bets.sub("", text) for text in announced["polite"]] + announced["urgent"]
    assert sorted(" ".join(spoken).split()) == sorted(" ".join(log).split())
    assert all(line.startswith("Your turn") or "Insurance" in line for line in announced["urgent"])


def test_the_reality_check_shows_the_amount_in_play_and_leaves(kept: Page, server: ServerProcess) -> None:
    page = kept
    page.goto("/settings")
    expect(page.get_by_test_id("played")).to_have_text("00:00:00")
    page.get_by_label("30 min").check()
    deal_until(page, server, (wire.Stake(0, "main", 1000),), "classic", lambda played: not played.view.ended)
    backdate_sessions(server, HOUR_MS)
    page.goto("/table/classic")
    check = page.get_by_role("dialog", name="Time check")
    expect(check.get_by_test_id("in-play-now")).to_contain_text("GC\u00a01,000")
    expect(check).not_to_contain_text("No stakes in this session")
    expect(check).to_be_focused()
    press(page, "Enter")
    tab_to(check.get_by_role("button", name="Leave"))
    press(page, "Enter")
    ended = page.get_by_role("dialog", name="Your session has ended")
    expect(ended).to_contain_text("You left every table.")
    expect(ended).to_be_focused()
    tab_to(ended.get_by_role("button", name="Start a new session"))
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("resume-classic")).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_test_id("played")).to_have_text("00:00:00")


def test_the_reality_check_has_to_be_answered(kept: Page, server: ServerProcess) -> None:
    page = kept
    page.goto("/settings")
    page.get_by_label("30 min").check()
    player = Player(page, seed=15)
    player.move("classic")
    player.play_round("mouse")
    backdate_sessions(server, HOUR_MS)
    page.reload()
    check = page.get_by_role("dialog", name="Time check")
    expect(check).to_contain_text("You have played for 1 hour")
    for _ in range(5):
        page.keyboard.press("Escape")
    page.mouse.click(5, 5)
    expect(check).to_be_visible()
    for word in ("Staked", "Returned", "Result"):
        expect(check).to_contain_text(word)
    check.get_by_role("button", name="Continue").click()
    expect(check).to_be_hidden()
    page.reload()
    expect(page.get_by_test_id("played")).to_contain_text("01:00")
    expect(check).to_be_hidden()


def backdate_sessions(server: ServerProcess, ms: int) -> None:
    """Move the start of all sessions, and of the time played, back; pages see it after a reload.

    The server may have stored the present stretch again meanwhile, with its start as it was.
    """
    with closing(sqlite3.connect(server.data / DATABASE)) as database, database:
        database.execute("UPDATE OR REPLACE play_time SET began_ms = began_ms - ?", (ms,))
        database.execute("UPDATE session SET created_ms = created_ms - ?", (ms,))
        database.execute("UPDATE round SET started_ms = started_ms - ?", (ms,))


def test_a_newer_server_asks_for_a_reload_and_a_missed_reality_check_follows_a_refusal(
    page: Page, server: ServerProcess
) -> None:
    old = [True]
    missed = list[bool]()

    def outdated(message: dict[str, Any]) -> None:
        if message["t"] == "hello" and old:
            message["protocol"] = 0

    def just_begun(message: dict[str, Any]) -> None:
        if message["t"] == "welcome" and missed:
            message["session_started_ms"] = message["now_ms"]
            message["reminded_ms"] = message["now_ms"]

    change(page, to_server=outdated, to_page=just_begun)
    page.goto("/")
    expect(page.get_by_text("A new version is available")).to_be_visible()
    old.clear()
    page.get_by_role("button", name="Reload").click()
    expect(page.get_by_test_id("table-classic")).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_text("A new version is available")).to_be_hidden()

    # by the page's clock the reality check isn't due yet
    follow(page, "/settings")
    page.get_by_label("30 min").check()
    backdate_sessions(server, HOUR_MS)
    missed.append(True)
    Player(page, seed=16).sit("classic")
    check = page.get_by_role("dialog", name="Time check")
    expect(check).to_be_hidden()
    page.get_by_test_id("spot-0-main").click()
    page.get_by_test_id("deal").click()
    check.get_by_role("button", name="Continue").click()
    expect(check).to_be_hidden()
    page.get_by_test_id("deal").click()
    expect(page.get_by_test_id("hand-0-0")).to_be_visible(timeout=SLOW_MS)

"""Filters, totals and files of a player's history, and a round that is shared with strangers."""

import csv
import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened
from tests.browser.player import SLOW_MS, Player
from tests.browser.test_everybody_can_play import check_sizes
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser
GAME = re.compile("^Game")
"""The label of a list, whose text has the options too."""
SIZES = ((390, 844), (1440, 900))


def play(page: Page, table: str) -> None:
    """Play a round to its end."""
    player = Player(page, seed=3)
    player.sit(table)
    player.play_round("mouse")


def looks_right(page: Page, where: str) -> None:
    check_sizes(page, where, SIZES)


def lines(page: Page) -> int:
    return page.locator("[data-testid^='round-']").count()


def test_history_is_filtered_by_game_and_saved(page: Page, tmp_path: Path) -> None:
    play(page, "classic")
    page.goto("/history")
    expect(page.locator("[data-testid^='round-']").first).to_be_visible(timeout=SLOW_MS)
    played = lines(page)
    page.get_by_label(GAME).select_option("games/roulette", timeout=SLOW_MS)
    expect(page).to_have_url(f"{page.evaluate('location.origin')}/history/games/roulette")
    expect(page.get_by_text("No rounds of this game yet.")).to_be_visible(timeout=SLOW_MS)
    page.get_by_label(GAME).select_option("games/blackjack")
    expect(page.locator("[data-testid^='round-']")).to_have_count(played, timeout=SLOW_MS)
    looks_right(page, "history of a game")
    with page.expect_download(timeout=SLOW_MS) as saved:
        page.get_by_role("button", name="Save the last year as CSV").click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    assert file.name.startswith("rounds-")
    with file.open(newline="") as text:
        assert len([*csv.DictReader(text)]) == played


def test_a_round_is_found_by_the_number_that_the_table_showed(page: Page) -> None:
    play(page, "classic")
    shown = page.get_by_test_id("game-number")
    number = shown.inner_text(timeout=SLOW_MS)
    page.goto("/history")
    typed = number.lower().replace("-", " ")
    page.get_by_test_id("number").fill(typed, timeout=SLOW_MS)
    page.keyboard.press("Enter")
    expect(page.get_by_text(number)).to_be_visible(timeout=SLOW_MS)
    page.goto("/history")
    page.get_by_test_id("number").fill("#00:00:00-00000-00000", timeout=SLOW_MS)
    looks_right(page, "history with a number")
    page.keyboard.press("Enter")
    expect(page.get_by_text("in your history")).to_be_visible(timeout=SLOW_MS)


def test_the_statement_is_filtered_and_saved(page: Page, tmp_path: Path) -> None:
    page.goto("/cashier")
    rows = page.locator("tbody tr")
    expect(rows.first).to_be_visible(timeout=SLOW_MS)
    page.get_by_label(GAME).select_option("roulette")
    expect(page.get_by_text("No movements match.")).to_be_visible(timeout=SLOW_MS)
    page.get_by_label(GAME).select_option("")
    page.get_by_label("Period").select_option("today")
    expect(rows.first).to_be_visible(timeout=SLOW_MS)
    looks_right(page, "statement")
    shown = rows.count()
    with page.expect_download(timeout=SLOW_MS) as saved:
        page.get_by_role("button", name="Save as CSV").click()
    saved.value.save_as(tmp_path / "statement.csv")
    with (tmp_path / "statement.csv").open(newline="") as text:
        assert len([*csv.DictReader(text)]) == shown


def test_totals_are_shown_by_month_and_game(page: Page) -> None:
    page.goto("/history/totals")
    expect(page.get_by_text("No rounds in")).to_be_visible(timeout=SLOW_MS)
    play(page, "classic")
    page.goto("/history/totals")
    expect(page.get_by_role("table")).to_have_count(2, timeout=SLOW_MS)
    looks_right(page, "totals")
    page.get_by_role("link", name="Blackjack").first.click()
    expect(page.locator("[data-testid^='round-']").first).to_be_visible(timeout=SLOW_MS)


def test_a_shared_round_is_seen_without_a_session_until_its_end(
    page: Page, chromium: Browser, server: ServerProcess
) -> None:
    play(page, "classic")
    page.goto("/history")
    page.locator("[data-testid^='round-'] a[aria-label^='Round']").first.click()
    page.get_by_role("button", name="Share this round").click(timeout=SLOW_MS)
    expect(page.get_by_test_id("link")).to_be_visible(timeout=SLOW_MS)
    link = page.get_by_test_id("link").inner_text()
    looks_right(page, "a round that is shared")
    with opened(chromium, server, width=1440, height=900) as stranger:
        stranger.goto(link)
        expect(stranger.get_by_text("Replay", exact=True)).to_be_visible(timeout=SLOW_MS)
        expect(stranger.get_by_test_id("balance")).to_have_count(0)
        assert stranger.context.cookies() == []
        looks_right(stranger, "a shared replay")
        stranger.get_by_role("button", name="First").click()
        expect(stranger.get_by_text("1 of", exact=False).first).to_be_visible()
        page.get_by_role("button", name="Stop sharing").click()
        expect(page.get_by_text("The link no longer works.")).to_be_visible(timeout=SLOW_MS)
        stranger.goto(f"{server.address}/replay/other")
        expect(stranger.get_by_role("alert")).to_contain_text(
            "There is no round at this link.", timeout=SLOW_MS
        )
        token = link.rpartition("/")[2]
        assert httpx.get(f"{server.address}/api/replays/{token}").status_code == httpx.codes.NOT_FOUND
        assert stranger.context.cookies() == []

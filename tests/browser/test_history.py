"""Filters, totals and files of a player's history; a round's replay, which is shared with strangers."""

import csv
import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import opened
from tests.browser.player import SLOW_MS, Player, follow
from tests.browser.screens import resize
from tests.browser.test_everybody_can_play import check, check_sizes
from tests.browser.test_trouble import hands
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser
GAME = re.compile("^Game")
"""The label of a list, whose text has the options too."""
SIZES = ((390, 844), (1440, 900))
SMALL = (320, 640)


def play(page: Page, table: str) -> list[list[str]]:
    """Play a round to its end, and return the words of its hands."""
    player = Player(page, seed=3)
    player.move(table)
    player.play_round("mouse")
    return words_of(page)


def words_of(page: Page) -> list[list[str]]:
    return [str(text).split() for text in hands(page)]


def looks_right(page: Page, where: str) -> None:
    check_sizes(page, where, SIZES)


def rounds(page: Page) -> Locator:
    return page.locator("[data-testid^='round-']")


def saved(page: Page, button: str, folder: Path) -> list[dict[str, str]]:
    """Press a button that saves a file, and return its rows."""
    with page.expect_download(timeout=SLOW_MS) as saving:
        page.get_by_role("button", name=button).click()
    file = folder / saving.value.suggested_filename
    saving.value.save_as(file)
    with file.open(newline="") as text:
        return [*csv.DictReader(text)]


def test_003_history_totals_and_statement_are_filtered_and_saved(kept: Page, tmp_path: Path) -> None:
    page = kept
    page.goto("/history/totals")
    expect(page.get_by_text("No rounds in")).to_be_visible(timeout=SLOW_MS)
    play(page, "premium")
    play(page, "classic")
    number = page.get_by_test_id("game-number").inner_text(timeout=SLOW_MS)
    follow(page, "/history")
    expect(rounds(page)).to_have_count(2)
    _choosing_the_game_opens_its_history(page)
    _rounds_of_a_game_are_filtered(page)
    assert len(saved(page, "Save the last year as CSV", tmp_path)) == 2
    assert [file.name for file in tmp_path.glob("rounds-*")]
    _a_round_is_found_by_the_number_that_the_table_showed(page, number)

    # totals by month and game lead to the rounds of a game
    page.goto("/history/totals")
    expect(page.get_by_role("table")).to_have_count(2, timeout=SLOW_MS)
    looks_right(page, "totals")
    page.get_by_role("link", name="Blackjack").first.click()
    expect(rounds(page).first).to_be_visible(timeout=SLOW_MS)
    _the_statement_is_filtered_and_saved(page, tmp_path)


def _choosing_the_game_opens_its_history(page: Page) -> None:
    """003: "GAME HISTORY shows your history related to a particular game once you click/tap the game"."""
    rounds(page).filter(has_text="Classic Blackjack").get_by_role("link", name="Classic Blackjack").click()
    expect(rounds(page)).to_have_count(1)
    game = page.get_by_label("Game", exact=True)
    expect(game).to_have_value("classic")
    expect(rounds(page)).to_contain_text("Classic Blackjack")
    game.select_option("All games")
    expect(rounds(page)).to_have_count(2)
    game.select_option("premium")
    expect(rounds(page)).to_have_count(1)
    rounds(page).get_by_role("link", name="Round #").click()
    expect(page.get_by_text("Replay").first).to_be_visible()
    expect(page.get_by_text("Premium Blackjack").first).to_be_visible()
    follow(page, "/history")


def _rounds_of_a_game_are_filtered(page: Page) -> None:
    page.get_by_label(GAME).select_option("games/roulette", timeout=SLOW_MS)
    expect(page).to_have_url("/history/games/roulette")
    expect(page.get_by_text("No rounds of this game yet.")).to_be_visible(timeout=SLOW_MS)
    page.get_by_label(GAME).select_option("games/blackjack")
    expect(rounds(page)).to_have_count(2, timeout=SLOW_MS)
    looks_right(page, "history of a game")


def _a_round_is_found_by_the_number_that_the_table_showed(page: Page, number: str) -> None:
    """One that isn't the player's is reported."""
    follow(page, "/history")
    page.get_by_test_id("number").fill(number.lower().replace("-", " "), timeout=SLOW_MS)
    page.keyboard.press("Enter")
    expect(page.get_by_text(number)).to_be_visible(timeout=SLOW_MS)
    follow(page, "/history")
    page.get_by_test_id("number").fill("#00:00:00-00000-00000", timeout=SLOW_MS)
    page.keyboard.press("Enter")
    expect(page.get_by_text("in your history")).to_be_visible(timeout=SLOW_MS)
    looks_right(page, "history with a number")


def _the_statement_is_filtered_and_saved(page: Page, folder: Path) -> None:
    follow(page, "/cashier")
    rows = page.locator("tbody tr")
    expect(rows.first).to_be_visible(timeout=SLOW_MS)
    page.get_by_label(GAME).select_option("roulette")
    expect(page.get_by_text("No movements match.")).to_be_visible(timeout=SLOW_MS)
    page.get_by_label(GAME).select_option("")
    page.get_by_label("Period").select_option("today")
    expect(rows.first).to_be_visible(timeout=SLOW_MS)
    looks_right(page, "statement")
    shown = rows.count()
    assert len(saved(page, "Save as CSV", folder)) == shown


def test_a_round_is_replayed_card_by_card_and_shared_with_a_stranger(
    page: Page, chromium: Browser, server: ServerProcess
) -> None:
    """The round's page has its id and its receipt as well."""
    page.goto("/history")
    shown = play(page, "double_exposure")
    follow(page, "/history")
    rounds(page).get_by_role("link", name="Round #").click()
    page.get_by_role("button", name="First").click()
    assert words_of(page) != shown
    page.get_by_role("button", name="Last").click()
    expect(page.get_by_text("Replay").first).to_be_visible()
    assert words_of(page) == shown

    _id_and_receipt_are_copied(page)
    resize(page, SMALL)
    check(page, "a round on a small phone")
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
        no_round = "There is no round at this link."
        expect(stranger.get_by_role("alert")).to_contain_text(no_round, timeout=SLOW_MS)
        token = link.rpartition("/")[2]
        assert httpx.get(f"{server.address}/api/replays/{token}").status_code == httpx.codes.NOT_FOUND
        assert stranger.context.cookies() == []


def _id_and_receipt_are_copied(page: Page) -> None:
    identity = page.get_by_test_id("id")
    expect(identity).to_have_text(page.url.rpartition("/")[2])
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    assert _copied(page, "the round") == identity.inner_text()
    begin = page.get_by_test_id("receipt").inner_text().rstrip("\u2026")
    receipt = _copied(page, "the receipt")
    assert re.fullmatch(r"\d+:[0-9a-f]{64}", receipt)
    assert receipt.startswith(begin)


def _copied(page: Page, what: str) -> str:
    """Press the button that copies, and return what it has copied."""
    page.get_by_role("button", name=f"Copy {what}").press("Enter")
    expect(page.get_by_role("button", name=f"Copied {what}")).to_be_visible()
    return str(page.evaluate("navigator.clipboard.readText()"))

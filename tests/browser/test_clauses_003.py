"""Clauses of 003 that a player meets, each played in the client."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from croupier.protocol import wire
from tests.browser.ahead import deal_until
from tests.browser.player import SLOW_MS, Player
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

STAKE = wire.Stake(0, "main", 1000)


@pytest.fixture
def page(kept: Page) -> Page:
    return kept


def leave(page: Page, minor: int) -> None:
    """Withdraw all but this amount, as a bet at another table would."""
    more = Player(page, seed=0).balance_minor - minor
    order = {"req": f"all-but-{minor}", "currency": "GC", "amount_minor": more}
    assert page.request.post("/api/cashier/withdraw", data=order).ok


def doubles_hard(played: wire.PlayedRound) -> bool:
    """Return whether a double is offered to a hand that one more card can't bust."""
    hand = played.view.boxes[0].hands[0]
    options = {option.action for turn in played.view.turns for option in turn.options}
    return "double" in options and "split" not in options and hand.low == hand.total <= 11


def double_by_key(page: Page) -> None:
    page.locator("[data-table-root]").focus()
    page.keyboard.press("d")


def double_by_button(page: Page) -> None:
    page.get_by_test_id("action-double").click()


@pytest.mark.parametrize("press", [double_by_key, double_by_button])
def test_003_if_your_balance_is_insufficient_a_double_is_a_hit(
    page: Page, server: ServerProcess, press: Callable[[Page], None]
) -> None:
    """003: "your preferred decisions will be rejected and the following auto-decision applied instead"."""
    page.goto("/")
    expect(page.get_by_test_id("table-classic")).to_be_visible()
    deal_until(page, server, (STAKE,), "classic", doubles_hard)
    page.goto("/table/classic")
    double = page.get_by_test_id("action-double")
    expect(double).to_have_accessible_description("")
    leave(page, STAKE.stake_minor - 1)
    sentence = "Balance too low for a double. The hand hits instead."
    expect(page.get_by_test_id("low-balance")).to_have_text(sentence)
    expect(double).to_have_accessible_description(sentence)
    expect(double).to_have_attribute("aria-disabled", "false")
    press(page)
    expect(page.get_by_test_id("hand-0-0").locator("li")).to_have_count(3)
    expect(page.get_by_test_id("urgent")).to_contain_text("Balance too low. The table decided for you: hit.")
    expect(page.get_by_test_id("in-play")).to_have_text("GC\u00a01,000")


def test_003_choosing_the_game_opens_its_history(page: Page) -> None:
    """003: "GAME HISTORY shows your history related to a particular game once you click/tap the game"."""
    player = Player(page, seed=3)
    for table in ("classic", "premium"):
        player.sit(table)
        player.play_round("mouse")
    page.goto("/history")
    rows = page.locator("[data-testid^='round-']")
    expect(rows).to_have_count(2)
    rows.filter(has_text="Classic Blackjack").get_by_role("link", name="Classic Blackjack").click()
    expect(rows).to_have_count(1)
    game = page.get_by_label("Game", exact=True)
    expect(game).to_have_value("classic")
    expect(rows).to_contain_text("Classic Blackjack")
    game.select_option("All games")
    expect(rows).to_have_count(2)
    game.select_option("premium")
    expect(rows).to_have_count(1)
    rows.get_by_role("link", name="Round #").click()
    expect(page.get_by_text("Replay").first).to_be_visible()
    expect(page.get_by_text("Premium Blackjack").first).to_be_visible()


def test_003_the_sound_is_on_again_at_another_table(page: Page) -> None:
    """003: "if you change tables, the sound will automatically unmute". The setting in Settings stays."""
    player = Player(page, seed=4)
    player.sit("classic")
    mute = page.get_by_role("button", name="Mute", exact=True)
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "true")
    page.get_by_role("link", name="To the lobby").click()
    page.get_by_test_id("table-premium").click()
    expect(page.get_by_test_id("spot-0-main")).to_be_visible()
    expect(mute).to_have_attribute("aria-pressed", "false")
    page.get_by_test_id("table-menu").click()
    page.get_by_test_id("menu-settings").click()
    page.get_by_label("Game sounds").uncheck()
    expect(mute).to_have_attribute("title", "Mute: only the dealer can be heard")
    expect(mute).to_have_attribute("aria-pressed", "false")
    page.get_by_label(re.compile("Dealer.s voice")).uncheck()
    page.keyboard.press("Escape")
    expect(mute).to_have_attribute("aria-pressed", "true")
    page.get_by_role("link", name="To the lobby").click()
    page.get_by_test_id("table-classic").click()
    expect(page.get_by_test_id("spot-0-main")).to_be_visible()
    expect(mute).to_have_attribute("aria-pressed", "true")


def placed(page: Page, minor: int) -> None:
    expect(page.get_by_test_id("placed")).to_have_text(f"GC\u00a0{minor:,}")


def test_003_space_doubles_the_bet_after_a_click_and_after_undo(page: Page) -> None:
    """003: SPACE doubles the placed bet. The clicked control keeps the focus, but not the key."""
    Player(page, seed=6).sit("classic")
    spot = page.get_by_test_id("spot-0-main")
    spot.click()
    placed(page, 1000)
    page.keyboard.press("Space")
    placed(page, 2000)
    spot.click()
    placed(page, 3000)
    page.keyboard.press("Space")
    placed(page, 6000)
    page.get_by_test_id("undo").first.click()
    placed(page, 3000)
    page.keyboard.press("Space")
    placed(page, 6000)


def test_003_space_repeats_the_last_bet_after_a_click(page: Page) -> None:
    """003: SPACE repeats the bet of the round before, also while a clicked control has the focus."""
    player = Player(page, seed=6)
    player.sit("classic")
    player.play_round("mouse")
    page.get_by_test_id("new-bet").click()
    placed(page, 0)
    page.get_by_test_id("chip-5000").click()
    page.keyboard.press("Space")
    placed(page, 1000)
    page.keyboard.press("Space")
    placed(page, 2000)


def test_a_panel_at_one_table_does_not_block_the_others(page: Page) -> None:
    """Each panel is over its own table; ESC closes the one that has the focus."""
    page.goto("/table/roulette+classic")
    classic, roulette = (page.get_by_test_id(f"frame-{table}") for table in ("classic", "roulette"))
    expect(classic.get_by_test_id("spot-0-main")).to_be_visible()
    roulette.get_by_test_id("help").click()
    rules = roulette.get_by_role("dialog", name="Roulette: rules")
    expect(rules).to_be_visible()
    classic.get_by_test_id("spot-0-main").click()
    expect(classic.get_by_test_id("placed")).to_have_text("GC\u00a01,000")
    classic.get_by_test_id("table-menu").click()
    mute = classic.get_by_test_id("menu-mute")
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    classic.get_by_test_id("limits").click()
    limits = classic.get_by_role("dialog", name="Limits and payouts")
    expect(limits).to_be_visible()
    page.keyboard.press("Escape")
    expect(limits).to_be_hidden()
    expect(rules).to_be_visible()
    rules.get_by_role("button", name="Close").click()
    expect(rules).to_be_hidden()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_messages_cover_no_card_chip_or_total(page: Page, width: int, height: int) -> None:
    """This holds for the table's own message and for one of the whole page."""
    page.set_viewport_size({"width": width, "height": height})
    Player(page, seed=5).sit("classic")
    page.locator("[data-table-root]").focus()
    page.keyboard.press("Space")
    message = page.get_by_test_id("message")
    expect(message).to_contain_text("no earlier bet")
    check_covers_nothing(page, message)
    page.evaluate("window.dispatchEvent(new Event('offline'))")
    toast = page.get_by_test_id("toast")
    expect(toast).to_contain_text("Reconnected", timeout=SLOW_MS)
    check_covers_nothing(page, toast)


def check_covers_nothing(page: Page, message: Locator) -> None:
    box = message.bounding_box()
    assert box
    for what in ("spot-0-main", "deal", "chip-1000", "balance", "table-balance", "clock"):
        control = page.get_by_test_id(what)
        assert not control.is_visible() or not overlap(box, control.bounding_box()), what


def overlap(one: FloatRect, other: FloatRect | None) -> bool:
    """Return whether two boxes overlap."""
    assert other
    beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
    above = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
    return not (beside or above)


def test_the_help_icon_of_a_table_opens_its_rules(page: Page) -> None:
    """002: "The rules are also available by clicking the i icon within the game"; 004, 4: "the help icon"."""
    page.goto("/table/roulette")
    page.get_by_test_id("help").click()
    expect(page.get_by_role("dialog", name="Roulette: rules")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("deal")).to_contain_text("Spin")

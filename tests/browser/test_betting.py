"""Chips and keys before the deal, at an operator's table with narrow limits and side bets."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from croupier.protocol import wire
from tests.browser.ahead import deal_until, offers
from tests.browser.conftest import opened
from tests.browser.player import Player, pause_clock
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

TABLES = """
[narrow]
game = "blackjack"
title = "Narrow limits"
line = "Two boxes, side bets, double for less"
limits = { GC = "1000-15000" }
boxes = 2
decks = 8
peek = "ace_or_ten"
insurance = "without_blackjack"
even_money = true
double_for_less = true
perfect_pairs = ["perfect_pair 25:1", "coloured_pair 12:1", "mixed_pair 6:1"]
twenty_one_plus_three = ["suited_trips 100:1", "straight 10:1"]

[many_boxes]
game = "blackjack"
title = "Many boxes"
line = "The first one has a blackjack against an ace"
limits = { GC = "1000-15000" }
boxes = 5
decks = 2
peek = "ace_or_ten"
insurance = "without_blackjack"
even_money = true
called = { even_money = "Even Play" }
"""
SERVING = """
import sys
from croupier.cli.main import main
from croupier.equipment import shoe
FIRST = {{8 * 52: "55A667", 2 * 52: "A9999AT88889"}}
def arranged(cards, source, shuffled=shoe.shuffled):
    left = list(shuffled(cards, source))
    first = []
    for rank in FIRST.get(len(left), ""):
        card = next(card for card in left if card.rank == rank)
        left.remove(card)
        first.append(card)
    return (*first, *left)
shoe.shuffled = arranged
sys.argv += ["--tables", {!r}]
main()
"""
"""At the first table, two boxes may be insured and one box alone may be doubled; at the second one, the first
box has a blackjack against an ace.
"""
BOTH_BOXES = (wire.Stake(0, "main", 2000), wire.Stake(1, "main", 2000))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("operator")
    tables = folder / "tables.toml"
    tables.write_text(TABLES, encoding="utf-8")
    server = ServerProcess(folder / "data", program=_program(tables)).start()
    yield server
    server.stop()


def _program(tables: Path) -> tuple[str, ...]:
    return (sys.executable, "-c", SERVING.format(str(tables)))


@pytest.fixture
def page(kept: Page) -> Page:
    """Open the table with the keyboard focus in it."""
    Player(kept, seed=1).sit("narrow")
    return kept


@pytest.fixture
def stopped(chromium: Browser, server: ServerProcess) -> Iterator[Page]:
    """A page of its own, whose clock the test stops."""
    with opened(chromium, server, width=1280, height=800) as page:
        Player(page, seed=1).sit("narrow")
        yield page


def at_table(page: Page) -> Locator:
    root = page.locator("[data-table-root]")
    root.focus()
    return root


def press(page: Page, *keys: str) -> None:
    at_table(page)
    for key in keys:
        page.keyboard.press(key)


def placed(page: Page, minor: int) -> None:
    expect(page.get_by_test_id("placed")).to_have_text(f"GC\u00a0{minor:,}")


def spot(page: Page, box: int, bet: str = "main") -> Locator:
    return page.get_by_test_id(f"spot-{box}-{bet}")


def expect_announced(page: Page, words: str) -> None:
    """Check the text that a screen reader speaks at once."""
    expect(page.get_by_test_id("urgent")).to_contain_text(words)


def finish_round(page: Page) -> None:
    player = Player(page, seed=2)
    while player.wait_for_turn():
        player.decide("keys")


def test_space_repeats_then_doubles_up_to_the_maximum(page: Page) -> None:
    press(page, "Space")
    expect_announced(page, "no earlier bet")
    for box in (0, 1):
        spot(page, box).click(click_count=2)
    placed(page, 4000)
    press(page, "Enter")
    finish_round(page)
    press(page, "Space")
    placed(page, 4000)
    for minor in (8000, 16000, 30000, 30000):
        press(page, "Space")
        placed(page, minor)
    expect_announced(page, "Every bet is at its maximum")


def test_space_presses_a_control_that_was_reached_by_keyboard(page: Page) -> None:
    spot(page, 0).click()
    placed(page, 1000)
    page.keyboard.press("Tab")
    spot(page, 0).focus()
    page.keyboard.press("Space")
    placed(page, 2000)
    page.keyboard.press("Space")
    placed(page, 3000)


def test_a_held_key_repeats_nothing(page: Page) -> None:
    spot(page, 0).click()
    at_table(page)
    page.keyboard.down("Space")
    page.keyboard.down("Space")
    page.keyboard.up("Space")
    placed(page, 2000)


def test_a_doubling_that_the_balance_does_not_cover_changes_nothing(page: Page) -> None:
    keep(page, 5000)
    for box in (0, 1):
        spot(page, box).click()
    press(page, "Space")
    placed(page, 4000)
    press(page, "Space")
    placed(page, 4000)
    expect_announced(page, "doesn\u2019t cover")


def test_chips_beyond_the_balance_are_refused_with_the_reason(page: Page) -> None:
    keep(page, 4000)
    five = page.get_by_test_id("chip-5000")
    expect(five).to_have_attribute("aria-disabled", "true")
    expect(five).to_have_accessible_name("Chip GC\u00a05,000, not covered by your balance")
    press(page, "2")
    expect_announced(page, "doesn\u2019t cover GC\u00a05,000")
    expect(page.get_by_test_id("chip-1000")).to_be_checked()


def keep(page: Page, minor: int) -> None:
    """Withdraw all but this amount, and return to the table."""
    page.goto("/cashier")
    expect(page.get_by_test_id("balance")).to_have_text("GC\u00a05,000,000")
    page.get_by_label("Withdraw").fill(str(5_000_000 - minor))
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_test_id("balance")).to_have_text(f"GC\u00a0{minor:,}")
    Player(page, seed=0).sit("narrow")


def test_undo_takes_back_one_bet_and_all_when_held_for_three_seconds(page: Page) -> None:
    press(page, "2")
    spot(page, 0).click(click_count=2)
    press(page, "1")
    spot(page, 1).click()
    placed(page, 11000)
    press(page, "Control+z")
    placed(page, 10000)
    at_table(page)
    page.keyboard.down("Delete")
    placed(page, 5000)
    expect(page.get_by_test_id("undo").locator(".filling")).to_be_visible()
    page.wait_for_timeout(2500)
    placed(page, 5000)
    placed(page, 0)
    page.keyboard.up("Delete")


def test_clear_takes_back_all_bets(page: Page) -> None:
    for box in (0, 1):
        spot(page, box).click()
    placed(page, 2000)
    page.get_by_test_id("clear").click()
    placed(page, 0)


def test_the_maximum_is_shown_announced_and_not_exceeded(page: Page) -> None:
    press(page, "2")
    spot(page, 0).click(click_count=4)
    placed(page, 15000)
    expect(spot(page, 0)).to_contain_text("Maximum GC\u00a015,000")
    expect_announced(page, "Box 1, Main bet: maximum of GC\u00a015,000 reached.")


def test_all_side_bets_are_filled_up_to_their_maximum(page: Page) -> None:
    press(page, "a")
    expect_announced(page, "Place the main bet first")
    placed(page, 0)
    spot(page, 0).click()
    press(page, "a")
    placed(page, 3000)
    press(page, "2", "a", "a", "a")
    # 4,000 of the third chip are still allowed on each
    placed(page, 31000)
    expect_announced(page, "maximum of")


def test_single_keys_can_be_switched_off(page: Page) -> None:
    page.get_by_test_id("table-menu").click()
    page.get_by_test_id("menu-settings").click()
    page.get_by_label("Single-key shortcuts").uncheck()
    page.keyboard.press("Escape")
    spot(page, 0).click()
    press(page, "Space", "2", "a", "l", "g", "Delete")
    placed(page, 1000)
    expect(page.get_by_role("dialog")).to_be_hidden()
    press(page, "Control+z")
    placed(page, 0)


def test_the_last_choices_in_settings_can_be_reached_at_a_table(page: Page) -> None:
    """The popover's style applied to them once, and the focus of a choice scrolled the table away."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_test_id("table-menu").click()
    page.get_by_test_id("menu-settings").click()
    choice = page.get_by_role("dialog").get_by_text("Low", exact=True)
    choice.click()
    expect(choice.get_by_role("radio")).to_be_checked()
    expect(choice).to_be_in_viewport()
    assert page.evaluate("[scrollY, document.querySelector('[data-table-root]')?.scrollTop ?? 0]") == [0, 0]


def test_a_decision_accepts_keys_a_moment_after_it_appears(stopped: Page, server: ServerProcess) -> None:
    page = stopped
    deal_until(page, server, BOTH_BOXES[:1], "narrow", lambda played: "double" in offers(played))
    pause_clock(page)
    page.goto("/table/narrow")
    cards = page.get_by_test_id("hand-0-0").locator("li")
    press(page, "h")
    page.clock.run_for(340)
    press(page, "h")
    expect(page.get_by_test_id("action-hit")).to_have_attribute("aria-disabled", "true")
    expect(cards).to_have_count(2)
    page.clock.run_for(20)
    press(page, "h")
    expect(cards).to_have_count(3)


def test_insurance_is_offered_to_each_box(page: Page, server: ServerProcess) -> None:
    deal_until(page, server, BOTH_BOXES, "narrow", lambda played: len(insurable(played)) == 2)
    page.goto("/table/narrow")
    first, second = (page.get_by_test_id(f"prompt-{box}-0") for box in (0, 1))
    expect(first).to_contain_text("Insure GC\u00a01,000")
    expect(first).to_contain_text("pays 2 to 1")
    place = second.bounding_box()
    first.get_by_test_id("action-insure").click()
    expect(first.get_by_test_id("action-insure")).to_have_attribute("aria-pressed", "true")
    expect(first.get_by_test_id("action-decline_insurance")).to_have_attribute("aria-disabled", "true")
    assert second.bounding_box() == place, "the layout doesn't move under the pointer"
    second.get_by_test_id("action-decline_insurance").click()
    expect(page.get_by_test_id("box-0")).to_contain_text("Insurance")
    expect(page.get_by_test_id("box-1")).not_to_contain_text("Insurance")
    finish_round(page)


def insurable(played: wire.PlayedRound) -> list[int]:
    return [turn.box for turn in played.view.turns if "insure" in {one.action for one in turn.options}]


def test_even_money_is_paid_at_once(page: Page, server: ServerProcess) -> None:
    all_boxes = [wire.Stake(box, "main", 2000) for box in range(5)]
    deal_until(page, server, all_boxes, "many_boxes", lambda played: "take_even_money" in offers(played))
    page.goto("/table/many_boxes")
    prompt = page.locator("[data-testid^='prompt-']", has=page.get_by_test_id("action-take_even_money")).first
    expect(prompt).to_contain_text("pays GC\u00a02,000 now")
    expect(prompt.get_by_test_id("action-take_even_money")).to_contain_text("Even Play")
    box = re.sub(r"\D", "", (prompt.get_attribute("data-testid") or "").removesuffix("-0"))
    prompt.get_by_test_id("action-take_even_money").click()
    finish_round(page)
    total = page.get_by_test_id(f"total-{box}-0")
    expect(total).to_have_accessible_name(f"Box {int(box) + 1}: 21, Even Play")
    expect(page.get_by_test_id(f"hand-{box}-0")).to_contain_text("+2,000")


def test_a_double_for_less_is_chosen_and_paid(page: Page, server: ServerProcess) -> None:
    deal_until(page, server, BOTH_BOXES[:1], "narrow", lambda played: "double" in offers(played))
    page.goto("/table/narrow")
    in_play = page.get_by_test_id("in-play")
    expect(in_play).to_have_text("GC\u00a02,000")
    page.get_by_role("button", name="Less", exact=True).click()
    expect(page.get_by_test_id("double-stake")).to_have_text("GC\u00a01,000")
    page.get_by_test_id("action-double").click()
    expect(page.get_by_test_id("result")).to_contain_text("Staked GC\u00a03,000")

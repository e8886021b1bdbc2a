"""Chips and keys before the deal, at an operator's table with narrow limits and side bets."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from croupier.protocol import wire
from tests.browser.ahead import deal_until, offers
from tests.browser.arranged_tables import serve_arranged
from tests.browser.player import SLOW_MS, Player, follow, pause_clock
from tests.browser.screens import DESKTOP, resize
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

BOTH_BOXES = (wire.Stake(0, "main", 2000), wire.Stake(1, "main", 2000))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    server = serve_arranged(tmp_path_factory.mktemp("operator"))
    yield server
    server.stop()


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


def clear(page: Page) -> None:
    page.get_by_test_id("clear").click()
    placed(page, 0)


def finish_round(page: Page) -> None:
    player = Player(page, seed=2)
    while player.wait_for_turn():
        player.decide("keys")


def test_chips_and_keys_before_the_deal(kept: Page) -> None:
    page = kept
    page.goto("/table/narrow")
    _messages_cover_no_card_chip_or_total(page)

    # Space presses a control that was reached by keyboard; after a click it doubles
    spot(page, 0).click()
    placed(page, 1000)
    page.keyboard.press("Tab")
    spot(page, 0).focus()
    for minor in (2000, 3000):
        page.keyboard.press("Space")
        placed(page, minor)
    clear(page)
    _space_doubles_after_a_click_and_after_undo(page)

    # a held key repeats nothing; Clear takes back the bets of all boxes
    spot(page, 0).click()
    at_table(page)
    page.keyboard.down("Space")
    page.keyboard.down("Space")
    page.keyboard.up("Space")
    placed(page, 2000)
    spot(page, 1).click()
    placed(page, 3000)
    clear(page)
    _undo_takes_back_one_bet_and_all_when_held_for_three_seconds(page)

    # the maximum is shown, announced and not exceeded
    press(page, "2")
    spot(page, 0).click(click_count=4)
    placed(page, 15000)
    expect(spot(page, 0)).to_contain_text("Maximum GC\u00a015,000")
    expect_announced(page, "Box 1, Main bet: maximum of GC\u00a015,000 reached.")
    clear(page)
    _all_side_bets_are_filled_up_to_their_maximum(page)


def _messages_cover_no_card_chip_or_total(page: Page) -> None:
    """This holds for the table's own message and for one of the whole page."""
    for size in ((390, 844), (844, 390)):
        resize(page, size)
        press(page, "Space")
        expect_announced(page, "no earlier bet")
        message = page.get_by_test_id("message")
        expect(message).to_contain_text("no earlier bet")
        _check_covers_nothing(page, message)
        page.evaluate("window.dispatchEvent(new Event('offline'))")
        toast = page.get_by_test_id("toast")
        expect(toast).to_contain_text("Reconnected", timeout=SLOW_MS)
        _check_covers_nothing(page, toast)
    page.set_viewport_size(DESKTOP)


def _check_covers_nothing(page: Page, message: Locator) -> None:
    box = message.bounding_box()
    assert box
    for what in ("spot-0-main", "deal", "chip-1000", "balance", "table-balance", "clock"):
        control = page.get_by_test_id(what)
        assert not control.is_visible() or not _overlap(box, control.bounding_box()), what


def _overlap(one: FloatRect, other: FloatRect | None) -> bool:
    """Return whether two boxes overlap."""
    assert other
    beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
    above = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
    return not (beside or above)


def _space_doubles_after_a_click_and_after_undo(page: Page) -> None:
    """003: SPACE doubles the placed bet. The clicked control keeps the focus, but not the key."""
    for before, doubled in ((1000, 2000), (3000, 6000)):
        spot(page, 0).click()
        placed(page, before)
        page.keyboard.press("Space")
        placed(page, doubled)
    page.get_by_test_id("undo").first.click()
    placed(page, 3000)
    page.keyboard.press("Space")
    placed(page, 6000)
    clear(page)


def _undo_takes_back_one_bet_and_all_when_held_for_three_seconds(page: Page) -> None:
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


def _all_side_bets_are_filled_up_to_their_maximum(page: Page) -> None:
    press(page, "1", "a")
    expect_announced(page, "Place the main bet first")
    placed(page, 0)
    spot(page, 0).click()
    press(page, "a")
    placed(page, 3000)
    press(page, "2", "a", "a", "a")
    # 4,000 of the third chip are still allowed on each
    placed(page, 31000)
    expect_announced(page, "maximum of")


def test_bets_are_repeated_limited_by_the_balance_and_keys_can_be_switched_off(kept: Page) -> None:
    page = kept
    page.goto("/table/narrow")
    for box in (0, 1):
        spot(page, box).click(click_count=2)
    placed(page, 4000)
    press(page, "Enter")
    finish_round(page)
    page.get_by_test_id("new-bet").click()
    placed(page, 0)

    # 003: SPACE repeats the bet of the round before, also while a clicked control has the focus, then doubles
    page.get_by_test_id("chip-5000").click()
    page.keyboard.press("Space")
    placed(page, 4000)
    for minor in (8000, 16000, 30000, 30000):
        press(page, "Space")
        placed(page, minor)
    expect_announced(page, "Every bet is at its maximum")
    clear(page)
    page.get_by_test_id("chip-1000").click()
    _the_balance_limits_chips_and_doublings(page)
    clear(page)
    _choose_the_last_settings_and_switch_off_single_keys(page)


def _the_balance_limits_chips_and_doublings(page: Page) -> None:
    """Refused chips show the reason, and a doubling that the balance doesn't cover changes nothing."""
    more = Player(page, seed=0).balance_minor - 4000
    order = {"req": "all-but-4000", "currency": "GC", "amount_minor": more}
    assert page.request.post("/api/cashier/withdraw", data=order).ok
    expect(page.get_by_test_id("balance")).to_have_text("GC\u00a04,000")
    five = page.get_by_test_id("chip-5000")
    expect(five).to_have_attribute("aria-disabled", "true")
    expect(five).to_have_accessible_name("Chip GC\u00a05,000, not covered by your balance")
    press(page, "2")
    expect_announced(page, "doesn\u2019t cover GC\u00a05,000")
    expect(page.get_by_test_id("chip-1000")).to_be_checked()
    for box in (0, 1):
        spot(page, box).click()
    press(page, "Space")
    placed(page, 4000)
    press(page, "Space")
    placed(page, 4000)
    expect(page.get_by_test_id("urgent")).to_contain_text(re.compile("doesn\u2019t cover(?! GC\u00a05,000)"))


def _choose_the_last_settings_and_switch_off_single_keys(page: Page) -> None:
    """The popover's style applied to choices once, and the focus of one scrolled the table away."""
    resize(page, (390, 844))
    page.get_by_test_id("table-menu").click()
    page.get_by_test_id("menu-settings").click()
    page.get_by_label("Single-key shortcuts").uncheck()
    choice = page.get_by_role("dialog").get_by_text("Low", exact=True)
    choice.click()
    expect(choice.get_by_role("radio")).to_be_checked()
    expect(choice).to_be_in_viewport()
    assert page.evaluate("[scrollY, document.querySelector('[data-table-root]')?.scrollTop ?? 0]") == [0, 0]
    page.keyboard.press("Escape")
    page.set_viewport_size(DESKTOP)
    spot(page, 0).click()
    press(page, "Space", "2", "a", "l", "g", "Delete")
    placed(page, 1000)
    expect(page.get_by_role("dialog")).to_be_hidden()
    press(page, "Control+z")
    placed(page, 0)


def test_a_decision_accepts_keys_a_moment_after_it_appears(page: Page, server: ServerProcess) -> None:
    page.goto("/history")
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


def insurable(played: wire.PlayedRound) -> list[int]:
    return [turn.box for turn in played.view.turns if "insure" in {one.action for one in turn.options}]


def resume(page: Page, table: str) -> None:
    """Go to a table with an unfinished round."""
    follow(page, "/")
    page.get_by_test_id(f"table-{table}").click(timeout=SLOW_MS)


def test_offers_are_made_to_each_box_and_paid(kept: Page, server: ServerProcess) -> None:
    page = kept
    page.goto("/history")
    deal_until(page, server, BOTH_BOXES, "narrow", lambda played: len(insurable(played)) == 2)
    all_boxes = [wire.Stake(box, "main", 2000) for box in range(5)]
    deal_until(page, server, all_boxes, "many_boxes", lambda played: "take_even_money" in offers(played))
    resume(page, "narrow")
    _insurance_is_offered_to_each_box(page)
    resume(page, "many_boxes")
    _even_money_is_paid_at_once(page)
    follow(page, "/history")
    deal_until(page, server, BOTH_BOXES[:1], "narrow", lambda played: "double" in offers(played))
    resume(page, "narrow")
    _a_double_for_less_is_chosen_and_paid(page)


def _insurance_is_offered_to_each_box(page: Page) -> None:
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


def _even_money_is_paid_at_once(page: Page) -> None:
    prompt = page.locator("[data-testid^='prompt-']", has=page.get_by_test_id("action-take_even_money")).first
    expect(prompt).to_contain_text("pays GC\u00a02,000 now")
    expect(prompt.get_by_test_id("action-take_even_money")).to_contain_text("Even Play")
    box = re.sub(r"\D", "", (prompt.get_attribute("data-testid") or "").removesuffix("-0"))
    prompt.get_by_test_id("action-take_even_money").click()
    finish_round(page)
    total = page.get_by_test_id(f"total-{box}-0")
    expect(total).to_have_accessible_name(f"Box {int(box) + 1}: 21, Even Play")
    expect(page.get_by_test_id(f"hand-{box}-0")).to_contain_text("+2,000")


def _a_double_for_less_is_chosen_and_paid(page: Page) -> None:
    in_play = page.get_by_test_id("in-play")
    expect(in_play).to_have_text("GC\u00a02,000")
    page.get_by_role("button", name="Less", exact=True).click()
    expect(page.get_by_test_id("double-stake")).to_have_text("GC\u00a01,000")
    page.get_by_test_id("action-double").click()
    expect(page.get_by_test_id("result")).to_contain_text("Staked GC\u00a03,000")

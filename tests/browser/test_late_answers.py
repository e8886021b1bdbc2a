"""Answers of the server arrive late or in another order: the page still shows the true state."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.browser.coup_player import CoupPlayer, lay
from tests.browser.dealt_by_hand import bets_open, night, shuffled
from tests.browser.on_the_wire import Late
from tests.browser.player import SLOW_MS
from tests.browser.test_live_behind import look_at
from tests.browser.test_live_trouble import bet
from tests.support.server_process import HouseProcess

pytestmark = pytest.mark.browser
SOON_MS = 300
"""Maximum time until a page shows a message."""


def until(page: Page, so: Callable[[], Any]) -> None:
    for _ in range(SLOW_MS // 20):
        if so():
            return
        page.wait_for_timeout(20)
    raise AssertionError("it didn't come to that")


def kept_back(page: Page, pages: str) -> list[Route]:
    """Questions to these pages wait for their answers here."""
    asked = list[Route]()

    def wait(route: Route) -> None:
        asked.append(route)

    page.route(pages, wait)
    return asked


def test_settings_that_are_switched_while_answers_are_late(page: Page) -> None:
    line = Late(page)
    page.goto("/settings")
    four, keys, chat = (
        page.get_by_role("switch", name=name)
        for name in ("Four-colour deck", "Single-key shortcuts", "Hide other players")
    )
    expect(keys).to_be_checked(timeout=SLOW_MS)
    line.waits = True
    four.click()
    keys.click()
    until(page, lambda: len(line.waiting) >= 4)
    line.comes(1)  # the first of the two, as it was before the second
    page.wait_for_timeout(SOON_MS)
    expect(keys).not_to_be_checked()
    chat.click()
    line.comes()
    page.wait_for_timeout(SOON_MS)
    page.reload()
    expect(four).to_be_checked(timeout=SLOW_MS)
    expect(keys).not_to_be_checked()
    expect(chat).to_be_checked()


def test_a_board_asks_once_for_the_past(page: Page) -> None:
    asked = list[str]()

    def note(request: Request) -> None:
        if "/results?" in request.url:
            asked.append(request.url)

    page.on("request", note)
    CoupPlayer(page, seed=1).sit("roulette")
    for _ in range(2):
        lay(page, "red")
        page.get_by_test_id("deal").click()
        page.get_by_test_id("new-bet").click(timeout=SLOW_MS)
    assert len(asked) == 1


def test_the_next_amount_is_written_while_the_first_is_under_way(page: Page) -> None:
    under_way = kept_back(page, "**/api/cashier/deposit")
    page.goto("/cashier")
    amount = page.get_by_test_id("deposit")
    amount.fill("25")
    amount.press("Enter")
    until(page, lambda: under_way)
    amount.fill("40")
    under_way.pop().continue_()
    expect(page.get_by_text("Deposited")).to_be_visible(timeout=SLOW_MS)
    expect(amount).to_have_value("40")


def test_the_lobby_never_shows_an_older_state(page: Page) -> None:
    """Of two answers, the one to the earlier request arrives last."""
    asked = kept_back(page, "**/api/floor")
    page.goto("/")
    until(page, lambda: len(asked) >= 2)
    now = page.request.get("/api/floor").json()
    for route, players in ((asked[1], 22), (asked[0], 11)):
        with page.expect_response("**/api/floor"):
            route.fulfill(json=[{**line, "players": players} for line in now])
        page.wait_for_timeout(SOON_MS)
    expect(page.get_by_test_id("players").first).to_have_text("22")


def test_a_table_that_was_left_before_it_opened(page: Page) -> None:
    """Its answer opens nothing: when the line breaks the page follows no table."""
    line = Late(page, after="join")
    page.goto("/")
    page.get_by_test_id("table-live_roulette").click(timeout=SLOW_MS)
    until(page, lambda: line.waiting)
    page.get_by_role("link", name="croupier").click()
    page.get_by_test_id("leave-live_roulette").click()
    expect(page.get_by_test_id("back-band")).to_have_count(0)
    line.comes()
    line.said.clear()
    line.breaks()
    until(page, lambda: any(said["t"] == "hello" for said in line.said))
    (hello,) = (said for said in line.said if said["t"] == "hello")
    assert hello["tables"] == []


def test_a_refusal_of_what_isnt_wanted_any_more(page: Page) -> None:
    """A table is opened in one currency, which is refused, and before that is known in another."""
    joins = list[str]()

    def wrong(message: dict[str, Any]) -> None:
        if message["t"] == "join":
            joins.append(message["currency"])
            message["currency"] = "none" if len(joins) == 1 else message["currency"]

    line = Late(page, to_house=wrong, after="join")
    page.goto("/table/roulette")
    until(page, lambda: line.waiting)
    page.get_by_label("Currency").select_option("EUR")
    until(page, lambda: len(joins) == 2)
    line.comes()
    expect(page.locator("[data-table-root][data-phase=betting]")).to_be_visible(timeout=SLOW_MS)


def test_a_coup_that_was_seen_isnt_played_again(chromium: Browser, house: HouseProcess) -> None:
    """Back from another page, before the server has sent the table's state."""
    context = chromium.new_context(base_url=house.address)
    page = context.new_page()
    line = Late(page)
    CoupPlayer(page, seed=1).sit("roulette")
    lay(page, "red")
    page.get_by_test_id("deal").click()
    result = page.get_by_test_id("result")
    expect(result).to_be_visible(timeout=SLOW_MS)
    look_at(page, "history")
    line.waits = True
    page.get_by_test_id("back-to-tables").click()
    expect(page.locator("[data-table-root]")).to_be_visible(timeout=SLOW_MS)
    expect(page.locator("[data-table-root]")).to_have_attribute("data-phase", "ended", timeout=SOON_MS)
    line.comes()
    expect(result).to_be_visible()
    context.close()


def test_a_correction_is_of_the_card_that_was_chosen(chromium: Browser, tmp_path: Path) -> None:
    """Though the dealer deals on while the manager writes why."""
    with night(chromium, tmp_path, "infinite") as house:
        shuffled(house)
        bets_open(house.ann)
        bet(house.ann, 500)
        house.asked("first card")
        house.deals("TS")
        house.floor.get_by_test_id("correct-0").click(timeout=SLOW_MS)
        dialog = house.floor.get_by_role("dialog")
        dialog.get_by_test_id("card-8S").click()
        house.deals("9D")
        lies = house.floor.get_by_role("region", name="Can still be corrected")
        expect(lies).to_contain_text("nine of diamonds", timeout=SLOW_MS)
        dialog.get_by_test_id("reason").fill("misread")
        dialog.get_by_test_id("confirm").click()
        expect(lies).to_contain_text("eight of spades", timeout=SLOW_MS)
        expect(lies).to_contain_text("nine of diamonds")


def test_a_search_of_the_log_that_is_answered_late(chromium: Browser, tmp_path: Path) -> None:
    with night(chromium, tmp_path, "live_roulette") as house:
        floor = house.floor
        late = kept_back(floor, "**/api/staff/log?*text=opened*")
        floor.goto("/staff/log")
        expect(floor.get_by_test_id("event").first).to_be_visible(timeout=SLOW_MS)
        for sought in ("opened", "nothing like it"):
            floor.get_by_role("searchbox").fill(sought)
            floor.keyboard.press("Enter")
        expect(floor.get_by_text("No entries found.")).to_be_visible(timeout=SLOW_MS)
        (asked,) = late
        with floor.expect_response("**/api/staff/log?*"):
            asked.fulfill(json={"lines": [LINE], "more": False})
        floor.wait_for_timeout(SOON_MS)
        expect(floor.get_by_test_id("event")).to_have_count(0)


LINE = {
    "id": "e1",
    "at_ms": 0,
    "name": "Ada",
    "role": "manager",
    "what": "open_table",
    "table": "live_roulette",
    "round": "",
    "reason": "",
    "details": {},
    "answer": "ok",
}

"""Answers of the server arrive late or in another order: the page still shows the true state."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.browser.coup_player import CoupPlayer, place_chips
from tests.browser.dealt_by_hand import bet, confirm_shuffles, dealt_table, look_at, wait_for_open_bets
from tests.browser.on_the_wire import HeldMessages
from tests.browser.player import SLOW_MS
from tests.browser.test_staff import page_at, sign_in
from tests.staff.clients import add
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser
SOON_MS = 300
"""Maximum time until a page shows a message."""


def until(page: Page, so: Callable[[], Any]) -> None:
    for _ in range(SLOW_MS // 20):
        if so():
            return
        page.wait_for_timeout(20)
    raise AssertionError("the condition wasn't reached")


def hold_requests(page: Page, pages: str) -> list[Route]:
    """Hold the requests to these pages; return the list that they are added to."""
    requested = list[Route]()

    def wait(route: Route) -> None:
        requested.append(route)

    page.route(pages, wait)
    return requested


def test_late_answers_change_no_newer_setting(page: Page) -> None:
    connection = HeldMessages(page)
    page.goto("/settings")
    four, keys, chat = (
        page.get_by_role("switch", name=name)
        for name in ("Four-colour deck", "Single-key shortcuts", "Hide other players")
    )
    expect(keys).to_be_checked(timeout=SLOW_MS)
    connection.holding = True
    four.click()
    keys.click()
    until(page, lambda: len(connection.held) >= 4)
    connection.release(1)  # the first of the two, as it was before the second
    page.wait_for_timeout(SOON_MS)
    expect(keys).not_to_be_checked()
    chat.click()
    connection.release()
    page.wait_for_timeout(SOON_MS)
    page.reload()
    expect(four).to_be_checked(timeout=SLOW_MS)
    expect(keys).not_to_be_checked()
    expect(chat).to_be_checked()


def test_staff_sign_in_before_the_page_knows_the_ways(page: Page, server: ServerProcess) -> None:
    code = add(server.data, "Ada", "manager")
    page.route("**/sign-in", lambda route: route.continue_() if route.request.method == "POST" else None)
    page.goto("/staff")
    sign_in(page, "Ada", code)


def test_a_board_requests_past_results_once(page: Page) -> None:
    requested = list[str]()

    def note(request: Request) -> None:
        if "/results?" in request.url:
            requested.append(request.url)

    page.on("request", note)
    CoupPlayer(page, seed=1).sit("roulette")
    for _ in range(2):
        place_chips(page, "red")
        page.get_by_test_id("deal").click()
        page.get_by_test_id("new-bet").click(timeout=SLOW_MS)
    assert len(requested) == 1


def test_an_amount_typed_during_a_request_is_kept(page: Page) -> None:
    under_way = hold_requests(page, "**/api/cashier/deposit")
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
    requested = hold_requests(page, "**/api/live-tables")
    page.goto("/")
    until(page, lambda: len(requested) >= 2)
    now = page.request.get("/api/live-tables").json()
    for route, players in ((requested[1], 22), (requested[0], 11)):
        with page.expect_response("**/api/live-tables"):
            route.fulfill(json=[{**line, "players": players} for line in now])
        page.wait_for_timeout(SOON_MS)
    expect(page.get_by_test_id("players").first).to_have_text("22")


def test_a_table_left_before_it_opened_stays_closed(page: Page) -> None:
    """Its late answer opens nothing: after a reconnect the page resumes no table."""
    connection = HeldMessages(page, after="join")
    page.goto("/")
    page.get_by_test_id("table-live_roulette").click(timeout=SLOW_MS)
    until(page, lambda: connection.held)
    page.get_by_role("link", name="croupier").click()
    page.get_by_test_id("leave-live_roulette").click()
    expect(page.get_by_test_id("back-band")).to_have_count(0)
    connection.release()
    connection.commands.clear()
    connection.close()
    until(page, lambda: any(command["t"] == "hello" for command in connection.commands))
    (hello,) = (command for command in connection.commands if command["t"] == "hello")
    assert hello["tables"] == []


def test_a_late_refusal_of_an_abandoned_request_is_ignored(page: Page) -> None:
    """A table is opened in one currency and, before the refusal arrives, in another."""
    joins = list[str]()

    def wrong(message: dict[str, Any]) -> None:
        if message["t"] == "join":
            joins.append(message["currency"])
            message["currency"] = "none" if len(joins) == 1 else message["currency"]

    connection = HeldMessages(page, to_server=wrong, after="join")
    page.goto("/table/roulette")
    until(page, lambda: connection.held)
    page.get_by_label("Currency").select_option("EUR")
    until(page, lambda: len(joins) == 2)
    connection.release()
    expect(page.locator("[data-table-root][data-phase=betting]")).to_be_visible(timeout=SLOW_MS)


def test_a_coup_that_was_shown_is_not_animated_again(chromium: Browser, server: ServerProcess) -> None:
    """The player returns from another page before the server has sent the table's state."""
    context = chromium.new_context(base_url=server.address)
    page = context.new_page()
    connection = HeldMessages(page)
    CoupPlayer(page, seed=1).sit("roulette")
    place_chips(page, "red")
    page.get_by_test_id("deal").click()
    result = page.get_by_test_id("result")
    expect(result).to_be_visible(timeout=SLOW_MS)
    look_at(page, "history")
    connection.holding = True
    page.get_by_test_id("back-to-tables").click()
    expect(page.locator("[data-table-root]")).to_be_visible(timeout=SLOW_MS)
    expect(page.locator("[data-table-root]")).to_have_attribute("data-phase", "ended", timeout=SOON_MS)
    connection.release()
    expect(result).to_be_visible()
    context.close()


def test_a_correction_applies_to_the_chosen_card(chromium: Browser, tmp_path: Path) -> None:
    """The dealer continues to deal while the manager types the reason."""
    with dealt_table(chromium, tmp_path, "infinite") as server:
        confirm_shuffles(server)
        wait_for_open_bets(server.ann)
        bet(server.ann, 500)
        server.expect_request("first card")
        server.deal("TS")
        server.manager.get_by_test_id("correct-0").click(timeout=SLOW_MS)
        dialog = server.manager.get_by_role("dialog")
        dialog.get_by_test_id("card-8S").click()
        server.deal("9D")
        lies = server.manager.get_by_role("region", name="Can still be corrected")
        expect(lies).to_contain_text("nine of diamonds", timeout=SLOW_MS)
        dialog.get_by_test_id("reason").fill("misread")
        dialog.get_by_test_id("confirm").click()
        expect(lies).to_contain_text("eight of spades", timeout=SLOW_MS)
        expect(lies).to_contain_text("nine of diamonds")


def test_a_late_answer_to_a_search_of_the_log_is_ignored(chromium: Browser, server: ServerProcess) -> None:
    code = add(server.data, "Eve", "manager")
    with page_at(chromium, server, "/staff") as manager:
        sign_in(manager, "Eve", code)
        late = hold_requests(manager, "**/api/staff/log?*text=opened*")
        manager.goto("/staff/log")
        expect(manager.get_by_test_id("event").first).to_be_visible(timeout=SLOW_MS)
        for sought in ("opened", "nothing like it"):
            manager.get_by_role("searchbox").fill(sought)
            manager.keyboard.press("Enter")
        expect(manager.get_by_text("No entries found.")).to_be_visible(timeout=SLOW_MS)
        (requested,) = late
        with manager.expect_response("**/api/staff/log?*"):
            requested.fulfill(json={"lines": [LINE], "more": False})
        manager.wait_for_timeout(SOON_MS)
        expect(manager.get_by_test_id("event")).to_have_count(0)


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

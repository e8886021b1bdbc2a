"""Answers of the server arrive late or in another order: the page still shows the true state."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.on_the_wire import HeldMessages
from tests.browser.player import SLOW_MS, follow
from tests.browser.test_staff import sign_in
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


def test_late_messages_change_no_newer_setting_and_no_table(page: Page) -> None:
    connection = HeldMessages(page)
    _late_answers_change_no_newer_setting(page, connection)
    _a_table_left_before_it_opened_stays_closed(page, connection)


def _late_answers_change_no_newer_setting(page: Page, connection: HeldMessages) -> None:
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


def _a_table_left_before_it_opened_stays_closed(page: Page, connection: HeldMessages) -> None:
    """Its late answer opens nothing: after a reconnect the page resumes no table."""
    follow(page, "/")
    connection.after = "join"
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


def test_late_responses_replace_no_typed_amount_and_no_newer_state(page: Page) -> None:
    # an amount typed during a request is kept
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

    # of two answers about the live tables, the one to the earlier request arrives last
    requested = hold_requests(page, "**/api/live-tables")
    follow(page, "/")
    until(page, lambda: len(requested) >= 2)
    now = page.request.get("/api/live-tables").json()
    for route, players in ((requested[1], 22), (requested[0], 11)):
        with page.expect_response("**/api/live-tables"):
            route.fulfill(json=[{**line, "players": players} for line in now])
        page.wait_for_timeout(SOON_MS)
    expect(page.get_by_test_id("players").first).to_have_text("22")


def test_staff_sign_in_early_and_a_late_answer_to_a_search_of_the_log_is_ignored(
    page: Page, server: ServerProcess
) -> None:
    # the page doesn't know the ways to sign in yet
    code = add(server.data, "Eve", "manager")
    page.route("**/sign-in", lambda route: route.continue_() if route.request.method == "POST" else None)
    page.goto("/staff")
    sign_in(page, "Eve", code)

    late = hold_requests(page, "**/api/staff/log?*text=opened*")
    page.goto("/staff/log")
    expect(page.get_by_test_id("event").first).to_be_visible(timeout=SLOW_MS)
    for sought in ("opened", "nothing like it"):
        page.get_by_role("searchbox").fill(sought)
        page.keyboard.press("Enter")
    expect(page.get_by_text("No entries found.")).to_be_visible(timeout=SLOW_MS)
    (requested,) = late
    with page.expect_response("**/api/staff/log?*"):
        requested.fulfill(json={"lines": [LINE], "more": False})
    page.wait_for_timeout(SOON_MS)
    expect(page.get_by_test_id("event")).to_have_count(0)


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

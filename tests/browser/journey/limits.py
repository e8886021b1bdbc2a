"""A limit that stops a bet, and a reality check."""

from playwright.sync_api import expect

from tests.browser.journey.money import bet_on_red_and_black
from tests.browser.journey.stage import HELP, Journey, follow, take_table
from tests.browser.limits import set_limit
from tests.browser.player import SLOW_MS
from tests.browser.test_in_between import HOUR_MS, backdate_sessions


def a_limit_is_set_and_reached(journey: Journey) -> None:
    page = journey.first
    page.goto("/safer-play")
    set_limit(page, "wager", "day", "25")
    expect(page.get_by_test_id("own-limits")).to_contain_text("€20.00 used")
    journey.look(page, "limit-set", page.get_by_test_id("own-limits"))
    before = journey.cents()
    follow(page, "/")
    take_table(page, "roulette")
    bet_on_red_and_black(page)
    refused = page.get_by_text("Your limit on stakes per day is €25; €5 is left.")
    expect(refused.first).to_be_visible(timeout=SLOW_MS)
    journey.look(page, "limit-reached")
    assert journey.cents() == before


def a_time_check_shows_the_result_of_the_session(journey: Journey) -> None:
    page, server = journey.first, journey.server
    for each in (page, journey.second):
        each.goto("about:blank")  # a connected player keeps the start of their session
    backdate_sessions(server, HOUR_MS)
    page.goto("/settings")
    page.get_by_label("30 min").check()
    dialog = page.get_by_role("dialog", name="Time check")
    expect(dialog).to_contain_text("You have played for 1 hour", timeout=SLOW_MS)
    expect(dialog).to_contain_text("€20.00")
    expect(dialog).to_contain_text(HELP)
    journey.look(page, "time-check")
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog).to_be_hidden()
    backdate_sessions(server, -HOUR_MS)

"""Players set their own limits and exclude themselves on the page for safer play."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened
from tests.browser.limits import set_limit
from tests.browser.player import SLOW_MS, Player, follow
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser


def test_a_limit_is_set_lowered_kept_and_no_deposit_or_bet_passes_it(kept: Page) -> None:
    page = kept
    page.goto("/safer-play")
    set_limit(page, "deposit", "week", "many")
    expect(page.get_by_role("alert").filter(has_text="Enter an amount in Gold Coins")).to_be_visible()
    set_limit(page, "deposit", "week", "3000")
    limits = page.get_by_test_id("own-limits")
    expect(limits).to_contain_text("Deposits per week: GC 3,000")
    set_limit(page, "deposit", "week", "2000")
    expect(limits).to_contain_text("Deposits per week: GC 2,000")
    limits.get_by_role("button", name="Remove limit").click()
    expect(limits).to_contain_text(re.compile(r"From .+: none"))
    limits.get_by_role("button", name="Keep limit").click()
    expect(limits).not_to_contain_text("From")
    set_limit(page, "loss", "day", "500")
    expect(limits).to_contain_text("Losses per day: GC 500")

    # a deposit over its limit is refused with the reason
    page.get_by_role("link", name="Cashier").click()
    page.get_by_test_id("deposit").fill("2500")
    page.get_by_role("button", name="Deposit").click()
    expect(page.get_by_text("Your limit on deposits per week is GC 2,000; GC 2,000 is left.")).to_be_visible()

    # so is a bet
    player = Player(page, seed=3)
    player.move("classic")
    before = player.balance_minor
    page.locator("[data-testid^='chip-']").first.click()
    page.locator("[data-testid^='spot-'][data-testid$='-main']").first.click()
    page.get_by_test_id("deal").click()
    expect(page.get_by_text("Your limit on losses per day is GC 500").first).to_be_visible()
    assert (player.balance_minor, player.phase) == (before, "betting")


def test_a_player_who_self_excludes_is_informed_at_once(chromium: Browser, server: ServerProcess) -> None:
    with opened(chromium, server, width=390, height=844) as page:
        player = Player(page, seed=4)
        player.sit("classic")
        other = page.context.new_page()
        other.goto("/safer-play")
        exclusion = other.get_by_role("group", name="Self-exclusion")
        exclusion.get_by_role("button", name="for good").click()
        sure = other.get_by_role("dialog", name="Exclude yourself?")
        expect(sure).to_contain_text("nobody can shorten it")
        sure.get_by_role("button", name="No, go back").click()
        expect(sure).to_be_hidden()
        exclusion.get_by_role("button", name="for good").click()
        sure.get_by_role("button", name="Yes, for good").click()
        for one in (page, other):
            dialog = one.get_by_role("dialog", name="Your session has ended")
            expect(dialog).to_contain_text("You have excluded yourself.", timeout=SLOW_MS)
        page.get_by_role("button", name="Safer play").click()
        expect(page.get_by_test_id("barred")).to_contain_text("You can no longer play here.", timeout=SLOW_MS)
        follow(page, "/")
        page.get_by_test_id("table-classic").click()
        expect(page.get_by_text("You have excluded yourself.").first).to_be_visible(timeout=SLOW_MS)

"""One of two players is disconnected in each phase of a round, and returns to the state the rules demand."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.dealt_by_hand import Night, bets_open, night, press, says, shuffled, stands
from tests.browser.partly import partly
from tests.browser.player import SLOW_MS

pytestmark = pytest.mark.browser

START_MINOR = 100_000
# Bob's winnings if disconnected in this phase, with one hundred on nineteen against eighteen:
# before the close the bet is returned (003); after it the bet stands, and the table decides.
WON_MINOR = {
    "betting": 0,
    "warning": 0,
    "dealing": 10_000,
    "offer": 10_000,
    "decisions": 10_000,
    "dealer": 10_000,
    "pause": 10_000,
}
NOW = ("warning", "decisions", "pause")


def bet(page: Page, chip: int, box: int = 0) -> None:
    page.get_by_test_id(f"chip-{chip}").click()
    page.get_by_test_id(f"spot-{box}-main").click()
    stands(page)


def reached(page: Page, phase: str) -> str:
    page.locator(f"[data-table-root][data-phase={phase}]").wait_for(timeout=2 * SLOW_MS)
    return phase


def a_round(house: Night) -> Iterator[str]:
    """Each phase once it is reached. Ann stakes five and stands; bob has only bet."""
    ann = house.ann
    bets_open(ann)
    bet(house.bob, 10_000)
    yield "betting"
    bet(ann, 500)
    yield reached(ann, "warning")
    house.asked("first card")
    yield reached(ann, "dealing")
    house.deals("TS", "AD", "9D", "down")
    yield reached(ann, "offer")
    press(ann, "n")
    house.asked("look at")
    house.deals("no")
    yield reached(ann, "decisions")
    press(ann, "s")
    house.asked("turned")
    yield reached(ann, "dealer")
    house.deals("7H")
    yield reached(ann, "pause")


def cut_off(page: Page, phase: str) -> None:
    """In the last seconds the connection is closed: the server notices a dead network after the close."""
    if phase == "warning":
        page.goto("about:blank")
    else:
        page.context.set_offline(True)
        says(page, "Connection lost, trying again")


def comes_back(page: Page, table: str = "infinite") -> None:
    page.context.set_offline(False)
    if page.url == "about:blank":
        page.goto(f"/table/{table}")


def balance(page: Page, minor: int) -> None:
    expect(page.get_by_test_id("balance")).to_have_text(f"€{minor / 100:,.2f}", timeout=2 * SLOW_MS)


def history_says(page: Page, *sentences: str) -> None:
    """The player's last round, step by step."""
    page.goto("/history")
    page.locator("[data-testid^='round-']").first.get_by_role("link", name="Round #").click()
    page.get_by_text("All steps in words").click()
    for sentence in sentences:
        expect(page.get_by_role("button", name=sentence, exact=True)).to_be_visible(timeout=SLOW_MS)


@pytest.mark.parametrize(("phase", "won_minor"), partly(WON_MINOR.items(), NOW))
def test_a_disconnected_player_returns_to_the_state_the_rules_demand(
    chromium: Browser, tmp_path: Path, phase: str, won_minor: int
) -> None:
    with night(chromium, tmp_path, "infinite", decision_ms=6_000) as house:
        shuffled(house)
        for now in a_round(house):
            comes_back(house.bob)
            if now == phase:
                cut_off(house.bob, phase)
        comes_back(house.bob)
        balance(house.bob, START_MINOR + won_minor)
        balance(house.ann, START_MINOR + 500)
        expect(house.bob.get_by_test_id("in-play")).to_have_text("€0.00")
        if won_minor:
            history_says(house.bob, "Box 1 stands (time ran out).")

"""One of two players at Seven-seat Blackjack is disconnected in each phase, and returns by the rules."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.dealt_by_hand import (
    DealtSite,
    DealtTable,
    balance_of,
    bet,
    block,
    confirm_shuffles,
    dealt_pages,
    dealt_server,
    expect_balance,
    press,
    sit,
    wait_for_open_bets,
)
from tests.browser.disconnections import WON_MINOR, cut_off, expect_history, reconnect, wait_for_phase

pytestmark = [pytest.mark.browser(long=True), pytest.mark.campaign]
"""`make test` disconnects a player at Infinite Blackjack, in test_live_blackjack.py."""

TABLE = "seven_seat"
ANN, BOB = 2, 0
BOTH = ("TS", "TD", "AD", "9D", "9C", "down")
"""Both players have nineteen, and the dealer shows an ace."""
HERS = ("TD", "AD", "9C", "down")


def play_round(server: DealtTable, cards: tuple[str, ...]) -> Iterator[str]:
    """Yield each phase once it is reached. Bob, who decides first, only bets; Ann stands ahead."""
    ann, bob = server.players
    wait_for_open_bets(ann)
    take_seat(bob, BOB)
    bet(bob, 10_000, f"{BOB}-main")
    take_seat(ann, ANN)
    yield "betting"
    bet(ann, 500, f"{ANN}-main")
    yield wait_for_phase(ann, "warning")
    server.expect_request("first card")
    yield wait_for_phase(ann, "dealing")
    server.deal(*cards)
    yield wait_for_phase(ann, "offer")
    press(ann, "n")
    server.expect_request("look at")
    server.deal("no")
    yield wait_for_phase(ann, "decisions")
    press(ann, "s")
    server.expect_request("turned")
    yield wait_for_phase(ann, "dealer")
    server.deal("7H")
    yield wait_for_phase(ann, "pause")


def take_seat(page: Page, seat: int) -> None:
    """Sit down, unless the player has kept the seat since the last round."""
    if not page.locator("[data-own='true']").count():
        sit(page, seat)


@pytest.fixture(scope="module")
def site(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DealtSite]:
    config = block(TABLE, decision_ms=8_000)
    with (
        dealt_server(tmp_path_factory.mktemp("seats"), config) as server,
        dealt_pages(chromium, server) as site,
    ):
        yield site


@pytest.mark.parametrize(("phase", "won_minor"), WON_MINOR.items())
def test_a_disconnected_player_returns_to_the_state_the_rules_demand(
    site: DealtSite, phase: str, won_minor: int
) -> None:
    live = site.at(TABLE)
    ann, bob = live.players
    ann_had = balance_of(ann)
    bob_had = balance_of(bob)
    confirm_shuffles(live)
    for now in play_round(live, BOTH if won_minor else HERS):
        reconnect(bob, TABLE)
        if now == phase:
            cut_off(bob, phase)
    reconnect(bob, TABLE)
    expect_balance(bob, bob_had + won_minor)
    expect_balance(ann, ann_had + 500)
    expect(bob.get_by_test_id("in-play")).to_have_text("€0.00")
    if won_minor:
        expect_history(bob, "Box 1 stands (time ran out).")

"""One of two players at Seven-seat Blackjack is disconnected in each phase, and returns by the rules."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.dealt_by_hand import DealtTable, confirm_shuffles, dealt_table, press, wait_for_open_bets
from tests.browser.test_live_seats import sit
from tests.browser.test_live_trouble import (
    START_MINOR,
    WON_MINOR,
    balance,
    bet,
    cut_off,
    expect_history,
    reconnect,
    wait_for_phase,
)

pytestmark = [pytest.mark.browser(long=True), pytest.mark.campaign]
"""`make test` disconnects a player at Infinite Blackjack, in test_live_trouble.py."""

TABLE = "seven_seat"
ANN, BOB = 2, 0
BOTH = ("TS", "TD", "AD", "9D", "9C", "down")
"""Both players have nineteen, and the dealer shows an ace."""
HERS = ("TD", "AD", "9C", "down")


def play_round(server: DealtTable, cards: tuple[str, ...]) -> Iterator[str]:
    """Yield each phase once it is reached. Bob, who decides first, only bets; Ann stands ahead."""
    ann, bob = server.players
    wait_for_open_bets(ann)
    sit(bob, BOB)
    bet(bob, 10_000, BOB)
    sit(ann, ANN)
    yield "betting"
    bet(ann, 500, ANN)
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


@pytest.mark.parametrize(("phase", "won_minor"), WON_MINOR.items())
def test_a_disconnected_player_returns_to_the_state_the_rules_demand(
    chromium: Browser, tmp_path: Path, phase: str, won_minor: int
) -> None:
    with dealt_table(chromium, tmp_path, TABLE, decision_ms=8_000) as server:
        confirm_shuffles(server)
        for now in play_round(server, BOTH if won_minor else HERS):
            reconnect(server.bob, TABLE)
            if now == phase:
                cut_off(server.bob, phase)
        reconnect(server.bob, TABLE)
        balance(server.bob, START_MINOR + won_minor)
        balance(server.ann, START_MINOR + 500)
        expect(server.bob.get_by_test_id("in-play")).to_have_text("€0.00")
        if won_minor:
            expect_history(server.bob, "Box 1 stands (time ran out).")

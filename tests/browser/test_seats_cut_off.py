"""One of two players at Seven-seat Blackjack is disconnected in each phase, and returns by the rules."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.dealt_by_hand import Night, bets_open, night, press, shuffled
from tests.browser.partly import partly
from tests.browser.test_live_seats import sit
from tests.browser.test_live_trouble import (
    START_MINOR,
    WON_MINOR,
    balance,
    bet,
    comes_back,
    cut_off,
    history_says,
    reached,
)

pytestmark = pytest.mark.browser

NOW = ("decisions",)
TABLE = "seven_seat"
ANN, BOB = 2, 0
BOTH = ("TS", "TD", "AD", "9D", "9C", "down")
"""Nineteen each, and the dealer shows an ace."""
HERS = ("TD", "AD", "9C", "down")


def a_round(house: Night, cards: tuple[str, ...]) -> Iterator[str]:
    """Each phase once it is reached. Bob, whose hand is the first to decide, only bets; Ann stands ahead."""
    ann, bob = house.players
    bets_open(ann)
    sit(bob, BOB)
    bet(bob, 10_000, BOB)
    sit(ann, ANN)
    yield "betting"
    bet(ann, 500, ANN)
    yield reached(ann, "warning")
    house.asked("first card")
    yield reached(ann, "dealing")
    house.deals(*cards)
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


@pytest.mark.parametrize(("phase", "won_minor"), partly(WON_MINOR.items(), NOW))
def test_a_disconnected_player_returns_to_the_state_the_rules_demand(
    chromium: Browser, tmp_path: Path, phase: str, won_minor: int
) -> None:
    with night(chromium, tmp_path, TABLE, decision_ms=8_000) as house:
        shuffled(house)
        for now in a_round(house, BOTH if won_minor else HERS):
            comes_back(house.bob, TABLE)
            if now == phase:
                cut_off(house.bob, phase)
        comes_back(house.bob, TABLE)
        balance(house.bob, START_MINOR + won_minor)
        balance(house.ann, START_MINOR + 500)
        expect(house.bob.get_by_test_id("in-play")).to_have_text("€0.00")
        if won_minor:
            history_says(house.bob, "Box 1 stands (time ran out).")

"""Coups of two hands dealt by a person: each card is shown, and the roads record the results."""

from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.coup_player import place_chips
from tests.browser.dealt_by_hand import (
    DealtTable,
    confirm_shuffles,
    dealt_table,
    expect_accepted_bet,
    wait_for_open_bets,
)
from tests.browser.partly import partly
from tests.browser.player import SLOW_MS
from tests.browser.test_everybody_can_play import check

pytestmark = pytest.mark.browser(long=True)


class ShownCard(NamedTuple):
    """A card, and the labels of both hands once it has landed."""

    card: str
    first: str
    second: str


class Coup(NamedTuple):
    shown: tuple[ShownCard, ...]
    board: str
    """The start of the board's text afterwards."""


class Case(NamedTuple):
    table: str
    burn: tuple[str, ...]
    bets: tuple[str, str]
    coups: tuple[Coup, ...]


CASES = (
    Case(
        "live_baccarat",
        burn=("AS",),
        bets=("player", "tie"),
        coups=(
            # both draw: 0 and 5, a six for Player, and 5 draws on a six
            Coup(
                (
                    ShownCard("KD", "Player, 0", "Banker"),
                    ShownCard("2C", "Player, 0", "Banker, 2"),
                    ShownCard("TC", "Player, 0", "Banker, 2"),
                    ShownCard("3H", "Player, 0", "Banker, 5"),
                    ShownCard("6S", "Player, 6", "Banker, 5"),
                    ShownCard("4D", "Player, 6", "Banker, 9, wins"),
                ),
                "1 coup of this shoe: Player 0, Banker 1, Tie 0. Newest first: Banker.",
            ),
            # a natural stops the coup
            Coup(
                (
                    ShownCard("9S", "Player, 9", "Banker"),
                    ShownCard("QD", "Player, 9", "Banker, 0"),
                    ShownCard("JC", "Player, 9", "Banker, 0"),
                    ShownCard("9H", "Player, 9", "Banker, 9"),
                ),
                "2 coups of this shoe: Player 0, Banker 1, Tie 1. Newest first: Tie, Banker.",
            ),
        ),
    ),
    Case(
        "live_dragon_tiger",
        burn=(),
        bets=("dragon", "suited_tie"),
        coups=(
            Coup(
                (ShownCard("TS", "Dragon, 10", "Tiger"), ShownCard("TS", "Dragon, 10", "Tiger, 10")),
                "1 coup of this shoe: Dragon 0, Tiger 0, Tie 1. Newest first: Tie.",
            ),
        ),
    ),
    Case(
        "live_football_studio",
        burn=(),
        bets=("home", "draw"),
        coups=(
            Coup(
                (ShownCard("AS", "Home, A", "Away"), ShownCard("2C", "Home, A, wins", "Away, 2")),
                "1 coup of this shoe: Home 1, Away 0, Draw 0. Newest first: Home.",
            ),
        ),
    ),
)


SHORT = CASES[0]._replace(coups=CASES[0].coups[:1])
"""The coup in which both sides draw."""


@pytest.mark.parametrize(
    "case", partly([(case,) for case in (SHORT, *CASES)], (SHORT,)), ids=lambda case: case.table
)
def test_a_person_deals_card_by_card(chromium: Browser, tmp_path: Path, case: Case) -> None:
    with dealt_table(chromium, tmp_path, case.table) as server:
        confirm_shuffles(server)
        server.deal(*case.burn)
        for coup in case.coups:
            wait_for_open_bets(server.ann)
            for page, bet in zip(server.players, case.bets, strict=True):
                place_chips(page, bet)
                expect_accepted_bet(page)
            _deal(server, coup)


def _deal(server: DealtTable, coup: Coup) -> None:
    for shown in coup.shown:
        server.deal(shown.card)
        for page in server.players:
            _expect_label(page, "first", shown.first)
            _expect_label(page, "second", shown.second)
    for page in server.players:
        expect(page.get_by_test_id("result")).to_be_visible(timeout=2 * SLOW_MS)
        expect(page.get_by_test_id("roads").locator("p")).to_contain_text(coup.board)


def _expect_label(page: Page, side: str, name: str) -> None:
    expect(page.get_by_test_id(f"hand-{side}")).to_have_accessible_name(name, timeout=SLOW_MS)


def test_a_question_to_the_board_stays_when_late_results_arrive(page: Page) -> None:
    """It is drawn on the roads until it is withdrawn, and isn't counted."""
    requests = list[Route]()

    def hold(route: Route) -> None:
        requests.append(route)

    page.route("**/results?*", hold)
    page.goto("/table/baccarat")
    board = page.get_by_test_id("roads")
    words = "No results yet."
    expect(board.locator("p")).to_have_text(words, timeout=SLOW_MS)
    question = board.get_by_role("button", name="If Banker won next")
    question.press("Enter")
    expect(question).to_have_attribute("aria-pressed", "true")
    # bead plate and big road; the derived roads have no marks yet
    expect(board.locator("rect")).to_have_count(2)
    with page.expect_response("**/results?*"):
        requests.pop().continue_()
    check(page, "asked")
    expect(board.locator("rect")).to_have_count(2)
    expect(board.locator("p")).to_have_text(words)
    question.press("Enter")
    expect(board.locator("rect")).to_have_count(0)

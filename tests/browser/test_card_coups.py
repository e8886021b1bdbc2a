"""Two hands that meet: what a person deals is seen card by card, and the roads write it down."""

from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.coup_player import lay
from tests.browser.dealt_by_hand import Night, bets_open, night, shuffled, stands
from tests.browser.partly import partly
from tests.browser.player import SLOW_MS
from tests.browser.test_everybody_can_play import check

pytestmark = pytest.mark.browser


class Seen(NamedTuple):
    """A card, and the labels of both hands once it has landed."""

    card: str
    first: str
    second: str


class Coup(NamedTuple):
    seen: tuple[Seen, ...]
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
                    Seen("KD", "Player, 0", "Banker"),
                    Seen("2C", "Player, 0", "Banker, 2"),
                    Seen("TC", "Player, 0", "Banker, 2"),
                    Seen("3H", "Player, 0", "Banker, 5"),
                    Seen("6S", "Player, 6", "Banker, 5"),
                    Seen("4D", "Player, 6", "Banker, 9, wins"),
                ),
                "1 coup of this shoe: Player 0, Banker 1, Tie 0. Newest first: Banker.",
            ),
            # a natural stops the coup
            Coup(
                (
                    Seen("9S", "Player, 9", "Banker"),
                    Seen("QD", "Player, 9", "Banker, 0"),
                    Seen("JC", "Player, 9", "Banker, 0"),
                    Seen("9H", "Player, 9", "Banker, 9"),
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
                (Seen("TS", "Dragon, 10", "Tiger"), Seen("TS", "Dragon, 10", "Tiger, 10")),
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
                (Seen("AS", "Home, A", "Away"), Seen("2C", "Home, A, wins", "Away, 2")),
                "1 coup of this shoe: Home 1, Away 0, Draw 0. Newest first: Home.",
            ),
        ),
    ),
)


@pytest.mark.parametrize("case", partly([(case,) for case in CASES], CASES[:1]), ids=lambda case: case.table)
def test_a_person_deals_card_by_card(chromium: Browser, tmp_path: Path, case: Case) -> None:
    with night(chromium, tmp_path, case.table) as house:
        shuffled(house)
        house.deals(*case.burn)
        for coup in case.coups:
            bets_open(house.ann)
            for page, bet in zip(house.players, case.bets, strict=True):
                lay(page, bet)
                stands(page)
            _deal(house, coup)


def _deal(house: Night, coup: Coup) -> None:
    for seen in coup.seen:
        house.deals(seen.card)
        for page in house.players:
            _called(page, "first", seen.first)
            _called(page, "second", seen.second)
    for page in house.players:
        expect(page.get_by_test_id("result")).to_be_visible(timeout=2 * SLOW_MS)
        expect(page.get_by_test_id("roads").locator("p")).to_contain_text(coup.board)


def _called(page: Page, side: str, name: str) -> None:
    expect(page.get_by_test_id(f"hand-{side}")).to_have_accessible_name(name, timeout=SLOW_MS)


def test_asking_the_board(page: Page) -> None:
    """A question is drawn on the roads until it is taken back, and isn't counted.

    That the house answers late what it remembers of the table doesn't end it.
    """
    remembered = list[Route]()

    def late(route: Route) -> None:
        remembered.append(route)

    page.route("**/results?*", late)
    page.goto("/table/baccarat")
    board = page.get_by_test_id("roads")
    words = "No results yet."
    expect(board.locator("p")).to_have_text(words, timeout=SLOW_MS)
    asked = board.get_by_role("button", name="If Banker won next")
    asked.press("Enter")
    expect(asked).to_have_attribute("aria-pressed", "true")
    # bead plate and big road; the derived roads have no marks yet
    expect(board.locator("rect")).to_have_count(2)
    with page.expect_response("**/results?*"):
        remembered.pop().continue_()
    check(page, "asked")
    expect(board.locator("rect")).to_have_count(2)
    expect(board.locator("p")).to_have_text(words)
    asked.press("Enter")
    expect(board.locator("rect")).to_have_count(0)

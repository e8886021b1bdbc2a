"""A person deals roulette, Sic Bo and games of two hands; two players get the results and are paid.

Each card is shown, and the roads record the results.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.coup_player import place_chips
from tests.browser.dealt_by_hand import (
    DealtSite,
    DealtTable,
    balance_of,
    block,
    confirm_shuffles,
    dealt_pages,
    dealt_server,
    dealt_table,
    expect_accepted_bet,
    expect_balance,
    expect_result,
    wait_for_open_bets,
)
from tests.browser.player import SLOW_MS
from tests.browser.test_everybody_can_play import check, fits
from tests.browser.test_staff import order, scan
from tests.support.server_process import ServerProcess

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


BOTH_DRAW = Coup(
    (
        ShownCard("KD", "Player, 0", "Banker"),
        ShownCard("2C", "Player, 0", "Banker, 2"),
        ShownCard("TC", "Player, 0", "Banker, 2"),
        ShownCard("3H", "Player, 0", "Banker, 5"),
        ShownCard("6S", "Player, 6", "Banker, 5"),
        ShownCard("4D", "Player, 6", "Banker, 9, wins"),
    ),
    "1 coup of this shoe: Player 0, Banker 1, Tie 0. Newest first: Banker.",
)
"""Both draw: 0 and 5, a six for Player, and 5 draws on a six."""
CASES = (
    Case(
        "live_baccarat",
        burn=("AS",),
        bets=("player", "tie"),
        coups=(
            BOTH_DRAW,
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


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    blocks = (block(table) for table in ("live_roulette", "live_sic_bo", "live_baccarat"))
    with dealt_server(tmp_path_factory.mktemp("coups"), *blocks) as server:
        yield server


@pytest.fixture(scope="module")
def site(chromium: Browser, server: ServerProcess) -> Iterator[DealtSite]:
    with dealt_pages(chromium, server) as site:
        yield site


def test_a_spin_is_entered_corrected_and_paid(site: DealtSite) -> None:
    live = site.at("live_roulette")
    manager = live.manager
    ann_had, bob_had = (balance_of(page) for page in live.players)
    wait_for_open_bets(live.ann)
    place_chips(live.ann, "straight_17", "red")
    place_chips(live.bob, "black")
    expect_accepted_bet(live.ann)
    expect_accepted_bet(live.bob)
    live.expect_request("the pocket")
    check(live.dealer, "a spin is wanted")
    message = live.dealer.get_by_test_id("said")
    scan(live.dealer, "37")
    expect(message).to_contain_text("a pocket of this wheel", timeout=SLOW_MS)
    live.dealer.get_by_test_id("no-spin").click()
    expect(message).to_have_text("No spin: repeat it.", timeout=SLOW_MS)
    live.dealer.get_by_test_id("pocket-18").click()
    _correct(manager, "pocket-17")
    # 0.50 on 17 pays thirty-five to one; 17 is black
    expect_result(live.ann, 1750 - 50)
    expect_result(live.bob, 50)
    expect_balance(live.ann, ann_had + 1700)
    expect_balance(live.bob, bob_had + 50)
    expect(live.dealer.get_by_test_id("came-up")).to_contain_text("17")
    fits(live.ann, "result")
    check(live.bob, "result")


def _correct(manager: Page, truth: str) -> None:
    manager.get_by_test_id("correct-0").click(timeout=SLOW_MS)
    dialog = manager.get_by_role("dialog")
    dialog.get_by_test_id(truth).click()
    dialog.get_by_test_id("reason").fill("misread")
    dialog.get_by_test_id("confirm").click()
    expect(dialog).to_be_hidden(timeout=SLOW_MS)


def test_a_roll_is_entered_by_buttons(site: DealtSite) -> None:
    live = site.at("live_sic_bo")
    wait_for_open_bets(live.ann)
    place_chips(live.ann, "small", "total_10")
    expect_accepted_bet(live.ann)
    live.expect_request("three dice")
    check(live.dealer, "a roll is wanted")
    for die, face in enumerate((1, 3, 6)):
        live.dealer.get_by_test_id(f"die-{die}-{face}").click()
    live.dealer.get_by_test_id("roll").click()
    expect(live.ann.get_by_test_id("result")).to_contain_text("You win", timeout=2 * SLOW_MS)


def test_coups_of_cards_are_dealt_after_the_burn(site: DealtSite) -> None:
    live = site.at("live_baccarat")
    ann, bob = live.players
    confirm_shuffles(live)
    live.deal("AS")  # the burn card
    _correct(live.manager, "card-AC")
    corrections = live.dealer.get_by_role("region", name="Can still be corrected")
    expect(corrections).to_contain_text("ace of clubs", timeout=SLOW_MS)
    expect(ann.get_by_test_id("bulletin")).to_have_count(0)
    _bet(live, "player", "banker")
    live.deal("9S", "KD", "TC", "7H")
    expect_result(ann, 100)
    expect_result(bob, -100)
    expect(live.dealer.get_by_test_id("came-up")).to_contain_text("Player")
    _bet(live, "player", "tie")
    board = "2 coups of this shoe: Player 1, Banker 1, Tie 0. Newest first: Banker, Player."
    _deal(live, BOTH_DRAW._replace(board=board))
    order(live.manager, "pause_table", "a short break")
    expect(ann.get_by_test_id("paused")).to_contain_text("a short break", timeout=SLOW_MS)


def _bet(live: DealtTable, *bets: str) -> None:
    """Place a bet of each player."""
    players = live.players
    wait_for_open_bets(live.ann)
    for page, name in zip(players, bets, strict=True):
        place_chips(page, name)
        expect_accepted_bet(page)


@pytest.mark.campaign
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.table)
def test_a_person_deals_card_by_card(chromium: Browser, tmp_path: Path, case: Case) -> None:
    with dealt_table(chromium, tmp_path, case.table) as live:
        confirm_shuffles(live)
        live.deal(*case.burn)
        for coup in case.coups:
            _bet(live, *case.bets)
            _deal(live, coup)


def _deal(live: DealtTable, coup: Coup) -> None:
    for shown in coup.shown:
        live.deal(shown.card)
        for page in live.players:
            _expect_label(page, "first", shown.first)
            _expect_label(page, "second", shown.second)
    for page in live.players:
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

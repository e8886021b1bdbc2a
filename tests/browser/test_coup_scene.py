"""A result is revealed only after its scene: not earlier by a number, the balance or an announcement."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from croupier.ledger.sqlite.store import SqliteReader
from croupier.protocol import wire
from tests.browser.ahead import deal_until, offers
from tests.browser.conftest import database_of, player_of
from tests.browser.coup_player import CoupPlayer, place_chips
from tests.browser.on_the_wire import HeldMessages
from tests.browser.player import SLOW_MS, follow, pause_clock
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser
ARMED_MS, LANDED_MS = 400, 300
SOON_MS = 300
"""Maximum time until a page shows a message."""
STAKE = 1_000
"""A chip of the lowest denomination on each of two bets."""


@pytest.fixture
def moving(chromium: Browser, server: ServerProcess) -> Iterator[Page]:
    """Open a page with animations."""
    context = chromium.new_context(base_url=server.address, reduced_motion="no-preference")
    yield context.new_page()
    context.close()


def deal_coup(page: Page) -> None:
    place_chips(page, "red", "straight_17")
    page.get_by_test_id("deal").click()
    expect(page.get_by_test_id("skip")).to_be_visible(timeout=SLOW_MS)


def cash(page: Page, server: ServerProcess) -> int:
    ledger = SqliteReader(database_of(server))
    me = player_of(page)
    found = ledger.balances(me)["GC"]["cash"]
    ledger.close()
    return found


def test_nothing_reveals_a_result_before_its_scene_which_enter_skips(
    moving: Page, server: ServerProcess
) -> None:
    connection = HeldMessages(moving)
    player = CoupPlayer(moving, seed=1)
    player.sit("roulette")
    deal_coup(moving)
    result = moving.get_by_test_id("result")
    assert player.phase == "playing"
    assert player.in_play_minor == STAKE
    assert result.count() == 0
    expect(moving.get_by_test_id("polite")).not_to_contain_text("Staked")
    assert moving.locator("[data-won]").count() == 0
    expect(result).to_be_visible(timeout=SLOW_MS)
    assert (player.balance_minor, player.in_play_minor) == (cash(moving, server), 0)

    # Enter skips the scene of the next coup
    moving.get_by_test_id("new-bet").click()
    deal_coup(moving)
    moving.locator("[data-table-root]").focus()
    moving.keyboard.press("Enter")
    expect(result).to_be_visible(timeout=500)
    assert player.balance_minor == cash(moving, server)

    # it isn't animated again if the player returns before the server has sent the table's state
    follow(moving, "/history")
    expect(moving.get_by_role("heading", level=1)).to_have_text("History", timeout=SLOW_MS)
    connection.holding = True
    moving.get_by_test_id("back-to-tables").click()
    expect(moving.locator("[data-table-root]")).to_be_visible(timeout=SLOW_MS)
    expect(moving.locator("[data-table-root]")).to_have_attribute("data-phase", "ended", timeout=SOON_MS)
    connection.release()
    expect(result).to_be_visible()


def safe_to_double(played: wire.PlayedRound) -> bool:
    return "double" in offers(played) and played.view.boxes[0].hands[0].total < 12


def test_a_hand_shows_no_total_before_its_card_has_landed(moving: Page, server: ServerProcess) -> None:
    moving.goto("/")
    bet = [wire.Stake(0, "main", 25_000)]
    deal_until(moving, server, bet, "classic", safe_to_double)
    pause_clock(moving)
    moving.goto("/table/classic")
    cards, total = moving.get_by_test_id("hand-0-0").locator("li"), moving.get_by_test_id("total-0-0")
    before, player = total.text_content() or "", CoupPlayer(moving, seed=1)
    moving.clock.run_for(ARMED_MS)
    moving.locator("[data-table-root]").focus()
    moving.keyboard.press("d")
    expect(cards).to_have_count(3, timeout=SLOW_MS)

    # the card is moving, followed by the dealer's
    expect(total).to_have_text(before)
    assert (player.phase, player.in_play_minor) == ("playing", 50_000)
    expect(moving.get_by_test_id("polite")).not_to_contain_text("Dealer has")
    expect(moving.get_by_test_id("action-hit")).to_have_attribute("aria-disabled", "true")

    # the card has landed; the dealer's are still moving
    moving.clock.run_for(LANDED_MS)
    expect(total).not_to_have_text(before)
    assert (player.phase, player.in_play_minor) == ("playing", 50_000)
    assert moving.get_by_test_id("result").count() == 0

    moving.clock.run_for(5_000)
    expect(moving.get_by_test_id("result")).to_be_visible(timeout=SLOW_MS)
    expect(moving.get_by_test_id("polite")).to_contain_text("Staked")
    assert (player.balance_minor, player.in_play_minor) == (cash(moving, server), 0)

"""Two browsers at live blackjack that a person deals: decisions, seats, money, disconnections."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.dealt_by_hand import (
    DealtSite,
    DealtTable,
    balance_of,
    bet,
    block,
    confirm_shuffles,
    dealt_pages,
    dealt_server,
    expect_accepted_bet,
    expect_balance,
    expect_result,
    expect_status,
    look_at,
    press,
    sit,
    wait_for_open_bets,
)
from tests.browser.disconnections import WON_MINOR, cut_off, expect_history, reconnect, wait_for_phase
from tests.browser.partly import partly
from tests.browser.player import SLOW_MS, digits
from tests.browser.screens import FEW, assert_layout
from tests.browser.test_everybody_can_play import check, fits
from tests.browser.test_staff import order

pytestmark = pytest.mark.browser(long=True)

SEVEN, BRISK = "seven_seat", "brisk"
"""Brisk is a table of Infinite Blackjack at which players have little time to decide."""
NOW = ("warning", "decisions")


@pytest.fixture(scope="module")
def site(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DealtSite]:
    blocks = block("infinite", betting_ms=10_000), block(SEVEN), block(BRISK, decision_ms=5_000)
    folder = tmp_path_factory.mktemp("blackjack")
    with (
        dealt_server(folder, *blocks, copies={BRISK: "infinite"}) as server,
        dealt_pages(chromium, server) as site,
    ):
        yield site


@pytest.fixture
def infinite(site: DealtSite) -> DealtTable:
    return site.at("infinite")


@pytest.fixture
def brisk(site: DealtSite) -> DealtTable:
    return site.at(BRISK)


def balances_before(live: DealtTable) -> tuple[int, int]:
    ann, bob = live.players
    return balance_of(ann), balance_of(bob)


def first_bets(live: DealtTable) -> None:
    """Ann puts five on the main bet and on each side bet; Bob one hundred on the main bet."""
    ann, bob = live.players
    confirm_shuffles(live)
    wait_for_open_bets(ann)
    bet(ann, 500, "0-main", "0-any_pair", "0-twenty_one_plus_three", "0-hot_3", "0-bust_it")
    bet(bob, 10_000)


def test_one_deal_with_separate_decisions(infinite: DealtTable) -> None:
    ann, bob = infinite.players
    ann_had, bob_had = balances_before(infinite)
    first_bets(infinite)
    check(bob, "bet")
    infinite.expect_request("first card")
    infinite.deal("8S", "AD", "8D", "down")

    # Ann takes insurance, Bob declines, and the dealer checks
    expect_status(ann, "Insurance?")
    expect(ann.get_by_text("no answer declines")).to_be_visible()
    press(ann, "i")
    expect_status(ann, "You take insurance. Waiting for other players")
    press(bob, "n")
    infinite.deal("no")

    # Bob stands, and Ann sees it before she splits
    expect_status(ann, "Your turn")
    press(bob, "s")
    expect(ann.get_by_test_id("share-stand")).to_contain_text("100", timeout=SLOW_MS)
    check(ann, "decision")
    press(ann, "p")
    infinite.deal("TC", "3H")

    # Ann's hands decide together; eleven may not be doubled after a split
    expect_status(ann, "Your turn: first hand")
    expect(ann.get_by_test_id("action-double")).to_have_attribute("aria-disabled", "true")
    press(ann, "s")
    expect_status(ann, "Your turn: second hand")
    press(ann, "h")
    infinite.deal("9S")
    expect(ann.get_by_test_id("total-0-1")).to_have_text("20", timeout=SLOW_MS)
    press(ann, "s")
    expect_status(ann, "Dealer plays")
    infinite.deal("6H")
    expect(ann.get_by_test_id("total-0-0")).to_have_text("18✓", timeout=2 * SLOW_MS)
    expect(ann.get_by_test_id("total-0-1")).to_have_text("20✓")
    # two hands of five, eight for one on the pair; insurance and three side bets are lost
    expect_result(ann, 500 + 500 + 4000 - 250 - 3 * 500)
    expect_result(bob, -10_000)
    expect_balance(ann, ann_had + 3250)
    expect_balance(bob, bob_had - 10_000)
    check(ann, "result")
    assert_layout(ann, "result", FEW)


def test_bets_by_the_clock(infinite: DealtTable) -> None:
    ann, bob = infinite.players
    ann_had = balance_of(ann)
    confirm_shuffles(infinite)
    wait_for_open_bets(ann, least_s=8)
    bet(ann, 500)
    ann.get_by_test_id("all-sides").click()
    expect_accepted_bet(ann)
    assert digits(ann.get_by_test_id("placed").text_content()) == 5 * 500
    press(ann, "Backspace")
    expect(ann.get_by_test_id("placed")).to_have_text("€5.00")
    expect_accepted_bet(ann)
    expect_balance(ann, ann_had - 500)
    # leaving the page is a disconnection: before the close the bet is returned
    ann.reload()
    wait_for_open_bets(ann)
    expect(ann.get_by_test_id("placed")).to_have_text("€0.00")
    expect_balance(ann, ann_had)
    bet(ann, 500)
    # betting is closed; a player without a bet watches
    infinite.expect_request("first card")
    expect_status(bob, "Cards are dealt")
    expect(bob.get_by_test_id("waiting")).to_contain_text("You have no bet in this round")
    infinite.deal("TS", "9D", "TD", "down")
    press(ann, "s")
    infinite.deal("7C", "9C")
    expect_result(ann, 500)


def test_a_pause_and_a_void_are_announced_and_stakes_are_returned(infinite: DealtTable) -> None:
    ann, bob = infinite.players
    had = balances_before(infinite)
    first_bets(infinite)
    infinite.expect_request("first card")
    infinite.deal("TS")
    order(infinite.dealer, "floor", "A card fell to the ground")
    for page in infinite.players:
        expect_status(page, "The table is paused")
        expect(page.get_by_test_id("bulletin")).to_contain_text("A card fell to the ground")
    fits(ann, "paused")
    check(bob, "paused")
    order(infinite.manager, "void_round", "The shoe fell")
    for page, minor in zip(infinite.players, had, strict=True):
        expect(page.get_by_test_id("bulletin")).to_contain_text(
            "Every stake of this round is returned", timeout=SLOW_MS
        )
        expect_balance(page, minor)
    expect_result(bob, 0)


# --- another page is shown while the table is open: the bet stands, and the table calls the player


def test_a_table_stays_open_behind_other_pages(infinite: DealtTable) -> None:
    ann, bob = infinite.players
    ann_had = balance_of(ann)
    confirm_shuffles(infinite)
    wait_for_open_bets(ann)
    for page in infinite.players:
        bet(page, 500)
        look_at(page, "cashier")
        expect(page.get_by_test_id("back-band")).to_contain_text("Infinite Blackjack", timeout=SLOW_MS)
    check(ann, "behind a page")
    infinite.expect_request("first card")
    expect(ann.get_by_test_id("in-play")).to_have_text("€5.00")
    infinite.deal("TS", "9D", "8D", "down")

    # the player's turn is announced on any page, and the link back shows the same bet
    look_at(bob, "history")
    for page in infinite.players:
        expect(page.get_by_test_id("back-band")).to_contain_text("Your turn", timeout=SLOW_MS)
    check(bob, "called from behind")
    for page in infinite.players:
        page.get_by_test_id("back-to-tables").click()
        expect_status(page, "Your turn")
        press(page, "s")
        expect(page.get_by_test_id("back-band")).to_have_count(0)
    infinite.expect_request("turned")
    look_at(ann, "settings")
    infinite.deal("8C")
    expect_balance(ann, ann_had + 500)

    # opening the lobby leaves no table; its close button does
    ann.get_by_role("link", name="croupier").click()
    ann.get_by_test_id("leave-infinite").click()
    expect(ann.get_by_test_id("back-band")).to_have_count(0)
    expect(bob.get_by_test_id("players")).to_contain_text("1", timeout=SLOW_MS)


# --- Seven-seat Blackjack: seats are taken and left, hands play in turn, also ahead of it


def hand(page: Page, seat: int) -> Locator:
    return page.get_by_test_id(f"total-{seat}-0")


def test_a_seat_belongs_to_one_player_until_they_leave_it(site: DealtSite) -> None:
    ann, bob = site.at(SEVEN).players
    sit(ann, 2)
    expect(bob.get_by_test_id("sit-2")).to_have_count(0, timeout=SLOW_MS)
    # Ann can't take a second one
    ann.get_by_test_id("sit-4").click()
    expect(ann.get_by_test_id("message")).to_have_text("You already have a seat.", timeout=SLOW_MS)
    ann.get_by_test_id("stand-up-2").click()
    bob.get_by_test_id("sit-2").click()
    expect(ann.get_by_test_id("sit-2")).to_have_count(0, timeout=SLOW_MS)
    expect(ann.get_by_test_id("sit-4")).to_be_visible()
    bob.get_by_test_id("stand-up-2").click()
    expect(ann.get_by_test_id("sit-2")).to_be_visible(timeout=SLOW_MS)


def test_hands_play_in_turn_and_one_may_decide_ahead(site: DealtSite) -> None:
    seven = site.at(SEVEN)
    ann, bob = seven.players
    confirm_shuffles(seven)
    sit(ann, 2)
    sit(bob, 0)
    wait_for_open_bets(ann)
    bet(ann, 500, "2-main")
    bet(bob, 500, "0-main")
    check(ann, "seated")
    fits(bob, "seated")
    seven.expect_request("first card")
    # Bob 16, Ann 11, the dealer shows 6
    seven.deal("TS", "6H", "6D", "6C", "5H", "down")

    # each sees the other's cards, and whose turn it is
    expect_status(bob, "Your turn")
    expect(hand(ann, 0)).to_have_text("16", timeout=SLOW_MS)
    expect(hand(bob, 2)).to_have_text("11")
    expect(ann.get_by_role("group", name="Decide in advance")).to_be_visible()
    check(ann, "ahead")
    check(bob, "in turn")
    press(ann, "h")
    expect(ann.get_by_test_id("action-hit")).to_have_attribute("aria-pressed", "true", timeout=SLOW_MS)

    # Bob stands; Ann's decision in advance counts at once, then she decides
    press(bob, "s")
    seven.expect_request("third card")
    seven.deal("9C")
    expect_status(ann, "Your turn")
    expect(hand(ann, 2)).to_have_text("20")
    press(ann, "s")
    seven.deal("TH", "8H")
    for page in seven.players:
        expect_result(page, 500)
    fits(ann, "result")
    check(bob, "result")


# --- disconnections


def test_the_table_decides_on_time_out_and_a_reconnected_player_is_informed(brisk: DealtTable) -> None:
    ann, bob = brisk.players
    bob_had = balance_of(bob)
    first_bets(brisk)
    brisk.expect_request("first card")
    bob.context.set_offline(True)
    brisk.deal("TS", "9D", "7D", "down")
    expect_status(ann, "Your turn")
    expect(ann.get_by_test_id("message")).to_contain_text("The table decided for you: stand", timeout=SLOW_MS)
    brisk.expect_request("turned")
    brisk.deal("TC")
    expect_result(ann, 500 * -5)
    bob.context.set_offline(False)
    expect(bob.get_by_text("Staked €100.00, returned €0.00").first).to_be_visible(timeout=2 * SLOW_MS)
    expect_balance(bob, bob_had - 10_000)


def play_round(live: DealtTable) -> Iterator[str]:
    """Yield each phase once it is reached. Ann stakes five and stands; Bob only bets."""
    ann, bob = live.players
    wait_for_open_bets(ann)
    bet(bob, 10_000)
    yield "betting"
    bet(ann, 500)
    yield wait_for_phase(ann, "warning")
    live.expect_request("first card")
    yield wait_for_phase(ann, "dealing")
    live.deal("TS", "AD", "9D", "down")
    yield wait_for_phase(ann, "offer")
    press(ann, "n")
    live.expect_request("look at")
    live.deal("no")
    yield wait_for_phase(ann, "decisions")
    press(ann, "s")
    live.expect_request("turned")
    yield wait_for_phase(ann, "dealer")
    live.deal("7H")
    yield wait_for_phase(ann, "pause")


@pytest.mark.parametrize(("phase", "won_minor"), partly(WON_MINOR.items(), NOW))
def test_a_disconnected_player_returns_to_the_state_the_rules_demand(
    brisk: DealtTable, phase: str, won_minor: int
) -> None:
    ann, bob = brisk.players
    ann_had, bob_had = balances_before(brisk)
    confirm_shuffles(brisk)
    for now in play_round(brisk):
        reconnect(bob, BRISK)
        if now == phase:
            cut_off(bob, phase)
    reconnect(bob, BRISK)
    expect_balance(bob, bob_had + won_minor)
    expect_balance(ann, ann_had + 500)
    expect(bob.get_by_test_id("in-play")).to_have_text("€0.00")
    if won_minor:
        expect_history(bob, "Box 1 stands (time ran out).")

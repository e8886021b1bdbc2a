"""A guest plays, and becomes an account that is used on two devices."""

from playwright.sync_api import expect

from tests.browser.conftest import player_of
from tests.browser.journey.stage import Journey, follow, take_table
from tests.browser.player import SLOW_MS, Player
from tests.browser.test_accounts import SIGNED_IN, create, sign_in


def a_guest_accepts_the_terms(journey: Journey) -> None:
    page = journey.first
    page.goto("/")
    expect(page.get_by_test_id("table-classic")).to_be_visible(timeout=SLOW_MS)
    journey.look(page, "lobby")
    take_table(page, "classic")
    terms = page.get_by_role("dialog", name="Before you play")
    expect(terms).to_contain_text("Terms and conditions", timeout=SLOW_MS)
    journey.look(page, "terms")
    terms.get_by_role("button", name="Accept").click()
    expect(terms).to_be_hidden()
    assert len(journey.ledger.notes(f"accepted:{journey.player}:")) == 2


def the_guest_plays_a_round(journey: Journey) -> None:
    guest = Player(journey.first, seed=1)
    guest.play_round("mouse")
    journey.look(journey.first, "first-round")
    assert len(journey.ledger.rounds(journey.player)) == 1
    assert guest.balance_minor == journey.ledger.balances(journey.player)["GC"]["cash"]


def the_guest_becomes_an_account(journey: Journey) -> None:
    page, known = journey.first, journey.player
    before = Player(page, seed=1).balance_minor
    follow(page, "/settings")
    page.get_by_text("claret").click()
    page.get_by_role("button", name="Create an account").click()
    expect(page.get_by_role("dialog", name="Create an account")).to_be_visible()
    journey.look(page, "create-an-account")
    page.keyboard.press("Escape")
    create(page, journey.name)
    assert (journey.player, Player(page, seed=1).balance_minor) == (known, before)
    follow(page, "/history")
    expect(page.locator("[data-testid^='round-']")).to_have_count(1, timeout=SLOW_MS)


def the_account_goes_on_on_a_second_device(journey: Journey) -> None:
    page = journey.second
    sign_in(page, journey.name)
    expect(page.get_by_test_id("account")).to_contain_text(f"{SIGNED_IN} {journey.name}", timeout=SLOW_MS)
    expect(page.locator("html")).to_have_attribute("data-cloth", "claret")
    expect(page.get_by_test_id("security").get_by_role("listitem")).to_have_count(2, timeout=SLOW_MS)
    journey.look(page, "second-device", page.get_by_test_id("account"))
    assert player_of(page) == journey.player
    assert Player(page, seed=1).balance_minor == Player(journey.first, seed=1).balance_minor

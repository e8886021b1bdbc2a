"""Deposit, bonus and withdrawal."""

import sqlite3
from contextlib import closing

from playwright.sync_api import Page, expect

from croupier.integration.payment_provider.provider import ProviderControl
from croupier.protocol.payment_wire import IdentityAnswer
from tests.browser.conftest import database_of
from tests.browser.journey.stage import Journey, follow, take_table
from tests.browser.player import SLOW_MS
from tests.browser.test_staff import sign_in as staff_sign_in
from tests.staff.clients import add
from tests.support.accounts import PASSWORD
from tests.support.payment_provider import APPROVED
from tests.support.server_process import ServerProcess

PASSPORT = IdentityAnswer("pending", "Send a copy of your passport.")
DEPOSIT, WITHDRAWAL, BONUS = 5_000, 2_000, 200
"""In cents. Two coups of €10, which count 10 %, play the bonus through."""


def the_player_deposits(journey: Journey) -> None:
    page = journey.first
    follow(page, "/")
    page.get_by_label("Currency").select_option("EUR")
    expect(page.get_by_test_id("balance")).to_have_text("€0.00", timeout=SLOW_MS)
    follow(page, "/cashier")
    page.get_by_test_id("deposit").fill("50.00")
    page.get_by_test_id("deposit").press("Enter")
    expect(page.get_by_test_id("payment")).to_contain_text("Waiting for your payment.", timeout=SLOW_MS)
    journey.look(page, "deposit-pending")
    assert journey.cents() == 0
    page.get_by_role("link", name="Go to the payment page").click()
    expect(page.get_by_role("heading", name="Pay")).to_be_visible()
    journey.look(page, "payment-page")
    page.get_by_role("button", name="Pay").click()
    expect(page).to_have_url(f"{journey.server.address}/cashier")
    expect(page.get_by_test_id("balance")).to_have_text("€50.00", timeout=SLOW_MS)
    journey.look(page, "deposit-paid")
    assert journey.cents() == DEPOSIT


def a_manager_grants_a_bonus(journey: Journey) -> None:
    page = journey.manager
    page.goto("/staff/bonuses")
    staff_sign_in(page, "Ada", add(journey.server.data, "Ada", "manager"))
    page.get_by_test_id("player").fill(journey.player)
    page.get_by_role("button", name="Show").click()
    page.get_by_test_id("grant-welcome").click(timeout=SLOW_MS)
    page.get_by_test_id("reason").fill("a new player")
    page.get_by_test_id("confirm").click()
    expect(page.get_by_test_id("bonus")).to_contain_text("active", timeout=SLOW_MS)
    journey.look(page, "bonus-granted")
    assert journey.cents("bonus") == BONUS


def the_bonus_is_played_through(journey: Journey) -> None:
    page = journey.first
    follow(page, "/")
    take_table(page, "roulette")
    _coup(page)
    follow(page, "/cashier")
    expect(page.get_by_test_id("bonus-active")).to_contain_text("€1.00 of €2.00", timeout=SLOW_MS)
    journey.look(page, "bonus-half-way", page.get_by_test_id("bonus-active"))
    before = journey.cents()
    follow(page, "/")
    take_table(page, "roulette")
    _coup(page)
    journey.look(page, "bonus-coup")
    follow(page, "/cashier")
    converted = page.get_by_test_id("bonus-converted")
    expect(converted).to_contain_text("now in your balance", timeout=SLOW_MS)
    journey.look(page, "bonus-converted", converted)
    last = journey.ledger.rounds(journey.player)[0]
    assert journey.cents("bonus") == 0
    assert journey.cents() == before - last.staked_minor + last.returned_minor + BONUS


def bet_on_red_and_black(page: Page) -> None:
    """Bet ten euros, of which little is won or lost."""
    page.get_by_test_id("chip-500").click()
    page.get_by_test_id("bet-red").click()
    page.get_by_test_id("bet-black").click()
    page.get_by_test_id("deal").click()


def _coup(page: Page) -> None:
    bet_on_red_and_black(page)
    expect(page.locator("[data-phase='ended']")).to_be_visible(timeout=SLOW_MS)


def the_player_withdraws(journey: Journey) -> None:
    page, before = journey.first, journey.cents()
    journey.provider.control(ProviderControl(identity=PASSPORT))
    follow(page, "/cashier")
    page.get_by_test_id("withdraw").fill("20.00")
    forget_sign_ins(journey.server)
    page.get_by_test_id("withdraw").press("Enter")
    _sign_in_again(journey)
    withdrawal = page.get_by_test_id("payment").first
    expect(withdrawal).to_contain_text("Send a copy of your passport.", timeout=SLOW_MS)
    journey.look(page, "withdrawal-held")
    assert (journey.cents(), journey.cents("withdrawing")) == (before - WITHDRAWAL, WITHDRAWAL)
    journey.provider.control(ProviderControl(identity=APPROVED, pays_withdrawals=True))
    expect(withdrawal).to_contain_text("Paid out.", timeout=4 * SLOW_MS)
    journey.look(page, "withdrawal-paid")
    assert (journey.cents(), journey.cents("withdrawing")) == (before - WITHDRAWAL, 0)


def forget_sign_ins(server: ServerProcess) -> None:
    """Make all sign-ins too old for a withdrawal."""
    with closing(sqlite3.connect(database_of(server))) as database, database:
        database.execute("UPDATE session SET signed_in_ms = 1")


def _sign_in_again(journey: Journey) -> None:
    """Show who the player is; the withdrawal goes on."""
    dialog = journey.first.get_by_role("dialog", name="Sign in")
    expect(dialog).to_contain_text("For a withdrawal, show that it is you.", timeout=SLOW_MS)
    journey.look(journey.first, "sign-in-again")
    assert journey.cents("withdrawing") == 0
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Sign in").click()
    expect(dialog).to_be_hidden(timeout=SLOW_MS)

"""The question for a deposit limit at the cashier, answered both ways, and the notice when it is due."""

import re
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from croupier import clock
from croupier.accounts.responsible_gaming import DAY_MS
from croupier.app.serve import open_ledger
from croupier.ledger.entries import note
from tests.browser.cashier import enter, open_cashier, pay
from tests.browser.conftest import player_of
from tests.browser.limits import set_limit
from tests.browser.player import SLOW_MS
from tests.browser.screens import resize
from tests.browser.test_everybody_can_play import check_sizes
from tests.support.accounts import new_name
from tests.support.payment_provider import paying_server, provider_process
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser
ASKING = """
[responsible_gaming]
jurisdiction = "GB"

[jurisdictions.GB]
"""
LOOKS = """
button => {
  const { color, backgroundColor, borderColor, fontSize, fontWeight } = getComputedStyle(button);
  return [color, backgroundColor, borderColor, fontSize, fontWeight];
}
"""
QUESTION = "deposit-question"
SCREENS = ((320, 640), (390, 844), (1440, 900))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("asking")
    with provider_process(folder) as provider, paying_server(folder, provider, blocks=ASKING) as server:
        yield server


@pytest.fixture
def cashier(kept: Page) -> Page:
    """Return the cashier of a new account that plays euros, on a phone."""
    resize(kept, SCREENS[1])
    open_cashier(kept, new_name())
    expect(kept.get_by_test_id(QUESTION)).to_be_visible(timeout=SLOW_MS)
    return kept


def button(page: Page, name: str) -> Locator:
    return page.get_by_test_id(QUESTION).get_by_role("button", name=name, exact=True)


def box(control: Locator) -> FloatRect:
    found = control.bounding_box()
    assert found
    return found


def deposit(page: Page, amount: str) -> None:
    enter(page, "Deposit", amount)


def deposit_and_pay(page: Page, amount: str) -> None:
    deposit(page, amount)
    pay(page)
    expect(page.get_by_test_id("balance")).to_have_text(f"€{amount}", timeout=SLOW_MS)


def test_a_player_who_sets_a_limit_deposits_within_it(cashier: Page) -> None:
    expect(cashier.get_by_test_id("deposit")).to_have_count(0)
    set_limit(cashier, "deposit", "week", "40")
    keep = button(cashier, "Keep these limits and continue")
    expect(keep).to_be_visible(timeout=SLOW_MS)
    expect(cashier.get_by_test_id("own-limits")).to_contain_text("Deposits per week: €40")
    check_sizes(cashier, "limited", SCREENS)
    keep.click()
    expect(cashier.get_by_test_id(QUESTION)).to_have_count(0, timeout=SLOW_MS)
    deposit_and_pay(cashier, "25.00")
    deposit(cashier, "20.00")
    refused = cashier.get_by_role("alert").filter(has_text="Your limit on deposits per week is €40")
    expect(refused).to_be_visible(timeout=SLOW_MS)


def test_a_player_who_wants_no_limit_continues_without(cashier: Page) -> None:
    """Neither choice is more prominent than the other."""
    set_one = button(cashier, "Set limit")
    without = button(cashier, "Continue without")
    for size in SCREENS:
        resize(cashier, size)
        one = box(set_one)
        other = box(without)
        assert (one["y"], one["height"]) == (other["y"], other["height"]), size
        assert one["width"] == pytest.approx(other["width"], abs=1), size
    assert set_one.evaluate(LOOKS) == without.evaluate(LOOKS)
    check_sizes(cashier, "asked", SCREENS)
    without.click()
    expect(cashier.get_by_test_id(QUESTION)).to_have_count(0, timeout=SLOW_MS)
    deposit_and_pay(cashier, "25.00")
    cashier.get_by_role("link", name="croupier").click()
    expect(cashier.get_by_test_id("table-classic")).to_be_visible(timeout=SLOW_MS)
    expect(cashier.get_by_test_id("limit-review")).to_have_count(0)


def test_a_player_who_is_asked_again_sees_a_notice_once(cashier: Page, server: ServerProcess) -> None:
    """It keeps nobody from playing, and leads to the cashier."""
    player = player_of(cashier)
    server.stop()
    with closing(open_ledger(server.data)) as ledger:
        answered_ms = clock.now_ms() - 200 * DAY_MS
        key = f"deposit_limit:{player}:{answered_ms:014d}"
        ledger.post([note(key, answered_ms, {"answer": "none"}, player=player)]).result()
    server.start()
    lobby = f"{server.address}/"  # at another port, which has the same cookies
    cashier.goto(lobby)
    notice = cashier.get_by_test_id("limit-review")
    expect(notice).to_contain_text("look at your deposit limit again", timeout=SLOW_MS)
    check_sizes(cashier, "notice", SCREENS)
    cashier.get_by_test_id("table-classic").click()
    expect(cashier).to_have_url(re.compile("/table"))
    expect(notice).to_have_count(0)
    cashier.goto(lobby)
    expect(cashier.get_by_test_id("table-classic")).to_be_visible(timeout=SLOW_MS)
    expect(notice).to_have_count(0)
    cashier.evaluate("localStorage.removeItem('croupier.limit_review')")
    cashier.reload()
    notice.get_by_role("link", name="Answer at the cashier").click()
    expect(button(cashier, "Continue without")).to_be_visible(timeout=SLOW_MS)
    expect(notice).to_have_count(0)

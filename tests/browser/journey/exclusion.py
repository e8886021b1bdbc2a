"""Self-exclusion, of an account and of a launched player, and what is still open to an excluded player."""

from contextlib import ExitStack

from playwright.sync_api import Locator, Page, WebSocket, expect

from tests.browser.journey.stage import HELP, LAUNCHED_HELP, Journey, device
from tests.browser.player import SLOW_MS, Player
from tests.browser.test_accounts import sign_in
from tests.support import operator
from tests.support.accounts import CLOSES_WITHIN_S

LAST_WITHDRAWAL = 500
"""In cents."""
EXCLUDED = "You have excluded yourself."


def the_player_excludes_themselves_in_mid_round(journey: Journey) -> None:
    """One device plays a round, the other one excludes: the round is played by the table's rules."""
    sockets = [_socket(journey.first, "/table/double_exposure"), _socket(journey.second, "/safer-play")]
    _open_round(journey.first)
    before = journey.cents()
    sure = _ask_to_exclude(journey.second)
    expect(sure).to_contain_text(HELP)
    journey.look(journey.second, "exclude-yourself")
    with ExitStack() as closed:
        for socket in sockets:
            closed.enter_context(socket.expect_event("close", timeout=CLOSES_WITHIN_S * 1_000))
        sure.get_by_role("button", name="Yes, 180 days").click()
    for page, station in ((journey.first, "excluded-in-mid-round"), (journey.second, "excluded")):
        dialog = page.get_by_role("dialog", name="Your session has ended")
        expect(dialog).to_contain_text(EXCLUDED, timeout=SLOW_MS)
        expect(dialog).to_contain_text(HELP)
        journey.look(page, station)
    last = journey.ledger.rounds(journey.player)[0]
    assert last.status == "settled"
    assert journey.cents() == before + last.returned_minor


def _open_round(page: Page) -> None:
    """Play until a round waits for a decision."""
    player = Player(page, seed=2)
    expect(page.locator("[data-phase='betting']")).to_be_visible(timeout=SLOW_MS)
    while True:
        if player.phase == "ended":
            page.get_by_test_id("new-bet").click()
        page.locator("[data-testid^='chip-']").first.click()
        page.locator("[data-testid^='spot-'][data-testid$='-main']").first.click()
        page.get_by_test_id("deal").click()
        if player.wait_for_turn():
            return


def _ask_to_exclude(page: Page) -> Locator:
    """Ask for 180 days of self-exclusion, and return the dialog that asks whether the player is sure."""
    page.get_by_role("group", name="Self-exclusion").get_by_role("button", name="180 days").click()
    return page.get_by_role("dialog", name="Exclude yourself?")


def _socket(page: Page, path: str) -> WebSocket:
    """Go to a page, and return its connection to the server."""
    with page.expect_websocket(timeout=SLOW_MS) as connected:
        page.goto(path)
    return connected.value


def the_excluded_player_can_only_withdraw(journey: Journey) -> None:
    page, before = journey.second, journey.cents()
    page.get_by_role("button", name="Safer play").click()
    expect(page.get_by_test_id("barred")).to_contain_text("You can play again on", timeout=SLOW_MS)
    journey.look(page, "excluded-safer-play", page.get_by_test_id("barred"))
    expect(page.get_by_test_id("helplines")).to_contain_text("Maltese, English")
    journey.look(page, "helplines", page.get_by_test_id("helplines"))
    page.goto("/settings")
    page.get_by_role("button", name="Sign out", exact=True).first.click()
    expect(page).to_have_url(f"{journey.server.address}/", timeout=SLOW_MS)
    sign_in(page, journey.name)
    notice = page.get_by_test_id("barred-notice")
    expect(notice).to_contain_text(EXCLUDED, timeout=SLOW_MS)
    expect(notice).to_contain_text(HELP)
    notice.get_by_role("link", name="cashier").click()
    page.get_by_test_id("withdraw").fill("5.00")
    expect(page.get_by_test_id("deposit")).to_be_hidden()
    page.get_by_test_id("withdraw").press("Enter")
    expect(page.get_by_test_id("payment").first).to_contain_text("Paid out.", timeout=4 * SLOW_MS)
    journey.look(page, "excluded-cashier", notice)
    assert journey.cents() == before - LAST_WITHDRAWAL
    page.goto("/table/roulette")
    expect(page.get_by_role("region", name="Roulette")).to_contain_text(EXCLUDED, timeout=SLOW_MS)


def an_excluded_player_of_the_operator_may_not_play(journey: Journey) -> None:
    """A launched player is another player than an account, and excludes themselves in their own session."""
    address = journey.server.address
    launch = operator.new_launch()
    again = operator.new_launch(launch.player)
    link, unused = operator.link_of(address, launch), operator.link_of(address, again)
    with device(journey.browser, journey.server) as page:
        page.goto(link.path)
        expect(page.get_by_test_id("balance")).to_be_visible(timeout=SLOW_MS)
        page.goto("/safer-play")
        _ask_to_exclude(page).get_by_role("button", name="Yes, 180 days").click()
        expect(page.get_by_role("dialog", name="Your session has ended")).to_be_visible(timeout=SLOW_MS)
        page.goto(unused.path)
        notice = page.get_by_test_id("barred-notice")
        expect(notice).to_contain_text(EXCLUDED, timeout=SLOW_MS)
        expect(notice).to_contain_text(LAUNCHED_HELP)
        journey.look(page, "excluded-launch", notice)
    barred = operator.link_of(address, operator.new_launch(launch.player)).barred
    assert barred is not None
    assert barred.why == "exclusion"

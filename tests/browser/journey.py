"""The story of a player from the first round to self-exclusion, in steps that read like it.

Each step asserts what the player sees and what the ledger has. At each station `look` is called: the test
checks the page, `tools.pictures_journey` takes its picture.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from playwright.sync_api import Browser, Locator, Page, WebSocket, expect

from croupier.app.payment_provider.provider import ProviderControl
from croupier.ledger.sqlite.store import SqliteReader
from croupier.protocol.payment_wire import IdentityAnswer
from tests.browser.conftest import database_of, opened, player_of
from tests.browser.limits import set_limit
from tests.browser.player import SLOW_MS, Player
from tests.browser.test_accounts import SIGNED_IN, create, sign_in
from tests.browser.test_in_between import HOUR_MS, backdate_sessions
from tests.browser.test_staff import sign_in as staff_sign_in
from tests.browser.test_trouble import free_port
from tests.staff.clients import add
from tests.support import operator
from tests.support.accounts import CLOSES_WITHIN_S, PASSWORD, new_name
from tests.support.payment_provider import APPROVED, ProviderProcess, paying_server, provider_process
from tests.support.server_process import ServerProcess

EXAMPLE_DOCUMENTS = Path(__file__).parents[2] / "examples" / "documents"
BLOCKS = f"""
[documents]
folder = "{EXAMPLE_DOCUMENTS}"

[operator]
secret_file = "operator.secret"

[accounts]
sign_in_again_minutes = 60

[responsible_gaming]
jurisdiction = "MT"

[[jurisdictions.MT.helplines]]
name = "Example Helpline Malta"
url = "https://example.org/mt"
phone = "+356 0000 0000"
hours = "Mondays to Fridays, 8.00 to 20.00"
languages = "Maltese, English"

[[jurisdictions.GB.helplines]]
name = "Example Helpline Britain"
url = "https://example.org/gb"
phone = "+44 20 7946 0000"
hours = "24 hours a day"
languages = "English, Welsh"

[bonuses.welcome]
title = "Welcome bonus"
currency = "EUR"
amount = "2.00"
multiple = 1
max_bet = "10.00"
"""
PASSPORT = IdentityAnswer("pending", "Send a copy of your passport.")
DEPOSIT, WITHDRAWAL, LAST_WITHDRAWAL, BONUS = 5_000, 2_000, 500, 200
"""In cents. Two coups of €10, which count 10 %, play the bonus through."""
DESKTOP, PHONE = (1440, 900), (390, 844)
EXCLUDED = "You have excluded yourself."
HELP, LAUNCHED_HELP = "Example Helpline Malta", "Example Helpline Britain"


class Look(Protocol):
    """Look at a page at a station; `at` is what has to be in view."""

    def __call__(self, page: Page, station: str, at: Locator | None = None) -> None: ...


class Journey(NamedTuple):
    """The player's two devices, the manager's page, and the servers behind them."""

    server: ServerProcess
    provider: ProviderProcess
    ledger: SqliteReader
    browser: Browser
    first: Page
    second: Page
    manager: Page
    look: Look
    name: str
    """The name of the player's account."""

    @property
    def player(self) -> str:
        return player_of(self.first)

    def cents(self, kind: str = "cash") -> int:
        """Return what the player has in euros by the ledger."""
        return self.ledger.balances(self.player).get("EUR", {}).get(kind, 0)


@contextmanager
def new_journey(browser: Browser, folder: Path, look: Look) -> Iterator[Journey]:
    """Start the servers and open the browsers of a journey."""
    with ExitStack() as open_:
        provider = open_.enter_context(provider_process(folder))
        (folder / "operator.secret").write_bytes(operator.KEY)
        ports = free_port(), free_port()
        server = open_.enter_context(paying_server(folder, provider, kyc=True, blocks=BLOCKS, ports=ports))
        ledger = SqliteReader(database_of(server))
        open_.callback(ledger.close)
        first, second, manager = (open_.enter_context(device(browser, server)) for _ in range(3))
        yield Journey(server, provider, ledger, browser, first, second, manager, look, new_name())


@contextmanager
def device(browser: Browser, server: ServerProcess) -> Iterator[Page]:
    yield from opened(browser, server, width=DESKTOP[0], height=DESKTOP[1])


def play(journey: Journey) -> None:
    """Tell the whole story."""
    for step in STORY:
        step(journey)


# --- the guest


def a_guest_accepts_the_terms(journey: Journey) -> None:
    page = journey.first
    page.goto("/")
    expect(page.get_by_test_id("table-classic")).to_be_visible(timeout=SLOW_MS)
    journey.look(page, "lobby")
    Player(page, seed=1).sit("classic")
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


# --- the account


def the_guest_becomes_an_account(journey: Journey) -> None:
    page, known = journey.first, journey.player
    before = Player(page, seed=1).balance_minor
    page.goto("/settings")
    page.get_by_text("claret").click()
    page.get_by_role("button", name="Create an account").click()
    expect(page.get_by_role("dialog", name="Create an account")).to_be_visible()
    journey.look(page, "create-an-account")
    page.keyboard.press("Escape")
    create(page, journey.name)
    assert (journey.player, Player(page, seed=1).balance_minor) == (known, before)
    page.goto("/history")
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


# --- money


def the_player_deposits(journey: Journey) -> None:
    page = journey.first
    page.goto("/")
    page.get_by_label("Currency").select_option("EUR")
    expect(page.get_by_test_id("balance")).to_have_text("€0.00", timeout=SLOW_MS)
    page.goto("/cashier")
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
    Player(page, seed=1).sit("roulette")
    _coup(page)
    page.goto("/cashier")
    expect(page.get_by_test_id("bonus-active")).to_contain_text("€1.00 of €2.00", timeout=SLOW_MS)
    journey.look(page, "bonus-half-way", page.get_by_test_id("bonus-active"))
    before = journey.cents()
    Player(page, seed=1).sit("roulette")
    _coup(page)
    journey.look(page, "bonus-coup")
    page.goto("/cashier")
    converted = page.get_by_test_id("bonus-converted")
    expect(converted).to_contain_text("now in your balance", timeout=SLOW_MS)
    journey.look(page, "bonus-converted", converted)
    last = journey.ledger.rounds(journey.player)[0]
    assert journey.cents("bonus") == 0
    assert journey.cents() == before - last.staked_minor + last.returned_minor + BONUS


def _bet_on_red_and_black(page: Page) -> None:
    """Bet ten euros, of which little is won or lost."""
    page.get_by_test_id("chip-500").click()
    page.get_by_test_id("bet-red").click()
    page.get_by_test_id("bet-black").click()
    page.get_by_test_id("deal").click()


def _coup(page: Page) -> None:
    _bet_on_red_and_black(page)
    expect(page.locator("[data-phase='ended']")).to_be_visible(timeout=SLOW_MS)


# --- care


def a_limit_is_set_and_reached(journey: Journey) -> None:
    page = journey.first
    page.goto("/safer-play")
    set_limit(page, "wager", "day", "25")
    expect(page.get_by_test_id("own-limits")).to_contain_text("€20.00 used")
    journey.look(page, "limit-set", page.get_by_test_id("own-limits"))
    before = journey.cents()
    Player(page, seed=1).sit("roulette")
    _bet_on_red_and_black(page)
    refused = page.get_by_text("Your limit on stakes per day is €25; €5 is left.")
    expect(refused.first).to_be_visible(timeout=SLOW_MS)
    journey.look(page, "limit-reached")
    assert journey.cents() == before


def a_time_check_shows_the_result_of_the_session(journey: Journey) -> None:
    page, server = journey.first, journey.server
    for each in (page, journey.second):
        each.goto("about:blank")  # a connected player keeps the start of their session
    backdate_sessions(server, HOUR_MS)
    page.goto("/settings")
    page.get_by_label("30 min").check()
    dialog = page.get_by_role("dialog", name="Time check")
    expect(dialog).to_contain_text("You have played for 1 hour", timeout=SLOW_MS)
    expect(dialog).to_contain_text("€20.00")
    expect(dialog).to_contain_text(HELP)
    journey.look(page, "time-check")
    dialog.get_by_role("button", name="Continue").click()
    expect(dialog).to_be_hidden()
    backdate_sessions(server, -HOUR_MS)


def the_player_withdraws(journey: Journey) -> None:
    page, before = journey.first, journey.cents()
    journey.provider.control(ProviderControl(identity=PASSPORT))
    page.goto("/cashier")
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


# --- the end


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
    page.get_by_role("button", name="Sign out").first.click()
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


STORY = (
    a_guest_accepts_the_terms,
    the_guest_plays_a_round,
    the_guest_becomes_an_account,
    the_account_goes_on_on_a_second_device,
    the_player_deposits,
    a_manager_grants_a_bonus,
    the_bonus_is_played_through,
    a_limit_is_set_and_reached,
    a_time_check_shows_the_result_of_the_session,
    the_player_withdraws,
    the_player_excludes_themselves_in_mid_round,
    the_excluded_player_can_only_withdraw,
    an_excluded_player_of_the_operator_may_not_play,
)

"""A manager and a dealer at their pages, a player at the table: rounds in three browsers."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened
from tests.browser.player import SLOW_MS
from tests.browser.screens import resize
from tests.browser.test_everybody_can_play import check, check_sizes
from tests.staff.clients import add
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

CONFIG_TOML = """
[infinite]
dealer = "person"
opened = false
betting_ms = 2500
warning_ms = 1000
decision_ms = 120000
offer_ms = 120000
check_ms = 2500
pause_ms = 1000
"""
# A guest who bets ten in every round, reports `deciding` in their turn, and stands on request.
BOT = """
async () => {
  const { socket_port } = await (await fetch('/api/server')).json();
  const line = new WebSocket(`ws://${location.hostname}:${socket_port}/ws`);
  const bot = (window.bot = { balance: 0, results: [], phase: '' });
  let asked = 0, round = '', turn = 0;
  const send = (command) => line.send(JSON.stringify({ table: 'infinite', req: `b${++asked}`, ...command }));
  bot.stand = () => send({ t: 'decide', round, turn, box: 0, hand: 0, action: 'stand' });
  const mine = (own) => {
    bot.balance = own.balance_minor;
    if (own.result && bot.results.at(-1)?.round !== own.result.round) bot.results.push(own.result);
  };
  line.onopen = () => {
    line.send(JSON.stringify({ t: 'hello', protocol: 4 }));
    send({ t: 'join', currency: 'EUR' });
  };
  line.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.mine) mine(message.mine);
    if (!message.state?.clock) return;
    bot.phase = message.state.clock.phase;
    turn = message.state.turn;
    if (bot.phase !== 'betting' || round === message.state.clock.round) return;
    round = message.state.clock.round;
    send({ t: 'bet', round, stakes: [{ box: 0, bet: 'main', stake_minor: 1000 }] });
  };
}
"""
START_MINOR = 100_000
STAKE = 1_000
PHONE, DESKTOP = (390, 844), (1440, 900)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose table is dealt by a person."""
    folder = tmp_path_factory.mktemp("staffed")
    (folder / "croupier.toml").write_text(CONFIG_TOML)
    process = ServerProcess(folder / "data", options=("--config", str(folder / "croupier.toml"))).start()
    yield process
    process.stop()


@contextmanager
def page_at(chromium: Browser, server: ServerProcess, path: str, width: int = 1440) -> Iterator[Page]:
    with opened(chromium, server, width=width, height=900 if width > 400 else 844) as page:
        page.goto(path)
        yield page


def sign_in(page: Page, name: str, code: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Code").fill(code)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("who")).to_contain_text(name, timeout=SLOW_MS)


def order(page: Page, button: str, reason: str = "") -> None:
    """Give a manager's order and confirm it."""
    page.get_by_test_id(button).click()
    page.get_by_test_id("reason").fill(reason)
    page.get_by_test_id("confirm").click()
    expect(page.get_by_role("dialog")).to_be_hidden(timeout=SLOW_MS)


def scan(page: Page, *texts: str) -> None:
    """Type like a scanner: fast, each entry with Enter."""
    for text in texts:
        page.keyboard.type(text)
        page.keyboard.press("Enter")


def wanted(page: Page, words: str) -> None:
    expect(page.get_by_test_id("wanted")).to_have_text(words, timeout=2 * SLOW_MS)


def results(bot: Page, count: int) -> list[dict[str, object]]:
    bot.wait_for_function("count => window.bot.results.length >= count", arg=count, timeout=2 * SLOW_MS)
    found: list[dict[str, object]] = bot.evaluate("window.bot.results")
    return found


def stands(bot: Page) -> None:
    bot.wait_for_function("() => window.bot.phase === 'decisions'", timeout=2 * SLOW_MS)
    bot.evaluate("window.bot.stand()")


def test_rounds_at_a_table_that_a_person_deals(chromium: Browser, server: ServerProcess) -> None:
    """Before, the staff's pages are looked at on a phone, and limits are changed."""
    ada, ben = add(server.data, "Ada", "manager"), add(server.data, "Ben", "dealer")
    with (
        page_at(chromium, server, "/staff") as manager,
        page_at(chromium, server, "/staff", width=390) as dealer,
        page_at(chromium, server, "/") as bot,
    ):
        check(manager, "sign in")
        sign_in(manager, "Ada", ada)
        _change_limits(manager)
        _look_at_the_dealers_pages(dealer, ben)
        resize(dealer, DESKTOP)
        expect(manager.get_by_test_id("overview-infinite")).to_contain_text("Ben", timeout=SLOW_MS)
        check_sizes(manager, "tables", (PHONE, DESKTOP))
        bot.wait_for_load_state("networkidle")
        bot.evaluate(BOT)
        order(manager, "open_table-infinite")
        wanted(dealer, "Shuffle shoe 1 and shoe 2; 208 cards behind the cut card")
        dealer.get_by_test_id("shuffled-0").click()
        scan(dealer, "shuffled")
        _deal_a_round(dealer, bot)
        _correct_and_void_the_next(manager, dealer, bot)
        _search_the_log(manager)


def _change_limits(manager: Page) -> None:
    """An unclear limit is asked about before it is sent."""
    manager.get_by_test_id("limits-infinite").click(timeout=SLOW_MS)
    most = manager.get_by_test_id("most-EUR-main")
    expect(most).to_have_value("5,000.00")
    most.fill("10,50")
    manager.get_by_test_id("confirm").click()
    expect(manager.get_by_text("Did you mean €10.50 or €1,050.00?")).to_be_visible(timeout=SLOW_MS)
    check(manager, "an unclear limit")
    manager.get_by_role("button", name="€1,050.00").click()
    expect(most).to_have_value("1,050.00")
    manager.get_by_test_id("confirm").click()
    expect(manager.get_by_role("dialog")).to_be_hidden(timeout=SLOW_MS)
    expect(manager.get_by_test_id("overview-infinite")).to_contain_text("€1\u20131,050", timeout=SLOW_MS)


def _look_at_the_dealers_pages(dealer: Page, code: str) -> None:
    """They find no manager's page; they leave the dealer at the table."""
    sign_in(dealer, "Ben", code)
    dealer.get_by_test_id("deal-infinite").click()
    wanted(dealer, "Closed")
    check(dealer, "dealer")
    dealer.get_by_role("button", name="Sign out", exact=True).click()
    expect(dealer.get_by_role("heading", name="Sign in")).to_be_visible()
    dealer.goto("/staff/log")
    sign_in(dealer, "Ben", code)
    expect(dealer.get_by_text("Page not found")).to_be_visible()
    dealer.goto("/staff/table/infinite")


def _deal_a_round(dealer: Page, bot: Page) -> None:
    """Deal a whole round by scans, a wrong one among them."""
    wanted(dealer, "the player's first card")
    scan(dealer, "XX")
    expect(dealer.get_by_test_id("said")).to_contain_text("a card, a number or a roll.")
    check(dealer, "a card is wanted")
    scan(dealer, "TS", "9h", "9S")
    wanted(dealer, "the dealer's second card, face down")
    scan(dealer, "KD")
    expect(dealer.get_by_test_id("said")).to_contain_text("a card face down")
    dealer.get_by_test_id("down").click()
    stands(bot)
    wanted(dealer, "the dealer's face-down card, turned")
    scan(dealer, "10h")
    (pushed,) = results(bot, 1)
    assert (pushed["returned_minor"], bot.evaluate("window.bot.balance")) == (STAKE, START_MINOR)


def _correct_and_void_the_next(manager: Page, dealer: Page, bot: Page) -> None:
    wanted(dealer, "the player's first card")
    scan(dealer, "7C", "9D", "7D")
    scan(dealer, "down")
    wanted(dealer, "Players decide")
    manager.goto("/staff/table/infinite")
    manager.get_by_test_id("correct-2").click()
    manager.get_by_role("dialog").get_by_test_id("card-8C").click()
    manager.get_by_test_id("reason").fill("the seven was an eight")
    check(manager, "correcting")
    manager.get_by_test_id("confirm").click()
    expect(dealer.get_by_test_id("total-0-0")).to_have_text("15", timeout=SLOW_MS)
    order(dealer, "floor", "the shoe fell")
    wanted(dealer, "Paused: wait for the manager")
    check(dealer, "paused")
    order(manager, "void_round", "the shoe fell")
    void = results(bot, 2)[1]
    assert (void["void"], void["returned_minor"]) == (True, STAKE)
    assert bot.evaluate("window.bot.balance") == START_MINOR


def _search_the_log(manager: Page) -> None:
    """The log has every action."""
    manager.goto("/staff/log")
    expect(manager.get_by_test_id("event").first).to_contain_text("voided the round", timeout=SLOW_MS)
    manager.get_by_role("searchbox").fill("the shoe fell")
    manager.keyboard.press("Enter")
    expect(manager.get_by_test_id("event")).to_have_count(2)
    check(manager, "log")

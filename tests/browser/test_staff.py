"""A manager and a dealer at their pages, a player at the table: a night in three browsers."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened
from tests.browser.player import SLOW_MS
from tests.browser.test_everybody_can_play import check
from tests.staff.at_work import add
from tests.support.server_process import HouseProcess

pytestmark = pytest.mark.browser

FLOOR = """
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
  const { socket_port } = await (await fetch('/api/house')).json();
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
    line.send(JSON.stringify({ t: 'hello', protocol: 3 }));
    send({ t: 'join', currency: 'EUR' });
  };
  line.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.mine) mine(message.mine);
    if (!message.state) return;
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


@pytest.fixture
def staffed(tmp_path: Path) -> Iterator[HouseProcess]:
    """A server whose table is dealt by a person."""
    floor = tmp_path / "floor.toml"
    floor.write_text(FLOOR)
    process = HouseProcess(tmp_path / "data", words=("--floor", str(floor))).start()
    yield process
    process.stop()


@contextmanager
def page_at(chromium: Browser, house: HouseProcess, path: str, width: int = 1440) -> Iterator[Page]:
    for page in opened(chromium, house, width=width, height=900 if width > 400 else 844):
        page.goto(path)
        yield page


def sign_in(page: Page, name: str, code: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Code").fill(code)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("who")).to_contain_text(name, timeout=SLOW_MS)


def order(page: Page, button: str, reason: str = "") -> None:
    """A manager's order, with its question answered."""
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


def test_a_night_at_a_table_that_a_person_deals(chromium: Browser, staffed: HouseProcess) -> None:
    ada, ben = add(staffed.data, "Ada", "manager"), add(staffed.data, "Ben", "dealer")
    with (
        page_at(chromium, staffed, "/staff") as floor,
        page_at(chromium, staffed, "/staff/table/infinite") as desk,
        page_at(chromium, staffed, "/") as bot,
    ):
        check(floor, "sign in")
        sign_in(floor, "Ada", ada)
        sign_in(desk, "Ben", ben)
        expect(floor.get_by_test_id("floor-infinite")).to_contain_text("Ben", timeout=SLOW_MS)
        bot.wait_for_load_state("networkidle")
        bot.evaluate(BOT)
        check(floor, "floor")

        order(floor, "open_table-infinite")
        wanted(desk, "Shuffle shoe 1 and shoe 2; 208 cards behind the cut card")
        desk.get_by_test_id("shuffled-0").click()
        scan(desk, "shuffled")

        # a whole round by scans, a wrong one among them
        wanted(desk, "the player's first card")
        scan(desk, "XX")
        expect(desk.get_by_test_id("said")).to_contain_text("a card, a number or a roll.")
        check(desk, "a card is wanted")
        scan(desk, "TS", "9h", "9S")
        wanted(desk, "the dealer's second card, face down")
        scan(desk, "KD")
        expect(desk.get_by_test_id("said")).to_contain_text("a card face down")
        desk.get_by_test_id("down").click()
        stands(bot)
        wanted(desk, "the dealer's face-down card, turned")
        scan(desk, "10h")
        (pushed,) = results(bot, 1)
        assert (pushed["returned_minor"], bot.evaluate("window.bot.balance")) == (STAKE, START_MINOR)

        # the next one: the manager corrects a card, then voids the round
        wanted(desk, "the player's first card")
        scan(desk, "7C", "9D", "7D")
        scan(desk, "down")
        wanted(desk, "Players decide")
        floor.goto("/staff/table/infinite")
        floor.get_by_test_id("correct-2").click()
        floor.get_by_role("dialog").get_by_test_id("card-8C").click()
        floor.get_by_test_id("reason").fill("the seven was an eight")
        check(floor, "correcting")
        floor.get_by_test_id("confirm").click()
        expect(desk.get_by_test_id("total-0-0")).to_have_text("15", timeout=SLOW_MS)
        order(desk, "floor", "the shoe fell")
        wanted(desk, "Paused: wait for the manager")
        check(desk, "paused")
        order(floor, "void_round", "the shoe fell")
        void = results(bot, 2)[1]
        assert (void["void"], void["returned_minor"]) == (True, STAKE)
        assert bot.evaluate("window.bot.balance") == START_MINOR

        # all of it is in the log
        floor.goto("/staff/log")
        expect(floor.get_by_test_id("event").first).to_contain_text("voided the round", timeout=SLOW_MS)
        floor.get_by_role("searchbox").fill("the shoe fell")
        floor.keyboard.press("Enter")
        expect(floor.get_by_test_id("event")).to_have_count(2)
        check(floor, "log")


def test_on_a_phone(chromium: Browser, staffed: HouseProcess) -> None:
    ada, ben = add(staffed.data, "Ada", "manager"), add(staffed.data, "Ben", "dealer")
    with (
        page_at(chromium, staffed, "/staff", width=390) as floor,
        page_at(chromium, staffed, "/staff", width=390) as desk,
    ):
        sign_in(floor, "Ada", ada)
        expect(floor.get_by_test_id("floor-infinite")).to_be_visible(timeout=SLOW_MS)
        check(floor, "floor")
        sign_in(desk, "Ben", ben)
        desk.get_by_test_id("deal-infinite").click()
        wanted(desk, "Closed")
        check(desk, "desk")
        desk.get_by_role("button", name="Sign out").click()
        expect(desk.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_dealer_finds_no_managers_page(chromium: Browser, staffed: HouseProcess) -> None:
    with page_at(chromium, staffed, "/staff/log") as page:
        sign_in(page, "Ben", add(staffed.data, "Ben", "dealer"))
        expect(page.get_by_text("Page not found")).to_be_visible()

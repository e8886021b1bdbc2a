"""Failures during play: reloads, a killed server, a second browser."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened
from tests.browser.partly import partly
from tests.browser.player import SLOW_MS, Player
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

NOTICED_MS = 4_000


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """Start a server that the test may kill; it restarts at the same address."""
    process = ServerProcess(tmp_path / "data", ports=(free_port(), free_port())).start()
    yield process
    process.stop()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def hands(page: Page) -> list[str | None]:
    """Return the text of every hand on the table."""
    return [hand.inner_text() for hand in page.locator("[data-testid^='hand-']").all()]


def to_a_decision(page: Page, player: Player) -> None:
    """Deal until a hand waits for a decision."""
    for _ in range(20):
        if player.phase == "ended":
            page.get_by_test_id("new-bet").click()
        page.get_by_test_id("spot-0-main").click()
        page.get_by_test_id("deal").click()
        if player.wait_for_turn():
            return
    raise AssertionError("twenty rounds without a decision")


def finish(player: Player) -> None:
    while player.wait_for_turn():
        player.decide("mouse")


def test_a_reloaded_page_continues_the_same_hand(page: Page) -> None:
    """The lobby offers the unfinished round as well."""
    player = Player(page, seed=7)
    player.sit("multihand")
    to_a_decision(page, player)
    before = hands(page)
    page.reload()
    expect(page.locator("[data-testid^='hand-']").first).to_be_visible()
    assert hands(page) == before
    page.goto("/")
    page.get_by_test_id("resume-multihand").click()
    expect(page.locator("[data-testid^='hand-']").first).to_be_visible()
    assert hands(page) == before
    finish(player)


def test_a_restarted_server_continues_the_same_hand(chromium: Browser, own_server: ServerProcess) -> None:
    with opened(chromium, own_server, width=1280, height=800) as page:
        player = Player(page, seed=8)
        player.sit("premium")
        to_a_decision(page, player)
        before, balance = hands(page), player.balance_minor
        own_server.kill()
        expect(page.get_by_text("Connection lost").first).to_be_visible(timeout=SLOW_MS)
        own_server.start()
        expect(page.get_by_text("Connection lost").first).to_be_hidden(timeout=2 * SLOW_MS)
        assert (hands(page), player.balance_minor) == (before, balance)
        finish(player)


@pytest.mark.parametrize("outage_ms", partly([(1_000,), (10_000,)], [1_000]))
def test_a_hand_is_the_same_after_a_time_without_a_network(page: Page, outage_ms: int) -> None:
    player = Player(page, seed=11)
    player.sit("classic")
    to_a_decision(page, player)
    before = hands(page)
    page.context.set_offline(True)
    expect(page.get_by_text("Connection lost").first).to_be_visible(timeout=NOTICED_MS)
    page.wait_for_timeout(outage_ms)
    page.context.set_offline(False)
    expect(page.get_by_text("Reconnected. Nothing was lost.").first).to_be_visible(timeout=2 * SLOW_MS)
    assert hands(page) == before
    finish(player)


def test_a_table_opened_in_another_browser_is_left_here(page: Page) -> None:
    Player(page, seed=9).sit("classic")
    other = page.context.new_page()
    Player(other, seed=9).sit("classic")
    expect(page.get_by_role("button", name="Continue here")).to_be_visible(timeout=SLOW_MS)
    page.get_by_role("button", name="Continue here").click()
    expect(page.get_by_test_id("deal")).to_be_visible()
    expect(other.get_by_role("button", name="Continue here")).to_be_visible(timeout=SLOW_MS)


def test_settings_arrive_in_the_other_browser(page: Page) -> None:
    page.goto("/settings")
    other = page.context.new_page()
    other.goto("/settings")
    box = "Four-colour deck"
    expect(other.get_by_label(box)).not_to_be_checked()
    page.get_by_label(box).check()
    expect(other.get_by_label(box)).to_be_checked(timeout=SLOW_MS)
    other.reload()
    expect(other.get_by_label(box)).to_be_checked()


def test_history_shows_the_round_card_by_card(page: Page) -> None:
    player = Player(page, seed=10)
    player.sit("double_exposure")
    player.play_round("mouse")
    shown = hands(page)
    page.goto("/history")
    page.locator("[data-testid^='round-']").first.click()
    page.get_by_role("button", name="First").click()
    assert not hands(page) or hands(page) != shown
    page.get_by_role("button", name="Last").click()
    expect(page.get_by_text("Replay").first).to_be_visible()
    assert [text.split() for text in map(str, hands(page))] == [text.split() for text in map(str, shown)]

"""An idle session ends: the page says so and waits until its player continues."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import opened
from tests.browser.player import SLOW_MS, Player
from tests.browser.test_trouble import finish, hands, to_a_decision
from tests.gateway.test_session_ended import fast_server

pytestmark = pytest.mark.browser


def test_an_ended_session_continues_as_a_new_one(chromium: Browser, tmp_path: Path) -> None:
    with fast_server(tmp_path, 60) as server, opened(chromium, server, width=390, height=844) as page:
        player = Player(page, seed=6)
        player.sit("classic")
        to_a_decision(page, player)
        before = hands(page)
        dialog = page.get_by_role("dialog", name="Your session has ended")
        expect(dialog).to_be_visible(timeout=SLOW_MS)
        expect(dialog).to_contain_text("for 60 minutes")
        page.keyboard.press("Escape")
        page.wait_for_timeout(1_000)
        expect(dialog).to_be_visible()
        dialog.get_by_role("button", name="Start a new session").click()
        expect(page.locator("[data-testid^='hand-']").first).to_be_visible(timeout=SLOW_MS)
        assert hands(page) == before
        finish(player)

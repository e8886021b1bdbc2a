"""A guest signs in at an identity server on another site, and comes back to the page they left."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import opened, player_of
from tests.browser.player import SLOW_MS
from tests.browser.test_everybody_can_play import check
from tests.support.identity_server import LABEL, identity_provider, oidc_server

pytestmark = pytest.mark.browser


def open_sign_in(page: Page) -> Locator:
    """Open the dialog, and return its button that leads to the identity server."""
    page.goto("/settings")
    page.get_by_test_id("account").get_by_role("button", name="Sign in").click(timeout=SLOW_MS)
    return page.get_by_role("button", name=f"Sign in with {LABEL}")


def test_a_guest_signs_in_elsewhere_and_comes_back(chromium: Browser, tmp_path: Path) -> None:
    with (
        identity_provider() as provider,
        oidc_server(tmp_path, provider) as server,
        opened(chromium, server, width=390, height=844) as page,
    ):
        provider.denial = "access_denied"
        elsewhere = open_sign_in(page)
        check(page, "sign-in")
        elsewhere.click()
        expect(page).to_have_url(f"{server.address}/oidc/callback", timeout=SLOW_MS)
        expect(page.get_by_role("alert")).to_contain_text("cancelled", timeout=SLOW_MS)
        check(page, "denied")
        provider.denial = ""
        guest = player_of(page)
        open_sign_in(page).click()
        expect(page.get_by_test_id("account")).to_contain_text(f"Signed in with {LABEL}", timeout=SLOW_MS)
        assert page.url == f"{server.address}/settings"
        expect(page.get_by_test_id("security")).to_contain_text("this device", timeout=SLOW_MS)
        check(page, "signed-in-elsewhere")
        assert player_of(page) == guest

"""Staff set up their sign-in with the operator's code: an authenticator app, or a passkey."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import SLOW_MS
from tests.browser.screens import resize
from tests.browser.test_everybody_can_play import check, check_sizes
from tests.staff.clients import add
from tests.staff.enrolling import shown_code
from tests.support.server_process import ServerProcess
from tests.support.virtual_authenticator import VirtualAuthenticator

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder: Path = tmp_path_factory.mktemp("staff")
    config = folder / "croupier.toml"
    config.write_text('[staff]\nsign_in = "one_time"\n')
    process = ServerProcess(folder / "data", options=("--config", str(config))).start()
    yield process
    process.stop()


def at_staff(page: Page, server: ServerProcess) -> None:
    """Open the staff's page at a host name: IP addresses have no passkeys."""
    page.goto(server.address.replace("127.0.0.1", "localhost") + "/staff")


def start_enrolment(page: Page, name: str, code: str) -> None:
    page.get_by_role("button", name="I have an enrolment code").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Enrolment code").fill(code)
    page.keyboard.press("Enter")


def signed_in(page: Page, name: str) -> None:
    expect(page.get_by_test_id("who")).to_contain_text(name, timeout=SLOW_MS)


def test_a_manager_sets_up_an_app_and_signs_in_with_its_code(kept: Page, server: ServerProcess) -> None:
    """A wrong enrolment code is told."""
    code = add(server.data, "Ada", "manager")
    kept.goto("/staff")
    expect(kept.get_by_label("One-time code")).to_be_visible(timeout=SLOW_MS)
    expect(kept.get_by_role("button", name="Sign in with a passkey")).to_have_count(0)
    start_enrolment(kept, "Ada", "AAAA-AAAA-AAAA-AAAA")
    expect(kept.get_by_role("alert")).to_contain_text("Wrong name or code", timeout=SLOW_MS)
    kept.get_by_role("button", name="Back").click()
    expect(kept.get_by_role("heading", name="Sign in")).to_be_visible()

    start_enrolment(kept, "Ada", code)
    secret = kept.get_by_test_id("secret").inner_text(timeout=SLOW_MS).replace(" ", "")
    check_sizes(kept, "enrolment")
    kept.get_by_label("One-time code that the app shows").fill(shown_code(secret, 9))
    kept.get_by_role("button", name="Use the app").click()
    expect(kept.get_by_role("alert")).to_contain_text("app\u2019s current code", timeout=SLOW_MS)
    kept.get_by_label("One-time code that the app shows").fill(shown_code(secret, -1))
    kept.get_by_role("button", name="Use the app").click()
    signed_in(kept, "Ada")
    kept.get_by_role("button", name="Sign out", exact=True).click()
    kept.get_by_label("Name").fill("Ada")
    kept.get_by_label("One-time code").fill(shown_code(secret, 1))
    kept.keyboard.press("Enter")
    signed_in(kept, "Ada")


def test_a_dealer_creates_a_passkey_and_signs_in_with_it(kept: Page, server: ServerProcess) -> None:
    code = add(server.data, "Ben", "dealer")
    resize(kept, (390, 844))
    authenticator = VirtualAuthenticator(kept)
    at_staff(kept, server)
    expect(kept.get_by_role("button", name="Sign in with a passkey")).to_be_visible(timeout=SLOW_MS)
    check(kept, "sign-in")
    kept.get_by_role("button", name="Sign in with a passkey").click()
    expect(kept.get_by_role("alert")).to_contain_text("No passkey was used", timeout=SLOW_MS)
    start_enrolment(kept, "Ben", code)
    kept.get_by_role("button", name="Create a passkey").click()
    signed_in(kept, "Ben")
    kept.get_by_role("button", name="Sign out", exact=True).click()
    kept.get_by_role("button", name="Sign in with a passkey").click()
    signed_in(kept, "Ben")
    authenticator.remove()

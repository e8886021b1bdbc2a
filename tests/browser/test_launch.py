"""An operator's player arrives by a link, plays, and learns that a used link leads nowhere."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import SLOW_MS
from tests.browser.test_everybody_can_play import check
from tests.support.operator import link_of, new_launch, operated_server
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with operated_server(tmp_path) as server:
        yield server


def test_a_link_opens_its_table_once(page: Page, server: ServerProcess) -> None:
    launch = new_launch(table="classic")
    link = link_of(server.address, launch)
    page.goto(server.address + link.path)
    expect(page.locator("[data-phase='betting']")).to_be_visible(timeout=SLOW_MS)
    assert page.url == f"{server.address}/table/classic"
    page.evaluate("document.querySelector(`header a[href='/settings']`).click()")
    expect(page.get_by_test_id("account")).to_contain_text(launch.player, timeout=SLOW_MS)
    expect(page.get_by_test_id("security")).to_have_count(0)
    check(page, "launched")

    page.goto(server.address + link.path)
    expect(page.get_by_role("alert")).to_have_text("This link has already been used.", timeout=SLOW_MS)
    check(page, "launch-used")
    page.goto(server.address)
    expect(page.get_by_test_id("balance")).to_be_visible(timeout=SLOW_MS)

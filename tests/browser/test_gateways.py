"""A page behind nginx with two gateways plays at Infinite, whose owner is another node."""

import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened_at
from tests.browser.dealt_by_hand import expect_accepted_bet
from tests.browser.player import SLOW_MS, digits
from tests.browser.test_automatic import play_to_the_end
from tests.browser.test_live_coups import wait_for_betting_time
from tests.faults.gateways import Site, running_site
from tests.guide.pages import GUIDE
from tests.guide.test_node_proxy import with_addresses
from tests.guide.test_proxies import Certificate, certificate, free_port, needs_nginx, nginx, running
from tests.support.nats_server import needs_nats
from tests.support.server_process import ServerProcess

__all__ = ["certificate"]
pytestmark = [pytest.mark.browser(long=True), needs_nginx, needs_nats]
PACE = """
[infinite]
pace_ms = 50
betting_ms = 10000
warning_ms = 1000
offer_ms = 2500
decision_ms = 2500
pause_ms = 4000
"""


@contextmanager
def site_behind_nginx(folder: Path, certificate: Certificate) -> Iterator[tuple[Site, str]]:
    """Yield the nodes and the address of the pages."""
    port = free_port()
    options = ("--proxy", "127.0.0.1", "--public-socket", f"wss://127.0.0.1:{port}/ws")
    with running_site(folder, *options, config=PACE) as site:
        sample = (GUIDE / "nginx-gateways.conf").read_text().replace("listen 443", f"listen 127.0.0.1:{port}")
        for name, gateway in zip(("gateway-a", "gateway-b"), site.gateways, strict=True):
            sample = with_addresses(sample, f"{name}.internal", gateway)
        with running(nginx(folder, sample, certificate), port, folder):
            yield site, f"https://127.0.0.1:{port}"


def has_player(gateway: ServerProcess) -> bool:
    """Return whether a gateway has the player's connection."""
    return "croupier_players 1.0" in httpx.get(f"{gateway.admin}metrics").text


def play_round(page: Page, chance: random.Random) -> None:
    """Bet, play to the end, and check the balance shown against that of the server."""
    wait_for_betting_time(page)
    before_minor = digits(page.get_by_test_id("balance").text_content())
    page.get_by_test_id("spot-0-main").click()
    expect_accepted_bet(page)
    play_to_the_end((page,), chance)
    result = page.get_by_test_id("result")
    expect(result).to_have_attribute("data-net", re.compile("^-?[0-9]+$"))
    net_minor = int(result.get_attribute("data-net") or 0)
    expect(page.get_by_test_id("in-play")).to_have_text("€0.00", timeout=SLOW_MS)
    assert digits(page.get_by_test_id("balance").text_content()) == before_minor + net_minor
    line = json.loads(page.request.get("/api/history").text())["lines"][0]
    assert line["returned_minor"] - line["staked_minor"] == net_minor


def test_a_page_plays_on_at_the_other_gateway(
    chromium: Browser, tmp_path: Path, certificate: Certificate
) -> None:
    chance = random.Random(1)
    with site_behind_nginx(tmp_path, certificate) as (site, address):
        with contextmanager(opened_at)(chromium, address, width=1280, height=800) as page:
            page.goto("/table/infinite")
            play_round(page, chance)
            used, other = sorted(site.gateways, key=has_player, reverse=True)
            assert has_player(used)
            used.kill()
            play_round(page, chance)
            assert has_player(other)
        site.cluster.stop()
        assert "No errors" in site.cluster.verify()

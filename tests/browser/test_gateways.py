"""Two browsers behind nginx, at different gateways, play live games; other nodes run the tables."""

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened_at
from tests.browser.dealt_by_hand import DESKTOP, expect_accepted_bet, sit
from tests.browser.live_window import LiveWindow, play_round
from tests.browser.player import SLOW_MS, digits
from tests.browser.test_automatic import SEATS, play_to_the_end
from tests.browser.test_four_tables import open_all
from tests.browser.test_live_coups import LIVE, TOGETHER, wait_for_betting_time
from tests.deploy.compose_nodes import roles
from tests.deploy.local_nodes import site_behind_nginx
from tests.faults.gateways import Site
from tests.guide.test_proxies import Certificate, certificate, needs_nginx
from tests.support.connect_proxy import proxy_from
from tests.support.nats_server import needs_nats
from tests.support.server_process import ServerProcess

__all__ = ["certificate"]
pytestmark = [pytest.mark.browser(long=True), needs_nginx, needs_nats]
PACE = """
[{table}]
pace_ms = 50
betting_ms = 8000
warning_ms = 1000
pause_ms = 5000
"""
BLACKJACK = f"{PACE}offer_ms = 2500\ndecision_ms = 2500\n"
COUPS = f"{PACE}spin_ms = 200\nroll_ms = 200\nball_ms = 200\n"
PACES = {**dict.fromkeys(SEATS, BLACKJACK), **dict.fromkeys(LIVE, COUPS)}
CONFIG = "".join(pace.format(table=table) for table, pace in PACES.items())
ADDRESSES = ("127.0.0.1", "127.0.0.2")
"""Those of the two browsers, for which nginx takes different gateways."""
SEVEN = "seven_seat"
COUP_BETS = {table: f"bet-{TOGETHER[table][0]}" for table in LIVE}
Bets = Mapping[str, str]


def bets_of_both() -> tuple[Bets, Bets]:
    """Return what two players bet, who share Seven-seat Blackjack; four tables fit in a window."""
    coups = [*COUP_BETS.items()]
    first, second = (f"spot-{seat}-main" for seat in SEATS[SEVEN])
    return {"infinite": "spot-0-main", SEVEN: first, **dict(coups[:2])}, {SEVEN: second, **dict(coups[2:])}


def test_players_play_on_at_the_other_gateway(
    chromium: Browser, tmp_path: Path, certificate: Certificate
) -> None:
    with site_behind_nginx(tmp_path, certificate, CONFIG) as (site, address):
        with two_pages(chromium, address) as pages:
            used, other = (open_tables(page, site, "infinite") for page in pages)
            assert used != other
            check_back_offices(address)
            play_on(pages, used, other)
        site.cluster.stop()
        assert "No errors" in site.cluster.verify()


@pytest.mark.campaign
def test_players_of_two_gateways_play_every_live_game(
    chromium: Browser, tmp_path: Path, certificate: Certificate
) -> None:
    bets = bets_of_both()
    assert {*bets[0], *bets[1]} == {*SEATS, *LIVE}
    with site_behind_nginx(tmp_path, certificate, CONFIG) as (site, address):
        with two_pages(chromium, address) as pages:
            used, other = (open_tables(page, site, *tables) for page, tables in zip(pages, bets, strict=True))
            assert used != other
            play_every_table(pages, bets)
            exchange_gateways(*pages)
            play_on(pages, used, other)
        site.cluster.stop()
        assert "No errors" in site.cluster.verify()


def play_on(pages: Sequence[Page], used: ServerProcess, other: ServerProcess) -> None:
    """Kill a gateway, and play a round at the other one."""
    used.kill()
    play_infinite(pages)
    assert {socket_port(page) for page in pages} == {socket_port_of(other)}
    assert players_of(other) == len(pages)


def check_back_offices(address: str) -> None:
    """Check that each owner has a host with the pages of staff, and none for players."""
    for host in (name for name, role in roles().items() if role == "tables"):
        with httpx.Client(base_url=address, verify=False, headers={"Host": f"{host}.localhost"}) as staff:
            assert staff.get("/staff").is_success
            assert staff.get("/").status_code == httpx.codes.NOT_FOUND


@contextmanager
def two_pages(chromium: Browser, address: str) -> Iterator[tuple[Page, Page]]:
    """Open the pages of two guests, whose browsers have different addresses."""
    wide, high = DESKTOP
    with ExitStack() as stack:
        proxies = [stack.enter_context(proxy_from(source)) for source in ADDRESSES]
        one, two = (
            stack.enter_context(opened_at(chromium, address, width=wide, height=high, proxy=proxy))
            for proxy in proxies
        )
        yield one, two


def open_tables(page: Page, site: Site, *tables: str) -> ServerProcess:
    """Open tables; return the gateway, which must have both the player's pages and their socket."""
    open_all(page, *tables)
    gateway = gateway_of(page, site)
    assert players_of(gateway) == 1
    return gateway


def gateway_of(page: Page, site: Site) -> ServerProcess:
    """Return the gateway that serves the pages."""
    (found,) = (each for each in site.gateways if socket_port_of(each) == socket_port(page))
    return found


def socket_port(page: Page) -> int:
    """Return the port of the socket beside the pages, which tells the gateways apart."""
    return int(page.request.get("/api/server").json()["socket_port"])


def socket_port_of(gateway: ServerProcess) -> int:
    return int(httpx.get(f"{gateway.address}/api/server").json()["socket_port"])


def players_of(gateway: ServerProcess) -> float:
    """Return how many players are connected to a gateway."""
    (found,) = re.findall(r"^croupier_players (\S+)", httpx.get(f"{gateway.admin}metrics").text, re.MULTILINE)
    return float(found)


def play_every_table(pages: Sequence[Page], bets: Sequence[Bets]) -> None:
    """Play a round at each table; check the players' balances against the results and their histories."""
    for page, seat in zip(pages, SEATS[SEVEN], strict=True):
        sit(page, seat)
    before = [balance(page) for page in pages]
    windows = [LiveWindow(page, tables) for page, tables in zip(pages, bets, strict=True)]
    play_round(windows, random.Random(1))
    for window, before_minor in zip(windows, before, strict=True):
        expect(window.page.get_by_test_id("in-play")).to_have_text("€0.00", timeout=SLOW_MS)
        assert balance(window.page) == before_minor + sum(window.nets.values())
        assert nets_in_history(window.page) == sorted(window.nets.values())


def balance(page: Page) -> int:
    return digits(page.get_by_test_id("balance").text_content())


def nets_in_history(page: Page) -> list[int]:
    lines = json.loads(page.request.get("/api/history").text())["lines"]
    return sorted(line["returned_minor"] - line["staked_minor"] for line in lines)


def exchange_gateways(one: Page, two: Page) -> None:
    """Let each player open a table at the other's gateway, where they must have the same balance."""
    expected = [page.get_by_test_id("balance").text_content() or "" for page in (two, one)]
    sessions = (one, two.context.cookies()), (two, one.context.cookies())
    for page, cookies in sessions:
        page.context.clear_cookies()
        page.context.add_cookies(cookies)  # type: ignore[arg-type]
    for page, money in zip((one, two), expected, strict=True):
        page.goto("/table/infinite")
        expect(page.get_by_test_id("balance")).to_have_text(money, timeout=SLOW_MS)


def play_infinite(pages: Sequence[Page]) -> None:
    """Bet, play to the end, and check the balances shown against those of the server."""
    wait_for_betting_time(pages[0], "[5-8]")
    before = [balance(page) for page in pages]
    for page in pages:
        page.get_by_test_id("spot-0-main").click()
        expect_accepted_bet(page)
    play_to_the_end(pages, random.Random(2))
    for page, before_minor in zip(pages, before, strict=True):
        result = page.get_by_test_id("result")
        expect(result).to_have_attribute("data-net", re.compile("^-?[0-9]+$"))
        net_minor = int(result.get_attribute("data-net") or 0)
        expect(page.get_by_test_id("in-play")).to_have_text("€0.00", timeout=SLOW_MS)
        assert balance(page) == before_minor + net_minor
        line = json.loads(page.request.get("/api/history").text())["lines"][0]
        assert line["returned_minor"] - line["staked_minor"] == net_minor

"""Play rounds over the socket until the cards are those that a test needs; the page then continues."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from playwright.sync_api import Page, expect

from croupier.protocol import wire
from tests.browser.player import SLOW_MS
from tests.support.browser_connection import Browser, new_req
from tests.support.server_process import ServerProcess

Wanted = Callable[[wire.PlayedRound], bool]
ROUNDS_MAX = 600
# Actions that end a round soonest.
SOONEST = ("stand", "decline_insurance", "decline_even_money", "hit")


def offers(played: wire.PlayedRound) -> set[str]:
    return {option.action for turn in played.view.turns for option in turn.options if option.covered}


def deal_until(
    page: Page, server: ServerProcess, stakes: Sequence[wire.Stake], table: str, wanted: Wanted
) -> None:
    """Play as this page's player at `table` until a round satisfies `wanted`."""
    expect(page.get_by_test_id("balance")).to_be_visible(timeout=SLOW_MS)  # so the page has its session
    cookies = {one.get("name", ""): one.get("value", "") for one in page.context.cookies()}
    with ThreadPoolExecutor(1) as aside:  # the page's own event loop runs in this thread
        aside.submit(asyncio.run, _deal_until(server.address, cookies, stakes, table, wanted)).result()


async def _deal_until(
    address: str, cookies: dict[str, str], stakes: Sequence[wire.Stake], table: str, wanted: Wanted
) -> None:
    async with Browser(address) as browser:
        browser.http.cookies.update(cookies)
        await browser.connect()
        await browser.hello()
        await browser.join(table)
        for _ in range(ROUNDS_MAX):
            played = (await browser.deal(table, *stakes)).state().round
            if await _reached(browser, table, played, wanted):
                return
    raise AssertionError(f"{ROUNDS_MAX} rounds without a wanted one")


async def _reached(browser: Browser, table: str, played: wire.PlayedRound | None, wanted: Wanted) -> bool:
    """Play the round until it satisfies `wanted` (True) or has ended (False)."""
    while played and not played.view.ended:
        if wanted(played):
            return True
        turn = played.view.turns[0]
        action = next(way for way in SOONEST if way in {option.action for option in turn.options})
        decision = wire.Decide(new_req(), table, played.id, played.turn, turn.box, turn.hand, action)
        played = (await browser.ask(decision)).state().round
    return False

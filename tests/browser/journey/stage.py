"""The servers and devices of a player's journey."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from playwright.sync_api import Browser, Locator, Page, expect

from croupier.ledger.sqlite.store import SqliteReader
from tests.browser.conftest import database_of, opened, player_of
from tests.browser.player import SLOW_MS
from tests.browser.test_trouble import free_port
from tests.support import operator
from tests.support.accounts import new_name
from tests.support.payment_provider import ProviderProcess, paying_server, provider_process
from tests.support.server_process import ServerProcess

EXAMPLE_DOCUMENTS = Path(__file__).parents[3] / "examples" / "documents"
BLOCKS = f"""
[documents]
folder = "{EXAMPLE_DOCUMENTS}"

[operator]
secret_file = "operator.secret"

[accounts]
sign_in_again_minutes = 60

[responsible_gaming]
jurisdiction = "MT"

[[jurisdictions.MT.helplines]]
name = "Example Helpline Malta"
url = "https://example.org/mt"
phone = "+356 0000 0000"
hours = "Mondays to Fridays, 8.00 to 20.00"
languages = "Maltese, English"

[[jurisdictions.GB.helplines]]
name = "Example Helpline Britain"
url = "https://example.org/gb"
phone = "+44 20 7946 0000"
hours = "24 hours a day"
languages = "English, Welsh"

[bonuses.welcome]
title = "Welcome bonus"
currency = "EUR"
amount = "2.00"
multiple = 1
max_bet = "10.00"
"""
HELP, LAUNCHED_HELP = "Example Helpline Malta", "Example Helpline Britain"
"""Shown to the account, and to the player whom the operator launches."""
DESKTOP, PHONE = (1440, 900), (390, 844)


class Look(Protocol):
    """Look at a page at a station; `at` is what has to be in view."""

    def __call__(self, page: Page, station: str, at: Locator | None = None) -> None: ...


class Journey(NamedTuple):
    """The player's two devices, the manager's page, and the servers behind them."""

    server: ServerProcess
    provider: ProviderProcess
    ledger: SqliteReader
    browser: Browser
    first: Page
    second: Page
    manager: Page
    look: Look
    name: str
    """The name of the player's account."""

    @property
    def player(self) -> str:
        return player_of(self.first)

    def cents(self, kind: str = "cash") -> int:
        """Return what the player has in euros by the ledger."""
        return self.ledger.balances(self.player).get("EUR", {}).get(kind, 0)


@contextmanager
def new_journey(browser: Browser, folder: Path, look: Look) -> Iterator[Journey]:
    """Start the servers and open the browsers of a journey."""
    with ExitStack() as open_:
        provider = open_.enter_context(provider_process(folder))
        (folder / "operator.secret").write_bytes(operator.KEY)
        ports = free_port(), free_port()
        server = open_.enter_context(paying_server(folder, provider, kyc=True, blocks=BLOCKS, ports=ports))
        ledger = SqliteReader(database_of(server))
        open_.callback(ledger.close)
        first, second, manager = (open_.enter_context(device(browser, server)) for _ in range(3))
        yield Journey(server, provider, ledger, browser, first, second, manager, look, new_name())


def follow(page: Page, path: str) -> None:
    """Use a link in the bar above, which loads no page anew."""
    page.locator(f"header a[href='{path}']").first.click()
    expect(page).to_have_url(re.compile(f"{re.escape(path)}$"), timeout=SLOW_MS)


def take_table(page: Page, table: str) -> None:
    """Open a table from the lobby; it may still show the player's last round."""
    page.get_by_test_id(f"table-{table}").click()
    expect(page.locator("[data-phase='betting'], [data-phase='ended']")).to_be_visible(timeout=SLOW_MS)
    new_bet = page.get_by_test_id("new-bet")
    if new_bet.is_visible():
        new_bet.click()


@contextmanager
def device(browser: Browser, server: ServerProcess) -> Iterator[Page]:
    with opened(browser, server, width=DESKTOP[0], height=DESKTOP[1]) as page:
        yield page

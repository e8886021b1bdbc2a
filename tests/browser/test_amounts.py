"""Amounts are shown and typed as in the player's browser, and an amount with two meanings is asked about."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import opened
from tests.browser.limits import set_limit
from tests.browser.player import SLOW_MS, Player, follow
from tests.browser.test_everybody_can_play import check, fits
from tests.support.server_process import ServerProcess

pytestmark = pytest.mark.browser

CONFIG_TOML = """
[currencies.EUR]
grant = "1000"

[currencies.GC]

[currencies.KWD]
name = "Kuwaiti dinar"
decimals = 3
symbol = "KD"
grant = "1000"
"""
DESK, PHONE = (1440, 900), (390, 844)


ARABIC = str.maketrans("0123456789,.", "".join(map(chr, (*range(0x660, 0x66A), 0x66C, 0x66B))))


def arabic(text: str) -> str:
    return text.translate(ARABIC)


class Locale(NamedTuple):
    """Amounts of one locale, without the kinds of space that browsers differ in."""

    name: str
    balance: str
    typed: str
    """An amount that means something else elsewhere."""
    small: str
    large: str
    after: str
    """The balance after a deposit of `small`."""
    limit: str
    limited: str
    refused: str
    placed: str = ""
    """A bet of the lowest chip, where the table is looked at too."""


LOCALES = (
    Locale("en-GB", "€1,000.00", "10,50", "€10.50", "€1,050.00", "€1,010.50",
           "2,345.60", "€2,345.60", "10.505"),
    Locale("de-DE", "1.000,00 €", "10.50", "10,50 €", "1.050,00 €", "1.010,50 €",
           "2.345,6", "2.345,60 €", "10,505", "1,00 €"),
    Locale("en-IN", "€1,000.00", "10,50", "€10.50", "€1,050.00", "€1,010.50",
           "1,23,456.5", "€1,23,456.50", "10.505"),
    Locale("fr-FR", "1 000,00 €", "10.50", "10,50 €", "1 050,00 €", "1 010,50 €",
           "2 345,6", "2 345,60 €", "10,505"),
    Locale("de-CH", "€ 1'000.00", "10,50", "€ 10.50", "€ 1'050.00", "€ 1'010.50",
           "2'345.6", "€ 2'345.60", "10.505"),
    Locale("ar-EG", arabic("1,000.00 €"), "10.50", arabic("10.50 €"), arabic("1,050.00 €"),
           arabic("1,010.50 €"), arabic("2,345.6"), arabic("2,345.60 €"), arabic("10.505"), arabic("1.00 €")),
)  # fmt: skip
NOW = {("en-GB", DESK), ("de-DE", PHONE), ("ar-EG", PHONE)}
"""The campaign takes the other locales and sizes."""
WITH_AXE = ("en-GB", "ar-EG")
"""One locale of each direction; `make test` has one of them on a desktop, and one on a phone."""
CASES = [
    pytest.param(
        locale,
        size,
        id=f"{locale.name}-{size[0]}x{size[1]}",
        marks=() if (locale.name, size) in NOW else pytest.mark.campaign,
    )
    for locale in LOCALES
    for size in (DESK, PHONE)
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("amounts")
    config_file = folder / "croupier.toml"
    config_file.write_text(CONFIG_TOML)
    process = ServerProcess(folder / "data", options=("--config", str(config_file))).start()
    yield process
    process.stop()


def play_in(page: Page, currency: str) -> None:
    """Choose the currency in the settings."""
    page.get_by_role("radio", name=currency, exact=True).check(force=True)
    expect(page.get_by_role("radio", name=currency, exact=True)).to_be_checked()


def spaced(text: str) -> str:
    return text.replace("\u00a0", " ").replace("\u202f", " ").replace("\u2019", "'")


def expect_balance(page: Page, text: str) -> None:
    page.wait_for_function(
        """(text) => document.querySelector('[data-testid=balance]').innerText
             .replaceAll(/[\\u00a0\\u202f]/g, ' ').replaceAll('\\u2019', "'").includes(text)""",
        arg=text,
        timeout=SLOW_MS,
    )


def picture(page: Page, name: str) -> None:
    if folder := os.environ.get("CROUPIER_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png")


def requested_by(page: Page) -> list[str]:
    """Return the list that the addresses of the page's requests are added to."""
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    return addresses


@pytest.mark.parametrize(("locale", "size"), CASES)
def test_amounts_of_a_locale(
    chromium: Browser, server: ServerProcess, locale: Locale, size: tuple[int, int]
) -> None:
    width, height = size
    look = check if locale.name in WITH_AXE else fits
    with opened(chromium, server, width=width, height=height, locale=locale.name) as page:
        page.goto("/settings")
        play_in(page, "Euro")
        follow(page, "/cashier")
        expect_balance(page, locale.balance)
        sent = requested_by(page)
        page.get_by_test_id("deposit").fill(locale.refused)
        page.get_by_role("button", name="Deposit").click()
        expect(page.get_by_role("alert").filter(has_text="at most 2 decimals")).to_be_visible()

        page.get_by_test_id("deposit").fill(locale.typed)
        page.get_by_test_id("deposit").press("Enter")
        question = page.get_by_role("alert").filter(has_text="Did you mean")
        expect(question).to_be_visible()
        assert spaced(question.inner_text()) == f"Did you mean {locale.small} or {locale.large}?"
        look(page, f"question, {locale.name}")
        picture(page, f"cashier-{locale.name}-{width}")
        page.get_by_test_id("deposit").press("Enter")
        expect(question).to_be_visible()
        assert not [url for url in sent if "deposit" in url]
        answers = page.get_by_role("group", name="Did you mean").get_by_role("button")
        assert [spaced(text) for text in answers.all_inner_texts()] == [locale.small, locale.large]
        answers.first.click()
        expect_balance(page, locale.after)
        expect(question).to_be_hidden()
        assert len([url for url in sent if "deposit" in url]) == 1
        expect(page.get_by_test_id("deposit")).to_be_focused()

        follow(page, "/safer-play")
        set_limit(page, "loss", "day", locale.typed)
        expect(question).to_be_visible()
        look(page, f"limits, {locale.name}")
        picture(page, f"limits-{locale.name}-{width}")
        set_limit(page, "loss", "day", locale.limit)
        limits = page.get_by_test_id("own-limits")
        expect(limits).to_be_visible(timeout=SLOW_MS)
        assert f"Losses per day: {locale.limited}" in spaced(limits.inner_text())
        if locale.placed and size == PHONE:
            _a_table_shows_amounts_as_the_lobby_does(page, locale)


def _a_table_shows_amounts_as_the_lobby_does(page: Page, locale: Locale) -> None:
    Player(page, seed=1).move("multihand")
    page.locator("[data-testid^='chip-']").first.click()
    page.locator("[data-testid^='spot-'][data-testid$='-main']").first.click()
    expect(page.get_by_test_id("placed").first).to_have_text(locale.placed.replace(" ", "\u00a0"))
    check(page, locale.name)
    picture(page, f"table-{locale.name}")


def test_the_player_chooses_how_amounts_are_written_and_groups_of_three_may_be_ambiguous(
    chromium: Browser, server: ServerProcess
) -> None:
    with opened(chromium, server, width=1440, height=900, locale="en-GB") as page:
        page.goto("/settings")
        play_in(page, "Kuwaiti dinar")
        _three_decimals_make_a_group_ambiguous_only_where_it_is_one(page)
        follow(page, "/settings")
        play_in(page, "Euro")
        expect_balance(page, "\u20ac1,000.00")
        page.get_by_role("radio", name="1.234,50").check(force=True)
        expect_balance(page, "1.000,00 \u20ac")
        picture(page, "settings")
        follow(page, "/cashier")
        expect_balance(page, "1.000,00 \u20ac")
        page.get_by_test_id("withdraw").fill("0,50")
        page.get_by_test_id("withdraw").press("Enter")
        expect_balance(page, "999,50 \u20ac")


def _three_decimals_make_a_group_ambiguous_only_where_it_is_one(page: Page) -> None:
    follow(page, "/cashier")
    page.get_by_test_id("deposit").fill("1,234")
    page.get_by_test_id("deposit").press("Enter")
    question = page.get_by_role("alert").filter(has_text="Did you mean")
    expect(question).to_be_visible()
    assert spaced(question.inner_text()) == "Did you mean KD 1.234 or KD 1,234.000?"
    page.get_by_test_id("deposit").fill("1.234")
    expect(question).to_be_hidden()
    page.get_by_test_id("deposit").press("Enter")
    expect_balance(page, "KD 1,001.234")

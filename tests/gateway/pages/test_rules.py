"""Rules pages: paytables, limits, returns and versions, as text without markup."""

from dataclasses import fields, replace
from datetime import date
from html.parser import HTMLParser
from typing import Any

import pytest
from jinja2 import UndefinedError

from croupier import __date__, __version__
from croupier.accounts.documents import Documents
from croupier.config import DEFAULT_CONFIG
from croupier.equipment.rng import RNG_DATE, RNG_VERSION
from croupier.games import published_tables
from croupier.gateway.pages.rules import html, markdown
from croupier.play.contract.amounts import CURRENCIES, StakeLimits
from croupier.play.contract.game import PublishedReturn, RulesVersion, Table
from croupier.play.tables.restrictions import Restrictions

TABLES = published_tables()

NOT_SHOWN = {
    "id": "for programs: the address of the table",
    "source": "for the operator: where the rules were taken from",
    "allow_over_100": "for the operator: that a return above 100 % is meant",
    "game": "its template is the page, its functions are the rules",
    "currencies": "one for each of its limits",
    "rules": "flipped in the tests of its game",
    "kind_limits": "no kinds of bets in this game: see test_help_limits",
}


def page(table: Table) -> str:
    """Return the page on one line, so that sentences are found regardless of wrapping."""
    return " ".join(markdown(table).split())


@pytest.mark.parametrize("table", tuple(TABLES.values()), ids=TABLES)
def test_the_page_has_limits_returns_and_versions(table: Table) -> None:
    assert f"| Stake on | {' | '.join(CURRENCIES[code].name for code in table.limits)} |" in page(table)
    for code in table.limits:
        for bet in table.game.bets(table.rules):
            least, most = map(CURRENCIES[code].text, table.limits_of(bet, code))
            assert f"| {least} to {most} |" in page(table)
    for figure in table.published:
        assert f"| {table.game.labels[figure.bet]} | {figure.percent} % | {figure.of} |" in page(table)
    assert f"| Rules | {table.rules_version} | {date.fromisoformat(table.rules_date)} |" in page(table)
    assert f"| Server | {__version__} | {__date__} |" in page(table)
    assert f"| Random number generator | {RNG_VERSION} | {RNG_DATE} |" in page(table)


@pytest.mark.parametrize("table", tuple(TABLES.values()), ids=TABLES)
def test_the_page_lists_every_version_of_the_rules(table: Table) -> None:
    assert table.rules_history, "a published table says what each of its versions changed"
    for version in table.rules_history:
        line = f"| {version.version} | {date.fromisoformat(version.date)} | {version.changes} |"
        assert line in page(table)


CHANGED: dict[str, Any] = {
    "multi_play": False,
    "title": "The blue table",
    "line": "All is blue here",
    "dealing": "live",
    "limits": {"GC": StakeLimits(5, 55)},
    "side_limits": {"EUR": StakeLimits(3, 33), "USD": StakeLimits(3, 33)},
    "table_limits": {"GC": StakeLimits(7, 77)},
    "restrictions": Restrictions((("main", "insurance"),)),
    "wagering": "live_shows",
    "label_overrides": {"even_money": "Fair Shares"},
    "rules_version": "7.7",
    "rules_date": "1999-09-09",
    "rules_history": (RulesVersion("7.7", "1999-09-09", "All is blue."),),
    "published": (PublishedReturn("main", "12.34", "every stake"),),
}


@pytest.mark.parametrize("field", [field.name for field in fields(Table) if field.name not in NOT_SHOWN])
def test_another_table_field_is_another_page(field: str) -> None:
    table = TABLES["infinite" if field == "side_limits" else "classic"]
    assert page(replace(table, **{field: CHANGED[field]})) != page(table)


class Outline(HTMLParser):
    """The elements of a page, their attributes, and whether they are nested correctly."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes += attrs
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


TEXT = {"a", "h2", "h3", "p", "ul", "li", "em", "strong", "table", "thead", "tbody", "tr", "th", "td"}


@pytest.mark.parametrize("table", tuple(TABLES.values()), ids=TABLES)
def test_the_html_is_text_and_tables_only(table: Table) -> None:
    outline = Outline(html(markdown(table)))
    assert outline.elements <= TEXT
    assert outline.elements >= {"h2", "ul", "table"}
    assert set(outline.attributes) == {("href", "/documents")}, "the page needs no style and no other address"
    assert not outline.open
    assert "|" not in html(markdown(table)), "a row is outside its table"


@pytest.mark.parametrize(
    "line",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![x](//far/x.png)",
        "[x](javascript:alert(1))",
    ],
)
def test_markup_in_a_text_is_escaped(line: str) -> None:
    outline = Outline(html(markdown(replace(TABLES["classic"], line=line))))
    assert outline.elements <= TEXT | {"a"}
    assert not outline.attributes or all(
        name == "href" and not str(value).startswith("javascript:") for name, value in outline.attributes
    )


def test_an_unknown_name_in_a_template_is_an_error() -> None:
    game = replace(TABLES["classic"].game, help="{{ rules.joker }}")
    with pytest.raises(UndefinedError, match="joker"):
        markdown(replace(TABLES["classic"], game=game))


@pytest.mark.parametrize("table", tuple(TABLES.values()), ids=TABLES)
def test_the_page_says_what_playing_agrees_to_and_which_text_prevails(table: Table) -> None:
    documents = DEFAULT_CONFIG.documents
    link = "[Terms and policies](/documents)"
    assert page(table).startswith(f"# {table.title} {documents.opening} {link}")
    assert page(table).endswith(f"## If texts disagree {documents.precedence} {link}")


def test_an_operators_sentences_replace_the_default_ones() -> None:
    own = Documents("Playing is agreeing.", "The terms prevail.")
    shown = markdown(TABLES["classic"], documents=own)
    assert "Playing is agreeing." in shown
    assert "The terms prevail." in shown
    assert DEFAULT_CONFIG.documents.opening not in shown


def test_the_pages_name_what_the_published_rules_name() -> None:
    assert "Two cut cards lie in the shoe" in page(TABLES["live_baccarat"])
    assert "one in front of the last 7 cards" in page(TABLES["live_baccarat"])
    unavailable = "The five number bet on 0, 00, 1, 2 and 3 isn't available: it needs a wheel with two zeros."
    for name in ("roulette", "live_roulette"):
        assert unavailable in page(TABLES[name])
        assert "at least three times" in page(TABLES[name])
    assert "isn't available" not in page(TABLES["american_roulette"])

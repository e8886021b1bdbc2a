"""Rules pages: a game's template rendered with a table's rules and configuration."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from croupier import __date__, __version__
from croupier.accounts.documents import Documents
from croupier.config import DEFAULT_CONFIG, DEFAULT_LIVE_TABLE, InactivityConfig, LiveTableConfig
from croupier.dealing.live.chat import room
from croupier.dealing.live.chat.store import KEPT_MS
from croupier.equipment.rng import RNG_DATE, RNG_VERSION
from croupier.gateway.pages.markdown import to_html
from croupier.gateway.pages.rules_limits import currencies, limit_lines
from croupier.play.contract.bets import Bet
from croupier.play.contract.game import Table
from croupier.play.contract.odds import Odds
from croupier.play.contract.published_figures import PublishedFigures
from croupier.play.tables.restrictions import restriction_notes
from croupier.play.tables.wagering import wagering_classes
from croupier.protocol.wire import JurisdictionProfile
from croupier.tables.live import Setup

if TYPE_CHECKING:
    from jinja2 import Environment, Template

_PARTS = files(__package__) / "help"


class PaytableRow(NamedTuple):
    """A paytable line on the page."""

    title: str
    odds: Odds


class BetText(NamedTuple):
    """A bet on the page."""

    name: str
    title: str
    main: bool
    pays: tuple[PaytableRow, ...]


class VersionRow(NamedTuple):
    """A version on the page; `date` is a day (2026-11-21), or empty if unknown."""

    what: str
    number: str
    date: str


CHAT_RULES = {
    "text_max": room.TEXT_MAX,
    "repeat_ms": room.REPEAT_MS,
    "in_a_row": room.PLAYER_RATE.burst,
    "kept_days": KEPT_MS // (24 * 3600 * 1000),
}
"""Rules of the chat for the page."""


DOCUMENTS_LINK = "[Terms and policies](/documents)"


def html(page: str) -> str:
    """Convert a page without its heading to HTML without scripts, styles and images."""
    _title, _, rest = page.partition("\n\n")
    return to_html(rest)


def markdown(
    table: Table,
    running: LiveTableConfig = DEFAULT_LIVE_TABLE,
    profile: JurisdictionProfile = DEFAULT_CONFIG.profile,
    absent: InactivityConfig = DEFAULT_CONFIG.inactivity,
    documents: Documents = DEFAULT_CONFIG.documents,
) -> str:
    """Render the page as Markdown; raise jinja2.UndefinedError for names that the rules don't have."""
    words = table.labels
    decided = table.game.live
    live = decided if table.dealing == "live" else None
    filled = _template(table.game.help).render(
        table=table,
        rules=table.rules,
        bets=[_bet(bet, words) for bet in table.game.bets(table.rules)],
        currencies=currencies(table),
        limits=list(limit_lines(table)),
        restrictions=restriction_notes(table.restrictions, table.coverage, words),
        wagering=wagering_classes().get(table.wagering),
        words=words,
        known=exact_figures(table),
        versions=_versions(table),
        running=running,
        profile=profile,
        absent=absent,
        chat=CHAT_RULES,
        settle_delay_ms=Setup(table, running.timings).settle_delay_ms if live else 0,
        seats=live.seats(table.rules) if live else 0,
        auto_notes=decided.default_choice_notes(table.rules) if decided else (),
        uncovered_notes=decided.uncovered_notes(table.rules) if decided else (),
    )
    return f"# {table.title}\n\n{_agreement(documents)}{filled}{_precedence(documents)}"


def _agreement(documents: Documents) -> str:
    """Return what playing agrees to, with a link to the documents."""
    return f"{documents.opening} {DOCUMENTS_LINK}\n\n" if documents.opening else ""


def _precedence(documents: Documents) -> str:
    """Return which text prevails if two disagree."""
    return (
        f"\n## If texts disagree\n\n{documents.precedence} {DOCUMENTS_LINK}\n" if documents.precedence else ""
    )


def exact_figures(table: Table) -> PublishedFigures | None:
    """Return the exact figures of a published table; None if there are none."""
    return _known(table.game.published_figures).get(table.id)


@cache
def _known(text: str) -> dict[str, PublishedFigures]:
    """Return the exact figures by the id of the published table."""
    return msgspec.json.decode(text, type=dict[str, PublishedFigures])


@cache
def _template(text: str) -> "Template":
    """Compile a template once, which takes longer than rendering it."""
    return _environment().from_string(text)


@cache
def _environment() -> "Environment":
    """Return the environment of the templates; jinja2 is imported at the first page.

    Templates belong to the games' packages and include the parts that all pages share. They produce Markdown,
    which is escaped in the conversion to HTML.
    """
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(  # noqa: S701
        loader=FunctionLoader(lambda name: (_PARTS / name).read_text(encoding="utf-8")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _bet(bet: Bet, words: Mapping[str, str]) -> BetText:
    pays = tuple(PaytableRow(words[pay.outcome], pay.odds) for pay in bet.pays)
    return BetText(bet.name, words[bet.name], bet.main, pays)


def _versions(table: Table) -> tuple[VersionRow, ...]:
    return (
        VersionRow("Rules", table.rules_version, table.rules_date),
        VersionRow("Server", __version__, __date__),
        VersionRow("Random number generator", RNG_VERSION, RNG_DATE),
    )

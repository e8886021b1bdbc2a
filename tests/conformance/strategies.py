"""Hypothesis strategies of the conformance suite: tables, wagers and shoes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from croupier.equipment.cards import DECK, RANKS
from croupier.equipment.rng import shuffled
from croupier.equipment.shoe import Shoe
from croupier.games import games, published_tables
from croupier.play.contract.bets import Bet, Wager
from croupier.play.contract.game import Table
from croupier.play.driving.sources import ChanceSource, ShoeSource, fresh_source
from croupier.play.tables.files import read_tables
from tests.equipment.random_sources import SeededRandomSource

OPERATOR, OTHER_COUPS = (Path(__file__).with_name(name) for name in ("operator.toml", "other_coups.toml"))


def tables_of(file: Path) -> dict[str, Table]:
    return read_tables(file.read_text(encoding="utf-8"), games(), file.name)


TABLES = published_tables() | tables_of(OPERATOR) | tables_of(OTHER_COUPS)
CARDS = 416

RANK_SETS = st.one_of(st.just(RANKS), st.text(RANKS, min_size=2, max_size=4))
"""Lists of ranks, often only a few, so that pairs, charlies and blackjacks are common."""


def shoe_of(ranks: str, seed: int) -> ShoeSource:
    """Return a shoe of many cards of these ranks."""
    suitable = [card for card in DECK if card.rank in ranks]
    order = shuffled((suitable * CARDS)[:CARDS], SeededRandomSource(seed))
    return ShoeSource(Shoe(order, dealt=0, cut=CARDS))


def source_of(table: Table, start: Any, ranks: str, seed: int) -> ChanceSource:
    """Return what a round is dealt from: cards of these ranks, or a wheel or dice."""
    decks = table.game.decks(table.rules)
    return shoe_of(ranks, seed) if decks else fresh_source(start.wants(), decks, SeededRandomSource(seed))


@st.composite
def wagers(draw: st.DrawFn, table: Table) -> list[Wager]:
    """Draw main bets for some boxes, some with side bets."""
    bets = table.game.bets(table.rules)
    mains = [bet for bet in bets if bet.main]
    sides = [bet for bet in bets if not bet.main]
    opened = draw(st.sets(st.integers(0, table.game.boxes(table.rules) - 1), min_size=1, max_size=3))
    return [
        Wager(box, bet.name, draw(st.integers(1, 10**6)))
        for box in sorted(opened)
        for bet in [*draw(distinct(mains, 1)), *draw(distinct(sides, 0))]
    ]


def distinct(bets: Sequence[Bet], min_size: int) -> st.SearchStrategy[list[Bet]]:
    """Draw distinct bets, at least `min_size` of them."""
    if not bets:
        return st.just([])
    return st.lists(st.sampled_from(bets), min_size=min_size, max_size=12, unique=True)


def wager_on_every_main_bet(table: Table, stake_minor: int) -> list[Wager]:
    return [Wager(0, bet.name, stake_minor) for bet in table.game.bets(table.rules) if bet.main]

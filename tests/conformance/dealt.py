"""Tables, wagers and shoes for the conformance suite, as Hypothesis draws them."""

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
from tests.equipment.seeded import SeededDraws

OPERATOR, OTHER_COUPS = (Path(__file__).with_name(name) for name in ("operator.toml", "other_coups.toml"))


def tables_of(file: Path) -> dict[str, Table]:
    return read_tables(file.read_text(encoding="utf-8"), games(), file.name)


TABLES = published_tables() | tables_of(OPERATOR) | tables_of(OTHER_COUPS)
CARDS = 416


RANKS_DEALT = st.one_of(st.just(RANKS), st.text(RANKS, min_size=2, max_size=4))
"""Often a few ranks only, so that pairs, charlies and blackjacks are common."""


def shoe_of(ranks: str, seed: int) -> ShoeSource:
    """A shoe of many cards of these ranks."""
    few = [card for card in DECK if card.rank in ranks]
    order = shuffled((few * CARDS)[:CARDS], SeededDraws(seed))
    return ShoeSource(Shoe(order, dealt=0, cut=CARDS))


def source_of(table: Table, start: Any, ranks: str, seed: int) -> ChanceSource:
    """What a round is dealt from: cards of these ranks, or what comes up without cards."""
    decks = table.game.decks(table.rules)
    return shoe_of(ranks, seed) if decks else fresh_source(start.wants(), decks, SeededDraws(seed))


@st.composite
def wagers(draw: st.DrawFn, table: Table) -> list[Wager]:
    """Main bets in some boxes, and side bets beside some of them."""
    bets = table.game.bets(table.rules)
    mains = [bet for bet in bets if bet.main]
    sides = [bet for bet in bets if not bet.main]
    opened = draw(st.sets(st.integers(0, table.game.boxes(table.rules) - 1), min_size=1, max_size=3))
    return [
        Wager(box, bet.name, draw(st.integers(1, 10**6)))
        for box in sorted(opened)
        for bet in [*draw(some(mains, 1)), *draw(some(sides, 0))]
    ]


def some(bets: Sequence[Bet], least: int) -> st.SearchStrategy[list[Bet]]:
    """So many of the bets or more, each once."""
    if not bets:
        return st.just([])
    return st.lists(st.sampled_from(bets), min_size=least, max_size=12, unique=True)


def on_every_main_bet(table: Table, stake_minor: int) -> list[Wager]:
    return [Wager(0, bet.name, stake_minor) for bet in table.game.bets(table.rules) if bet.main]

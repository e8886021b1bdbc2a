"""Sources that a round draws from: a shoe's cards, a wheel's pockets, or rolls of dice."""

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any, NamedTuple

from croupier.equipment.cards import DECK, Card
from croupier.play.contract.model import Model
from croupier.play.contract.wants import Answer, RollDice, SpinWheel, Want

FACES = "123456"


class ItemSource(NamedTuple):
    """Equally likely items, grouped in columns of items that the game doesn't distinguish."""

    columns: tuple[tuple[str, ...], ...]
    answers: tuple[Answer, ...]
    """One representative of each column."""
    replaced: tuple[str, ...] = ()
    """Items that are drawn with replacement, such as pockets; empty for cards."""


def random_source(model: Model, rules: Any, want: Want) -> ItemSource:
    """Return the source that answers a want that isn't a decision; all card wants share one."""
    if texts := with_replacement(want):
        return _random_source(((text,) for text in texts), want.parse, texts)
    groups = model.rank_groups(rules)
    if not groups:
        return ItemSource(tuple((str(card),) for card in DECK), DECK)
    return _random_source(map(tuple, groups), lambda rank: Card(rank, "S"))


def with_replacement(want: Want) -> tuple[str, ...]:
    """Return everything that a spin or roll may produce, all equally likely; () if a card is wanted."""
    match want:
        case SpinWheel():
            return want.pockets
        case RollDice():
            return tuple("-".join(faces) for faces in product(FACES, repeat=want.dice))
    return ()


def _random_source(
    groups: Iterable[tuple[str, ...]], parse: Callable[[str], Answer], texts: tuple[str, ...] = ()
) -> ItemSource:
    columns = tuple(groups)
    return ItemSource(columns, tuple(parse(group[0]) for group in columns), texts)

"""What a round draws from, one thing at a time: a shoe's cards, a wheel's pockets, the rolls of dice."""

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any, NamedTuple

from croupier.equipment.cards import DECK, Card
from croupier.play.contract.model import Model
from croupier.play.contract.wants import Answer, RollDice, SpinWheel, Want

FACES = "123456"


class RandomSource(NamedTuple):
    """Kinds of things, each as likely as another while none is out; those of a column aren't told apart."""

    columns: tuple[tuple[str, ...], ...]
    answers: tuple[Answer, ...]
    """One of each column."""
    wheel: tuple[str, ...] = ()
    """What is put back after it was drawn, as pockets are; cards stay out until the next shuffle."""


def random_source(model: Model, rules: Any, want: Want) -> RandomSource:
    """What answers a want that is no decision; every want about cards has the same."""
    if texts := wheel(want):
        return _random_source(((text,) for text in texts), want.parse, texts)
    groups = model.rank_groups(rules)
    if not groups:
        return RandomSource(tuple((str(card),) for card in DECK), DECK)
    return _random_source(map(tuple, groups), lambda rank: Card(rank, "S"))


def wheel(want: Want) -> tuple[str, ...]:
    """All that may come up, each as likely as another whatever came before; (): a card is wanted."""
    match want:
        case SpinWheel():
            return want.pockets
        case RollDice():
            return tuple("-".join(faces) for faces in product(FACES, repeat=want.dice))
    return ()


def _random_source(
    groups: Iterable[tuple[str, ...]], parse: Callable[[str], Answer], texts: tuple[str, ...] = ()
) -> RandomSource:
    columns = tuple(groups)
    return RandomSource(columns, tuple(parse(group[0]) for group in columns), texts)

"""The dealer's possible final hands, as cards without order."""

from collections import Counter
from collections.abc import Callable, Iterable

from croupier.games.blackjack.shoe import Held, low_total, plus_one

Drawn = tuple[int, ...]
"""The values of drawn cards, in descending order."""


def finished_hands(draws: Callable[[Held], bool], known: Held) -> Counter[Held]:
    """Return the final hands and the number of orders of the cards drawn to each."""
    found: Counter[Held] = Counter()
    growing = Counter([known])
    while growing:
        longer: Counter[Held] = Counter()
        for held, orders in growing.items():
            if sum(held) > 1 and not draws(held):
                found[held] += orders
            else:
                longer.update(
                    {then: orders for value in range(10) if low_total(then := plus_one(held, value)) <= 21}
                )
        growing = longer
    return found


def draw_prefixes(known: Held, finished: Iterable[Held]) -> list[Drawn]:
    """Return the cards drawn to these hands and all prefixes of them, each after its own prefixes."""
    return sorted({stem[:length] for stem in _drawn(known, finished) for length in range(len(stem) + 1)})


def _drawn(known: Held, finished: Iterable[Held]) -> list[Drawn]:
    return [
        tuple(value for value in range(9, -1, -1) for _ in range(held[value] - known[value]))
        for held in finished
    ]


def with_drawn(known: Held, stem: Drawn) -> Held:
    return tuple(count + stem.count(value) for value, count in enumerate(known))

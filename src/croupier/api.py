"""Exact figures and simulations of any table, under its own rules or others.

Examples:
    >>> import croupier
    >>> infinite = croupier.table("infinite")
    >>> exact = infinite.exact()
    >>> f"{exact.best.return_per_initial_stake:.6f}"
    '0.994653'
    >>> exact.bets[0].bet, exact.bets[0].returned
    ('any_pair', Fraction(398, 415))

    Each game's tables are also found under its name.

    >>> from croupier import blackjack; blackjack.table("infinite").exact() is exact
    True
    >>> blackjack.table_names()
    ('classic', 'premium', 'multihand', 'double_exposure', 'infinite', 'seven_seat')

    A game without decisions has its bets, line by line.

    >>> baccarat = croupier.table("live_baccarat").exact()
    >>> [(odds.bet, f"{float(odds.house_edge):.6f}") for odds in baccarat.bets[:3]]
    [('player', '0.012351'), ('banker', '0.010579'), ('tie', '0.143596')]
    >>> baccarat.bets[2].lines[0]
    LineOdds(outcome='tie', chance=Fraction(619306544887, 6508331087895), pays=Odds(wins=8, staked=1))

    Any rule may be changed; an error says what is allowed.

    >>> f"{infinite.with_rules(decks=2, charlie_cards=0).exact().best.return_per_initial_stake:.6f}"
    '0.995568'
    >>> infinite.with_rules(decks=12)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    croupier...InvalidTables: decks: Expected `int` <= 8; allowed is: a whole number from 1 to 8

    A million rounds take a few milliseconds. The same seed gives the same result, on any number of threads.

    >>> found = infinite.simulate(1_000_000, seed=1, fresh_shoe=True).estimate
    >>> exact_return = exact.best.return_per_initial_stake
    >>> abs(found.return_per_initial_stake - exact_return) < 4 * found.standard_error
    True
    >>> red = croupier.table("roulette").simulate(1_000_000, seed=1).of("red")
    >>> abs(red.return_per_initial_stake - 36 / 37) < 4 * red.standard_error
    True

    Every published figure stands beside the exact one.

    >>> [(claim.bet, claim.percent, claim.reproduced) for claim in infinite.published()][:2]
    [('main', '99.47', True), ('any_pair', '95.90', True)]

Needs the extra `croupier[maths]`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from croupier.maths.study import Study, studies

__all__ = ["Study", "table", "table_names"]


@dataclass(frozen=True)
class GameTables:
    """The published tables of one game, such as `croupier.blackjack`."""

    game: str

    def table_names(self) -> tuple[str, ...]:
        return tuple(self._studies())

    def table(self, name: str) -> Study:
        """Return a published table of the game; ValueError lists them if there is none of this name."""
        return _named(self._studies(), name)

    def _studies(self) -> dict[str, Study]:
        return {name: study for name, study in studies().items() if study.table.game.name == self.game}


@cache
def of_game(name: str) -> GameTables:
    """Return the tables of a game; the same object each time."""
    return GameTables(name)


def table_names(game: str = "") -> tuple[str, ...]:
    """Return the names of the published tables, of one game or of all."""
    return of_game(game).table_names() if game else tuple(studies())


def table(name: str) -> Study:
    """Return a published table; ValueError lists them if there is none of this name."""
    return _named(studies(), name)


def _named(found: Mapping[str, Study], name: str) -> Study:
    if name not in found:
        raise ValueError(f"no table {name!r}; there are: {', '.join(found)}")
    return found[name]

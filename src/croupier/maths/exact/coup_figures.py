"""Exact figures of coups: every bet, line by line, derived from the game's round alone."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from croupier.maths.exact.compile import compile_outcomes
from croupier.maths.exact.outcomes import chances, shoe_of
from croupier.play.contract.bets import Bet
from croupier.play.contract.figures import Bar, BetOdds, ChanceTable, Figures, LineOdds, Opening, PlayFigures
from croupier.play.contract.game import Game, Table
from croupier.play.coup.model import NO_DECISIONS


def figures_of(table: Table) -> Figures:
    """Return the exact figures of a table: from its game's analysis, or computed if it has no decisions.

    Raises ValueError if the game has neither.
    """
    return figures_under(table.game, table.rules)


def figures_under(game: Game, rules: Any) -> Figures:
    """Return the figures of a game under any rules."""
    require_analysis(game)
    return game.figures(rules) if game.figures else _coup_figures(game, rules)


def require_analysis(game: Game) -> None:
    """Raise ValueError if the game has no exact analysis."""
    if game.figures is None and (game.model is None or game.model.chart is not None):
        raise ValueError(f"{game.title} has no exact analysis")


@dataclass(frozen=True)
class CoupFigures:
    """Figures of a coup from a fresh shoe; by exchangeability, of any coup if earlier cards are unknown."""

    game: Game
    rules: Any

    @cached_property
    def bets(self) -> tuple[BetOdds, ...]:
        automaton = compile_outcomes(self.game, self.rules, NO_DECISIONS)
        found = chances(automaton, shoe_of(automaton, self.game.decks(self.rules)))
        return tuple(
            BetOdds(bet.name, tuple(_lines(bet, place, found)), bet.kind)
            for place, bet in enumerate(self.game.bets(self.rules))
        )

    @cached_property
    def best_bet(self) -> BetOdds:
        """The bet with the highest return; among equals the one with the lowest deviation."""
        return max(self.bets, key=lambda odds: (odds.returned, -odds.standard_deviation))

    @property
    def best(self) -> PlayFigures:
        return PlayFigures(self.best_bet.bet, self.mean, 1.0, self.best_bet.standard_deviation)

    @property
    def mean(self) -> float:
        return float(self.best_bet.returned - 1)

    @property
    def distribution(self) -> tuple[Bar, ...]:
        return tuple(Bar(float(net), float(chance)) for net, chance in self.best_bet.nets.items())

    @property
    def chart(self) -> None:
        return None

    @property
    def openings(self) -> tuple[Opening, ...]:
        return ()

    @property
    def chance_tables(self) -> dict[str, ChanceTable]:
        return {}


def _lines(bet: Bet, place: int, found: dict[tuple[str, ...], Fraction]) -> Iterator[LineOdds]:
    """Return the lines of a bet's paytable. `found` maps the outcomes of all bets to their probability."""
    likely: defaultdict[str, Fraction] = defaultdict(Fraction)
    for ends, chance in found.items():
        likely[ends[place]] += chance
    return (LineOdds(pay.outcome, likely[pay.outcome], pay.odds) for pay in bet.pays)


@lru_cache(maxsize=16)
def _coup_figures(game: Game, rules: Any) -> CoupFigures:
    return CoupFigures(game, rules)

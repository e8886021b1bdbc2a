"""Exact results, cached between commands part by part."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeVar

from croupier.cache import sources_digest
from croupier.games import games
from croupier.maths.cache_entries import cached
from croupier.maths.exact.compiled_cache import SOURCES
from croupier.maths.exact.coup_figures import figures_of, figures_under, require_analysis
from croupier.play.contract.figures import Bar, BetOdds, ChanceTable, Chart, Figures, Opening, PlayFigures
from croupier.play.contract.game import Game, Table
from croupier.play.contract.rules_text import rules_text

T = TypeVar("T")
LIBRARIES = ("llvmlite", "numba", "numpy")
"""Libraries whose versions are part of the key: another version may round differently."""


def cached_figures_of(table: Table) -> Figures:
    """Return the exact figures of a table, cached where possible.

    Raises ValueError if the game has no exact analysis. Without numba, reading a part that isn't cached
    raises ModuleNotFoundError. A game that isn't registered under its name is never cached, because its
    sources aren't part of the digest.
    """
    if games().get(table.game.name) is not table.game:
        return figures_of(table)
    require_analysis(table.game)
    return _cached_figures(table.game, table.rules)


@dataclass(frozen=True)
class CachedFigures:
    """The figures of a registered game under one set of rules; each part is cached separately."""

    game: Game
    rules: Any

    @cached_property
    def mean(self) -> float:
        return self._part("mean", float, lambda exact: exact.mean)

    @cached_property
    def best(self) -> PlayFigures:
        return self._part("best", PlayFigures, lambda exact: exact.best)

    @cached_property
    def chart(self) -> Chart | None:
        return self._part("chart", Chart | None, lambda exact: exact.chart)

    @cached_property
    def openings(self) -> tuple[Opening, ...]:
        return self._part("openings", tuple[Opening, ...], lambda exact: exact.openings)

    @cached_property
    def bets(self) -> tuple[BetOdds, ...]:
        return self._part("bets", tuple[BetOdds, ...], lambda exact: exact.bets)

    @cached_property
    def distribution(self) -> tuple[Bar, ...]:
        return self._part("distribution", tuple[Bar, ...], lambda exact: exact.distribution)

    @cached_property
    def chance_tables(self) -> dict[str, ChanceTable]:
        return self._part("chance_tables", dict[str, ChanceTable], lambda exact: exact.chance_tables)

    def _part(self, name: str, kind: Any, of: Callable[[Figures], T]) -> T:
        key = (self._key, name)
        return cached(f"{self.game.name}-{name}", key, kind, lambda: of(self._exact))

    @cached_property
    def _exact(self) -> Figures:
        return figures_under(self.game, self.rules)

    @cached_property
    def _key(self) -> tuple[str, ...]:
        versions = map(_version, LIBRARIES)
        return (sources_digest(*SOURCES), sys.version, *versions, rules_text(self.game, self.rules))


def _version(library: str) -> str:
    """Return the installed version, or "" if it isn't installed."""
    try:
        return version(library)
    except PackageNotFoundError:
        return ""


@lru_cache(maxsize=64)
def _cached_figures(game: Game, rules: Any) -> CachedFigures:
    return CachedFigures(game, rules)

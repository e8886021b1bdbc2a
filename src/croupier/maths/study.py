"""Programmatic access to the mathematics of a table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import json

from croupier.games import published_tables
from croupier.maths.exact.cached_figures import cached_figures_of
from croupier.maths.exact.claims import Claim, claims
from croupier.maths.exact.rule_effects import differences
from croupier.maths.reporting.report import Simulated, report
from croupier.maths.simulation.convergence import RunningEstimate, convergence_points, running_estimate
from croupier.maths.simulation.simulate import ProgressCallback, Result, on_threads, prepare, simulate
from croupier.maths.strategies import find_strategy
from croupier.play.contract.figures import Figures
from croupier.play.contract.game import Table
from croupier.play.tables.files import with_rules


@dataclass(frozen=True)
class Study:
    """A table under study. It is immutable, and equal to any other with the same table and rules."""

    table: Table

    @property
    def rules(self) -> Any:
        """The frozen rules record."""
        return self.table.rules

    def with_rules(self, **changes: Any) -> "Study":
        """Return the table under other rules. InvalidTables names the wrong field and what is allowed."""
        return Study(with_rules(self.table, changes))

    def exact(self) -> Figures:
        """Return the exact figures; each part is computed when first read.

        Raises ValueError if the game has no exact analysis.
        """
        return cached_figures_of(self.table)

    def simulate(
        self,
        rounds: int,
        *,
        seed: int | None = None,
        threads: int | None = None,
        strategy: str = "",
        fresh_shoe: bool = False,
        bet: str = "",
        progress: ProgressCallback | None = None,
    ) -> Result:
        """Play a number of rounds with every main bet, or with one side bet, as `croupier simulate` does.

        Raises ValueError for an invalid bet, strategy, chart file, number of rounds or seed, and Refused
        `shoe_empty` if a shoe runs out during a round.
        """
        player = find_strategy(self.table, strategy)
        job = prepare(
            self.table.game, self.rules, player, rounds=rounds, seed=seed, fresh_shoe=fresh_shoe, bet=bet
        )
        return simulate(job, on_threads(threads), progress)

    def published(self) -> tuple[Claim, ...]:
        """Return the published returns, each with the exact one."""
        return claims(self.table, self.exact())

    def report(self, rounds: int = 0, seed: int | None = None, *, command: Sequence[str] = ()) -> str:
        """Return the page of `croupier report` as HTML, with a simulation of that many `rounds`.

        The page shows `command` as the command that reproduces it; the default is derived from the table.
        """
        exact = self.exact()
        simulated = self._simulated(exact, rounds, seed) if rounds else Simulated()
        return report(self.table, exact, simulated, command or [*self._command()])

    def _simulated(self, exact: Figures, rounds: int, seed: int | None) -> Simulated:
        """Simulate the best chart, or the best bet."""
        bet, strategy = ("", "basic") if exact.chart else (exact.best.strategy, "")
        after_chunks: list[RunningEstimate] = []
        found = self.simulate(
            rounds,
            seed=seed,
            strategy=strategy,
            fresh_shoe=True,
            progress=lambda result: after_chunks.append(running_estimate(result, bet)),
        )
        points = convergence_points(found.job, bet, after_chunks) if after_chunks else ()
        return Simulated(found.seed, points)

    def _command(self) -> Iterator[str]:
        yield from ("croupier", "report", self.table.id)
        for field, (_, value) in differences(published_tables().get(self.table.id, self.table), self.table):
            yield from ("--set", f"{field}={json.encode(value).decode()}")


def studies() -> dict[str, Study]:
    """Return the published tables by id."""
    return {name: Study(table) for name, table in published_tables().items()}

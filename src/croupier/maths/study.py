"""A table as an object of study: the same mathematics as the commands, for programs."""

from dataclasses import dataclass
from typing import Any

from croupier.games import published_tables
from croupier.maths.claims import Claim, claims
from croupier.maths.coup_figures import figures_of
from croupier.maths.plots import Running
from croupier.maths.report import report
from croupier.maths.simulate import Progress, Result, job, on_threads, simulate
from croupier.maths.strategies import known_or_read
from croupier.play.figures import Figures
from croupier.play.game import Table
from croupier.play.variants import with_rules


@dataclass(frozen=True)
class Study:
    """Immutable; equal where table and rules are."""

    table: Table

    @property
    def rules(self) -> Any:
        """The frozen rules record."""
        return self.table.rules

    def with_rules(self, **changes: Any) -> "Study":
        """The table under other rules. WrongTables names the field and what is allowed."""
        return Study(with_rules(self.table, changes))

    def exact(self) -> Figures:
        """What is known exactly; each part is worked out when it is first asked for.

        ValueError when the game has no exact analysis.
        """
        return figures_of(self.table)

    def simulate(
        self,
        rounds: int,
        *,
        seed: int | None = None,
        threads: int | None = None,
        strategy: str = "",
        fresh_shoe: bool = False,
        bet: str = "",
        progress: Progress | None = None,
    ) -> Result:
        """Plays so many rounds of every main bet, or of one side bet: as `croupier simulate` does it.

        ValueError for a bet, a strategy, a chart file, a number of rounds or a seed that can't be. Refused
        `shoe_empty` when a shoe ran out before its round had ended.
        """
        player = known_or_read(self.table, strategy)
        work = job(
            self.table.game, self.rules, player, rounds=rounds, seed=seed, fresh_shoe=fresh_shoe, bet=bet
        )
        return simulate(work, on_threads(threads), progress)

    def published(self) -> tuple[Claim, ...]:
        """The returns that the table's rules publish, each beside the exact one."""
        return claims(self.table, self.exact())

    def report(self, rounds: int = 0, seed: int | None = None) -> str:
        """The page that `croupier report` writes, as HTML; `rounds`: with a simulation of so many."""
        running: list[Running] = []
        exact = self.exact()
        bet, strategy = ("", "basic") if exact.chart else (exact.best.strategy, "")

        def note(result: Result) -> None:
            found = result.of(bet)
            running.append(Running(found.rounds, found.return_per_initial_stake, found.standard_error))

        if rounds:
            self.simulate(rounds, seed=seed, strategy=strategy, fresh_shoe=True, progress=note)
        return report(self.table, exact, running)


def studies() -> dict[str, Study]:
    """The published tables by their ids."""
    return {name: Study(table) for name, table in published_tables().items()}

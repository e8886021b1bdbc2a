"""The one coup that everybody at a live table shares: nobody decides, so there is one path."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import lcm
from typing import Any, NoReturn, Self

from croupier.play.contract.bets import Bet, Settled, Wager
from croupier.play.contract.live import Decided, Path, Stakes
from croupier.play.contract.wants import Answer, Decision
from croupier.play.coup.coup import Coup, Telling, came_up, settled


@dataclass(frozen=True)
class SharedCoup:
    """`coup` has the unit on every bet that somebody laid."""

    coup: Coup
    unit_minor: int

    @property
    def rounds(self) -> Mapping[Path, Coup]:
        return {(): self.coup}

    @property
    def open(self) -> Mapping[Path, tuple[Decision, ...]]:
        return {}

    @property
    def asking(self) -> Coup | None:
        return None if self.coup.ended else self.coup

    def answered(self, answer: Answer) -> Self:
        return replace(self, coup=self.coup.answer(self.coup.wants()[0], answer))

    def forked(self, window: Mapping[Path, Collection[Decided]]) -> Self:
        assert not window, "nobody decides anything in a coup"
        return self

    def asks(self, want: Decision, stakes: Stakes) -> NoReturn:
        raise AssertionError(f"{want} is no want of a coup: nobody with {stakes} decides")

    def priced(self, want: Decision, stakes: Stakes) -> NoReturn:
        raise AssertionError(f"{want} is no want of a coup: nobody with {stakes} decides")

    def parts(self, path: Path) -> dict[str, tuple[Settled, ...]]:
        assert path == (), f"a coup has no path {path}"
        return {line.bet: (line,) for line in settled(self.coup)}

    def even(self, path: Path, stake_minor: int) -> Coup:
        """Once the coup has ended, with a stake on every bet that returns something; before it with none.

        What everybody sees stays small, however many bets the layout has.
        """
        bets = came_up(self.coup) if self.coup.ended else ()
        return self.own(path, [Wager(0, bet, stake_minor) for bet, _ in bets])

    def own(self, path: Path, wagers: Sequence[Wager]) -> Coup:
        assert path == (), f"a coup has no path {path}"
        return replace(self.coup, wagers=tuple(wagers))


def gathered(telling: Telling, rules: Any, wagers: Iterable[Wager]) -> SharedCoup:
    """The coup of all these wagers, before anything has come up."""
    bets = telling.bets(rules)
    laid, unit_minor = {wager.bet for wager in wagers}, unit(bets)
    units = tuple(Wager(0, bet.name, unit_minor) for bet in bets if bet.name in laid)
    return SharedCoup(Coup(telling, rules, units), unit_minor)


def unit(bets: Iterable[Bet]) -> int:
    """The least stake of which nothing is rounded."""
    return lcm(*(pay.odds.staked for bet in bets for pay in bet.pays))

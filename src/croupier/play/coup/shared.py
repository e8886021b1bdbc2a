"""The one coup that everybody at a live table shares: nobody decides, so there is one path."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import lcm
from typing import Any, NoReturn, Self

from croupier.play.contract.bets import Bet, Settled, Wager
from croupier.play.contract.live import ActionsByHand, Path, StakesByBet
from croupier.play.contract.wants import Answer, Decision
from croupier.play.coup.coup import Coup, CoupDefinition, lines_hit, settle


@dataclass(frozen=True)
class SharedCoup:
    """`coup` has the unit on every bet that somebody laid."""

    coup: Coup
    unit_minor: int

    @property
    def rounds(self) -> Mapping[Path, Coup]:
        return {(): self.coup}

    @property
    def open_decisions(self) -> Mapping[Path, tuple[Decision, ...]]:
        return {}

    @property
    def next_to_deal(self) -> Coup | None:
        return None if self.coup.ended else self.coup

    def answer(self, answer: Answer) -> Self:
        return replace(self, coup=self.coup.answer(self.coup.wants()[0], answer))

    def fork(self, window: Mapping[Path, Collection[ActionsByHand]]) -> Self:
        assert not window, "nobody decides anything in a coup"
        return self

    def applies(self, want: Decision, stakes: StakesByBet) -> NoReturn:
        raise AssertionError(f"{want} is no want of a coup: nobody with {stakes} decides")

    def price(self, want: Decision, stakes: StakesByBet) -> NoReturn:
        raise AssertionError(f"{want} is no want of a coup: nobody with {stakes} decides")

    def unit_settlement(self, path: Path) -> dict[str, tuple[Settled, ...]]:
        assert path == (), f"a coup has no path {path}"
        return {line.bet: (line,) for line in settle(self.coup)}

    def round_at_stake(self, path: Path, stake_minor: int) -> Coup:
        """Once the coup has ended, with a stake on every bet that returns something; before it with none.

        What everybody sees stays small, however many bets the layout has.
        """
        bets = lines_hit(self.coup) if self.coup.ended else ()
        return self.round_for(path, [Wager(0, bet, stake_minor) for bet, _ in bets])

    def round_for(self, path: Path, wagers: Sequence[Wager]) -> Coup:
        assert path == (), f"a coup has no path {path}"
        return replace(self.coup, wagers=tuple(wagers))


def share(definition: CoupDefinition, rules: Any, wagers: Iterable[Wager]) -> SharedCoup:
    """The coup of all these wagers, before anything has come up."""
    bets = definition.bets(rules)
    laid, unit_minor = {wager.bet for wager in wagers}, unit_stake(bets)
    units = tuple(Wager(0, bet.name, unit_minor) for bet in bets if bet.name in laid)
    return SharedCoup(Coup(definition, rules, units), unit_minor)


def unit_stake(bets: Iterable[Bet]) -> int:
    """The least stake of which nothing is rounded."""
    return lcm(*(pay.odds.staked for bet in bets for pay in bet.pays))

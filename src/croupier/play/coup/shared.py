"""The coup that all players of a live table share. Without decisions there is one path only."""

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
    """A coup that all players of a live table share.

    `coup` has the unit stake on every bet that any player placed.
    """

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
        assert not window, "a coup has no decisions"
        return self

    def applies(self, want: Decision, stakes: StakesByBet) -> NoReturn:
        raise AssertionError(f"a coup has no decisions: {want}, {stakes}")

    def price(self, want: Decision, stakes: StakesByBet) -> NoReturn:
        raise AssertionError(f"a coup has no decisions: {want}, {stakes}")

    def unit_settlement(self, path: Path) -> dict[str, tuple[Settled, ...]]:
        assert path == (), f"a coup has no path {path}"
        return {line.bet: (line,) for line in settle(self.coup)}

    def round_at_stake(self, path: Path, stake_minor: int) -> Coup:
        """Return the ended coup with the stake on every bet that returns something, or no bets before.

        So the shared view stays small, whatever the number of bets on the layout.
        """
        bets = lines_hit(self.coup) if self.coup.ended else ()
        return self.round_for(path, [Wager(0, bet, stake_minor) for bet, _ in bets])

    def round_for(self, path: Path, wagers: Sequence[Wager]) -> Coup:
        assert path == (), f"a coup has no path {path}"
        return replace(self.coup, wagers=tuple(wagers))


def share(definition: CoupDefinition, rules: Any, wagers: Iterable[Wager]) -> SharedCoup:
    """Return the coup of all these wagers, before its first result."""
    bets = definition.bets(rules)
    placed, unit_minor = {wager.bet for wager in wagers}, unit_stake(bets)
    units = tuple(Wager(0, bet.name, unit_minor) for bet in bets if bet.name in placed)
    return SharedCoup(Coup(definition, rules, units), unit_minor)


def unit_stake(bets: Iterable[Bet]) -> int:
    """Return the smallest stake whose payouts need no rounding."""
    return lcm(*(pay.odds.staked for bet in bets for pay in bet.pays))

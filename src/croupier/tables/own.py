"""The round of an own table: one player, one currency, a fresh shoe each round, no time limits.

Pure: the cards come from the shoe, the balance is an argument, and every change is a new value.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from croupier.equipment.rng import RandomSource
from croupier.play.contract.bets import Settled, Wager
from croupier.play.contract.game import Table
from croupier.play.contract.wants import At, Choice, Decision
from croupier.play.driving.dealing import DealtRound, RoundStep
from croupier.play.driving.sources import fresh_source
from croupier.refusal import Refused
from croupier.tables.game_number import game_number
from croupier.tables.limits import check_limits


@dataclass(frozen=True, slots=True)
class OwnRound:
    """A round at an own table, from the stakes to the settlement."""

    id: str
    table: Table
    currency: str
    started_ms: int
    wagers: tuple[Wager, ...]
    deal: DealtRound[Any]

    @property
    def number(self) -> str:
        return game_number(self.id)

    @property
    def turn(self) -> int:
        """The number of the open decision, which only grows within a round."""
        return len(self.deal.steps)

    @property
    def ended(self) -> bool:
        return bool(self.deal.round.ended)

    @property
    def staked_minor(self) -> int:
        return int(self.deal.round.staked_minor)

    @property
    def settled(self) -> tuple[Settled, ...]:
        """The settlement of each stake; empty until the round has ended."""
        return self.table.game.settle(self.deal.round) if self.ended else ()

    @property
    def returned_minor(self) -> int:
        return sum(line.returned_minor for line in self.settled)

    def steps_since(self, before: "OwnRound | None") -> tuple[RoundStep, ...]:
        """Return the steps that follow `before`, an earlier state of the same round."""
        return self.deal.steps[len(before.deal.steps) if before else 0 :]

    def after_decision(self, to: At, choice: Choice, balance_minor: int) -> Self:
        """Return the round after the player's decision; Refused if it isn't offered.

        If the balance doesn't cover the decision, the table's rule decides instead.
        """
        after = self._after(to, choice)
        more_minor = after.staked_minor - self.staked_minor
        if more_minor > balance_minor and self.table.game.live:
            return self.after_uncovered(to, choice)
        check_covered(more_minor, balance_minor)
        return after

    def after_uncovered(self, to: At, choice: Choice) -> Self:
        """Return the round after the auto-decision that replaces an uncovered choice (003)."""
        return self._auto(self.deal.decision_at(to), choice.action)

    def played_out(self) -> Self:
        """Return the round played to its end, with the time-out decisions of a live table."""
        left = self
        while not left.ended:
            want = left.deal.round.wants()[0]
            assert isinstance(want, Decision), "cards are dealt until a decision is wanted"
            left = left._auto(want)
        return left

    def _auto(self, want: Decision, uncovered: str = "") -> Self:
        live = self.table.game.live
        assert live is not None, f"{self.table.game.name} has no auto-decisions"
        return self._after(want.to, live.default_choice(self.deal.round, want, uncovered))

    def _after(self, to: At, choice: Choice) -> Self:
        return replace(self, deal=self.deal.decide(to, choice))

    def replayed(self, record: Iterable[str]) -> Self:
        """Return the round after the recorded steps; Refused if they don't match the shoe and the stakes."""
        return replace(self, deal=self.deal.restore(record))


def place_stakes(
    round_id: str, table: Table, currency: str, wagers: Sequence[Wager], draws: RandomSource, started_ms: int
) -> OwnRound:
    """Return a round before its first card; Refused for a stake outside the limits or a bet not offered."""
    check_limits(table, currency, wagers)
    round_ = table.game.start(table.rules, wagers)
    deal = DealtRound(round_, fresh_source(round_.wants(), table.game.decks(table.rules), draws))
    return OwnRound(round_id, table, currency, started_ms, tuple(wagers), deal)


def deal_opening(round_: OwnRound, balance_minor: int) -> OwnRound:
    """Deal until the first decision; Refused if the balance doesn't cover the stakes."""
    check_covered(round_.staked_minor, balance_minor)
    return replace(round_, deal=round_.deal.deal())


def check_covered(needed_minor: int, balance_minor: int) -> None:
    if needed_minor > balance_minor:
        raise Refused("not_covered", needed_minor=needed_minor, balance_minor=balance_minor)

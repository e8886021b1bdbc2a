"""A coup: a round without decisions. Bets are placed, something comes up, every bet is settled.

A game of coups supplies a CoupDefinition; the round, its settlement and the shared deal of live tables
are the same for all of them.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple, Self

from croupier.play.contract.bets import Bet, Pay, Settled, Wager
from croupier.play.contract.wants import Answer, At, Want
from croupier.refusal import Refused


class CoupStep(NamedTuple):
    """A result and its place: a card for a hand, a pocket of the wheel, the faces of the dice."""

    to: At
    answer: Answer


CoupSteps = tuple[CoupStep, ...]
"""Everything that has come up, in dealing order."""


def all_cards_distinct(_rules: Any) -> tuple[str, ...]:
    """Return no groups: every card is distinct."""
    return ()


def all_steps(_rules: Any, dealt: CoupSteps) -> Hashable:
    """Return all steps: all of them matter."""
    return dealt


@dataclass(frozen=True, eq=False)
class CoupDefinition:
    """The functions that define a game of coups. `Any` is the game's own rules record."""

    bets: Callable[[Any], tuple[Bet, ...]]
    wanted: Callable[[Any, CoupSteps], Want | None]
    """The next want; None once the coup has ended."""
    outcome: Callable[[Any, str, CoupSteps], str | None]
    """The paytable line that a bet hits in an ended coup; None if it is lost."""
    result: Callable[[Any, CoupSteps], str]
    """The result of an ended coup as a word, for the lobby and the boards."""
    rank_groups: Callable[[Any], tuple[str, ...]] = all_cards_distinct
    """The ranks, grouped if no bet distinguishes them, regardless of suit; (): suits matter too."""
    state_key: Callable[[Any, CoupSteps], Hashable] = all_steps
    """Deals with equal keys have the same future for every bet."""


@dataclass(frozen=True, slots=True)
class Coup:
    definition: CoupDefinition
    rules: Any
    wagers: tuple[Wager, ...]
    dealt: CoupSteps = ()

    def wants(self) -> tuple[Want, ...]:
        want = self.definition.wanted(self.rules, self.dealt)
        return () if want is None else (want,)

    def answer(self, want: Want, answer: Answer) -> Self:
        """Return the coup after `answer`; Refused if it isn't wanted or doesn't fit."""
        if want not in self.wants():
            raise Refused("not_wanted", want=type(want).__name__, to=str(want.to))
        try:
            fits = want.parse(str(answer)) == answer
        except (ValueError, KeyError):
            fits = False
        if not fits:
            raise Refused("wrong_answer", want=type(want).__name__, answer=type(answer).__name__)
        return replace(self, dealt=(*self.dealt, CoupStep(want.to, answer)))

    @property
    def ended(self) -> bool:
        return not self.wants()

    @property
    def staked_minor(self) -> int:
        return sum(wager.stake_minor for wager in self.wagers)


def start(definition: CoupDefinition, rules: Any, wagers: Sequence[Wager]) -> Coup:
    """Return a coup before its first result; Refused like `check_wagers`."""
    check_wagers(definition, rules, wagers)
    return Coup(definition, rules, tuple(wagers))


def check_wagers(definition: CoupDefinition, rules: Any, wagers: Sequence[Wager]) -> None:
    """Refuse an empty bet, an unknown bet, a bet placed twice, and a box other than 0."""
    if not wagers:
        raise Refused("no_bet")
    offered = _paytables(definition, rules)
    placed: set[str] = set()
    for box, bet, stake_minor in wagers:
        if bet not in offered:
            raise Refused("no_such_bet", bet=bet)
        if box:
            raise Refused("no_such_box", rule="boxes", box=box, boxes=1)
        if bet in placed:
            raise Refused("placed_twice", bet=bet, box=box)
        if stake_minor < 1:
            raise Refused("no_stake", bet=bet, box=box)
        placed.add(bet)


def settle(coup: Coup) -> tuple[Settled, ...]:
    """Return one line for each stake of an ended coup, in the order of the wagers."""
    return tuple(_line(wager, _line_hit(coup, wager.bet)) for wager in coup.wagers)


def _line(wager: Wager, pay: Pay | None) -> Settled:
    stake = wager.stake_minor
    if pay is None:
        return Settled(wager.box, 0, wager.bet, stake, 0, "lost")
    return Settled(wager.box, 0, wager.bet, stake, stake + pay.odds.winnings(stake), pay.outcome)


def _line_hit(coup: Coup, bet: str) -> Pay | None:
    """Return the line of a bet's paytable that came up."""
    outcome = coup.definition.outcome(coup.rules, bet, coup.dealt)
    return None if outcome is None else _paytables(coup.definition, coup.rules)[bet][outcome]


@cache
def _paytables(definition: CoupDefinition, rules: Any) -> Mapping[str, Mapping[str, Pay]]:
    """Return the paytable lines of all bets, by bet and outcome."""
    return {bet.name: {pay.outcome: pay for pay in bet.pays} for bet in definition.bets(rules)}


def lines_hit(coup: Coup) -> Iterator[tuple[str, Pay]]:
    """Yield each bet of the table that returns something, placed or not, with the line that came up."""
    for bet in coup.definition.bets(coup.rules):
        if pay := _line_hit(coup, bet.name):
            yield bet.name, pay

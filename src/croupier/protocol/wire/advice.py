"""Types of the HTTP API for advice and training."""

from typing import Annotated

from msgspec import Meta, Struct

from croupier.protocol.wire.base import Identifier, SmallInt

Turn = Annotated[int, Meta(ge=0, le=2**31)]


class AdviceRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Request for advice on an open decision. `turn` is the round's, as in Decide."""

    round: Identifier
    turn: Turn
    box: SmallInt
    hand: SmallInt


class OptionValue(Struct, frozen=True):
    """Expected net result of an option, followed by optimal play."""

    action: str
    worth: float
    """In initial stakes, rounded to a millionth: -0.5 is a loss of half the stake."""


class DecisionAdvice(Struct, frozen=True):
    """Values of the available options, computed from the cards that the player sees."""

    round: str
    turn: int
    box: int
    hand: int
    best: str
    options: tuple[OptionValue, ...]


class ReviewRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Request to review a decision. `turn` is that of its Decide."""

    round: Identifier
    turn: Turn


class TrainingTotals(Struct, frozen=True):
    """Totals of reviewed decisions. `cost` is the total cost of mistakes, in initial stakes."""

    decisions: int = 0
    mistakes: int = 0
    cost: float = 0.0


class DecisionReview(Struct, frozen=True):
    """Comparison of a decision with the best one."""

    round: str
    turn: int
    box: int
    hand: int
    action: str
    best: str
    cost: float
    """Value of the best option minus that of the chosen one; 0: the decision was optimal."""
    advised: bool
    """True if the player had asked for advice; the decision then isn't counted."""
    options: tuple[OptionValue, ...]
    total: TrainingTotals


class TrainingLine(Struct, frozen=True):
    """Totals of one kind of decision at one table."""

    table: str
    title: str
    kind: str
    kind_title: str
    total: TrainingTotals


class Mistake(Struct, frozen=True):
    """A suboptimal decision."""

    round: str
    at_ms: int
    table: str
    title: str
    hand: str
    """The hand and the upcard, such as `A-7 against 6`."""
    action: str
    best: str
    cost: float


class TrainingRecord(Struct, frozen=True):
    """Training record of a player: totals, and the costliest mistakes."""

    total: TrainingTotals
    advised: int
    lines: tuple[TrainingLine, ...]
    worst: tuple[Mistake, ...]
    """Costliest first."""

"""Pages about advice: what a decision is worth, and what a player's own decisions cost."""

from typing import Annotated

from msgspec import Meta, Struct

from croupier.protocol.wire.base import Identifier, SmallInt

Turn = Annotated[int, Meta(ge=0, le=2**31)]


class AdviceRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A decision that is open, to be advised on. `turn` is the round's, as in Decide."""

    round: Identifier
    turn: Turn
    box: SmallInt
    hand: SmallInt


class OptionValue(Struct, frozen=True):
    """What an option nets on average when the hand is played on at its best."""

    action: str
    worth: float
    """In initial stakes, rounded to a millionth: -0.5 loses half of the stake."""


class DecisionAdvice(Struct, frozen=True):
    """What each option on offer is worth, worked out from the cards that the player sees."""

    round: str
    turn: int
    box: int
    hand: int
    best: str
    options: tuple[OptionValue, ...]


class ReviewRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A decision that the player has made, to be judged. `turn` is the one of its Decide."""

    round: Identifier
    turn: Turn


class TrainingTotals(Struct, frozen=True):
    """Decisions of one's own. `cost` is what the mistakes cost, in initial stakes."""

    decisions: int = 0
    mistakes: int = 0
    cost: float = 0.0


class DecisionReview(Struct, frozen=True):
    """A decision that was made, beside the best one."""

    round: str
    turn: int
    box: int
    hand: int
    action: str
    best: str
    cost: float
    """The best option's worth less that of the one chosen; 0: there was no better one."""
    advised: bool
    """Advice had been asked for: the decision counts neither as right nor as a mistake."""
    options: tuple[OptionValue, ...]
    total: TrainingTotals


class TrainingLine(Struct, frozen=True):
    """Decisions of one kind at one table."""

    table: str
    title: str
    kind: str
    kind_title: str
    total: TrainingTotals


class Mistake(Struct, frozen=True):
    """A decision that cost something."""

    round: str
    at_ms: int
    table: str
    title: str
    hand: str
    """What was decided about, such as `A-7 against 6`."""
    action: str
    best: str
    cost: float


class TrainingRecord(Struct, frozen=True):
    """The player's decisions that were judged, and the mistakes that cost most."""

    total: TrainingTotals
    advised: int
    lines: tuple[TrainingLine, ...]
    worst: tuple[Mistake, ...]
    """The costliest first."""

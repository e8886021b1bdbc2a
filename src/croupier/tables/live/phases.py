"""The phases of a round and their transitions, which the machine asserts and the manual shows."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

Phase = Literal[
    "closed",
    "shuffling",
    "opening",
    "betting",
    "warning",
    "no_more_bets",
    "dealing",
    "offer",
    "decisions",
    "dealer",
    "settlement",
    "pause",
]
Light = Literal["green", "yellow", "red"]


class Transition(NamedTuple):
    """A transition and its cause, in words."""

    before: Phase
    after: Phase
    why: str


TRANSITIONS = tuple(
    Transition(*line)
    for line in (
        ("closed", "shuffling", "the manager opens the table"),
        ("closed", "opening", "the manager opens a table without a shoe"),
        ("shuffling", "opening", "the next shoe is shuffled"),
        ("shuffling", "closed", "the manager has closed the table"),
        ("opening", "betting", "the round has its id"),
        ("opening", "closed", "the manager has closed the table"),
        ("betting", "warning", "the last seconds begin"),
        ("warning", "no_more_bets", "the time is up"),
        ("no_more_bets", "opening", "nobody has bet"),
        ("no_more_bets", "closed", "nobody has bet, and the manager has closed the table"),
        ("no_more_bets", "dealing", "every stake is held"),
        ("dealing", "offer", "an offer is open"),
        ("dealing", "decisions", "a decision is open"),
        ("dealing", "dealer", "nobody has anything to decide"),
        ("dealing", "settlement", "the round has ended"),
        ("offer", "dealing", "the window has closed, and the dealer peeks"),
        ("offer", "decisions", "the window has closed, and the dealer does not peek"),
        ("offer", "dealer", "the window has closed, and nobody has anything to decide"),
        ("decisions", "dealing", "the window has closed, and cards are to be dealt"),
        ("decisions", "decisions", "the window has closed, and the next hand decides"),
        ("decisions", "dealer", "the window has closed, and nobody has anything to decide"),
        ("decisions", "settlement", "the window has closed, and the round has ended"),
        ("dealer", "settlement", "the round has ended"),
        ("settlement", "pause", "every stake is settled"),
        ("pause", "opening", "the time is up"),
        ("pause", "shuffling", "the time is up, and the cut card was out"),
        ("pause", "closed", "the time is up, and the manager has closed the table"),
    )
)
ROUND_PHASES: tuple[Phase, ...] = (
    "betting",
    "warning",
    "no_more_bets",
    "dealing",
    "offer",
    "decisions",
    "dealer",
    "settlement",
)
"""The phases in which a round may be voided; the pause follows."""
DEALT_PHASES: tuple[Phase, ...] = ("dealing", "offer", "decisions", "dealer", "settlement")
"""The phases in which a card may be corrected; the cards determine the next phase."""
WINDOW_PHASES: tuple[Phase, ...] = ("offer", "decisions")
BETTING_PHASES: tuple[Phase, ...] = ("betting", "warning")

_ALLOWED = frozenset((line.before, line.after) for line in TRANSITIONS)
_LIGHTS: dict[Phase, Light] = {"betting": "green", "warning": "yellow"}


def light(phase: Phase, paused: str) -> Light:
    """Return green while bets are open, yellow for the last seconds, red when they are closed."""
    return "red" if paused else _LIGHTS.get(phase, "red")


def is_allowed(before: Phase, after: Phase) -> bool:
    """Return whether this is a transition of the table, of a void or of a correction."""
    voided = before in ROUND_PHASES and after == "pause"
    corrected = before in DEALT_PHASES and after in DEALT_PHASES
    return (before, after) in _ALLOWED or voided or corrected


def mermaid_lines() -> Iterator[str]:
    """Yield the Mermaid source of the diagram in the manual."""
    yield "stateDiagram-v2"
    for before, after, why in TRANSITIONS:
        yield f"    {before} --> {after}: {why}"

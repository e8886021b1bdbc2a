"""The phases of a round, and which follows which: the machine is held to it, and the manual shows it."""

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
    "insurance",
    "decisions",
    "dealer",
    "settlement",
    "pause",
]
Light = Literal["green", "yellow", "red"]


class Transition(NamedTuple):
    """From a phase to the next, and why, in words."""

    before: Phase
    after: Phase
    why: str


TRANSITIONS = tuple(
    Transition(*line)
    for line in (
        ("closed", "shuffling", "the manager opens the table"),
        ("closed", "opening", "the manager opens the table, which has a wheel or dice and no shoe"),
        ("shuffling", "opening", "the shoe whose turn it is has been shuffled"),
        ("shuffling", "closed", "the manager has closed the table"),
        ("opening", "betting", "the round has its id"),
        ("opening", "closed", "the manager has closed the table"),
        ("betting", "warning", "the last seconds begin"),
        ("warning", "no_more_bets", "the time is up"),
        ("no_more_bets", "opening", "nobody has bet"),
        ("no_more_bets", "closed", "nobody has bet, and the manager has closed the table"),
        ("no_more_bets", "dealing", "every stake is held"),
        ("dealing", "insurance", "an offer is open"),
        ("dealing", "decisions", "a decision is open"),
        ("dealing", "dealer", "nobody has anything to decide"),
        ("dealing", "settlement", "the round has ended"),
        ("insurance", "dealing", "the window has closed, and the dealer looks"),
        ("insurance", "decisions", "the window has closed, and nobody looks"),
        ("insurance", "dealer", "the window has closed, and nobody has anything to decide"),
        ("decisions", "dealing", "the window has closed, and cards are owed"),
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
    "insurance",
    "decisions",
    "dealer",
    "settlement",
)
"""From these a round may be voided: the pause follows."""
DEALT_PHASES: tuple[Phase, ...] = ("dealing", "insurance", "decisions", "dealer", "settlement")
"""In these a card may be corrected: the phase follows from the cards."""
WINDOW_PHASES: tuple[Phase, ...] = ("insurance", "decisions")
BETTING_PHASES: tuple[Phase, ...] = ("betting", "warning")

_ALLOWED = frozenset((line.before, line.after) for line in TRANSITIONS)
_LIGHTS: dict[Phase, Light] = {"betting": "green", "warning": "yellow"}


def light(phase: Phase, paused: str) -> Light:
    """Green: bets are open; yellow: for some seconds more; red: they are closed."""
    return "red" if paused else _LIGHTS.get(phase, "red")


def follows(before: Phase, after: Phase) -> bool:
    """Whether the table has this transition, or a void or a correction makes it."""
    voided = before in ROUND_PHASES and after == "pause"
    corrected = before in DEALT_PHASES and after in DEALT_PHASES
    return (before, after) in _ALLOWED or voided or corrected


def drawn() -> Iterator[str]:
    """The lines of the manual's picture, for a drawing program that reads Mermaid."""
    yield "stateDiagram-v2"
    for before, after, why in TRANSITIONS:
        yield f"    {before} --> {after}: {why}"

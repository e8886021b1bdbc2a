"""What people are told: everybody at the table, or one player."""

from msgspec import Struct

from croupier.play.contract.bets import Settled
from croupier.play.contract.live import Path
from croupier.play.contract.wants import At
from croupier.tables.live.phases import Light, Phase


class ResolvedDecision(Struct, frozen=True, gc=False):
    """A decision, and who made it: the player (`ahead` of his turn), or the table for him."""

    at: At
    action: str
    stake_minor: int | None
    cost_minor: int
    by: str
    """`player`, `ahead`, `time_out`, `low_balance` (the player's wasn't covered)."""


# --- everybody


class PhaseEntered(Struct, frozen=True, tag="entered"):
    """A phase begins. `deadline_ms`: by the server's clock; None where nobody is waited for by the clock."""

    phase: Phase
    light: Light
    deadline_ms: int | None
    round: str
    number: str


class StepShown(Struct, frozen=True, tag="shown"):
    """What came up, as a record writes it: `0.0 KS`, `dealer down`, `wheel 17`, `dice 1-3-6`.

    `paths`: where all share one deal, those to whose hands it came; empty: to everybody.
    """

    step: str
    paths: tuple[Path, ...] = ()


class SeatOccupied(Struct, frozen=True, tag="seat_taken"):
    seat: int
    player: str


class SeatVacated(Struct, frozen=True, tag="seat_left"):
    seat: int


class HandDecided(Struct, frozen=True, tag="hand_decided"):
    """At a table of seats: what a hand does. `by`: see Made."""

    at: At
    action: str
    by: str


class Notice(Struct, frozen=True, tag="notice"):
    """What all must be told: `paused`, `resumed`, `restarted`, `voided`, `corrected`, `no_spin`, `limits`."""

    what: str
    reason: str


class SeatsSettled(Struct, frozen=True, tag="seats_settled"):
    """At a table of seats: what every stake returned."""

    lines: tuple[Settled, ...]


TableEvent = PhaseEntered | StepShown | SeatOccupied | SeatVacated | HandDecided | Notice | SeatsSettled


# --- one player


class BetAccepted(Struct, frozen=True, gc=False, tag="bet_stands"):
    """The bet that counts now. `at_maximum`: the bets that were stopped at their maximum."""

    staked_minor: int
    at_maximum: tuple[str, ...]


class BetNotCovered(Struct, frozen=True, gc=False, tag="bet_not_covered"):
    """The balance didn't cover the change: the bet before it stands."""

    staked_minor: int


class DecisionTaken(Struct, frozen=True, gc=False, tag="decision_taken"):
    """What is done for the player's hand; `by` says whose decision it is."""

    made: ResolvedDecision


class DeviceReplaced(Struct, frozen=True, tag="left_for"):
    """To the device that had the table: the player opened it on another."""

    device: str


PlayerNotice = BetAccepted | BetNotCovered | DecisionTaken | DeviceReplaced

"""Messages of a live table: events for everybody at it, notices for one player."""

from msgspec import Struct

from croupier.play.contract.bets import Settled
from croupier.play.contract.live import Path
from croupier.play.contract.wants import At
from croupier.tables.live.phases import Light, Phase


class ResolvedDecision(Struct, frozen=True, gc=False):
    """A decision, made by the player (in time or `ahead` of their turn) or by the table."""

    at: At
    action: str
    stake_minor: int | None
    cost_minor: int
    by: str
    """`player`, `ahead`, `time_out`, or `low_balance`: the balance didn't cover the player's choice."""


# --- events, for everybody


class PhaseEntered(Struct, frozen=True, tag="entered"):
    """A phase begins. `deadline_ms` by the server's clock; None: the phase has no time limit."""

    phase: Phase
    light: Light
    deadline_ms: int | None
    round: str
    number: str


class StepShown(Struct, frozen=True, tag="shown"):
    """A card, spin or roll, as a record writes it: `0.0 KS`, `dealer down`, `wheel 17`, `dice 1-3-6`.

    `paths`: at a shared deal, the paths whose hands receive the card; empty: all of them.
    """

    step: str
    paths: tuple[Path, ...] = ()


class SeatOccupied(Struct, frozen=True, tag="seat_taken"):
    seat: int
    player: str


class SeatVacated(Struct, frozen=True, tag="seat_left"):
    seat: int


class HandDecided(Struct, frozen=True, tag="hand_decided"):
    """The decision of a hand at a table of seats. `by`: see ResolvedDecision."""

    at: At
    action: str
    by: str


class Notice(Struct, frozen=True, tag="notice"):
    """A notice about a live table, to everybody.

    `paused`, `resumed`, `restarted`, `voided`, `corrected`, `no_spin` or `limits`.
    """

    what: str
    reason: str


class SeatsSettled(Struct, frozen=True, tag="seats_settled"):
    """The settlement of every stake at a table of seats."""

    lines: tuple[Settled, ...]


TableEvent = PhaseEntered | StepShown | SeatOccupied | SeatVacated | HandDecided | Notice | SeatsSettled


# --- notices, for one player


class BetAccepted(Struct, frozen=True, gc=False, tag="bet_stands"):
    """The player's bet has changed. `at_maximum`: the bets that were reduced to their maximum."""

    staked_minor: int
    at_maximum: tuple[str, ...]


class BetNotCovered(Struct, frozen=True, gc=False, tag="bet_not_covered"):
    """The balance doesn't cover the change: the earlier bet stands."""

    staked_minor: int


class DecisionTaken(Struct, frozen=True, gc=False, tag="decision_taken"):
    """The decision for the player's hand."""

    decision: ResolvedDecision


class DeviceReplaced(Struct, frozen=True, tag="left_for"):
    """Sent to the player's earlier device: the table is open on another one."""

    device: str


PlayerNotice = BetAccepted | BetNotCovered | DecisionTaken | DeviceReplaced

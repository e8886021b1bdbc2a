"""The inputs of a live table: a record of them replays to the same table.

An input has no time: it comes beside the input, from the server's clock. The tag `t` of an input is part of
the record, so it outlives the name of its class.
"""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from croupier.play.contract.amounts import StakeLimits
from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import At

ReasonText = Annotated[str, Meta(min_length=1, max_length=200)]


class Input(
    Struct, frozen=True, tag_field="t", tag=str.lower, forbid_unknown_fields=True, omit_defaults=True
):
    """The base of all inputs."""


# --- players and seats


class Joined(Input, frozen=True):
    """A player opens the table, returns to it, or opens it on a second device, which replaces the first."""

    player: str
    device: str
    currency: str


class Disconnected(Input, frozen=True):
    """The player's connection is lost. Open bets are returned; later decisions are the table's."""

    player: str
    device: str


class Left(Input, frozen=True):
    """The player leaves. Stakes at risk are played like those of a disconnected player, without waiting."""

    player: str


class SatDown(Input, frozen=True, tag="sat"):
    player: str
    seat: int


class StoodUp(Input, frozen=True):
    player: str
    seat: int


class Restricted(Input, frozen=True):
    """The player's bets are refused from now on because of `rule`; an empty rule allows them again."""

    player: str
    rule: str


# --- bets and decisions


class Placed(Input, frozen=True):
    """The player's complete bet, which replaces the one before; empty takes it back."""

    player: str
    wagers: tuple[Wager, ...]


class Undone(Input, frozen=True):
    """The player takes back the last change of their bet."""

    player: str


class Decided(Input, frozen=True):
    """A decision for a hand. Before the hand's turn, it is kept until then.

    `stake_minor` is set only for less than the full cost. `turn` is the state's turn that the player saw, so
    an answer to one question never counts for the next. Records from before turns were numbered lack it:
    then whichever decision is open is meant.
    """

    player: str
    at: At
    action: str
    stake_minor: int | None = None
    turn: Annotated[int, Meta(ge=0)] | None = None


class HoldReply(Input, frozen=True):
    """The answer to this round's Hold or Raise number `hold`."""

    player: str
    round: str
    hold: int

    @property
    def key(self) -> tuple[str, str, int]:
        return self.player, self.round, self.hold


class HoldPlaced(HoldReply, frozen=True, tag="held"):
    """The money is held."""


class HoldRefused(HoldReply, frozen=True):
    """The player's balance doesn't cover the hold; nothing is held for it."""


# --- the dealer


class Dealt(Input, frozen=True):
    """The answer to a request, as a record writes it: `KS`, `down`, `yes`, `17`, `1-3-6`.

    `ask` is the number of the RequestCard that it answers, so an answer that is sent twice or comes after a
    repeated request doesn't count for the next card; 0: whichever is open.
    """

    what: str
    ask: Annotated[int, Meta(ge=0)] = 0


class SpinInvalid(Input, frozen=True, tag="nospin"):
    """The spin of the ball or the roll of the dice wasn't valid and is repeated (004 2.3)."""


class CutCard(Input, frozen=True):
    """The cut card is out: the last rounds of the shoe begin."""


class Shuffled(Input, frozen=True):
    """Shoe 0 or 1 is complete and shuffled."""

    shoe: int


# --- the server and the manager


class Ticked(Input, frozen=True):
    """The deadline has passed."""


class RoundNamed(Input, frozen=True, tag="named"):
    """The unique id of the round that opens now."""

    round: Annotated[str, Meta(min_length=1)]


class TableOpened(Input, frozen=True, tag="opened"):
    """The manager opens the table."""


class TableClosed(Input, frozen=True, tag="closed"):
    """The manager closes the table at the end of the round."""


class Paused(Input, frozen=True):
    reason: ReasonText


class Resumed(Input, frozen=True):
    """The table continues with the time that was left."""


class Restarted(Input, frozen=True):
    """The server was stopped since the last input; deadlines move by that time."""


class Delayed(Input, frozen=True):
    """The server couldn't take inputs for a while; deadlines move by that time."""

    ms: Annotated[int, Meta(gt=0)]


class Voided(Input, frozen=True):
    """The round is cancelled and every stake is returned."""

    reason: ReasonText


class Corrected(Input, frozen=True):
    """The manager corrects an answer that was entered as `was` into `what`.

    `place` counts the answers since the last window closed, the oldest being 0.
    """

    place: Annotated[int, Meta(ge=0)]
    was: str
    what: str
    reason: ReasonText


class LimitsSet(Input, frozen=True):
    """All limits of the table from the next round on, as Table has them; omitted ones are removed."""

    limits: Mapping[str, StakeLimits]
    side_limits: Mapping[str, StakeLimits]
    kind_limits: Mapping[str, Mapping[str, StakeLimits]] = {}
    table_limits: Mapping[str, StakeLimits] = {}


AnyInput = (
    Joined
    | Disconnected
    | Left
    | SatDown
    | StoodUp
    | Restricted
    | Placed
    | Undone
    | Decided
    | HoldPlaced
    | HoldRefused
    | Dealt
    | SpinInvalid
    | CutCard
    | Shuffled
    | Ticked
    | RoundNamed
    | TableOpened
    | TableClosed
    | Paused
    | Resumed
    | Restarted
    | Delayed
    | Voided
    | Corrected
    | LimitsSet
)

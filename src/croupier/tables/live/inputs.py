"""Everything that happens to a live table. Each input is recorded; played again, they give the same table.

Times aren't in here: they come beside an input, as the server's clock said when it arrived.
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


# --- people


class Joined(Input, frozen=True):
    """A player opens the table, comes back to it, or opens it on a second device: the first is left."""

    player: str
    device: str
    currency: str


class Disconnected(Input, frozen=True):
    """The player's line is down. Before the close his bets come back; after it the table decides for him."""

    player: str
    device: str


class Left(Input, frozen=True):
    """The player goes. What he has at risk is played as if he were disconnected, without waiting for him."""

    player: str


class SatDown(Input, frozen=True, tag="sat"):
    player: str
    seat: int


class StoodUp(Input, frozen=True):
    player: str
    seat: int


class Restricted(Input, frozen=True):
    """From now on his bets are refused, and `rule` says why; empty: they are taken again."""

    player: str
    rule: str


# --- bets and decisions


class Placed(Input, frozen=True):
    """The whole of a player's bet as it is to be now, which replaces the one before; empty takes it back."""

    player: str
    wagers: tuple[Wager, ...]


class Undone(Input, frozen=True):
    """The player's bet as it was before the last change."""

    player: str


class Decided(Input, frozen=True):
    """`stake_minor` only where less than the full cost is staked. Ahead of the hand's turn, it waits for it.

    `turn` is the state's as the player saw it, so that what they said to one question never answers the
    next. Records from before turns were numbered have none: it is whichever is open.
    """

    player: str
    at: At
    action: str
    stake_minor: int | None = None
    turn: Annotated[int, Meta(ge=0)] | None = None


class HoldPlaced(Input, frozen=True, tag="held"):
    """The money of this round's Hold or Raise number `hold` is set aside."""

    player: str
    round: str
    hold: int


class HoldRefused(Input, frozen=True):
    """The player's balance doesn't cover it: nothing was set aside."""

    player: str
    round: str
    hold: int


# --- who deals


class Dealt(Input, frozen=True):
    """The answer to what the table wants, as a record writes it: `KS`, `down`, `yes`, `17`, `1-3-6`.

    `ask` is the number of the WantsCard it answers, so that a card that is sent twice, or for a question
    that was asked anew, isn't taken for the next; 0: whatever is wanted now.
    """

    what: str
    ask: Annotated[int, Meta(ge=0)] = 0


class SpinInvalid(Input, frozen=True, tag="nospin"):
    """The spin of the ball, or the roll of the dice, wasn't valid: it is done again (004 2.3)."""


class CutCard(Input, frozen=True):
    """The cut card is out: this round is the shoe's last."""


class Shuffled(Input, frozen=True):
    """Shoe 0 or 1 lies ready, with all its cards."""

    shoe: int


# --- the floor


class Ticked(Input, frozen=True):
    """Time has passed."""


class RoundNamed(Input, frozen=True, tag="named"):
    """The id of the round that opens now; no other round ever had it."""

    round: Annotated[str, Meta(min_length=1)]


class TableOpened(Input, frozen=True, tag="opened"):
    """The manager opens the table."""


class TableClosed(Input, frozen=True, tag="closed"):
    """The manager closes the table when the round is over."""


class Paused(Input, frozen=True):
    reason: ReasonText


class Resumed(Input, frozen=True):
    """The table goes on, with the time that was left."""


class Restarted(Input, frozen=True):
    """The house was shut since the last input; the time is given back."""


class Voided(Input, frozen=True):
    """The round is cancelled: everything staked goes back."""

    reason: ReasonText


class Corrected(Input, frozen=True):
    """The manager corrects what came up: it was entered as `was`, and in truth was `what`.

    `place`: among the answers since the last window closed, the oldest being 0.
    """

    place: Annotated[int, Meta(ge=0)]
    was: str
    what: str
    reason: ReasonText


class LimitsSet(Input, frozen=True):
    """All limits of the table from the next round on, by currency: see Table. What isn't named has none."""

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
    | Voided
    | Corrected
    | LimitsSet
)

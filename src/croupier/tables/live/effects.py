"""Effects: the work that a step gives its driver, in this order: money, messages, requests.

Money effects carry their idempotency key: a player's `hold` numbers grow by one within a round, and a player
is settled or voided at most once in a round.

Effects that come by the thousand have `gc=False`: values without cycles need no garbage collection.
"""

from collections.abc import Iterable

from msgspec import Struct

from croupier.play.contract.bets import Settled
from croupier.play.contract.wants import Want
from croupier.tables.live.notices import PlayerNotice, ResolvedDecision, TableEvent

# --- money of one player


class Hold(Struct, frozen=True, tag=True, gc=False):
    """Hold more for the player's bet. HoldPlaced or HoldRefused answers.

    `bets_minor` is the whole of the player's bets with this one.
    """

    player: str
    currency: str
    round: str
    hold: int
    amount_minor: int
    bets_minor: int


class Raise(Struct, frozen=True, tag=True, gc=False):
    """Hold more for a decision that costs a stake. HoldPlaced or HoldRefused answers."""

    player: str
    currency: str
    round: str
    hold: int
    amount_minor: int


class Release(Struct, frozen=True, tag=True, gc=False):
    """Release part or all of the held money; the round continues. `hold` shares the numbers of Hold."""

    player: str
    currency: str
    round: str
    hold: int
    amount_minor: int


class Settle(Struct, frozen=True, tag=True, gc=False):
    """Move all that was staked to the table and `returned_minor` to the player. `steps` replay the round."""

    player: str
    currency: str
    round: str
    staked_minor: int
    returned_minor: int
    lines: Iterable[Settled]
    steps: tuple[str, ...]
    decisions: tuple[ResolvedDecision, ...]


class Void(Struct, frozen=True, tag=True, gc=False):
    """Cancel the player's round and return all that was staked."""

    player: str
    currency: str
    round: str
    staked_minor: int
    reason: str


# --- messages


class Broadcast(Struct, frozen=True, tag=True):
    """Send to everybody at the table; `v` grows by one with each."""

    v: int
    what: TableEvent


class Notify(Struct, frozen=True, tag=True, gc=False):
    """Send to one player."""

    player: str
    what: PlayerNotice


class Refusal(Struct, frozen=True, tag=True):
    """Refuse an input, which changed nothing. `player` is empty for the dealer and the manager."""

    player: str
    code: str
    rule: str
    args: dict[str, str | int]


# --- requests


class RequestCard(Struct, frozen=True, tag=True):
    """Ask the dealer for a card, a spin or a roll, in `words` for a person. One Dealt answers, with `ask`."""

    want: Want
    words: str
    ask: int


class RequestRound(Struct, frozen=True, tag=True):
    """Ask for the id of the next round. RoundNamed answers."""


class RequestShuffle(Struct, frozen=True, tag=True):
    """Ask for this shoe to be shuffled. Shuffled answers."""

    shoe: int


MoneyEffect = Hold | Raise | Release | Settle | Void
Effect = MoneyEffect | Broadcast | Notify | Refusal | RequestCard | RequestRound | RequestShuffle

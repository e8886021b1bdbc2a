"""What a driver has to do after a step, in this order: first the money, then the telling, then the asking.

Money effects carry what makes them unique: a player's `hold` numbers go up by one within a round, and a
player is settled or voided at most once in a round. So each can be a key in the books.

What there are thousands of at once has `gc=False`: values without cycles are no work for the collector.
"""

from collections.abc import Iterable

from msgspec import Struct

from croupier.play.contract.bets import Settled
from croupier.play.contract.wants import Want
from croupier.tables.live.notices import PlayerNotice, ResolvedDecision, TableEvent

# --- money, one player


class Hold(Struct, frozen=True, tag=True, gc=False):
    """Set aside more for his bet. To be answered with Held or HoldRefused."""

    player: str
    currency: str
    round: str
    hold: int
    amount_minor: int


class Raise(Struct, frozen=True, tag=True, gc=False):
    """Set aside more for a decision: double, split, insurance. To be answered like Hold."""

    player: str
    currency: str
    round: str
    hold: int
    amount_minor: int


class Release(Struct, frozen=True, tag=True, gc=False):
    """Give back a part, or all, of what is set aside; the round goes on. `hold` counts on with Hold."""

    player: str
    currency: str
    round: str
    hold: int
    amount_minor: int


class Settle(Struct, frozen=True, tag=True, gc=False):
    """All that was staked is the table's, `returned_minor` is the player's. `steps` replay his round."""

    player: str
    currency: str
    round: str
    staked_minor: int
    returned_minor: int
    lines: Iterable[Settled]
    steps: tuple[str, ...]
    made: tuple[ResolvedDecision, ...]


class Void(Struct, frozen=True, tag=True, gc=False):
    """The round is cancelled: all that was staked goes back."""

    player: str
    currency: str
    round: str
    staked_minor: int
    reason: str


# --- telling


class Broadcast(Struct, frozen=True, tag=True):
    """For everybody at the table; `v` is one more with each."""

    v: int
    what: TableEvent


class Notify(Struct, frozen=True, tag=True, gc=False):
    """For one player."""

    player: str
    what: PlayerNotice


class Refusal(Struct, frozen=True, tag=True):
    """What was asked isn't allowed and changed nothing. `player` is empty for who deals and the manager."""

    player: str
    code: str
    rule: str
    args: dict[str, str | int]


# --- asking


class RequestCard(Struct, frozen=True, tag=True):
    """For who deals; `words` say it to a person. To be answered with Dealt, once, under the number `ask`."""

    want: Want
    words: str
    ask: int


class RequestRound(Struct, frozen=True, tag=True):
    """A round is about to open. To be answered with Named."""


class RequestShuffle(Struct, frozen=True, tag=True):
    """This shoe is to be shuffled. To be answered with Shuffled."""

    shoe: int


MoneyEffect = Hold | Raise | Release | Settle | Void
Effect = MoneyEffect | Broadcast | Notify | Refusal | RequestCard | RequestRound | RequestShuffle

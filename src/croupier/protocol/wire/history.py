"""Past rounds, movements and totals of a player, and replays that they share."""

from typing import Literal

from msgspec import Struct

from croupier.protocol.wire.base import RoundEvent, RoundView, Stake


class HistoryLine(Struct, frozen=True):
    """A round in a player's history."""

    round: str
    number: str
    table: str
    title: str
    currency: str
    started_ms: int
    ended_ms: int
    staked_minor: int
    returned_minor: int
    status: Literal["open", "settled", "void", "taken_back"]
    """`taken_back`: the player withdrew all bets before betting closed."""
    receipt: str
    """SEQ:HASH of the journal entry that ended the round, for `croupier verify --receipt`. The hash covers
    all earlier entries. Empty while the round is open."""


class History(Struct, frozen=True):
    """A page of a player's rounds, with totals over all pages."""

    lines: tuple[HistoryLine, ...]
    more: bool
    staked_minor: dict[str, int]
    """By currency, over all matching rounds that have ended, not only this page."""
    returned_minor: dict[str, int]


class HistoryStep(Struct, frozen=True):
    """A step of a round, and the view after it."""

    did: RoundEvent
    view: RoundView
    advised: bool
    """True if the player asked for advice on this decision."""


class HistoryRound(Struct, frozen=True):
    """A round with all of its steps."""

    line: HistoryLine
    stakes: tuple[Stake, ...]
    steps: tuple[HistoryStep, ...]
    versions: dict[str, str]
    shared_ms: int
    """Time from which a link has shown this round to anybody; 0: it isn't shared."""


class StatementEntry(Struct, frozen=True):
    """A movement on a player's account."""

    seq: int
    at_ms: int
    what: Literal[
        "grant",
        "expiry",
        "adjustment",
        "deposit",
        "withdrawal",
        "withdrawal_returned",
        "refund",
        "charge_back",
        "payout_returned",
        "payout_repeated",
        "debt_repaid",
        "stake",
        "taken_back",
        "return",
        "void",
        "bonus_stake",
        "bonus_return",
        "bonus_convert",
        "from_wallet",
        "to_wallet",
    ]
    """`bonus_stake`: bonus money paid what cash didn't cover; `bonus_return`: the bonus got its share of
    what the round returned; `bonus_convert`: the bonus became cash; `from_wallet`: the operator's wallet
    paid a stake; `to_wallet`: it gets what is returned."""
    currency: str
    amount_minor: int
    """Signed: positive amounts increase the balance."""
    balance_minor: int
    round: str
    reason: str
    """Why the operator adjusted the balance; empty for other movements."""


class GameTotals(Struct, frozen=True):
    """Totals of a player's ended rounds of a game in one currency and one period."""

    from_ms: int
    """Start of the period."""
    game: str
    """Empty at a table that the server no longer has."""
    title: str
    """Title of the game; id of a table that the server no longer has."""
    currency: str
    rounds: int
    staked_minor: int
    returned_minor: int


class RoundLink(Struct, frozen=True):
    """A new link to the replay of a round, at `/replay/TOKEN`. The server can't show the token again."""

    token: str
    shared_ms: int


class SharedStep(Struct, frozen=True):
    """A step of a shared round, and the view after it."""

    did: RoundEvent
    view: RoundView


class SharedReplay(Struct, frozen=True):
    """A round that its player shares: all amounts are 0, and other players' hands are left out."""

    table: str
    title: str
    number: str
    started_ms: int
    steps: tuple[SharedStep, ...]

"""What a player's browser may say."""

from typing import Annotated

from msgspec import Meta, Struct

from croupier.server.wire.basis import FromBrowser, Minor, Name, Request, Settings, Small, Stake

STAKES_MOST = 200
"""In one bet: roulette has 161 positions."""


class Following(Struct, frozen=True, forbid_unknown_fields=True):
    """A table the browser has open and the last version it saw (0: none).

    `currency` is the one it plays in there, which a house that was shut meanwhile doesn't know any
    more: what is dealt next would be in another. Empty: whichever the table has.
    """

    table: Name
    v: Annotated[int, Meta(ge=0)] = 0
    currency: Annotated[str, Meta(max_length=40)] = ""


class Hello(FromBrowser, frozen=True, tag="hello"):
    """The first message on a connection, and again after a gap in `v`."""

    protocol: int
    tables: Annotated[tuple[Following, ...], Meta(max_length=4)] = ()


class Join(FromBrowser, frozen=True, tag="join"):
    """Open a table in a currency; answered by `ok` and a `snapshot`."""

    req: Request
    table: Name
    currency: Name


class Leave(FromBrowser, frozen=True, tag="leave"):
    req: Request
    table: Name


class Deal(FromBrowser, frozen=True, tag="deal"):
    """Start a round with these stakes."""

    req: Request
    table: Name
    stakes: Annotated[tuple[Stake, ...], Meta(min_length=1, max_length=STAKES_MOST)]


class Decide(FromBrowser, frozen=True, tag="decide"):
    """Answer the decision that the round waits for."""

    req: Request
    table: Name
    round: Name
    box: Small
    hand: Small
    action: Name
    stake_minor: Minor | None = None


class Bet(FromBrowser, frozen=True, tag="bet"):
    """The whole of the player's bet at a live table, as it is to be now; no stakes take it back.

    Answered once the money is set aside, durably.
    """

    req: Request
    table: Name
    round: Name
    stakes: Annotated[tuple[Stake, ...], Meta(max_length=STAKES_MOST)]


class Undo(FromBrowser, frozen=True, tag="undo"):
    """The player's bet at a live table as it was before its last change."""

    req: Request
    table: Name
    round: Name


class Sit(FromBrowser, frozen=True, tag="sit"):
    """Take a seat at a live table of seats."""

    req: Request
    table: Name
    seat: Small


class StandUp(FromBrowser, frozen=True, tag="stand_up"):
    req: Request
    table: Name
    seat: Small


class Say(FromBrowser, frozen=True, tag="say"):
    """A line of chat at a live table: text, whatever it looks like."""

    req: Request
    table: Name
    text: Annotated[str, Meta(min_length=1, max_length=200)]


class Report(FromBrowser, frozen=True, tag="report"):
    """Tells the floor of a line of chat."""

    req: Request
    table: Name
    line: Annotated[int, Meta(ge=1)]


class SaveSettings(FromBrowser, frozen=True, tag="save_settings"):
    req: Request
    settings: Settings


class Ping(FromBrowser, frozen=True, tag="ping"):
    """Every 2.5 s; answered by `pong` with the server's clock."""

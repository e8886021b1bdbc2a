"""Types of the HTTP API with which an operator brings its own players."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.protocol.wire.accounts import ActiveBreak

OperatorId = Annotated[str, Meta(min_length=1, max_length=100, pattern=r"^[A-Za-z0-9._:@-]+(?!\n)$")]
"""Id of a player or a session, chosen by the operator."""


class LaunchLimit(Struct, frozen=True, forbid_unknown_fields=True):
    """A limit that the operator sets for the player, in the launch's currency."""

    what: Literal["deposit", "loss", "wager"]
    period: Literal["day", "week", "month"]
    max_minor: Annotated[int, Meta(ge=0, le=2**53 - 1)]


class Launch(Struct, frozen=True, forbid_unknown_fields=True):
    """A player whom the operator sends to play, by the server's signed request."""

    session: OperatorId
    """Each session can be entered once."""
    player: OperatorId
    currency: Annotated[str, Meta(min_length=1, max_length=8)]
    language: Annotated[str, Meta(pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*(?!\n)$")] = "en"
    """BCP 47 tag. The site is in English; the tag is recorded."""
    jurisdiction: Annotated[str, Meta(max_length=40)] = ""
    """The player's jurisdiction, such as `GB`."""
    limits: Annotated[tuple[LaunchLimit, ...], Meta(max_length=9)] = ()
    table: Annotated[str, Meta(max_length=40)] = ""
    """Table to open; empty: the lobby."""


class LaunchLink(Struct, frozen=True):
    """The address to which the operator sends the player's browser."""

    path: str
    """Below the site's address; the token is in its fragment, which browsers send to no server."""
    token: str
    expires_ms: int
    barred: ActiveBreak | None = None
    """A current break or exclusion: the player can withdraw what they have here, but not play."""


class LaunchToken(Struct, frozen=True, forbid_unknown_fields=True):
    """Request of a launched player's browser to begin the session."""

    token: Annotated[str, Meta(max_length=4_096)]

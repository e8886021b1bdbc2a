"""Types shared by messages of every kind."""

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct

from croupier.games import games

RequestId = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_-]+(?!\n)$")]
"""Id of a command, chosen by the client and unique among all commands of the player."""
Identifier = Annotated[str, Meta(min_length=1, max_length=40)]
TypedText = Annotated[str, Meta(max_length=1_024)]
"""A name or a password as typed; the rules for new ones are stricter."""
SmallInt = Annotated[int, Meta(ge=0, le=40)]
AmountMinor = Annotated[int, Meta(ge=1, le=2**53 - 1)]

if TYPE_CHECKING:
    RoundView = Any
else:
    # The server passes views on without reading them; their types belong to the games and the client.
    RoundView = reduce(or_, (game.view for game in games().values()))


ReminderMinutes = Literal[0, 30, 60, 90]
"""Interval between reality checks; 0: none."""


class ClientCommand(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True):
    """Base of all commands."""


class ServerMessage(Struct, frozen=True, tag_field="t"):
    """Base of all messages from the server."""


class Stake(Struct, frozen=True, forbid_unknown_fields=True):
    """Stake on a bet of a box."""

    box: SmallInt
    bet: Identifier
    stake_minor: AmountMinor


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a player, shared by all of their browsers."""

    sound: bool = True
    effects_volume: Annotated[int, Meta(ge=0, le=100)] = 80
    voice: bool = True
    voice_volume: Annotated[int, Meta(ge=0, le=100)] = 80
    four_colours: bool = False
    cloth: Literal["green", "claret", "slate", "night"] = "green"
    reminder_minutes: ReminderMinutes = 0
    shortcuts: bool = True
    hide_chat: bool = False
    video_quality: Literal["auto", "high", "medium", "low", "audio", "off"] = "auto"
    currency: Annotated[str, Meta(max_length=8)] = "GC"
    hints: bool = True
    """True if tables show hints during the first round."""
    advice: bool = False
    """True if own tables offer advice on a decision, if the profile allows it."""
    trainer: bool = False
    """True if each decision at an own table is judged, if the profile allows it."""
    amounts: Literal["auto", "point", "comma", "space"] = "auto"
    """Form of amounts: that of the browser, `1,234.50`, `1.234,50` or `1 234,50`."""


class RoundEvent(Struct, frozen=True):
    """One event at a table, for animation, sound and announcements. Box -1 is the dealer, -2 the table.

    `burned`: the first card of a fresh shoe is shown, and as many cards as its value are discarded unseen.
    Only live tables send `opened` and the values listed after it, and `by`.
    """

    what: Literal[
        "card",
        "burned",
        "face_down",
        "peeked",
        "turned",
        "spun",
        "rolled",
        "decided",
        "ended",
        "voided",
        "opened",
        "last_seconds",
        "no_more_bets",
        "shuffling",
        "closed",
        "seat_taken",
        "seat_left",
        "paused",
        "resumed",
        "corrected",
        "no_spin",
        "restarted",
        "limits",
    ]
    box: int = -1
    hand: int = 0
    card: str = ""
    came: str = ""
    action: str = ""
    by: str = ""
    name: str = ""
    reason: str = ""

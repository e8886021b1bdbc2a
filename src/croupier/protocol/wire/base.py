"""What messages of every kind are made of."""

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct

from croupier.games import games

RequestId = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_-]+(?!\n)$")]
"""The id of a command, the player's own choice: another for each command, over all connections and tables."""


Identifier = Annotated[str, Meta(min_length=1, max_length=40)]


SmallInt = Annotated[int, Meta(ge=0, le=40)]


AmountMinor = Annotated[int, Meta(ge=1, le=2**53 - 1)]


if TYPE_CHECKING:
    RoundView = Any
else:
    # What a game's rounds look like is its own affair and the client's: nobody between them looks inside.
    RoundView = reduce(or_, (game.view for game in games().values()))


ReminderMinutes = Literal[0, 30, 60, 90]
"""Between two reality checks; 0: none."""


class ClientCommand(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True):
    """The base of all commands."""


class ServerMessage(Struct, frozen=True, tag_field="t"):
    """The base of all messages to a browser."""


class Stake(Struct, frozen=True, forbid_unknown_fields=True):
    """A stake on a bet of a box."""

    box: SmallInt
    bet: Identifier
    stake_minor: AmountMinor


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The player's settings, kept with the player and the same in each of their browsers."""

    sound: bool = True
    effects_volume: Annotated[int, Meta(ge=0, le=100)] = 80
    voice: bool = True
    voice_volume: Annotated[int, Meta(ge=0, le=100)] = 80
    four_colours: bool = False
    cloth: Literal["green", "claret", "slate", "night"] = "green"
    reminder_minutes: ReminderMinutes = 0
    shortcuts: bool = True
    hide_chat: bool = False
    video_quality: Literal["auto", "high", "medium", "low"] = "auto"
    currency: Annotated[str, Meta(max_length=3)] = "GC"
    hints: bool = True
    """Whether tables show hints for a first round."""
    advice: bool = False
    """Whether own tables offer advice on a decision, where the profile allows it."""
    trainer: bool = False
    """Whether each decision at an own table is judged, where the profile allows it."""


class RoundEvent(Struct, frozen=True):
    """One thing that happened, for motion, sound and a spoken log. Box -1 is the dealer, -2 the table.

    `burned`: the first card of a fresh shoe is shown, and as many cards as it counts are put aside unseen.
    Only live tables send `opened` and what follows it here, and `by`.
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

"""A connected player: their settings, their browsers and the limits of their play."""

from collections.abc import Collection
from typing import Protocol

from msgspec import convert
from msgspec.structs import replace

from croupier import clock
from croupier.accounts.identity import Player
from croupier.protocol.settings import read_settings
from croupier.protocol.wire import JurisdictionProfile, ReminderMinutes, ServerMessage, Settings
from croupier.refusal import Refused
from croupier.runtime.players.play_limits import PlayLimits


class Browser(Protocol):
    """One of a player's browsers."""

    @property
    def tables(self) -> Collection[str]:
        """The tables that are open in it, or about to be."""
        ...

    def tell(self, message: ServerMessage) -> None:
        """Send a message without waiting."""
        ...

    def sent_away(self, why: Refused) -> None:
        """End the browser's session; it has left when this returns."""
        ...


class ConnectedPlayer:
    """A player who is connected, with their settings and browsers; `limits` are those of their play.

    The reminder and the currency they chose are such as the server has.
    """

    __slots__ = ("acted_ms", "browsers", "limits", "player", "seen_ms", "settings")

    def __init__(
        self, player: Player, profile: JurisdictionProfile, currencies: Collection[str], limits: PlayLimits
    ) -> None:
        self.player = player
        self.browsers: set[Browser] = set()
        self.limits = limits
        self.seen_ms = clock.now_ms()
        """When the database was last told that they are connected."""
        limits.visit_ms = player.visit_ms
        self.take(settings_of(player, profile, currencies))
        self.acts()

    @property
    def id(self) -> str:
        return self.player.id

    def take(self, settings: Settings) -> None:
        self.settings = settings
        self.limits.reminder_minutes = settings.reminder_minutes

    def acts(self) -> None:
        """Note the time of the player's last command or arrival."""
        self.acted_ms = clock.now_ms()

    def tell(self, message: ServerMessage) -> None:
        """Send a message to all browsers of the player."""
        for browser in tuple(self.browsers):
            browser.tell(message)


def settings_of(player: Player, profile: JurisdictionProfile, currencies: Collection[str]) -> Settings:
    """Return a player's settings, with the first reminder and currency there are where theirs aren't had."""
    settings = read_settings(player.settings_json)
    if settings.currency not in currencies:
        settings = replace(settings, currency=next(iter(currencies)))
    if settings.reminder_minutes in profile.reminder_minutes:
        return settings
    first = convert(profile.reminder_minutes[0], ReminderMinutes)
    return replace(settings, reminder_minutes=first)

"""A connected player: their settings, their browsers and the limits of their play."""

from collections.abc import Collection
from typing import Protocol

from msgspec import convert
from msgspec.structs import replace

from croupier import clock
from croupier.accounts.identity import Player
from croupier.players.play_limits import PlayLimits
from croupier.protocol.settings import read_settings
from croupier.protocol.wire import JurisdictionProfile, ReminderMinutes, ServerMessage, Settings
from croupier.refusal import Refused


class Browser(Protocol):
    """One of a player's browsers."""

    @property
    def session(self) -> str:
        """The id of its session, as `session_id` returns it."""
        ...

    @property
    def tables(self) -> Collection[str]:
        """The tables that are open in this browser, or being opened."""
        ...

    @property
    def is_remote(self) -> bool:
        """True if another node has its socket, and looks after its session."""
        ...

    def send(self, message: ServerMessage) -> None:
        """Send a message without waiting."""
        ...

    def end_session(self, why: Refused | None) -> None:
        """End the browser's connection; it has left when this returns. Without a reason it may come back."""
        ...


class ConnectedPlayer:
    """A connected player: their settings, browsers and play limits.

    Their reminder and currency are ones that the server offers.
    """

    __slots__ = ("browsers", "last_active_ms", "limits", "player", "seen_ms", "settings")

    def __init__(
        self, player: Player, profile: JurisdictionProfile, currencies: Collection[str], limits: PlayLimits
    ) -> None:
        self.player = player
        self.browsers: tuple[Browser, ...] = ()
        self.limits = limits
        self.seen_ms = clock.now_ms()
        """The last connection time that was stored in the database."""
        self.apply_settings(offered_settings(player.settings_json, profile, currencies))
        self.mark_active()

    @property
    def id(self) -> str:
        return self.player.id

    @property
    def has_socket(self) -> bool:
        """True if this node has the socket of any of the player's browsers."""
        return any(not browser.is_remote for browser in self.browsers)

    def apply_settings(self, settings: Settings) -> None:
        self.settings = settings
        self.limits.reminder_minutes = settings.reminder_minutes

    def mark_active(self) -> None:
        """Note the time of the player's last command or arrival."""
        self.last_active_ms = clock.now_ms()

    def send(self, message: ServerMessage) -> None:
        """Send a message to all browsers of the player."""
        for browser in self.browsers:
            browser.send(message)


def offered_settings(
    settings_json: str, profile: JurisdictionProfile, currencies: Collection[str]
) -> Settings:
    """Return a player's stored settings, with a reminder and a currency that the server offers."""
    settings = read_settings(settings_json)
    if settings.currency not in currencies:
        settings = replace(settings, currency=next(iter(currencies)))
    if settings.reminder_minutes in profile.reminder_minutes:
        return settings
    first = convert(profile.reminder_minutes[0], ReminderMinutes)
    return replace(settings, reminder_minutes=first)

"""A player who is connected: their settings, their browsers and the limits of their play."""

from collections.abc import Collection, Iterable
from typing import Protocol

import msgspec
from msgspec import convert
from msgspec.structs import replace

from croupier import clock
from croupier.accounts.identity import VISIT_ENDS_MS, Player
from croupier.accounts.repository import Accounts
from croupier.protocol.wire import JurisdictionProfile, ReminderMinutes, ServerMessage, Settings
from croupier.refusal import Refused
from croupier.runtime.ledger_gateway import Bank
from croupier.runtime.play_limits import PlayLimits

MARK_EVERY_MS, MARKED_AT_ONCE = VISIT_ENDS_MS // 3, 100
"""How often the database is told of a player that they are still here, and of how many in one write."""


class Browser(Protocol):
    """One of a player's browsers, as the house tells it something."""

    @property
    def tables(self) -> Collection[str]:
        """The tables that are open in it, or about to be."""
        ...

    def tell(self, message: ServerMessage) -> None:
        """Never waits."""
        ...

    def sent_away(self, why: Refused) -> None:
        """His session has ended; the browser has left when this returns."""
        ...


class Guest:
    """A player who is here, with his settings and his browsers.

    `limits` are of their play; the reminder and the currency they chose are such as the server has.
    """

    __slots__ = ("acted_ms", "browsers", "limits", "player", "seen_ms", "settings")

    def __init__(
        self, player: Player, profile: JurisdictionProfile, currencies: Collection[str], limits: PlayLimits
    ) -> None:
        self.player = player
        self.browsers: set[Browser] = set()
        self.limits = limits
        self.seen_ms = clock.now_ms()
        """When the database was told last that they are here."""
        limits.visit_ms = player.visit_ms
        self.take(settings_of(player, profile, currencies))
        self.acts()

    def take(self, settings: Settings) -> None:
        self.settings = settings
        self.limits.reminder_minutes = settings.reminder_minutes

    def acts(self) -> None:
        """He does something, or comes in."""
        self.acted_ms = clock.now_ms()

    def tell(self, message: ServerMessage) -> None:
        """To every browser of his."""
        for browser in tuple(self.browsers):
            browser.tell(message)


def settings_of(player: Player, profile: JurisdictionProfile, currencies: Collection[str]) -> Settings:
    """Return a player's settings, with the first reminder and currency there are where theirs aren't had."""
    settings = msgspec.json.decode(player.settings_json, type=Settings)
    if settings.currency not in currencies:
        settings = replace(settings, currency=next(iter(currencies)))
    if settings.reminder_minutes in profile.reminder_minutes:
        return settings
    first = convert(profile.reminder_minutes[0], ReminderMinutes)
    return replace(settings, reminder_minutes=first)


def check_settings(guest: Guest, settings: Settings, profile: JurisdictionProfile, now_ms: int) -> None:
    """Refused: a reminder that the profile doesn't allow, and another one while one is due."""
    minutes = settings.reminder_minutes
    if minutes not in profile.reminder_minutes:
        allowed = ", ".join(map(str, profile.reminder_minutes))
        raise Refused("no_such_reminder", minutes=minutes, allowed=allowed)
    if minutes != guest.settings.reminder_minutes:
        guest.limits.check_reminder(now_ms)


async def mark_seen(bank: Bank, accounts: Accounts, guests: Iterable[Guest], now_ms: int) -> None:
    """Keep that these players are here, so that a connection that breaks begins no new visit.

    Else their reminders and their own limit of time would begin anew.
    """
    unmarked = [guest for guest in guests if now_ms - guest.seen_ms >= MARK_EVERY_MS]
    for first in range(0, len(unmarked), MARKED_AT_ONCE):
        some = unmarked[first : first + MARKED_AT_ONCE]
        players = [guest.player.id for guest in some]
        await bank.durable(accounts.mark_seen(players, now_ms))
        for guest in some:
            guest.seen_ms = now_ms

"""Players' settings."""

from collections.abc import Collection

from msgspec.structs import replace

from croupier import clock
from croupier.accounts.identity import Player
from croupier.accounts.repository import Accounts
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.players.connected_player import ConnectedPlayer, offered_settings
from croupier.protocol.settings import read_settings, settings_text
from croupier.protocol.wire import JurisdictionProfile, Settings, SettingsUpdate
from croupier.refusal import Refused


class PlayerSettings:
    """Saves settings that the profile and the server have."""

    def __init__(
        self,
        gateway: LedgerGateway,
        accounts: Accounts,
        profile: JurisdictionProfile,
        currencies: Collection[str],
    ) -> None:
        self._gateway = gateway
        self._accounts = accounts
        self._profile = profile
        self._currencies = currencies

    async def save(self, player: ConnectedPlayer, settings: Settings) -> None:
        """Save settings and send them to all browsers of the player.

        Refuse a reminder or currency that there isn't, and a change of the reminder while one is due.
        """
        self._check_reminder(player, settings.reminder_minutes)
        if settings.currency != player.settings.currency:
            check_currency(settings.currency, self._currencies)
        saved = self._accounts.save_settings(player.id, settings_text(settings), clock.now_ms())
        await self._gateway.durable(saved)
        player.apply_settings(settings)
        player.send(SettingsUpdate(settings))

    async def follow(self, player: ConnectedPlayer) -> None:
        """Apply what a connected player has saved on another node, and send it to their browsers here."""

        def apply(settings_json: str) -> None:
            settings = offered_settings(settings_json, self._profile, self._currencies)
            if settings != player.settings:
                player.apply_settings(settings)
                player.send(SettingsUpdate(settings))

        await self._gateway.durable(self._accounts.settings(player.id), apply)

    async def save_currency(self, player: Player, connected: ConnectedPlayer | None, currency: str) -> None:
        """Save the currency of a player, who may be connected with other browsers."""
        if connected:
            await self.save(connected, replace(connected.settings, currency=currency))
        else:
            settings = replace(read_settings(player.settings_json), currency=currency)
            saved = self._accounts.save_settings(player.id, settings_text(settings), clock.now_ms())
            await self._gateway.durable(saved)

    def _check_reminder(self, player: ConnectedPlayer, minutes: int) -> None:
        if minutes not in self._profile.reminder_minutes:
            allowed = ", ".join(map(str, self._profile.reminder_minutes))
            raise Refused("no_such_reminder", minutes=minutes, allowed=allowed)
        if minutes != player.settings.reminder_minutes:
            player.limits.check_reminder(clock.now_ms())


def check_currency(code: str, currencies: Collection[str]) -> None:
    """Refuse `no_such_currency` for one that the server doesn't have."""
    if code not in currencies:
        raise Refused("no_such_currency", currency=code, allowed=", ".join(currencies))


def check_not_of_wallet(code: str, of_wallet: Collection[str]) -> None:
    """Refuse `wallet_cashier` for a currency whose money is in the operator's wallet."""
    if code in of_wallet:
        raise Refused("wallet_cashier", currency=code)

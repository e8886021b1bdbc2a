"""The devices that a player is signed in on: their list, and their sign-out from another one."""

from croupier import clock
from croupier.accounts.devices import EndedSession, PlayerDevice
from croupier.accounts.repository import DeviceSessions
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.players.sessions import PlayerSessions
from croupier.refusal import Refused


class DeviceService:
    """Sockets of a device that is signed out are closed at once."""

    def __init__(self, gateway: LedgerGateway, devices: DeviceSessions, sessions: PlayerSessions) -> None:
        self._gateway = gateway
        self._devices = devices
        self._sessions = sessions

    async def list(self, player: str) -> tuple[PlayerDevice, ...]:
        """Return a player's devices, the last used one first; connected ones are in use now."""
        stored = await self._gateway.durable(self._devices.list(player))
        connected, now = self._sessions.connected(player), clock.now_ms()
        seen = [device._replace(seen_ms=now) if device.id in connected else device for device in stored]
        return tuple(sorted(seen, key=lambda device: -device.seen_ms))

    async def end(self, player: str, device: str) -> None:
        """Sign out one of a player's devices; refuse `no_such_device`."""
        ended = await self._gateway.durable(self._devices.end_one(player, device, clock.now_ms()))
        if not ended:
            raise Refused("no_such_device", device=device)
        self._close(ended)

    async def end_others(self, player: str, token: str) -> None:
        """Sign out all of a player's devices but that of the token."""
        self._close(await self._gateway.durable(self._devices.end_others(player, token, clock.now_ms())))

    async def end_all(self, player: str) -> None:
        """Sign out all of a player's devices."""
        await self.end_others(player, "")

    def _close(self, ended: tuple[EndedSession, ...]) -> None:
        self._sessions.close(ended, Refused("signed_out", why="ended"))

"""Exclusion of players whom an external registry lists."""

from pathlib import Path
from typing import TYPE_CHECKING

from croupier import clock
from croupier.accounts.identity import SIGNED_IN_HERE, Identity
from croupier.accounts.responsible_gaming import PERMANENT_MS
from croupier.config import ResponsibleGamingConfig
from croupier.protocol.registry_wire import Occasion
from croupier.refusal import Refused
from croupier.runtime.players.player_limits import PlayerLimits
from croupier.runtime.players.restrictions import RestrictionService

if TYPE_CHECKING:
    from croupier.runtime.players.exclusion_registry import ExclusionRegistry


def registry_of(config: ResponsibleGamingConfig) -> "ExclusionRegistry | None":
    """Return the configured registry; None if there is none."""
    if not config.registry_url:
        return None
    from croupier.runtime.players.exclusion_registry import ExclusionRegistry

    return ExclusionRegistry(config, Path(config.registry_key_file).read_bytes().strip())


class RegistryCheck:
    """Asks about accounts before they may play or pay in. A guest has no name to ask about."""

    def __init__(
        self,
        registry: "ExclusionRegistry | None",
        restrictions: RestrictionService,
        limits: PlayerLimits,
        config: ResponsibleGamingConfig,
    ) -> None:
        self._registry = registry
        self._restrictions = restrictions
        self._limits = limits
        self._fails_closed = config.registry_unanswered == "refuse"

    async def check(self, player: str, identity: Identity, occasion: Occasion) -> None:
        """Bar a listed player as by self-exclusion, and refuse `barred`; one without an id is refused only.

        A sign-in isn't refused: it lets the player withdraw their money, and they may do nothing else.
        Refuse `registry_unavailable` without an answer, if so configured, unless the player is excluded.
        """
        if self._registry is None or identity.kind not in SIGNED_IN_HERE:
            return
        answer = await self._registry.ask(identity.name, occasion)
        if answer is None:
            excluded = self._limits.of(player).is_excluded(clock.now_ms())
            if self._fails_closed and not (occasion == "sign_in" and excluded):
                raise Refused("registry_unavailable")
        elif answer.excluded:
            until_ms = PERMANENT_MS if answer.until_ms is None else answer.until_ms
            if not player:
                raise Refused("barred", why="registry", until_ms=until_ms)
            await self._restrictions.bar(player, "registry", until_ms)
            if occasion != "sign_in":
                self._limits.check_not_barred(player)

    async def close(self) -> None:
        if self._registry is not None:
            await self._registry.close()

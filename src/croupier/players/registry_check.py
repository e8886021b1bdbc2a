"""Exclusion of players whom an external registry lists."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from croupier import clock
from croupier.accounts.identity import SIGNED_IN_HERE, Identity
from croupier.accounts.responsible_gaming import PERMANENT_MS
from croupier.admission.player_limits import PlayerLimits
from croupier.config import ResponsibleGamingConfig
from croupier.outside.due_work import delay_ms
from croupier.outside.systems import OutsideSystem
from croupier.players.restrictions import RestrictionService
from croupier.protocol.registry_wire import Occasion, RegistryAnswer
from croupier.refusal import Refused

if TYPE_CHECKING:
    from croupier.players.exclusion_registry import ExclusionRegistry

AGAIN_MS_MIN, AGAIN_MS_MAX = 1_000, 30_000
"""Time until a player who was let in without an answer is asked about again; it doubles each time."""
ASKED_AGAIN_MAX = 10_000


def registry_of(config: ResponsibleGamingConfig, system: OutsideSystem) -> "ExclusionRegistry | None":
    """Return the configured registry; None if there is none."""
    if not config.registry_url:
        return None
    from croupier.players.exclusion_registry import ExclusionRegistry

    return ExclusionRegistry(config, Path(config.registry_key_file).read_bytes().strip(), system)


class RegistryCheck:
    """Asks about accounts before they may play or pay in. A guest has no name to ask about.

    Where an account is let in without an answer, it is asked about again until there is one.
    """

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
        self._asking_again: dict[str, asyncio.Task[None]] = {}
        """By player."""

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
            self._ask_again(player, identity, occasion)
        elif answer.excluded and not player:
            raise Refused("barred", why="registry", until_ms=_until_ms(answer))
        elif answer.excluded:
            await self._restrictions.bar(player, "registry", _until_ms(answer))
            if occasion != "sign_in":
                self._limits.check_not_barred(player)

    @property
    def waiting(self) -> int:
        """The number of players who were let in without an answer and are asked about again."""
        return len(self._asking_again)

    def _ask_again(self, player: str, identity: Identity, occasion: Occasion) -> None:
        if player and player not in self._asking_again and len(self._asking_again) < ASKED_AGAIN_MAX:
            task = asyncio.create_task(self._ask_until_answered(player, identity, occasion))
            self._asking_again[player] = task
            task.add_done_callback(lambda _: self._asking_again.pop(player, None))

    async def _ask_until_answered(self, player: str, identity: Identity, occasion: Occasion) -> None:
        assert self._registry is not None
        answer, attempt = None, 0
        while answer is None:
            await asyncio.sleep(delay_ms(attempt, AGAIN_MS_MIN, AGAIN_MS_MAX) / 1000)
            attempt += 1
            answer = await self._registry.ask(identity.name, occasion)
        if answer.excluded:
            await self._restrictions.bar(player, "registry", _until_ms(answer))

    async def close(self) -> None:
        for task in tuple(self._asking_again.values()):
            task.cancel()
        if self._registry is not None:
            await self._registry.close()


def _until_ms(answer: RegistryAnswer) -> int:
    """Return the end of an exclusion."""
    return PERMANENT_MS if answer.until_ms is None else answer.until_ms

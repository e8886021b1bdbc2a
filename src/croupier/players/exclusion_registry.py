"""Client of an external self-exclusion registry: signed questions about pseudonyms, cached answers."""

import logging

from croupier import clock
from croupier.config import ResponsibleGamingConfig
from croupier.outside.no_answer import NoAnswer
from croupier.outside.signed_client import SignedClient
from croupier.outside.systems import OutsideSystem
from croupier.protocol.registry_wire import Occasion, RegistryAnswer, RegistryQuestion
from croupier.protocol.signatures import Secret

log = logging.getLogger(__name__)
MINUTE_MS = 60_000
CACHED_MAX = 20_000
SUBJECT_PREFIX = b"croupier-subject."


class ExclusionRegistry:
    """Asks the registry at `config.registry_url`, with a key that both sides share."""

    def __init__(self, config: ResponsibleGamingConfig, key: bytes, system: OutsideSystem) -> None:
        self._cache_ms = config.registry_cache_minutes * MINUTE_MS
        self._secret = Secret(key)
        timeout_s = config.registry_timeout_ms / 1000
        self._client = SignedClient(config.registry_url, self._secret, timeout_s, system)
        self._cached: dict[str, tuple[int, RegistryAnswer]] = {}
        """Answers by subject, oldest first, with the time until which they hold."""

    async def ask(self, name: str, occasion: Occasion) -> RegistryAnswer | None:
        """Return the answer about an account's name; None if the registry gives none in time."""
        subject = self._secret.derived(SUBJECT_PREFIX + name.encode()).hex()
        until_ms, known = self._cached.get(subject, (0, None))
        if clock.now_ms() < until_ms:
            return known
        try:
            answer = await self._client.ask("", RegistryQuestion(subject, occasion), RegistryAnswer)
        except NoAnswer as why:
            log.warning("the self-exclusion registry gave no answer: %s", why)
            return None
        self._keep(subject, answer)
        return answer

    async def close(self) -> None:
        await self._client.close()

    def _keep(self, subject: str, answer: RegistryAnswer) -> None:
        self._cached.pop(subject, None)
        self._cached[subject] = clock.now_ms() + self._cache_ms, answer
        if len(self._cached) > CACHED_MAX:
            del self._cached[next(iter(self._cached))]

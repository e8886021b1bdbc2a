"""The bus of a single process: direct calls."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from croupier.cluster.bus import (
    BusUnavailable,
    Handler,
    MessageRefused,
    NoReply,
    OnConnection,
    OnRequest,
    Unsubscribe,
    check_size,
)

log = logging.getLogger(__name__)


class LocalBus:
    """Follows `Bus`; several services of one process may share it."""

    is_connected = True
    refused: Mapping[str, int] = MappingProxyType({})

    def __init__(self) -> None:
        self._handlers: defaultdict[str, list[Handler]] = defaultdict(list)
        self._answers: dict[str, OnRequest] = {}

    def watch(self, on_connection: OnConnection) -> None:
        """The connection is never lost."""

    def publish(self, subject: str, payload: bytes) -> None:
        check_size(subject, payload)
        for handler in tuple(self._handlers.get(subject, ())):
            try:
                handler(payload)
            except Exception:
                log.exception("a message for %s failed", subject)

    async def subscribe(self, subject: str, handler: Handler) -> Unsubscribe:
        self._handlers[subject].append(handler)
        return partial(self._handlers[subject].remove, handler)

    async def request(self, subject: str, payload: bytes, timeout_s: float) -> bytes:
        check_size(subject, payload)
        if (answer := self._answers.get(subject)) is None:
            raise BusUnavailable(f"nobody serves {subject}")
        # Shielded: as on another node, the request is carried out even if its reply comes too late.
        answering = asyncio.ensure_future(answer(payload))
        try:
            return await asyncio.wait_for(asyncio.shield(answering), timeout_s)
        except (MessageRefused, TimeoutError) as error:
            raise NoReply(subject) from error
        except Exception as error:
            log.exception("a request to %s failed", subject)
            raise NoReply(subject) from error

    async def serve(self, subject: str, answer: OnRequest) -> Unsubscribe:
        self._answers[subject] = answer
        return partial(self._answers.__delitem__, subject)

    async def close(self) -> None:
        self._handlers.clear()
        self._answers.clear()

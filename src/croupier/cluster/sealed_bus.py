"""A bus whose messages are sealed: the message server, and who reaches it, can't read or forge them."""

import logging
from collections.abc import Mapping
from itertools import count

from croupier.cluster.bus import (
    Bus,
    Handler,
    MessageRefused,
    NoReply,
    OnConnection,
    OnRequest,
    Unsubscribe,
)
from croupier.cluster.message_seal import MessageSeal, SealBroken, SealFault, reply_subject

WHY: Mapping[SealFault, str] = {
    "malformed": "it isn't sealed",
    "forged": "it isn't sealed with this cluster's key for this subject",
    "expired": "its time is too far from this machine's clock",
    "replayed": "it came before",
}

log = logging.getLogger(__name__)


class SealedBus:
    """Follows `Bus`, over another bus."""

    def __init__(self, bus: Bus, seal: MessageSeal) -> None:
        self._bus = bus
        self._seal = seal
        self._subscriptions = count()

    @property
    def is_connected(self) -> bool:
        return self._bus.is_connected

    @property
    def refused(self) -> Mapping[str, int]:
        return self._seal.refused

    def watch(self, on_connection: OnConnection) -> None:
        self._bus.watch(on_connection)

    def publish(self, subject: str, payload: bytes) -> None:
        self._bus.publish(subject, self._seal.seal(subject, payload))

    async def subscribe(self, subject: str, handler: Handler) -> Unsubscribe:
        subscription = next(self._subscriptions)

        def receive(sealed: bytes) -> None:
            try:
                payload = self._seal.open(subject, sealed, subscription)
            except SealBroken as broken:
                _log_refused(subject, broken)
            else:
                handler(payload)

        return await self._bus.subscribe(subject, receive)

    async def request(self, subject: str, payload: bytes, timeout_s: float) -> bytes:
        sealed = self._seal.seal(subject, payload)
        reply = await self._bus.request(subject, sealed, timeout_s)
        try:
            return self._seal.open_reply(reply_subject(subject, sealed), reply)
        except SealBroken as broken:
            _log_refused(subject, broken)
            raise NoReply(subject) from broken

    async def serve(self, subject: str, answer: OnRequest) -> Unsubscribe:
        subscription = next(self._subscriptions)

        async def respond(sealed: bytes) -> bytes:
            try:
                payload = self._seal.open(subject, sealed, subscription)
            except SealBroken as broken:
                _log_refused(subject, broken)
                raise MessageRefused(subject) from broken
            return self._seal.seal(reply_subject(subject, sealed), await answer(payload))

        return await self._bus.serve(subject, respond)

    async def close(self) -> None:
        await self._bus.close()


def _log_refused(subject: str, broken: SealBroken) -> None:
    log.warning("a message for %s is refused: %s", subject, WHY[broken.fault])

"""Anchors the journal while the server runs. Nothing of it waits in the event loop."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock
from time import monotonic

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.audit.anchoring.log import LOG, AnchorLog
from croupier.audit.anchoring.targets import Target
from croupier.ledger.chain import START, Head
from croupier.ledger.protocol import DatabaseUnusable
from croupier.ledger.sqlite.connection import open_reader

EVERY_S = 60.0
EVERY_ENTRIES = 10_000
LOOKS_EACH_S = 1.0
RETRIES_EACH_S = 30.0
SENT_AT_ONCE = 100
"""Anchors that a target gets in one go."""
SENT = "anchors.sent"
HEAD = "SELECT value FROM meta WHERE key = 'head'"
DATABASE = "SELECT value FROM meta WHERE key = 'database'"

log = logging.getLogger(__name__)


def database_of(path: Path) -> str:
    """The id that the database was given when it was made; empty in one from before it had any."""
    with closing(open_reader(path)) as connection:
        (database,) = connection.execute(DATABASE).fetchone() or ("",)
    return str(database)


def head_of(path: Path) -> Head:
    """The head of the journal as it was committed last."""
    with closing(open_reader(path)) as connection:
        (told,) = connection.execute(HEAD).fetchone() or (str(START),)
    seq, _, hash_ = told.partition(" ")
    return Head(int(seq), bytes.fromhex(hash_))


def _hash_at(path: Path, seq: int) -> str:
    with closing(open_reader(path)) as connection:
        (hash_,) = connection.execute("SELECT hash FROM journal WHERE seq = ?", (seq,)).fetchone() or (b"",)
    return bytes(hash_).hex()


class Delivery:
    """Sends the log on to one target, from where it was sent to before."""

    def __init__(self, anchors: AnchorLog, name: str, target: Target, sent: "Sent") -> None:
        self._anchors = anchors
        self._name = name
        self._target = target
        self._sent = sent
        self._fails = False
        self._again_at = 0.0

    def deliver(self, *, last: bool = False) -> None:
        """Send what wasn't sent yet. After a failure the next try waits, unless it is the `last`."""
        if last or monotonic() >= self._again_at:
            try:
                self._deliver()
            except Exception as error:  # noqa: BLE001 - whatever it is, play goes on
                self._failed(error)

    def _deliver(self) -> None:
        offset = self._sent.of(self._name)
        lines, end = self._anchors.since(offset, SENT_AT_ONCE)
        while lines:
            self._target.send(lines)
            self._sent.set(self._name, end)
            lines, end = self._anchors.since(end, SENT_AT_ONCE)
        if self._fails:
            log.warning("anchors arrive again at %s", self._name)
            self._fails = False

    def _failed(self, error: Exception) -> None:
        self._again_at = monotonic() + RETRIES_EACH_S
        if not self._fails:
            log.warning("anchors don't arrive at %s and are sent again later: %s", self._name, error)
            self._fails = True


class Sent:
    """The length of the log that each target has, in a file beside it; thread-safe.

    Targets are named by digest: a URL may be secret.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._offsets: dict[str, int] = {}
        with suppress(FileNotFoundError, msgspec.DecodeError):  # then all is sent again, which is no fault
            self._offsets = msgspec.json.decode(path.read_bytes(), type=dict[str, int])

    def of(self, name: str) -> int:
        return self._offsets.get(_digest(name), 0)

    def set(self, name: str, offset: int) -> None:
        with self._lock:
            self._offsets[_digest(name)] = offset
            new = self._path.with_suffix(".new")
            new.write_bytes(msgspec.json.encode(self._offsets))
            new.replace(self._path)


def _digest(name: str) -> str:
    return sha256(name.encode()).hexdigest()[:16]


class Anchoring:
    """Anchors the database at `path`: every `every_s` seconds or EVERY_ENTRIES entries, where any are new."""

    def __init__(
        self, path: Path, key: Ed25519PrivateKey, targets: Mapping[str, Target], every_s: float = EVERY_S
    ) -> None:
        folder = path.parent
        self._path = path
        self._every_s = every_s
        self._anchors = AnchorLog(folder / LOG, key, database_of(path))
        sent = Sent(folder / SENT)
        self._deliveries: Sequence[Delivery] = [
            Delivery(self._anchors, name, target, sent) for name, target in targets.items()
        ]
        self._anchored_at = monotonic()
        self._check_last()

    def _check_last(self) -> None:
        """DatabaseUnusable when the journal isn't the one that was anchored last."""
        last = self._anchors.last
        if last and _hash_at(self._path, last.seq) != last.head:
            raise DatabaseUnusable(
                f"the journal isn't the one that was anchored: it has another entry {last.seq}, or none. Run "
                f"`croupier verify --data {self._path.parent}`. If you restored an older copy on purpose, "
                f"move {LOG} away and tell whoever keeps your anchors"
            )

    async def run(self) -> None:
        """Anchor until this is cancelled."""
        while True:
            try:
                await asyncio.to_thread(self._look)
                await self._deliver()
            except Exception:
                log.exception("the journal can't be anchored; it is tried again")
                await asyncio.sleep(RETRIES_EACH_S)
            await asyncio.sleep(min(LOOKS_EACH_S, self._every_s))

    async def close(self) -> None:
        """Anchor what is new, and try once more to send what wasn't sent."""
        try:
            await asyncio.to_thread(self._anchor_news)
            await self._deliver(last=True)
        except Exception:
            log.exception("the end of the journal isn't anchored")

    async def _deliver(self, *, last: bool = False) -> None:
        sends = (asyncio.to_thread(delivery.deliver, last=last) for delivery in self._deliveries)
        await asyncio.gather(*sends)

    def _look(self) -> None:
        waited = monotonic() - self._anchored_at >= self._every_s
        if waited or head_of(self._path).seq - self._last_seq >= EVERY_ENTRIES:
            self._anchor_news()

    @property
    def _last_seq(self) -> int:
        return self._anchors.last.seq if self._anchors.last else 0

    def _anchor_news(self) -> None:
        head = head_of(self._path)
        if head.seq > self._last_seq:
            self._anchors.append(head)
            self._anchored_at = monotonic()

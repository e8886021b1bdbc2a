"""Anchoring of the journal while the server runs, in threads beside the event loop."""

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
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.databases import Database, database_errors
from croupier.ledger.sql.opening import open_reader

EVERY_S = 60.0
EVERY_ENTRIES = 10_000
CHECK_INTERVAL_S = 1.0
RETRY_INTERVAL_S = 30.0
BATCH_SIZE = 100
"""Maximum number of anchors sent to a target at once."""
SENT = "anchors.sent"
FIND_HEAD = "SELECT value FROM meta WHERE key = 'head'"
FIND_ID = "SELECT value FROM meta WHERE key = 'database'"

log = logging.getLogger(__name__)


def database_id(database: Database) -> str:
    """Return the id that the database was given when it was created; empty for one from before ids."""
    with closing(open_reader(database)) as connection:
        return read_id(connection)


def read_id(connection: Connection) -> str:
    (found,) = connection.execute(FIND_ID).fetchone() or ("",)
    return str(found)


def head_of(database: Database) -> Head:
    """Return the head of the journal as of the last commit."""
    with closing(open_reader(database)) as connection:
        return read_head(connection)


def read_head(connection: Connection) -> Head:
    (head,) = connection.execute(FIND_HEAD).fetchone() or (str(START),)
    seq, _, hash_ = head.partition(" ")
    return Head(int(seq), bytes.fromhex(hash_))


def _hash_at(database: Database, seq: int) -> str:
    with closing(open_reader(database)) as connection:
        (hash_,) = connection.execute("SELECT hash FROM journal WHERE seq = ?", (seq,)).fetchone() or (b"",)
    return bytes(hash_).hex()


class Delivery:
    """Sends new lines of the anchor log to one target."""

    def __init__(self, anchors: AnchorLog, name: str, target: Target, sent: "SentOffsets") -> None:
        self._anchors = anchors
        self._name = name
        self._target = target
        self._sent = sent
        self._failing = False
        self._retry_at = 0.0

    def deliver(self, *, last: bool = False) -> None:
        """Send the unsent lines. After a failure retry later, or at once if it is the `last` time."""
        if last or monotonic() >= self._retry_at:
            try:
                self._deliver()
            except Exception as error:  # noqa: BLE001 - no failure of a target may stop play
                self._failed(error)

    def _deliver(self) -> None:
        offset = self._sent.of(self._name)
        lines, end = self._anchors.since(offset, BATCH_SIZE)
        while lines:
            self._target.send(lines)
            self._sent.set(self._name, end)
            lines, end = self._anchors.since(end, BATCH_SIZE)
        if self._failing:
            log.warning("anchors arrive again at %s", self._name)
            self._failing = False

    def _failed(self, error: Exception) -> None:
        self._retry_at = monotonic() + RETRY_INTERVAL_S
        if not self._failing:
            log.warning("anchors don't arrive at %s and are sent again later: %s", self._name, error)
            self._failing = True


class SentOffsets:
    """The length of the log that each target has received, stored in a file beside it. Thread-safe.

    Targets are identified by a digest, since a URL may be secret.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._offsets: dict[str, int] = {}
        with suppress(
            FileNotFoundError, msgspec.DecodeError
        ):  # then everything is sent again, which does no harm
            self._offsets = msgspec.json.decode(path.read_bytes(), type=dict[str, int])

    def of(self, name: str) -> int:
        return self._offsets.get(_digest(name), 0)

    def set(self, name: str, offset: int) -> None:
        with self._lock:
            self._offsets[_digest(name)] = offset
            new = self._path.with_suffix(".new")
            new.write_bytes(msgspec.json.encode(self._offsets))
            new.replace(self._path)


def _line(error: Exception) -> str:
    """Return an error's text in one line; PostgreSQL's have several."""
    return " ".join(str(error).split())


def _digest(name: str) -> str:
    return sha256(name.encode()).hexdigest()[:16]


class Anchoring:
    """Anchors the database every `every_s` seconds or EVERY_ENTRIES entries, if any are new."""

    def __init__(
        self,
        folder: Path,
        database: Database,
        key: Ed25519PrivateKey,
        targets: Mapping[str, Target],
        every_s: float = EVERY_S,
    ) -> None:
        """Keep the anchors in `folder`."""
        self._folder = folder
        self._database = database
        self._every_s = every_s
        self._anchors = AnchorLog(folder / LOG, key, database_id(database))
        sent = SentOffsets(folder / SENT)
        self._deliveries: Sequence[Delivery] = [
            Delivery(self._anchors, name, target, sent) for name, target in targets.items()
        ]
        self._anchored_at = monotonic()
        self._failing = False
        self._check_last()

    def _check_last(self) -> None:
        """Raise DatabaseUnusable if the journal doesn't contain the last anchored entry."""
        last = self._anchors.last
        if last and _hash_at(self._database, last.seq) != last.head:
            raise DatabaseUnusable(
                f"the journal isn't the one that was anchored: its entry {last.seq} differs or is missing. "
                f"Run `croupier verify --data {self._folder}`. If you restored an older copy on "
                f"purpose, move {LOG} away and tell whoever keeps your anchors"
            )

    async def run(self) -> None:
        """Anchor until cancelled."""
        while True:
            try:
                await asyncio.to_thread(self._anchor_if_due)
                self._succeeded()
                await self._deliver()
            except database_errors() as error:
                self._failed(error)
                await asyncio.sleep(CHECK_INTERVAL_S)
            except Exception:
                log.exception("the journal can't be anchored; it is tried again")
                await asyncio.sleep(RETRY_INTERVAL_S)
            await asyncio.sleep(min(CHECK_INTERVAL_S, self._every_s))

    async def close(self) -> None:
        """Anchor the new entries, and try once more to send what wasn't sent."""
        try:
            await asyncio.to_thread(self._anchor)
            await self._deliver(last=True)
        except database_errors() as error:
            log.warning("the end of the journal isn't anchored: %s", _line(error))
        except Exception:
            log.exception("the end of the journal isn't anchored")

    def _failed(self, error: Exception) -> None:
        """Log the first of several failures: while the database is away, each attempt fails."""
        if not self._failing:
            log.warning("the journal can't be anchored until the database answers: %s", _line(error))
        self._failing = True

    def _succeeded(self) -> None:
        if self._failing:
            log.warning("the journal is anchored again")
        self._failing = False

    async def _deliver(self, *, last: bool = False) -> None:
        sends = (asyncio.to_thread(delivery.deliver, last=last) for delivery in self._deliveries)
        await asyncio.gather(*sends)

    def _anchor_if_due(self) -> None:
        due = monotonic() - self._anchored_at >= self._every_s
        if due or head_of(self._database).seq - self.last_seq >= EVERY_ENTRIES:
            self._anchor()

    @property
    def last_seq(self) -> int:
        """The last entry of the journal that is anchored."""
        return self._anchors.last.seq if self._anchors.last else 0

    def _anchor(self) -> None:
        head = head_of(self._database)
        if head.seq > self.last_seq:
            self._anchors.append(head)
            self._anchored_at = monotonic()

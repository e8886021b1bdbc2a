"""Idempotency of requests: each id is executed once, over all connections, tables and commands.

Players' and staff's commands and the cashier's requests take the same way:

1. `digest` identifies the content, so that an id can't stand for another request (`key_reused`).
2. `RequestRegistry` remembers the recent requests of each player or member of staff in memory. `begin` says
   whether a request is new; a repeated one gets the answer of the first, now or when there is one. `claim`
   only takes the id, for a request that may safely be executed again because its ledger entry has a key.
3. What moves money is posted under `request_key`. The ledger posts a key once, so a request that is repeated
   after a restart, when memory is empty, changes nothing; `was_executed` detects it at an own table.

Requests at live tables rely on 1 and 2: a restart voids their rounds, and a round's id is part of each bet.
"""

from collections.abc import Callable, Container, Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

from msgspec import Struct

from croupier.canonical_json import canonical_json
from croupier.ledger.entries import Entry
from croupier.refusal import Refused

ANSWERS_KEPT = 256
"""The newest requests of a player that are remembered, beside all those of rounds that are still open."""
REQUESTS_MAX = 1024
"""Remembered requests of one player. More are refused until a round ends, since none may be forgotten."""
PRUNE_EVERY = 64
DIGEST_BYTES = 12
REQUEST = "request"
"""In the body of an entry: the digest of the player's request, so that its id can't stand for another."""
FORGOTTEN_AFTER_MS = 30 * 60 * 1000

OnAnswer = Callable[[str, Refused | None], None]
"""Receives a request's id once it is durable, or with the refusal."""


def digest(command: Struct) -> bytes:
    """Return the digest of a command's whole content, its type and id included."""
    return sha256(canonical_json(command)).digest()[:DIGEST_BYTES]


class RequestKey(NamedTuple):
    """Identifies a request in the journal; `digest` is that of its content, in hex."""

    key: str
    digest: str

    @property
    def req(self) -> str:
        return self.key.partition(":")[2]


def request_key(player: str, req: str, command: Struct) -> RequestKey:
    """Return the journal's key of a request.

    The namespace belongs to the player: player ids start with `p_` and no key of the server does, and
    a `req` has neither `:` nor `/`. So no request can take a key that the server needs.
    """
    return RequestKey(f"{player}:{req}", digest(command).hex())


def was_executed(entry: Entry | None, request: RequestKey) -> bool:
    """Return whether `entry`, the one with the request's key, is its; refuse `key_reused` if it is another's.

    Entries from before digests were kept have none to compare.
    """
    if entry is None:
        return False
    if entry.kind not in ("deal", "answer") or entry.body.get(REQUEST, request.digest) != request.digest:
        raise Refused("key_reused", req=request.req)
    return True


class _Request:
    """One remembered request; `waiting` is None once it is answered."""

    __slots__ = ("digest", "refused", "round", "waiting")

    def __init__(self, content: bytes, round_: str, answer: OnAnswer) -> None:
        self.digest = content
        self.round = round_
        self.waiting: list[OnAnswer] | None = [answer]
        self.refused: Refused | None = None


class Requests:
    """The requests of one player. `open_rounds` returns the live rounds that may still take bets."""

    __slots__ = ("_known", "_open_rounds", "_prune_at")

    def __init__(self, open_rounds: Callable[[], set[str]]) -> None:
        self._open_rounds = open_rounds
        self._known: dict[str, _Request] = {}
        self._prune_at = ANSWERS_KEPT + PRUNE_EVERY

    def begin(self, req: str, content: bytes, answer: OnAnswer, round_: str = "") -> bool:
        """Return whether the request is new and must be executed; otherwise answer it.

        A request sent again gets the first one's answer, now or when there is one. The same id with
        other content is refused `key_reused`. A request of a `round_` isn't forgotten while that is open.
        """
        known = self._known.get(req)
        if known is not None:
            self._repeat(req, known, content, answer)
            return False
        if len(self._known) >= self._prune_at and not self._prune():
            answer(req, Refused("too_many_open_requests", most=REQUESTS_MAX))
            return False
        self._known[req] = _Request(content, round_, answer)
        return True

    def done(self, req: str, refused: Refused | None) -> None:
        """Answer a request that was begun, and everybody who sent it again meanwhile."""
        request = self._known[req]
        waiting, request.waiting, request.refused = request.waiting or (), None, refused
        for answer in waiting:
            answer(req, refused)

    def claim(self, req: str, content: bytes) -> None:
        """Take the id for a request that may safely be executed again; refuse `key_reused`."""
        answers: list[Refused | None] = []
        if self.begin(req, content, lambda _, refused: answers.append(refused)):
            self.done(req, None)
        if answers and (refused := answers[0]):
            raise refused

    @staticmethod
    def _repeat(req: str, known: _Request, content: bytes, answer: OnAnswer) -> None:
        if known.digest != content:
            answer(req, Refused("key_reused", req=req))
        elif known.waiting is None:
            answer(req, known.refused)
        else:
            known.waiting.append(answer)

    def _prune(self) -> bool:
        """Forget what is old, answered and of no open round; return whether there is room for another."""
        open_rounds = self._open_rounds()
        oldest = list(self._known)[:-ANSWERS_KEPT]
        for req in self._forgettable(oldest, open_rounds):
            del self._known[req]
        self._prune_at = min(len(self._known) + PRUNE_EVERY, REQUESTS_MAX)
        return len(self._known) < REQUESTS_MAX

    def _forgettable(self, reqs: Iterable[str], open_rounds: set[str]) -> Iterator[str]:
        for req in reqs:
            request = self._known[req]
            if request.waiting is None and not (request.round and request.round in open_rounds):
                yield req


class RequestRegistry:
    """The requests of all players who are here or left recently."""

    def __init__(self, open_rounds: Callable[[], set[str]]) -> None:
        self._open_rounds = open_rounds
        self._of: dict[str, Requests] = {}
        self._seen_ms: dict[str, int] = {}

    def of(self, player: str) -> Requests:
        if player not in self._of:
            self._of[player] = Requests(self._open_rounds)
        return self._of[player]

    def sweep(self, here: Container[str], now_ms: int) -> None:
        """Forget the requests of players who have been away for FORGOTTEN_AFTER_MS."""
        for player in tuple(self._of):
            if player in here:
                self._seen_ms.pop(player, None)
            elif now_ms - self._seen_ms.setdefault(player, now_ms) >= FORGOTTEN_AFTER_MS:
                del self._of[player], self._seen_ms[player]

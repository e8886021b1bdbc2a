"""The one thread that writes. Whatever queued up while a commit ran is committed together, next."""

import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from itertools import groupby
from queue import Empty, SimpleQueue
from sqlite3 import Connection
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

from croupier.ledger.cache import LedgerCache
from croupier.ledger.entries import Entry, Posted
from croupier.ledger.protocol import LedgerBroken, Recorded
from croupier.ledger.sqlite.batch import PostResult, enter
from croupier.ledger.sqlite.speculation import PredictedSequence, SpeculativeTransaction
from croupier.ledger.sqlite.wal import WalMaintenance
from croupier.refusal import Refused

T = TypeVar("T")
Resolve = Callable[[], None]

GROUP_MAX = 500
"""Jobs in one commit: enough to make a commit's cost vanish, few enough to keep the wait short."""

PREPARE_DELAY_S = 0.002
"""After so long without work, what is likely to be posted is written ahead."""

_log = logging.getLogger(__name__)


def uncancellable_future() -> Future[Any]:
    """A future that can't be cancelled."""
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    return future


class WriteJob(Generic[T]):
    """A piece of work and the future of its result."""

    def __init__(self) -> None:
        self.future: Future[T] = uncancellable_future()


class WorkJob(WriteJob[T]):
    """Any small write."""

    def __init__(self, work: Callable[[Connection], T]) -> None:
        super().__init__()
        self.work = work


class RecordedWorkJob(WriteJob[T]):
    """A small write, and the entries that tell of it."""

    def __init__(self, work: Callable[[Connection], Recorded[T]]) -> None:
        super().__init__()
        self.work = work


class PostJob(WriteJob[T]):
    """Sequences to be entered, and what their answers come to: a result, or an exception that is raised."""

    def __init__(
        self, sequences: Sequence[Sequence[Entry]], result: Callable[[Sequence[PostResult]], T]
    ) -> None:
        super().__init__()
        self.sequences = sequences
        self.result = result

    @property
    def sequence(self) -> Sequence[Entry]:
        """Its only one; nothing, if it has several."""
        return self.sequences[0] if len(self.sequences) == 1 else ()


class PrepareJob(WriteJob[bool]):
    """A sequence that is likely to be posted."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        super().__init__()
        self.draft = PredictedSequence(entries, self.future)


class WorkFailed(Exception):
    """Work that raised, whatever it was, and was undone; what couldn't be undone isn't this."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


class Writer:
    """Takes work from any thread and does it in order, each piece whole or not at all."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._cache = LedgerCache()
        self._pencil = SpeculativeTransaction(connection, self._cache)
        self._log = WalMaintenance(connection, lambda: self._pencil.vain)
        self._queue: SimpleQueue[WriteJob[Any] | None] = SimpleQueue()
        self._come: deque[WriteJob[Any] | None] = deque()
        """Jobs that were taken from the queue and not yet gathered."""
        self._refusal: LedgerBroken | None = None
        self._lock = Lock()
        self._thread = Thread(target=self._run, name="ledger", daemon=True)
        self._thread.start()

    def run(self, work: Callable[[Connection], T]) -> Future[T]:
        """Resolves after the commit that made the work durable."""
        return self._submit(WorkJob(work))

    def run_recorded(self, work: Callable[[Connection], Recorded[T]]) -> Future[T]:
        """The same, and enter the entries it answers with."""
        return self._submit(RecordedWorkJob(work))

    def post(self, entries: Sequence[Entry]) -> Future[tuple[Posted, ...]]:
        """One sequence, whole or not at all."""
        return self._submit(PostJob([entries], _whole))

    def post_each(self, entries: Sequence[Entry]) -> Future[tuple[Posted | Refused, ...]]:
        """Each by itself."""
        return self._submit(PostJob([(entry,) for entry in entries], _each))

    def prepare(self, entries: Sequence[Entry]) -> Future[bool]:
        """A sequence that is likely to be posted is written ahead, once nothing else is to be done."""
        return self._submit(PrepareJob(entries))

    def _submit(self, job: WriteJob[T]) -> Future[T]:
        with self._lock:
            if self._refusal is None:
                self._queue.put(job)
            else:
                job.future.set_exception(self._refusal)
        return job.future

    def close(self) -> None:
        """Finish what was submitted, then take nothing more."""
        with self._lock:
            if self._refusal is None:
                self._refusal = LedgerBroken("the books are closed")
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while self._refusal is None or not self._queue.empty():
            if jobs := self._gather():
                self._commit(jobs)
                self._log.grew()
                if self._refusal is None and self._log.is_long:
                    self._sound(self._log.move)
        self._pencil.close()
        self._connection.close()

    def _gather(self) -> list[WriteJob[Any]]:
        """Wait for work, then take all there is; empty when nothing is to be committed."""
        group = [self._next()]
        with suppress(Empty):
            while len(group) < GROUP_MAX:
                group.append(self._queue.get_nowait())
        for job in group:
            if isinstance(job, PrepareJob):
                self._pencil.want(job.draft)
        return [job for job in group if job is not None and not isinstance(job, PrepareJob)]

    def _next(self) -> WriteJob[Any] | None:
        """The next job. While none comes, what is likely is pencilled, and the log looked after."""
        while not self._come:
            try:
                return self._queue.get(timeout=self._rests_s())
            except Empty:
                self._at_rest()
        return self._come.popleft()

    def _rests_s(self) -> float | None:
        if self._pencil.waits:
            return PREPARE_DELAY_S
        return None if self._pencil.drawn else self._log.rests_s

    def _at_rest(self) -> None:
        draw = partial(self._pencil.draw, self._disturbed)
        self._sound(draw if self._pencil.waits else self._log.rest)

    def _sound(self, work: Callable[[], None]) -> None:
        """A store that can't do this isn't trusted any more."""
        try:
            work()
        except Exception as error:  # noqa: BLE001 - whatever it is
            self._break([], error)

    def _disturbed(self, draft: PredictedSequence) -> bool:
        """Whether anything has come that isn't what is being drawn."""
        if not self._come:
            with suppress(Empty):
                self._come.append(self._queue.get_nowait())
        return any(not (isinstance(job, PostJob) and draft.begins(job.sequence)) for job in self._come)

    def _commit(self, jobs: list[WriteJob[Any]]) -> None:
        try:
            tells = self._begin(jobs[0])
            for job in jobs:
                if isinstance(job, PostJob):
                    self._pencil.forget(job.sequence)
            left = groupby(jobs[len(tells) :], type)
            tells += [tell for kind, some in left for tell in self._do(kind, [*some])]
            self._connection.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - a store that can't commit isn't trusted any more
            self._break(jobs, error)
        else:
            for tell in tells:
                tell()

    def _begin(self, first: WriteJob[Any]) -> list[Resolve]:
        """A transaction: the one in which what is asked for first has been pencilled, or a new one."""
        if isinstance(first, PostJob) and (answer := self._pencil.ink(first.sequence)):
            return [_tell(first, [answer])]
        self._pencil.rub_out()
        self._connection.execute("BEGIN IMMEDIATE")
        return []

    def _do(self, kind: type[WriteJob[Any]], jobs: Sequence[Any]) -> list[Resolve]:
        """Enter entries together; do other errands one by one."""
        if kind is not WorkJob and len(jobs) > 1:
            with suppress(WorkFailed):  # one of them is the cause: each by itself shows which
                return self._saved(partial(self._together(jobs[0]), jobs))
        return [tell for job in jobs for tell in self._alone(job)]

    def _together(self, job: WriteJob[Any]) -> Callable[[Sequence[Any]], list[Resolve]]:
        return self._enter if isinstance(job, PostJob) else self._record

    def _alone(self, job: Any) -> list[Resolve]:
        try:
            if not isinstance(job, WorkJob):
                return self._saved(partial(self._together(job), [job]))
            return [partial(job.future.set_result, self._saved(partial(job.work, self._connection)))]
        except WorkFailed as failed:
            return [partial(job.future.set_exception, failed.cause)]

    def _enter(self, posts: Sequence[PostJob[Any]]) -> list[Resolve]:
        sequences = [each for post in posts for each in post.sequences]
        answers = iter(enter(self._connection, self._cache, sequences))
        return [_tell(post, [next(answers) for _ in post.sequences]) for post in posts]

    def _record(self, errands: Sequence[RecordedWorkJob[Any]]) -> list[Resolve]:
        """Do the work of all, then enter their entries; raises when one of them fails."""
        done = [errand.work(self._connection) for errand in errands]
        answers = enter(self._connection, self._cache, [recorded.entries for recorded in done])
        for answer in answers:
            if isinstance(answer, Exception):
                self._cache.stale = True  # what the others wrote is undone
                raise answer
        results = zip(errands, done, strict=True)
        return [partial(errand.future.set_result, recorded.result) for errand, recorded in results]

    def _saved(self, work: Callable[[], T]) -> T:
        """All of the work, or nothing of it: then Failed."""
        self._connection.execute("SAVEPOINT job")
        try:
            result = work()
        except Exception as error:
            self._connection.execute("ROLLBACK TO job")
            self._connection.execute("RELEASE job")
            raise WorkFailed(error) from error
        self._connection.execute("RELEASE job")
        return result

    def _break(self, jobs: list[WriteJob[Any]], error: Exception) -> None:
        """What is on disk is unknown now, so whoever waits is told so, and nothing more is taken."""
        _log.critical("the ledger is broken and takes nothing more until a restart", exc_info=error)
        with self._lock:
            self._refusal = LedgerBroken(f"a commit failed: {error}")
        while self._come or not self._queue.empty():
            jobs.extend(self._gather())
        for job in jobs:
            job.future.set_exception(self._refusal)
        self._queue.put(None)


def _tell(post: PostJob[T], answers: Sequence[PostResult]) -> Resolve:
    try:
        return partial(post.future.set_result, post.result(answers))
    except Exception as error:  # noqa: BLE001 - it belongs to who posted
        return partial(post.future.set_exception, error)


def _whole(answers: Sequence[PostResult]) -> tuple[Posted, ...]:
    (answer,) = answers
    if isinstance(answer, Exception):
        raise answer
    return answer


def _each(answers: Sequence[PostResult]) -> tuple[Posted | Refused, ...]:
    return tuple(answer if isinstance(answer, Refused) else _whole([answer])[0] for answer in answers)

"""The one thread that writes. It commits together whatever was queued while the last commit ran."""

import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from itertools import groupby
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

from croupier.ledger.entries import Entry, Posted
from croupier.ledger.leases import Fence, LeaseLost
from croupier.ledger.protocol import LedgerBroken
from croupier.ledger.sql.batch import AskedRows, PostResult, ask, post_sequences
from croupier.ledger.sql.connection import Connection, Cursor
from croupier.ledger.sql.driver import Driver, ask_nothing
from croupier.ledger.sql.fences import ask_fences, current_fences
from croupier.ledger.sql.prediction import PredictedSequence
from croupier.ledger.sql.transactions import Recorded
from croupier.refusal import Refused

T = TypeVar("T")
AskedOfPosts = tuple[AskedRows, Sequence[Cursor]]
"""The rows that posts need to know, and the fences."""
Resolve = Callable[[], None]
"""Resolves a job's future, once its transaction is committed."""

GROUP_MAX = 500
"""Jobs in one commit: enough to make a commit's cost vanish, few enough to keep the wait short."""

PREPARE_DELAY_S = 0.002
"""Time without work after which a predicted sequence is prepared."""

_log = logging.getLogger(__name__)


def uncancellable_future() -> Future[Any]:
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    return future


class WriteJob(Generic[T]):
    """Queued work and the future of its result."""

    def __init__(self) -> None:
        self.future: Future[T] = uncancellable_future()


class WorkJob(WriteJob[T]):
    """A small write."""

    def __init__(self, work: Callable[[Connection], T]) -> None:
        super().__init__()
        self.work = work


class RecordedWorkJob(WriteJob[T]):
    """A small write and the entries that record it."""

    def __init__(self, work: Callable[[Connection], Recorded[T]]) -> None:
        super().__init__()
        self.work = work


class ReadJob(WriteJob[T]):
    """Queries that see the results of all jobs before them."""

    def __init__(self, work: Callable[[Connection], T]) -> None:
        super().__init__()
        self.work = work


class PostJob(WriteJob[T]):
    """Sequences to post; `to_result` makes the job's result of theirs, or raises."""

    def __init__(
        self,
        sequences: Sequence[Sequence[Entry]],
        to_result: Callable[[Sequence[PostResult]], T],
        fence: Fence | None,
    ) -> None:
        super().__init__()
        self.sequences = sequences
        self.to_result = to_result
        self.fence = fence

    @property
    def sequence(self) -> Sequence[Entry]:
        """The only sequence; empty if there are several."""
        return self.sequences[0] if len(self.sequences) == 1 else ()


class PrepareJob(WriteJob[bool]):
    """A sequence that is likely to be posted."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        super().__init__()
        self.predicted = PredictedSequence(entries, self.future)


class WorkFailed(Exception):
    """Work raised and was undone. An error that couldn't be undone is never wrapped in this."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


class Writer:
    """Takes jobs from any thread and does them in order, each whole or not at all."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._cache = driver.cache
        self._speculation = driver.speculation
        self._maintenance = driver.maintenance
        self._queue: SimpleQueue[WriteJob[Any] | None] = SimpleQueue()
        self._taken: deque[WriteJob[Any] | None] = deque()
        """Jobs taken from the queue while preparing, and not gathered yet."""
        self._refusal: LedgerBroken | None = None
        self._lock = Lock()
        self._thread = Thread(target=self._run, name="ledger", daemon=True)
        self._thread.start()

    def run(self, work: Callable[[Connection], T]) -> Future[T]:
        """Do a small write."""
        return self._submit(WorkJob(work))

    def run_recorded(self, work: Callable[[Connection], Recorded[T]]) -> Future[T]:
        """Do a small write and post the entries it returns."""
        return self._submit(RecordedWorkJob(work))

    def read(self, work: Callable[[Connection], T]) -> Future[T]:
        """Do queries, in the order of the writes but without keeping other servers from writing."""
        return self._submit(ReadJob(work))

    def post(self, entries: Sequence[Entry], fence: Fence | None = None) -> Future[tuple[Posted, ...]]:
        """Post one sequence, whole or not at all."""
        return self._submit(PostJob([tuple(entries)], _only_result, fence))

    def post_each(
        self, entries: Sequence[Entry], fence: Fence | None = None
    ) -> Future[tuple[Posted | Refused, ...]]:
        """Post each entry by itself."""
        return self._submit(PostJob([(entry,) for entry in entries], _each_result, fence))

    def post_groups(
        self, groups: Sequence[Sequence[Entry]], fence: Fence | None = None
    ) -> Future[tuple[tuple[Posted, ...] | Refused, ...]]:
        """Post each group, whole or not at all."""
        return self._submit(PostJob([*map(tuple, groups)], _group_results, fence))

    def prepare(self, entries: Sequence[Entry]) -> Future[bool]:
        """Write a likely sequence ahead, once there is no other work."""
        return self._submit(PrepareJob(entries))

    def _submit(self, job: WriteJob[T]) -> Future[T]:
        with self._lock:
            if self._refusal is None:
                self._queue.put(job)
            else:
                job.future.set_exception(self._refusal)
        return job.future

    def close(self) -> None:
        """Finish the submitted jobs and refuse further ones."""
        with self._lock:
            if self._refusal is None:
                self._refusal = LedgerBroken("the ledger is closed")
                self._queue.put(None)
        self._thread.join()

    # --- in the thread

    def _run(self) -> None:
        while self._refusal is None or not self._queue.empty():
            if jobs := self._gather():
                reads = [job for job in jobs if isinstance(job, ReadJob)]
                if writes := [job for job in jobs if not isinstance(job, ReadJob)]:
                    self._commit(writes)
                    self._maintenance.count_commit()
                self._read_all(reads)
                if self._refusal is None and self._maintenance.overdue:
                    self._attempt(self._maintenance.run)
        self._speculation.close()
        self._driver.close()

    def _gather(self) -> list[WriteJob[Any]]:
        """Wait for jobs, then take all that are queued; empty if none of them needs a commit."""
        group = [self._next()]
        with suppress(Empty):
            while len(group) < GROUP_MAX:
                group.append(self._queue.get_nowait())
        for job in group:
            if isinstance(job, PrepareJob):
                self._speculation.enqueue(job.predicted)
        return [job for job in group if job is not None and not isinstance(job, PrepareJob)]

    def _next(self) -> WriteJob[Any] | None:
        """Return the next job; while there is none, prepare predicted sequences and do maintenance."""
        while not self._taken:
            try:
                return self._queue.get(timeout=self._idle_delay_s())
            except Empty:
                self._run_idle()
        return self._taken.popleft()

    def _idle_delay_s(self) -> float | None:
        if self._speculation.is_due:
            return PREPARE_DELAY_S
        return None if self._speculation.is_prepared else self._maintenance.idle_delay_s

    def _run_idle(self) -> None:
        prepare = partial(self._speculation.prepare, self._interrupted)
        self._attempt(prepare if self._speculation.is_due else self._maintenance.run)

    def _attempt(self, work: Callable[[], None]) -> None:
        """Do maintenance; if it fails, the database isn't trusted any more."""
        try:
            work()
        except Exception as error:  # noqa: BLE001 - whatever it is
            self._break([], error)

    def _interrupted(self, predicted: PredictedSequence) -> bool:
        """Return whether a job is queued that isn't the post of the predicted sequence."""
        if not self._taken:
            with suppress(Empty):
                self._taken.append(self._queue.get_nowait())
        return any(not (isinstance(job, PostJob) and predicted.begins(job.sequence)) for job in self._taken)

    def _commit(self, jobs: list[WriteJob[Any]]) -> None:
        try:
            resolves = self._transact(jobs)
        except Exception as error:  # noqa: BLE001 - a database that can't commit isn't trusted any more
            self._break(jobs, error)
        else:
            for resolve in resolves:
                resolve()

    def _read_all(self, reads: Sequence[ReadJob[Any]]) -> None:
        """Do queries after all writes they were queued with, whose futures are resolved before theirs."""
        if reads:
            self._speculation.discard()
        for job in reads:
            try:
                result = self._read(job.work)
            except Exception as error:  # noqa: BLE001 - passed to the caller
                job.future.set_exception(error)
            else:
                job.future.set_result(result)

    def _read(self, work: Callable[[Connection], T]) -> T:
        """Do queries, again if the connection was lost."""
        while True:
            try:
                return self._driver.read(work)
            except Exception as error:  # noqa: BLE001 - the driver raises it again if it can't go on
                self._driver.recover(error)

    def _transact(self, jobs: list[WriteJob[Any]]) -> list[Resolve]:
        """Do the jobs in one transaction, again if the connection was lost before it was committed.

        Where savepoints cost round trips, posts are tried without them.
        """
        posts = [job for job in jobs if isinstance(job, PostJob)]
        saves = not self._driver.defers_errors or len(posts) < len(jobs)
        while True:
            resolves: list[Resolve] = []
            try:
                resolves = self._do_all(jobs) if saves else self._post_unsaved(posts)
                self._driver.commit()
            except Exception as error:  # noqa: BLE001 - the driver raises it again if it can't go on
                if not saves and not isinstance(error, LedgerBroken) and self._driver.roll_back():
                    saves = True
                    continue
                if not self._driver.recover(error):
                    continue
            return resolves

    def _post_unsaved(self, posts: Sequence[PostJob[Any]]) -> list[Resolve]:
        return self._post_all(posts, self._driver.begin(partial(self._ask, posts)))

    def _do_all(self, jobs: list[WriteJob[Any]]) -> list[Resolve]:
        resolves = self._begin(jobs[0])
        for job in jobs:
            if isinstance(job, PostJob):
                self._speculation.drop(job.sequence)
        left = groupby(jobs[len(resolves) :], type)
        return [*resolves, *(resolve for kind, some in left for resolve in self._do(kind, [*some]))]

    def _begin(self, first: WriteJob[Any]) -> list[Resolve]:
        """Complete the speculative transaction if it is for the first job; otherwise begin a new one."""
        if isinstance(first, PostJob) and self._speculation.is_prepared:
            fences = current_fences(ask_fences(self._driver.connection, [first.fence]))
            if first.fence in fences and (result := self._speculation.complete(first.sequence)):
                return [_resolve(first, [result])]
        self._speculation.discard()
        self._driver.begin(ask_nothing)
        return []

    def _do(self, kind: type[WriteJob[Any]], jobs: Sequence[Any]) -> list[Resolve]:
        """Do posts together, recorded work together, and other work job by job."""
        if kind is not WorkJob and len(jobs) > 1:
            with suppress(WorkFailed):  # doing each alone shows which of them is the cause
                return self._saved(partial(self._together(jobs[0]), jobs))
        return [resolve for job in jobs for resolve in self._alone(job)]

    def _together(self, job: WriteJob[Any]) -> Callable[[Sequence[Any]], list[Resolve]]:
        return self._post_all if isinstance(job, PostJob) else self._record_all

    def _alone(self, job: Any) -> list[Resolve]:
        try:
            if not isinstance(job, WorkJob):
                return self._saved(partial(self._together(job), [job]))
            return [partial(job.future.set_result, self._saved(partial(job.work, self._driver.connection)))]
        except WorkFailed as failed:
            return [partial(job.future.set_exception, failed.cause)]

    def _post_all(self, posts: Sequence[PostJob[Any]], asked: AskedOfPosts | None = None) -> list[Resolve]:
        connection = self._driver.connection
        rows, asked_fences = asked or self._ask(posts, connection)
        fences = current_fences(asked_fences)
        allowed = [post for post in posts if post.fence in fences]
        sequences = [each for post in allowed for each in post.sequences]
        results = iter(post_sequences(connection, self._cache, sequences, rows))
        resolves = [_resolve(post, [next(results) for _ in post.sequences]) for post in allowed]
        return [*resolves, *(_lease_lost(post) for post in posts if post.fence not in fences)]

    def _ask(self, posts: Sequence[PostJob[Any]], connection: Connection) -> AskedOfPosts:
        rows = ask(connection, self._cache, [each for post in posts for each in post.sequences])
        return rows, ask_fences(connection, [post.fence for post in posts])

    def _record_all(self, jobs: Sequence[RecordedWorkJob[Any]]) -> list[Resolve]:
        """Do the work of all, then post their entries; raise if one of them fails."""
        recorded = [job.work(self._driver.connection) for job in jobs]
        for result in post_sequences(
            self._driver.connection, self._cache, [each.entries for each in recorded]
        ):
            if isinstance(result, Exception):
                self._cache.stale = True  # the savepoint undoes what the others wrote
                raise result
        return [partial(job.future.set_result, each.result) for job, each in zip(jobs, recorded, strict=True)]

    def _saved(self, work: Callable[[], T]) -> T:
        """Do all of the work, or undo it and raise WorkFailed."""
        self._driver.connection.execute("SAVEPOINT job")
        try:
            result = work()
            self._driver.flush()
        except Exception as error:
            self._driver.undo("job")
            raise WorkFailed(error) from error
        self._driver.connection.execute("RELEASE job")
        return result

    def _break(self, jobs: list[WriteJob[Any]], error: Exception) -> None:
        """Fail all jobs and refuse further ones, since the state on disk is unknown."""
        _log.critical("the ledger is broken and takes nothing more until a restart", exc_info=error)
        with self._lock:
            self._refusal = LedgerBroken(f"a commit failed: {error}")
        while self._taken or not self._queue.empty():
            jobs.extend(self._gather())
        for job in jobs:
            job.future.set_exception(self._refusal)
        self._queue.put(None)


def _resolve(post: PostJob[T], results: Sequence[PostResult]) -> Resolve:
    try:
        return partial(post.future.set_result, post.to_result(results))
    except Exception as error:  # noqa: BLE001 - passed to the caller who posted
        return partial(post.future.set_exception, error)


def _lease_lost(post: PostJob[Any]) -> Resolve:
    assert post.fence is not None
    return partial(post.future.set_exception, LeaseLost(post.fence.table))


def _only_result(results: Sequence[PostResult]) -> tuple[Posted, ...]:
    (result,) = results
    if isinstance(result, Exception):
        raise result
    return result


def _each_result(results: Sequence[PostResult]) -> tuple[Posted | Refused, ...]:
    return tuple(result if isinstance(result, Refused) else result[0] for result in _group_results(results))


def _group_results(results: Sequence[PostResult]) -> tuple[tuple[Posted, ...] | Refused, ...]:
    return tuple(result if isinstance(result, Refused) else _only_result([result]) for result in results)

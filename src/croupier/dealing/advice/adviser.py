"""Asks the process that works out advice, one question at a time, and remembers its answers."""

import asyncio
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress

import msgspec

from croupier.dealing.advice.question import Question
from croupier.refusal import Refused

log = logging.getLogger(__name__)

WORKER = (sys.executable, "-m", "croupier.dealing.advice.worker")
WAITING_MAX = 32
"""Questions that wait; more are refused."""
ANSWER_TIMEOUT_S = 15.0
REMEMBERED = 2_000
"""Answers: advice, and the judgement of the decision after it, are one question."""

Worths = Mapping[str, float]


class Adviser:
    """The process starts with the first question, and again after it has failed."""

    def __init__(self, worker: Sequence[str] = WORKER) -> None:
        self._command = worker
        self._worker: Process | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._known = OrderedDict[bytes, Worths]()

    async def worths(self, question: Question) -> Worths:
        """Return what each option is worth; refuse `advice_busy` or `advice_failed`."""
        line = msgspec.json.encode(question)
        if line in self._known:
            self._known.move_to_end(line)
            return self._known[line]
        if self._waiting >= WAITING_MAX:
            raise Refused("advice_busy")
        self._waiting += 1
        try:
            async with self._turn:
                self._known[line] = await self._ask(line)
        finally:
            self._waiting -= 1
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return self._known[line]

    async def _ask(self, line: bytes) -> Worths:
        """Whatever goes wrong, the worker is stopped: its next line might answer an earlier question."""
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                answer = await self._exchanged(line)
            return msgspec.json.decode(answer, type=dict[str, float])
        except (OSError, TimeoutError, msgspec.MsgspecError) as error:
            log.exception("advice can't be worked out")
            await self.close()
            raise Refused("advice_failed") from error
        except asyncio.CancelledError:
            await self.close()
            raise

    async def _exchanged(self, line: bytes) -> bytes:
        if self._worker is None:
            self._worker = await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, start_new_session=True
            )
        given, answers = self._worker.stdin, self._worker.stdout
        assert given is not None, "its input is a pipe"
        assert answers is not None, "its output is a pipe"
        given.write(line + b"\n")
        await given.drain()
        return await answers.readline()

    async def close(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            with suppress(ProcessLookupError):
                worker.kill()
            await worker.wait()

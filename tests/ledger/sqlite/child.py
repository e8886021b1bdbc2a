"""A process that writes a database, to be killed, to run out of disk space, or to be locked out.

`open PATH` opens and closes it; `full PATH` posts until the disk is full and on; `loop PATH RUN` posts from
several threads until it's killed; `submit PATH` posts without waiting; `prepare PATH` prepares a coup and
doesn't post it. Acknowledged keys are printed. With `process` as the last argument a writer process writes.
"""

import asyncio
import os
import resource
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from time import sleep

from croupier.ledger import entries
from croupier.ledger.entries import Entry, Posted, Share, Ticket
from croupier.ledger.protocol import LedgerBroken
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger

FILE_BYTES_MAX = 800_000


def report(*words: str) -> None:
    """Print a line in one write, so that a kill can't cut it."""
    os.write(1, f"{' '.join(words)}\n".encode())


def until_full(ledger: SqliteLedger, run: str) -> None:
    for number in range(2_000):
        entry = entries.grant(f"k{number}", 1, "ann", "GC", 1, "x" * 500)
        if run == "prepare":
            ledger.prepare([entry]).exception()
        error = ledger.post([entry]).exception()
        report("LedgerBroken" if isinstance(error, LedgerBroken) else entry.key)


def submit(ledger: SqliteLedger, _run: str) -> None:
    """Submit more than a second's work."""
    for number in range(200):
        ledger.post([entries.grant(f"k{number}.{each}", 1, f"p{each}", "GC", 1, "x") for each in range(100)])
    ledger.post([entries.grant("last", 1, "ann", "GC", 1, "x")])
    report("submitted")
    threading.Event().wait()


def prepare(ledger: SqliteLedger, _run: str) -> None:
    share = Share("r", "ann", 60, 0)
    staked = entries.stakes("more", 3, "live", "GC", [share], number="#")
    ledger.post([entries.grant("k", 1, "ann", "GC", 100, "x"), staked]).result()
    end = entries.coup("end", 4, "live", "GC", [share._replace(returned_minor=120)], {"cards": ["AS"]})
    report("prepared", str(ledger.prepare([end]).result()))
    threading.Event().wait()


def until_killed(ledger: SqliteLedger, run: str) -> None:
    for player in range(4):
        threading.Thread(target=play, args=(ledger, run, f"p{player}")).start()


def play(ledger: SqliteLedger, run: str, player: str) -> None:
    """Post rounds without end, as sequences or one by one, and report each key once it's durable.

    Some are prepared before; other posts may come first, and there isn't always time to prepare.
    """
    for number, sequence in enumerate(rounds(run, player)):
        if number % 3 == 0:
            ledger.prepare(sequence)
            sleep(number % 4 * 0.002)
        answers = (ledger.post_each if number % 2 else ledger.post)(sequence).result()
        assert all(isinstance(answer, Posted) for answer in answers), answers
        report(*(entry.key for entry in sequence))


def rounds(run: str, player: str) -> Iterator[list[Entry]]:
    for number in count():
        key = f"{run}:{player}:{number}"
        ticket = Ticket(key, player, f"t{run}", "GC")
        yield [
            entries.grant(f"{key}:grant", 1, player, "GC", 110, "again"),
            entries.deal(ticket, f"{key}:deal", 2, number="#", staked_minor=60, steps=["AS", "down"]),
        ]
        yield [entries.answer(ticket, f"{key}:answer", 3, extra_minor=50, steps=["double", "9H"])]
        yield [entries.release(ticket, f"{key}:back", 3, amount_minor=10)]
        for way, share in (("more", Share(key, player, 7, 0)), ("less", Share(key, player, 0, 7))):
            yield [entries.stakes(f"{key}:{way}", 3, ticket.table, "GC", [share], number="#")]
        if number % 3 == 0:
            share = Share(key, player, 100, number % 2 * 200)
            yield [entries.coup(f"{key}:end", 4, ticket.table, "GC", [share], {"cards": ["AS"]})]
        elif number % 5:
            yield [entries.settle(ticket, f"{key}:end", 4, staked_minor=100, returned_minor=number % 3 * 100)]
        else:
            yield [entries.void(ticket, f"{key}:end", 4, staked_minor=100, reason="malfunction")]


TASKS: dict[str, Callable[[SqliteLedger, str], None]] = {
    "open": lambda _ledger, _run: None,
    "full": until_full,
    "submit": submit,
    "prepare": prepare,
    "loop": until_killed,
}


def main(task: str, path: str, run: str = "", writer: str = "thread") -> None:
    if task == "full":
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES_MAX, FILE_BYTES_MAX))
    if writer == "process":
        asyncio.run(with_writer_process(task, Path(path), run))
        return
    ledger = SqliteLedger.open(Path(path), migrate=upgrade)
    TASKS[task](ledger, run)
    if task != "loop":
        ledger.close()


async def with_writer_process(task: str, path: Path, run: str) -> None:
    """Run the task in a thread, since the event loop reads the replies."""
    ledger = await SqliteLedger.open_with_writer_process(path, migrate=upgrade)
    await asyncio.to_thread(TASKS[task], ledger, run)
    if task == "loop":
        await asyncio.Event().wait()
    ledger.close()


if __name__ == "__main__":
    main(*sys.argv[1:])

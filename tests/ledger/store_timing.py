"""Compare the stores: `python -m tests.ledger.store_timing POSTGRESQL_URL [--runs 3]`; the database is empty.

Both are measured in turn in each run: single bets, a thousand bets a second, and a coup of 10,000 players.
"""

import argparse
import tempfile
import time
from pathlib import Path

from croupier.ledger import entries
from croupier.ledger.entries import Entry, Share
from croupier.ledger.sql.databases import postgresql_url
from croupier.ledger.sql.store import SqlLedger
from croupier.ledger.stores import open_ledger

PLAYERS, SINGLE, RATE, SECONDS = 10_000, 300, 1_000, 3


def bet(key: str, player: int) -> Entry:
    share = Share(key, f"p{player % PLAYERS}", 10, 0)
    return entries.stakes(f"k{key}", 2, f"t{key}", "EUR", [share], number="#")


def single(ledger: SqlLedger, run: int) -> list[float]:
    """Return the times of bets, each posted when the one before is acknowledged."""
    times = []
    for number in range(SINGLE):
        start = time.perf_counter()
        ledger.post([bet(f"s{run}.{number}", number)]).result()
        times.append(time.perf_counter() - start)
    return times


def steady(ledger: SqlLedger, run: int) -> list[float]:
    """Return the times of bets at a fixed rate, from when each was due to its acknowledgement."""
    times: list[float] = []
    start = time.perf_counter()
    for number in range(RATE * SECONDS):
        due = start + number / RATE
        time.sleep(max(0.0, due - time.perf_counter()))
        post = ledger.post([bet(f"b{run}.{number}", number)])
        post.add_done_callback(lambda _, due=due: times.append(time.perf_counter() - due))  # type: ignore[misc]
    post.result()
    return times


def coup(ledger: SqlLedger, run: int) -> list[float]:
    """Return the time of a coup, which settles all players' rounds."""
    shares = [Share(f"c{run}.{player}", f"p{player}", 10, 0) for player in range(PLAYERS)]
    table = f"live{run}"
    ledger.post([entries.stakes(f"stakes{run}", 2, table, "EUR", shares, number="#")]).result()
    settled = [share._replace(returned_minor=number % 2 * 20) for number, share in enumerate(shares)]
    start = time.perf_counter()
    ledger.post([entries.coup(f"coup{run}", 3, table, "EUR", settled, {"cards": ["AS"]})]).result()
    return [time.perf_counter() - start]


def shown(times: list[float]) -> str:
    ordered = sorted(1_000 * each for each in times)
    return f"p50 {ordered[len(ordered) // 2]:.1f}, p99 {ordered[len(ordered) * 99 // 100]:.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", type=postgresql_url)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        opened = {"SQLite": Path(folder) / "ledger.db", "PostgreSQL": arguments.url}
        ledgers = {name: open_ledger(database) for name, database in opened.items()}
        for ledger in ledgers.values():
            ledger.post(
                [entries.grant(f"g{n}", 1, f"p{n}", "EUR", 10**6, "x") for n in range(PLAYERS)]
            ).result()
        for run in range(arguments.runs):
            for name, ledger in ledgers.items():
                for work in (single, steady, coup):
                    print(f"run {run}: {name}, {work.__name__}: {shown(work(ledger, run))}", flush=True)
        for ledger in ledgers.values():
            ledger.close()


if __name__ == "__main__":
    main()

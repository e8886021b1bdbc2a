"""Measure the ledger's speed: `python -m tests.ledger.timing [FOLDER]`, on the disk of that folder.

docs/performance/ledger.md has figures and the machine they were measured on.
"""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles
from time import perf_counter, process_time

from croupier.ledger import entries
from croupier.ledger.entries import Entry, Json, Share, Ticket
from croupier.ledger.sql.verify import verify
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger

PLAYERS = 10_000
SINGLES = 2_000


def ticket(number: int, name: str = "r") -> Ticket:
    player = f"p_{number % PLAYERS:016}"
    return Ticket(f"{name}{number // PLAYERS:012}.{player}", player, "infinite", "GC")


def grants(name: str, number: int) -> list[Entry]:
    return [entries.grant(f"{name}{i}", 1, ticket(i).player, "GC", 10_000, "welcome") for i in range(number)]


def deal(number: int, name: str = "r") -> Entry:
    wagers: list[Json] = [[0, "main", 100]]
    return entries.deal(
        ticket(number, name), f"{name}d{number}", 2, number="#10:00:00", staked_minor=100, steps=["AS", "TD"],
        opened={"wagers": wagers, "rules": "rules:0123456789abcdef"},
    )  # fmt: skip


def settle(number: int) -> Entry:
    returned = 200 if number % 2 else 0
    return entries.settle(
        ticket(number), f"s{number}", 3, staked_minor=100, returned_minor=returned, steps=["stand"]
    )


def timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def syncs(folder: Path) -> list[float]:
    """Return the lower bound of a commit: one small write and its fdatasync."""
    with (folder / "sync").open("wb", buffering=0) as file:

        def sync() -> None:
            file.write(bytes(4096))
            os.fdatasync(file)

        return [timed(sync) for _ in range(500)]


def show(what: str, times: list[float]) -> None:
    cuts = quantiles(times, n=100)
    print(f"{what:<44} p50 {cuts[49] * 1e3:7.3f} ms   p99 {cuts[98] * 1e3:7.3f} ms")


def rate(what: str, number: int, work: Callable[[], object]) -> None:
    """Print the rate, and the processor time, which other processes on the machine don't affect much."""
    started = process_time()
    seconds = timed(work)
    busy = process_time() - started
    print(
        f"{what:<44} {seconds * 1e3:8.1f} ms   {number / seconds:9,.0f} a second   CPU {busy * 1e3:8.1f} ms"
    )


def post_in_groups(ledger: SqliteLedger, bets: list[Entry], group: int) -> None:
    """Post groups of bets one after the other, as a live table does."""
    for start in range(0, len(bets), group):
        ledger.post_each(bets[start : start + group]).result()


def coup(name: str) -> Entry:
    """Return a coup in which each player has five bets, all different."""
    bets = [
        [[0, bet, 100 + number] for bet in ("main", "any_pair", "twenty_one_plus_three", "hot_3", "bust_it")]
        for number in range(PLAYERS)
    ]
    shares = [
        Share(of.round, of.player, 100, 150 if number % 2 else 0)
        for number in range(PLAYERS)
        for of in [ticket(number, name)]
    ]
    body: dict[str, Json] = {"bets": bets, "places": [[0, 0, number] for number in range(PLAYERS)]}
    return entries.coup(f"coup{name}", 3, "infinite", "GC", shares, body)


def deal_to_all(ledger: SqliteLedger) -> None:
    for post in [ledger.post([deal(number)]) for number in range(PLAYERS)]:
        post.result()


def measure(folder: Path) -> None:
    path = folder / "ledger.db"
    show("fdatasync of 4 KiB", syncs(folder))
    ledger = SqliteLedger.open(path, migrate=upgrade)
    ledger.post(grants("g", PLAYERS)).result()
    show("one post of one entry", [timed(ledger.post([one]).result) for one in grants("one", SINGLES)])
    rate("10,000 posts of one deal, in groups", PLAYERS, lambda: deal_to_all(ledger))
    ends = [settle(number) for number in range(PLAYERS)]
    rate("one post of 10,000 settlements", PLAYERS, lambda: ledger.post(ends).result())
    for group in (1, 20, 200):
        bets = [deal(number, f"{group}-") for number in range(PLAYERS)]
        rate(f"10,000 bets in post_each of {group}", PLAYERS, lambda: post_in_groups(ledger, bets, group))  # noqa: B023
        settled = coup(f"{group}-")
        rate("a coup of 10,000 players, five bets each", 5 * PLAYERS, lambda: ledger.post([settled]).result())  # noqa: B023
    show("balances of a player", [timed(lambda: ledger.balances(ticket(7).player)) for _ in range(SINGLES)])
    show("record of a round", [timed(lambda: ledger.round(ticket(7).round)) for _ in range(SINGLES)])
    rate("verify", verify(path).entries, lambda: verify(path))
    ledger.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as temporary:
        measure(Path(temporary))

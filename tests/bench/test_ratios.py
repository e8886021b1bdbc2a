"""The bare work of `tools.ratios`, and its report."""

import asyncio
import sys
from pathlib import Path

import pytest

from croupier.ledger.sql.databases import PostgresqlUrl
from tests.support.nats_server import NatsServer, needs_nats
from tests.support.postgresql import administration

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the bench runs on Linux only")
ratios = pytest.importorskip("tools.ratios")


def test_bare_commits_are_in_a_table_of_their_own(postgresql: PostgresqlUrl, tmp_path: Path) -> None:
    bare = ratios.bare_postgresql(postgresql) | ratios.bare_sqlite(tmp_path)
    for store in ("PostgreSQL", "SQLite"):
        assert 0 < bare[f"commit {store}, p50"] <= bare[f"commit {store}"]
        assert bare[f"commits {store}"] > 0
    with administration(postgresql.text) as connection:
        assert connection.execute("SELECT to_regclass('bare')").fetchone() == (None,)
    assert not [*tmp_path.iterdir()]


@needs_nats
def test_round_trips_are_timed() -> None:
    with NatsServer() as nats:
        times = asyncio.run(ratios.round_trips(nats.url))
    assert len(times) == ratios.ROUND_TRIPS
    assert min(times) > 0


@pytest.mark.parametrize(
    ("limit", "is_maximum", "missed"),
    [(2, True, False), (1.9, True, True), (2, False, False), (2.1, False, True)],
)
def test_the_median_of_the_ratios_counts(limit: float, is_maximum: bool, missed: bool) -> None:
    ratio = ratios.Ratio("a / b", lambda run: run["a"], lambda run: run["b"], limit, is_maximum=is_maximum)
    shown = ratio.shown([{"a": 4.0, "b": 2.0}, {"a": 9.0, "b": 1.0}, {"a": 1.0, "b": 10.0}])
    assert shown.startswith("a / b: 4 / 2 = 2.00 (0.10, 2.00, 9.00), ")
    assert shown.endswith(": missed") == missed

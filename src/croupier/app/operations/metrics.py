"""Metrics in the form of Prometheus, read from the running server when they are asked for."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress

from prometheus_client import (
    GC_COLLECTOR,
    PLATFORM_COLLECTOR,
    PROCESS_COLLECTOR,
    CollectorRegistry,
    generate_latest,
)
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

import croupier
from croupier.app.operations.camera_metrics import camera_metrics
from croupier.app.operations.families import by_label, gauge, histogram
from croupier.app.operations.health import Health
from croupier.app.operations.outside_metrics import outside_metrics
from croupier.build import current_build
from croupier.equipment.rng import RNG_VERSION
from croupier.gateway.connection_limits import ConnectionLimiter
from croupier.gateway.server import Server
from croupier.ledger.protocol import DatabaseUnreachable

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
RESULTS_TIMEOUT_S = 1.0
"""Longest wait for the results: metrics are needed most while the database doesn't answer."""


async def read_results(health: Health) -> None:
    """Read the tables' results; if the database doesn't answer soon, those read last are shown."""
    server = health.server
    if server is None:
        return

    def read() -> dict[str, dict[str, dict[str, int]]]:
        return {table: server.ledger.balances(table) for table in server.tables}

    with suppress(TimeoutError, DatabaseUnreachable):
        health.table_balances = await asyncio.wait_for(server.gateway.read(read), RESULTS_TIMEOUT_S)


def metrics_text(health: Health) -> bytes:
    """Return all metrics in Prometheus's text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(ServerCollector(health))
    for collector in (PROCESS_COLLECTOR, PLATFORM_COLLECTOR, GC_COLLECTOR):
        registry.register(collector)
    return generate_latest(registry)


class ServerCollector(Collector):
    """The metrics of croupier; docs/operations/metrics.md lists them."""

    def __init__(self, health: Health) -> None:
        self._health = health

    def collect(self) -> Iterator[Metric]:
        health = self._health
        yield _build()
        yield gauge("croupier_ready", "1 while the server accepts players.", int(health.is_ready))
        levels = health.log_counts.by_level
        yield by_label(CounterMetricFamily, "croupier_log_records", "Log records.", "level", levels)
        yield histogram("croupier_event_loop_lag_seconds", "Delay of a timer.", health.loop_lag)
        if health.limiter:
            yield from _connections(health.limiter)
        if health.server:
            yield from _play(health.server)
            yield from _payments(health.server)
            yield from _tables(health.server)
            yield _results(health.table_balances)
            yield from _nodes(health.server)
            yield from outside_metrics(health.server)
            yield from camera_metrics(health.server.cameras, health.server.recorder, health.server.streams)


def _build() -> Metric:
    build = current_build()
    labels = {
        "version": croupier.__version__,
        "build": build.id,
        "commit": build.commit,
        "committed": build.committed,
        "lock": build.lock,
        "rng": RNG_VERSION,
    }
    return InfoMetricFamily("croupier_build", "The build of the program, and the version of its RNG.", labels)


def _connections(limiter: ConnectionLimiter) -> Iterator[Metric]:
    yield gauge("croupier_connections", "Open connections, HTTP and WebSocket.", limiter.open)
    yield gauge("croupier_connections_max", "Connections that fit.", limiter.limits.total)


def _play(server: Server) -> Iterator[Metric]:
    measured = server.table_services.measurements
    here = sum(player.has_socket for player in server.players)
    yield gauge("croupier_players", "Players connected to this node.", here)
    yield histogram(
        "croupier_commit_seconds", "From a post to its durable commit.", server.gateway.commit_latency
    )
    yield histogram(
        "croupier_settlement_seconds", "From a live round's end to its publication.", measured.settlements
    )
    yield CounterMetricFamily("croupier_rng_draws", "Random numbers drawn.", value=measured.draws)
    wagers = CounterMetricFamily("croupier_wagers", "Stakes asked for.", labels=("table", "outcome"))
    for (table, outcome), count in measured.wagers.items():
        wagers.add_metric((table, outcome), count)
    yield wagers
    about = "Settlements that couldn't be posted: the rounds stay open."
    # From 0 on: Prometheus sees no increase in a series that appears with its first event.
    unsettled = dict.fromkeys(server.tables, 0) | measured.unsettled
    yield by_label(CounterMetricFamily, "croupier_unsettled_rounds", about, "table", unsettled)
    calls = server.table_services.wallet.rounds.calls.states()
    yield by_label(
        GaugeMetricFamily, "croupier_wallet_calls", "Unfinished calls to the wallet.", "state", calls
    )


def _payments(server: Server) -> Iterator[Metric]:
    about = "Payments that were reversed, held or contradicted."
    events = server.payments.events
    yield by_label(CounterMetricFamily, "croupier_payment_events", about, "event", events)


def _tables(server: Server) -> Iterator[Metric]:
    players = GaugeMetricFamily("croupier_table_players", "Players at a live table.", labels=("table",))
    opened = GaugeMetricFamily("croupier_table_open", "1 if a live table is open.", labels=("table",))
    backlog = GaugeMetricFamily(
        "croupier_broadcast_backlog", "Messages not yet delivered to all.", labels=("table",)
    )
    for name, table in server.live.items():
        subscribers = table.broadcaster.subscribers
        players.add_metric((name,), len(subscribers))
        opened.add_metric((name,), int(table.state.phase != "closed"))
        backlog.add_metric((name,), subscribers.backlog)
    yield from (players, opened, backlog)


def _nodes(server: Server) -> Iterator[Metric]:
    follower, owned = server.follower, server.live_tables
    connected = follower is None or follower.is_bus_connected
    waiting = int(server.database.is_waiting)
    yield gauge("croupier_database_waiting", "1 while the database doesn't answer.", waiting)
    yield gauge("croupier_bus_connected", "0 while the message server is out of reach.", int(connected))
    moved = {"taken_over": owned.taken_over, "lost": owned.lost}
    remote = server.remote_tables
    yield gauge("croupier_remote_seats", "Seats at live tables of other nodes.", remote.seats)
    losses = CounterMetricFamily("croupier_link_losses", "Losses on links to owners.", value=remote.losses)
    yield losses
    refused = server.bus.refused if server.bus else {}
    about = "Messages of the bus that were refused."
    yield by_label(CounterMetricFamily, "croupier_bus_refused", about, "why", refused)
    about = "Live tables that moved between servers."
    yield by_label(CounterMetricFamily, "croupier_tables_moved", about, "how", moved)


def _results(held: Mapping[str, Mapping[str, Mapping[str, int]]]) -> Metric:
    ggr = GaugeMetricFamily(
        "croupier_ggr_minor",
        "Gross gaming revenue of all time, in smallest units.",
        labels=("table", "currency"),
    )
    for table, balances in held.items():
        for currency, kinds in balances.items():
            ggr.add_metric((table, currency), kinds.get("table", 0))
    return ggr

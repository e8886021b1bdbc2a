"""Metrics of the systems outside the server: a wallet, payment providers, identity servers, registries, mail.

Those that aren't configured are listed too, with no calls.
"""

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from croupier.app.operations.families import by_label, cumulative, gauge
from croupier.gateway.server import Server


def outside_metrics(server: Server) -> Iterator[Metric]:
    systems = server.outside.systems
    calls = CounterMetricFamily(
        "croupier_outside_calls", "Calls to other systems.", labels=("system", "call", "outcome")
    )
    latency = HistogramMetricFamily(
        "croupier_outside_call_seconds", "Time until a call ends.", labels=("system",)
    )
    for system in systems:
        for (call, outcome), count in system.outcomes.items():
            calls.add_metric((system.name, call, outcome), count)
        buckets, total_s = cumulative(system.latency)
        latency.add_metric((system.name,), buckets, total_s)
    yield calls
    yield latency
    yield by_label(
        GaugeMetricFamily,
        "croupier_outside_calls_in_progress",
        "Calls that wait for an answer.",
        "system",
        {system.name: system.in_progress for system in systems},
    )
    yield by_label(
        GaugeMetricFamily,
        "croupier_outside_silent",
        "1 from a call without an answer until the next one that is answered.",
        "system",
        {system.name: int(system.silent_since_ms is not None) for system in systems},
    )
    yield by_label(
        GaugeMetricFamily,
        "croupier_outside_waiting",
        "Work that waits for another system: calls to repeat, payments, messages.",
        "system",
        _waiting(server),
    )
    unknown = server.wallet.balances.unknown
    yield gauge("croupier_unknown_balances", "Connected players whose balance isn't known.", unknown)


def _waiting(server: Server) -> dict[str, int]:
    calls = server.table_services.wallet.rounds.calls.states()
    return {
        "wallet": calls.total(),
        "payments": server.payments.driver.waiting,
        "registry": server.registry.waiting,
        "mail": server.outbox.waiting,
    }

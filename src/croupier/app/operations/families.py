"""Prometheus metric families made from the server's counters and measurements."""

from collections.abc import Mapping

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from croupier.measurements import LATENCY_BOUNDS_S, LatencyHistogram


def gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(name, about, value=value)


def by_label(
    kind: type[CounterMetricFamily] | type[GaugeMetricFamily],
    name: str,
    about: str,
    label: str,
    counts: Mapping[str, int],
) -> Metric:
    family = kind(name, about, labels=(label,))
    for value, count in counts.items():
        family.add_metric((value,), count)
    return family


def histogram(name: str, about: str, measured: LatencyHistogram) -> Metric:
    family = HistogramMetricFamily(name, about)
    family.add_metric((), *cumulative(measured))
    return family


def cumulative(measured: LatencyHistogram) -> tuple[list[tuple[str, float]], float]:
    """Convert counts per bucket to the cumulative counts of Prometheus; return them with the sum."""
    buckets, seen = list[tuple[str, float]](), 0
    for bound, count in zip((*map(str, LATENCY_BOUNDS_S), "+Inf"), measured.counts, strict=True):
        seen += count
        buckets.append((bound, seen))
    return buckets, measured.total_s

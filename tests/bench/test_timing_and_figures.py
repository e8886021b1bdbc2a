"""Summaries of latencies, broadcasts and figures."""

from math import isnan
from typing import Any

import pytest

from croupier.bench.clients import evenly_spaced
from croupier.bench.figures import FIGURES, Figure, faults
from croupier.bench.timing import BroadcastTiming, PendingRequests, broadcasts_ms, each_us, latencies_ms


def test_quantiles_are_those_of_the_sorted_latencies() -> None:
    latencies = latencies_ms([number / 1000 for number in reversed(range(1001))])
    assert latencies == {"number": 1001, "p50": 500, "p99": 990, "p99_9": 999, "max": 1000}


def test_empty_summaries_have_no_quantiles() -> None:
    assert latencies_ms([]) == {"number": 0}
    assert broadcasts_ms([]) == {"number": 0}


def test_latency_is_measured_from_the_due_time_to_the_first_answer() -> None:
    pending = PendingRequests()
    pending.ask(b"1", 10.0)
    assert not pending.answered(b"2", 11.0)
    assert pending.answered(b"1", 10.5)
    assert not pending.answered(b"1", 12.0)
    assert pending.waited == [0.5]
    assert pending.all_answered(1)
    assert not pending.all_answered(2)


def test_a_broadcast_ends_when_the_last_client_receives_it() -> None:
    broadcast = BroadcastTiming(1.0)
    for at in (1.5, 1.25 + 0.5):
        broadcast.add_receipt(at)
    assert (broadcast.received, broadcast.ms) == (2, 750)


def test_evenly_spaced_times_have_no_rounding_drift() -> None:
    assert list(evenly_spaced(5.0, 4, 3)) == [5.0, 5.25, 5.5]


def test_the_cost_of_a_broadcast_is_per_receipt() -> None:
    timings = [BroadcastTiming(1.0, received=3), BroadcastTiming(2.0, received=1)]
    assert each_us(40e-6, timings) == pytest.approx(10)
    assert isnan(each_us(1.0, [BroadcastTiming(1.0)]))


@pytest.mark.parametrize(
    ("measured", "target", "lower_is_better", "met"),
    [(9, 10, True, True), (11, 10, True, False), (9, 10, False, False), (11, 10, False, True)],
)
def test_a_target_is_met_below_a_maximum_or_above_a_minimum(
    measured: float, target: float, lower_is_better: bool, met: bool
) -> None:
    assert Figure("work", measured, "ms", target, lower_is_better).met is met


def test_a_figure_without_measurements_misses_its_target() -> None:
    row = next(row for row in FIGURES if row.work == "decision acknowledged, p99")
    figure = row.figure({"decisions": {"number": 0}}, {})
    assert isnan(figure.measured)
    assert figure.met is False


def results(**changes: Any) -> dict[str, Any]:
    round_ = {"id": "r1", "results_received": 3, "staked_minor": 30, "returned_minor": 20, "ledger": [30, 20]}
    return {"players": 3, "lost": 0, "refused": {}, "rounds": [{**round_, **changes}]}


def test_a_run_without_a_fault_has_none() -> None:
    assert faults(results()) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"results_received": 2}, "2 of 3 players"),
        ({"ledger": [30, 21]}, "results sent differ from the ledger"),
        ({"ledger": [31, 20]}, "results sent differ from the ledger"),
    ],
)
def test_a_wrong_round_is_reported(change: dict[str, Any], message: str) -> None:
    (fault,) = faults(results(**change))
    assert message in fault


def test_lost_and_refused_clients_are_reported() -> None:
    assert faults(results() | {"lost": 2}) == ["players cut off: 2"]
    assert faults(results() | {"refused": {"bets_closed": 4}}) == ["refused: 4 x bets_closed"]

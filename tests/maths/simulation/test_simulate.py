"""Simulations are reproducible, agree with exact figures, and return partial results on Ctrl-C."""

from fractions import Fraction
from functools import cache
from math import isclose, isnan, sqrt

import pytest

from croupier.maths.simulation.count import RoundCounts, estimate
from croupier.maths.simulation.simulate import (
    CHUNK_ROUNDS,
    Result,
    SimulationJob,
    on_threads,
    prepare,
    run_chunk,
    simulate,
)
from tests.maths.tables import DECISION_TABLES, exact_figures


@cache
def job_of(name: str, strategy: str, rounds: int, *, fresh_shoe: bool = True) -> SimulationJob:
    table = DECISION_TABLES[name]
    return prepare(table.game, table.rules, strategy, rounds=rounds, seed=11, fresh_shoe=fresh_shoe)


@pytest.mark.parametrize(("name", "fresh_shoe"), [("premium", True), ("infinite", False)])
def test_any_number_of_threads_gives_the_same_result(name: str, fresh_shoe: bool) -> None:
    job = job_of(name, "mimic", 2 * CHUNK_ROUNDS + 12_345, fresh_shoe=fresh_shoe)
    results = [simulate(job, on_threads(threads)) for threads in (1, 2, 3)]
    assert len({str(result.estimate) for result in results}) == 1
    rounds = results[0].estimate.rounds
    assert rounds == job.rounds if fresh_shoe else job.rounds < rounds < job.rounds * 1.01
    assert results[0].complete


def test_another_seed_gives_another_result() -> None:
    job = job_of("premium", "mimic", 100_000)
    assert simulate(job).estimate != simulate(job._replace(seed=12)).estimate


@pytest.mark.parametrize(
    ("name", "strategy"),
    [("classic", "optimal"), pytest.param("infinite", "basic", marks=pytest.mark.campaign)],
)
def test_a_simulation_agrees_with_the_exact_return(name: str, strategy: str) -> None:
    """Compare the return within 4 standard errors, then the stake and the standard error."""
    table = DECISION_TABLES[name]
    exact = exact_figures(table, strategy)
    estimate = simulate(job_of(name, strategy, 100_000_000)).estimate
    assert (
        abs(estimate.return_per_initial_stake - exact.return_per_initial_stake) < 4 * estimate.standard_error
    )
    assert isclose(estimate.stake_per_round, exact.stake_per_round, abs_tol=2e-4)
    assert isclose(estimate.standard_error, estimate.standard_deviation / sqrt(estimate.rounds), rel_tol=0.05)


@pytest.mark.campaign
@pytest.mark.timeout(0)
@pytest.mark.parametrize("strategy", ["optimal", "basic"])
@pytest.mark.parametrize("name", DECISION_TABLES)
def test_a_simulation_agrees_over_a_billion_rounds(name: str, strategy: str) -> None:
    table = DECISION_TABLES[name]
    exact = exact_figures(table, strategy)
    estimate = simulate(job_of(name, strategy, 1_000_000_000)).estimate
    assert (
        abs(estimate.return_per_initial_stake - exact.return_per_initial_stake) < 4 * estimate.standard_error
    )


def test_ctrl_c_returns_the_rounds_counted_so_far() -> None:
    job = job_of("premium", "mimic", 50 * CHUNK_ROUNDS)
    results: list[Result] = []

    def interrupt(result: Result) -> None:
        results.append(result)
        if len(results) == 3:
            raise KeyboardInterrupt

    result = simulate(job, on_threads(2), interrupt)
    assert not result.complete
    assert result.estimate == results[-1].estimate
    first_three = RoundCounts()
    for chunk in range(3):
        first_three = first_three.plus(run_chunk(job, chunk).counted)
    assert result.estimate == estimate(first_three, job.ends, 0, job.unit_stake)


def test_the_distribution_has_the_mean_of_the_return() -> None:
    estimate = simulate(job_of("premium", "mimic", 200_000)).estimate
    assert sum(estimate.distribution.values()) == 200_000
    net = sum(net * count for net, count in estimate.distribution.items())
    assert float(1 + Fraction(net, 200_000)) == pytest.approx(estimate.return_per_initial_stake, abs=1e-15)
    assert min(estimate.distribution) == -1
    assert max(estimate.distribution) == Fraction(3, 2)


def test_without_rounds_the_estimates_are_nan() -> None:
    job = job_of("premium", "mimic", 10)
    rounds, *estimates, distribution = estimate(RoundCounts(), job.ends, 0, job.unit_stake)
    assert (rounds, distribution) == (0, {})
    assert all(map(isnan, estimates))


def test_a_simulation_of_no_rounds_is_refused() -> None:
    with pytest.raises(ValueError, match="one round"):
        job_of("premium", "mimic", 0)

"""Simulations of coups, which count all bets at once, agree with the exact figures."""

from functools import cache

import pytest

from croupier.maths.exact.coup_figures import figures_of
from croupier.maths.simulation.simulate import CHUNK_ROUNDS, Result, on_threads, prepare, simulate
from croupier.play.coup.model import NOTHING
from croupier.play.tables.files import with_rules
from tests.maths.tables import COUP_TABLES

SHORT, LONG = 100_000_000, 1_000_000_000
ERRORS_MAX = 4
"""The largest accepted difference from an exact return, in standard errors."""


@cache
def simulated(name: str, rounds: int) -> Result:
    table = COUP_TABLES[name]
    return simulate(prepare(table.game, table.rules, NOTHING, rounds=rounds, seed=21, fresh_shoe=True))


def check_every_bet(name: str, rounds: int) -> None:
    """Check the return and the standard error of every bet."""
    result = simulated(name, rounds)
    for odds in figures_of(COUP_TABLES[name]).bets:
        estimate = result.of(odds.bet)
        assert estimate.rounds == rounds
        difference = abs(estimate.return_per_initial_stake - float(odds.returned))
        assert difference < ERRORS_MAX * estimate.standard_error, odds.bet
        error = odds.standard_deviation / rounds**0.5
        assert estimate.standard_error == pytest.approx(error, rel=0.15), odds.bet
        assert estimate.return_per_total_stake == pytest.approx(estimate.return_per_initial_stake, rel=1e-12)


@pytest.mark.parametrize("name", ["baccarat", "dragon_tiger", "football_studio", "roulette", "sic_bo"])
def test_every_bet_agrees_with_its_exact_return(name: str) -> None:
    check_every_bet(name, SHORT)


@pytest.mark.campaign
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", COUP_TABLES)
def test_every_bet_agrees_over_a_billion_coups(name: str) -> None:
    check_every_bet(name, LONG)


def test_every_net_result_has_its_exact_frequency() -> None:
    """A bet on a single number pays for one, two or three dice."""
    (odds,) = (odds for odds in figures_of(COUP_TABLES["sic_bo"]).bets if odds.bet == "single_4")
    counts = simulated("sic_bo", SHORT).of("single_4").distribution
    assert counts.keys() == odds.nets.keys() == {-1, 1, 2, 3}
    for net, chance in odds.nets.items():
        error = float(SHORT * chance * (1 - chance)) ** 0.5
        assert abs(counts[net] - float(SHORT * chance)) < ERRORS_MAX * error, net


@pytest.mark.parametrize("name", ["baccarat", "roulette"])
def test_any_number_of_threads_gives_the_same_result(name: str) -> None:
    table = COUP_TABLES[name]
    job = prepare(table.game, table.rules, NOTHING, rounds=3 * CHUNK_ROUNDS + 7, seed=5)
    one, three = (simulate(job, on_threads(threads)) for threads in (1, 3))
    assert one.counted == three.counted
    assert {one.of(bet) == three.of(bet) for bet in job.bets} == {True}
    assert one.counted != simulate(job._replace(seed=6)).counted


def test_changed_rules_change_the_return() -> None:
    """Change to two decks and a commission of one tenth."""
    table = with_rules(COUP_TABLES["baccarat"], {"decks": 2, "banker": ["banker_wins 9:10", "tie push"]})
    estimate = simulate(prepare(table.game, table.rules, NOTHING, rounds=SHORT // 4, seed=3)).of("banker")
    (exact,) = (odds.returned for odds in figures_of(table).bets if odds.bet == "banker")
    assert abs(estimate.return_per_initial_stake - float(exact)) < ERRORS_MAX * estimate.standard_error
    published = figures_of(COUP_TABLES["baccarat"]).bets[1].returned
    assert (
        abs(estimate.return_per_initial_stake - float(published)) > 2 * ERRORS_MAX * estimate.standard_error
    )


def test_the_error_for_an_unknown_bet_lists_the_bets() -> None:
    with pytest.raises(ValueError, match="no bet 'purple'; there are: player, banker, tie"):
        simulated("baccarat", SHORT).of("purple")

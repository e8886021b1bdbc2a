"""All bets of a coup simulated at once, from the same round that is analysed and dealt."""

from functools import cache

import pytest

from croupier.maths.exact.coup_figures import figures_of
from croupier.maths.simulation.simulate import CHUNK_ROUNDS, Result, on_threads, prepare, simulate
from croupier.play.coup.model import NOTHING
from croupier.play.tables.files import with_rules
from tests.maths.tables import COUPS

SHORT, LONG = 100_000_000, 1_000_000_000
OFF_MAX = 4
"""Standard errors."""


@cache
def played(name: str, rounds: int) -> Result:
    table = COUPS[name]
    return simulate(prepare(table.game, table.rules, NOTHING, rounds=rounds, seed=21, fresh_shoe=True))


def check(name: str, rounds: int) -> None:
    """Every bet, and its spread."""
    result = played(name, rounds)
    for odds in figures_of(COUPS[name]).bets:
        found = result.of(odds.bet)
        assert found.rounds == rounds
        off = abs(found.return_per_initial_stake - float(odds.returned))
        assert off < OFF_MAX * found.standard_error, odds.bet
        error = odds.standard_deviation / rounds**0.5
        assert found.standard_error == pytest.approx(error, rel=0.15), odds.bet
        assert found.return_per_total_stake == pytest.approx(found.return_per_initial_stake, rel=1e-12)


@pytest.mark.parametrize("name", ["baccarat", "dragon_tiger", "football_studio", "roulette", "sic_bo"])
def test_every_bet_agrees_with_its_exact_return(name: str) -> None:
    check(name, SHORT)


@pytest.mark.campaign
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", COUPS)
def test_every_bet_agrees_over_a_billion_coups(name: str) -> None:
    check(name, LONG)


def test_nets_are_as_likely_as_they_are() -> None:
    """Not the mean alone: how often a single pays one, two and three dice."""
    (odds,) = (odds for odds in figures_of(COUPS["sic_bo"]).bets if odds.bet == "single_4")
    found = played("sic_bo", SHORT).of("single_4").distribution
    assert found.keys() == odds.nets.keys() == {-1, 1, 2, 3}
    for net, chance in odds.nets.items():
        error = float(SHORT * chance * (1 - chance)) ** 0.5
        assert abs(found[net] - float(SHORT * chance)) < OFF_MAX * error, net


@pytest.mark.parametrize("name", ["baccarat", "roulette"])
def test_any_number_of_threads_gives_the_same_result(name: str) -> None:
    table = COUPS[name]
    job = prepare(table.game, table.rules, NOTHING, rounds=3 * CHUNK_ROUNDS + 7, seed=5)
    one, three = (simulate(job, on_threads(threads)) for threads in (1, 3))
    assert one.counted == three.counted
    assert {one.of(bet) == three.of(bet) for bet in job.bets} == {True}
    assert one.counted != simulate(job._replace(seed=6)).counted


def test_another_rule_is_another_game() -> None:
    """Two decks, a commission of a tenth."""
    table = with_rules(COUPS["baccarat"], {"decks": 2, "banker": ["banker_wins 9:10", "tie push"]})
    found = simulate(prepare(table.game, table.rules, NOTHING, rounds=SHORT // 4, seed=3)).of("banker")
    (exact,) = (odds.returned for odds in figures_of(table).bets if odds.bet == "banker")
    assert abs(found.return_per_initial_stake - float(exact)) < OFF_MAX * found.standard_error
    other = figures_of(COUPS["baccarat"]).bets[1].returned
    assert abs(found.return_per_initial_stake - float(other)) > 2 * OFF_MAX * found.standard_error


def test_a_bet_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(ValueError, match="no bet 'purple'; there are: player, banker, tie"):
        played("baccarat", SHORT).of("purple")

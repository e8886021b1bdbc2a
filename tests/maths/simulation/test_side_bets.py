"""Side bets agree with their exact odds when compiled, simulated and dealt by the round."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import pytest

import croupier
from croupier.maths.exact.automaton import Automaton, Ends
from croupier.maths.exact.compile import side_bets
from croupier.maths.exact.compiled_cache import cached_automaton
from croupier.maths.exact.coup_figures import figures_of
from croupier.maths.exact.outcomes import chances, shoe_of
from croupier.maths.simulation.simulate import CHUNK_ROUNDS, Result, on_threads, prepare, simulate
from croupier.play.contract.figures import BetOdds
from croupier.play.tables.files import with_rules
from tests.maths.simulation.dealt_side_bets import side_bets as dealt_side_bets
from tests.maths.tables import DECISION_TABLES

SHORT, LONG = 100_000_000, 1_000_000_000
ERRORS_MAX = 4
"""The largest accepted difference from an exact return, in standard errors."""
SIDE_BETS = [
    (name, bet) for name, table in DECISION_TABLES.items() for bet in side_bets(table.game, table.rules)
]


@cache
def odds_of(name: str) -> dict[str, BetOdds]:
    return {odds.bet: odds for odds in figures_of(DECISION_TABLES[name]).bets}


@cache
def simulated(name: str, bet: str, rounds: int) -> Result:
    table = DECISION_TABLES[name]
    return simulate(prepare(table.game, table.rules, "mimic", rounds=rounds, seed=31, bet=bet))


def net_chances(automaton: Automaton[Ends], decks: int) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield each net result and its probability."""
    for (end,), chance in chances(automaton, shoe_of(automaton, decks)).items():
        yield Fraction(end.net, automaton.unit_stake), chance


def check_simulation(name: str, bet: str, rounds: int) -> None:
    estimate, odds = simulated(name, bet, rounds).of(bet), odds_of(name)[bet]
    assert estimate.rounds == rounds
    assert (
        abs(estimate.return_per_initial_stake - float(odds.returned)) < ERRORS_MAX * estimate.standard_error
    )
    assert estimate.standard_error == pytest.approx(odds.standard_deviation / rounds**0.5, rel=0.3)
    assert estimate.stake_per_round == 1


def test_every_side_bet_of_every_table_is_simulated() -> None:
    offered = [
        (name, bet.name)
        for name, table in DECISION_TABLES.items()
        for bet in table.game.bets(table.rules)
        if not bet.main
    ]
    assert offered == SIDE_BETS != []


@pytest.mark.parametrize(("name", "bet"), SIDE_BETS)
def test_a_compiled_side_bet_has_the_exact_chances(name: str, bet: str) -> None:
    """Compare fractions, over every order of the cards."""
    table = DECISION_TABLES[name]
    automaton = cached_automaton(table.game, table.rules, "optimal", side=bet)
    computed = dict.fromkeys(odds_of(name)[bet].nets, Fraction(0))
    for net, chance in net_chances(automaton, table.game.decks(table.rules)):
        computed[net] += chance
    assert computed == odds_of(name)[bet].nets


@pytest.mark.parametrize(("name", "bet"), SIDE_BETS)
def test_every_side_bet_agrees_with_its_exact_return(name: str, bet: str) -> None:
    check_simulation(name, bet, SHORT)


@pytest.mark.campaign
@pytest.mark.timeout(0)
@pytest.mark.parametrize(("name", "bet"), SIDE_BETS)
def test_every_side_bet_agrees_over_a_billion_rounds(name: str, bet: str) -> None:
    check_simulation(name, bet, LONG)


@pytest.mark.parametrize("name", ["infinite", "seven_seat"])
def test_dealt_rounds_agree_with_the_exact_odds(name: str) -> None:
    table = DECISION_TABLES[name]
    assert table.game.model
    strategy = table.game.model.strategies["never_bust"](table.rules)
    dealt = dealt_side_bets(table.game, table.rules, strategy, rounds=2_000, seed=8)
    assert dealt.keys() == odds_of(name).keys()
    for bet, estimate in dealt.items():
        difference = abs(estimate.returned - float(odds_of(name)[bet].returned))
        assert difference < ERRORS_MAX * estimate.standard_error, bet


@pytest.mark.parametrize("bet", ["any_pair", "bust_it"])
def test_any_number_of_threads_gives_the_same_result(bet: str) -> None:
    job = simulated("infinite", bet, SHORT).job._replace(rounds=3 * CHUNK_ROUNDS + 7)
    one, three = (simulate(job, on_threads(threads)) for threads in (1, 3))
    assert one.counted == three.counted != simulate(job._replace(seed=6)).counted


def test_changed_rules_change_the_odds() -> None:
    """With two decks, pairs are rarer."""
    table = with_rules(DECISION_TABLES["infinite"], {"decks": 2})
    (exact,) = (odds for odds in figures_of(table).bets if odds.bet == "any_pair")
    estimate = simulate(
        prepare(table.game, table.rules, "mimic", rounds=SHORT // 4, seed=3, bet="any_pair")
    ).estimate
    assert (
        abs(estimate.return_per_initial_stake - float(exact.returned)) < ERRORS_MAX * estimate.standard_error
    )
    assert exact.returned != odds_of("infinite")["any_pair"].returned


def test_the_api_simulates_a_side_bet() -> None:
    """The result doesn't depend on the strategy, since no decision changes the chances."""
    table = croupier.table("infinite")
    estimate = table.simulate(1_000_000, seed=4, bet="any_pair")
    assert estimate.job.bets == ("any_pair",)
    assert estimate.estimate == table.simulate(1_000_000, seed=4, bet="any_pair", strategy="mimic").estimate
    with pytest.raises(ValueError, match="no bet 'perfect_pairs'; there are: main, any_pair, twenty"):
        table.simulate(10, bet="perfect_pairs")

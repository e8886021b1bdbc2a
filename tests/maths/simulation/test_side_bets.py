"""Side bets agree with their exact odds: compiled as fractions, simulated, and dealt by the round."""

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
from tests.maths.simulation.dealt_sides import side_bets as dealt
from tests.maths.tables import DECIDED as TABLES

SHORT, LONG = 100_000_000, 1_000_000_000
OFF_MAX = 4
"""Standard errors."""
SIDES = [(name, bet) for name, table in TABLES.items() for bet in side_bets(table.game, table.rules)]


@cache
def odds_of(name: str) -> dict[str, BetOdds]:
    return {odds.bet: odds for odds in figures_of(TABLES[name]).bets}


@cache
def played(name: str, bet: str, rounds: int) -> Result:
    table = TABLES[name]
    return simulate(prepare(table.game, table.rules, "mimic", rounds=rounds, seed=31, bet=bet))


def nets(automaton: Automaton[Ends], decks: int) -> Iterator[tuple[Fraction, Fraction]]:
    """What may be won or lost, each with its chance."""
    for (end,), chance in chances(automaton, shoe_of(automaton, decks)).items():
        yield Fraction(end.net, automaton.unit_stake), chance


def check(name: str, bet: str, rounds: int) -> None:
    found, odds = played(name, bet, rounds).of(bet), odds_of(name)[bet]
    assert found.rounds == rounds
    assert abs(found.return_per_initial_stake - float(odds.returned)) < OFF_MAX * found.standard_error
    assert found.standard_error == pytest.approx(odds.standard_deviation / rounds**0.5, rel=0.3)
    assert found.stake_per_round == 1


def test_every_side_bet_of_every_table_is_simulated() -> None:
    offered = [
        (name, bet.name)
        for name, table in TABLES.items()
        for bet in table.game.bets(table.rules)
        if not bet.main
    ]
    assert offered == SIDES != []


@pytest.mark.parametrize(("name", "bet"), SIDES)
def test_what_is_played_has_the_exact_chances(name: str, bet: str) -> None:
    """As fractions: of all cards that may come, in every order."""
    table = TABLES[name]
    automaton = cached_automaton(table.game, table.rules, "optimal", side=bet)
    found = dict.fromkeys(odds_of(name)[bet].nets, Fraction(0))
    for net, chance in nets(automaton, table.game.decks(table.rules)):
        found[net] += chance
    assert found == odds_of(name)[bet].nets


@pytest.mark.parametrize(("name", "bet"), SIDES)
def test_every_side_bet_agrees_with_its_exact_return(name: str, bet: str) -> None:
    check(name, bet, SHORT)


@pytest.mark.campaign
@pytest.mark.timeout(0)
@pytest.mark.parametrize(("name", "bet"), SIDES)
def test_every_side_bet_agrees_over_a_billion_rounds(name: str, bet: str) -> None:
    check(name, bet, LONG)


@pytest.mark.parametrize("name", ["infinite", "seven_seat"])
def test_the_round_dealt_agrees_with_the_exact_odds(name: str) -> None:
    table = TABLES[name]
    assert table.game.model
    strategy = table.game.model.strategies["never_bust"](table.rules)
    found = dealt(table.game, table.rules, strategy, rounds=2_000, seed=8)
    assert found.keys() == odds_of(name).keys()
    for bet, one in found.items():
        assert abs(one.returned - float(odds_of(name)[bet].returned)) < OFF_MAX * one.standard_error, bet


@pytest.mark.parametrize("bet", ["any_pair", "bust_it"])
def test_any_number_of_threads_gives_the_same_result(bet: str) -> None:
    job = played("infinite", bet, SHORT).job._replace(rounds=3 * CHUNK_ROUNDS + 7)
    one, three = (simulate(job, on_threads(threads)) for threads in (1, 3))
    assert one.counted == three.counted != simulate(job._replace(seed=6)).counted


def test_another_rule_is_another_bet() -> None:
    """Of two decks pairs are rarer, and what a suited one pays is told apart."""
    table = with_rules(TABLES["infinite"], {"decks": 2})
    (exact,) = (odds for odds in figures_of(table).bets if odds.bet == "any_pair")
    found = simulate(
        prepare(table.game, table.rules, "mimic", rounds=SHORT // 4, seed=3, bet="any_pair")
    ).estimate
    assert abs(found.return_per_initial_stake - float(exact.returned)) < OFF_MAX * found.standard_error
    assert exact.returned != odds_of("infinite")["any_pair"].returned


def test_a_program_may_ask_for_a_side_bet() -> None:
    """Whatever the strategy: nothing that a player decides changes its chances."""
    table = croupier.table("infinite")
    found = table.simulate(1_000_000, seed=4, bet="any_pair")
    assert found.job.bets == ("any_pair",)
    assert found.estimate == table.simulate(1_000_000, seed=4, bet="any_pair", strategy="mimic").estimate
    with pytest.raises(ValueError, match="no bet 'perfect_pairs'; there are: main, any_pair, twenty"):
        table.simulate(10, bet="perfect_pairs")

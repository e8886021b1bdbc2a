"""Every bet of every game of coups equals its published figures and an exhaustive walk of the round."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.equipment.cards import DECK, RANKS, Card, cards
from croupier.maths.exact.automaton import Automaton
from croupier.maths.exact.claims import percent_of
from croupier.maths.exact.compile import compile_outcomes, main_bets, unit_stake
from croupier.maths.exact.coup_figures import figures_of
from croupier.maths.exact.outcomes import chances, shoe_of
from croupier.maths.exact.walk import Belief, uniform_policy
from croupier.maths.exact.walk import chances as walk_chances
from croupier.play.contract.bets import Wager
from croupier.play.contract.figures import BetOdds, group_equal
from croupier.play.contract.game import Game, Table
from croupier.play.contract.odds import HALF_BACK
from croupier.play.coup.coup import all_cards_distinct
from croupier.play.coup.model import NO_DECISIONS
from croupier.play.tables.files import with_rules
from croupier.refusal import Refused
from tests.maths.tables import COUP_TABLES, TABLES

Outcomes = dict[tuple[str, ...], Fraction]


def bets_of(name: str, **changes: Any) -> dict[str, BetOdds]:
    return {odds.bet: odds for odds in figures_of(with_rules(COUP_TABLES[name], changes)).bets}


# --- published -----------------------------------------------------------------------------------

ONE_DECK, SIX_DECKS = {"decks": 1}, {"decks": 6}
NO_COMMISSION = {"banker": ["banker_wins_6 1:2", "banker_wins 1:1", "tie push"]}
PUBLISHED: list[tuple[str, dict[str, Any], str, str]] = [
    ("baccarat", {}, "player", "1.2351"),
    ("baccarat", {}, "banker", "1.0579"),
    ("baccarat", {}, "tie", "14.3596"),
    ("baccarat", SIX_DECKS, "player", "1.2374"),
    ("baccarat", SIX_DECKS, "banker", "1.0558"),
    ("baccarat", SIX_DECKS, "tie", "14.4382"),
    ("baccarat", ONE_DECK, "player", "1.2864"),
    ("baccarat", ONE_DECK, "banker", "1.0117"),
    ("baccarat", ONE_DECK, "tie", "15.75"),
    ("baccarat", {"tie": ["tie 9:1"]}, "tie", "4.8440"),
    ("baccarat", NO_COMMISSION, "banker", "1.46"),
    ("baccarat", {}, "player_pair", "10.36"),
    ("baccarat", SIX_DECKS, "banker_pair", "11.25"),
    ("baccarat", ONE_DECK, "player_pair", "29.41"),
    ("dragon_tiger", {}, "dragon", "3.7349"),
    ("dragon_tiger", {}, "tiger", "3.7349"),
    ("dragon_tiger", {"tie": ["tie 8:1"]}, "tie", "32.7711"),
    ("dragon_tiger", {}, "suited_tie", "13.9759"),
    ("football_studio", {}, "home", "3.7349"),
    ("football_studio", {}, "draw", "10.3614"),
    ("sic_bo", {}, "big", "2.7778"),
    ("sic_bo", {}, "odd", "2.7778"),
    ("sic_bo", {}, "any_triple", "13.8889"),
    ("sic_bo", {}, "triple_5", "16.2037"),
    ("sic_bo", {}, "double_5", "18.5185"),
    ("sic_bo", {}, "single_5", "7.8704"),
    ("sic_bo", {}, "pair_2_5", "16.6667"),
    ("sic_bo", {}, "total_4", "15.2778"),
    ("sic_bo", {}, "total_8", "12.5000"),
    ("sic_bo", {}, "total_9", "18.9815"),
    ("sic_bo", {}, "total_16", "13.8889"),
]


@pytest.mark.parametrize(("name", "changes", "bet", "percent"), PUBLISHED)
def test_published_house_edges_are_reproduced(
    name: str, changes: dict[str, Any], bet: str, percent: str
) -> None:
    edge = bets_of(name, **changes)[bet].house_edge
    assert percent_of(edge, Decimal(percent)) == Decimal(percent)


def test_the_results_of_baccarat_have_their_known_counts() -> None:
    """Count among the 4,998,398,275,503,360 orders of six cards from eight decks."""
    orders = 4_998_398_275_503_360
    counts = {bet: odds.lines[0].chance * orders for bet, odds in bets_of("baccarat").items()}
    assert counts["banker"] == 2_292_252_566_437_888
    assert counts["player"] == 2_230_518_282_592_256
    assert counts["tie"] == 475_627_426_473_216


@pytest.mark.parametrize("decks", [1, 2, 8, 20])
@pytest.mark.parametrize("bet", ["player_pair", "banker_pair"])
def test_the_chance_of_a_pair_depends_on_the_decks_only(bet: str, decks: int) -> None:
    """The second card must have the rank of the first, among all cards but that one."""
    pair = Fraction(4 * decks - 1, 52 * decks - 1)
    assert bets_of("baccarat", decks=decks)[bet].returned == 12 * pair


def test_all_bets_on_a_single_zero_wheel_have_one_house_edge() -> None:
    for name in ("roulette", "live_roulette"):
        odds = bets_of(name)
        assert len(odds) == 157
        assert {bet.house_edge for bet in odds.values()} == {Fraction(1, 37)}


def test_house_edges_of_a_double_zero_wheel() -> None:
    odds = bets_of("american_roulette")
    assert odds.pop("five_number_0_00_1_2_3").house_edge == Fraction(3, 38)
    assert {bet.house_edge for bet in odds.values()} == {Fraction(1, 19)}


def test_half_back_on_zero_halves_the_house_edge() -> None:
    odds = bets_of("roulette", even_chance=["win 1:1", "zero half back"])
    assert odds["red"].house_edge == Fraction(1, 74)
    assert [line.pays for line in odds["red"].lines] == [(1, 1), HALF_BACK]
    assert odds["straight_17"].house_edge == Fraction(1, 37)


# --- against the walk ----------------------------------------------------------------------------


def compiled(table: Table) -> Automaton[tuple[str, ...]]:
    return compile_outcomes(table.game, table.rules, NO_DECISIONS)


def outcomes_by_walk(table: Table, shoe: tuple[Card, ...]) -> Outcomes:
    """Return the probability of each combination of outcomes, from a round walked with every card."""
    game = table.game
    numbers: dict[tuple[str, ...], int] = {}
    stake = unit_stake(game, table.rules)
    wagers = [Wager(0, bet, stake) for bet in main_bets(game, table.rules)]

    def outcome_number(coup: Any) -> int:
        return numbers.setdefault(tuple(line.outcome for line in game.settle(coup)), len(numbers))

    by_number = walk_chances(game.start(table.rules, wagers), Belief.of(shoe), uniform_policy, outcome_number)
    return {outcomes: by_number[number] for outcomes, number in numbers.items()}


def outcomes_by_automaton(table: Table, shoe: tuple[Card, ...]) -> Outcomes:
    """Return the probability of each combination of outcomes, from the compiled automaton."""
    automaton = compiled(table)
    groups = [sum(str(card) in group or card.rank in group for card in shoe) for group in automaton.columns]
    outcomes = chances(automaton, groups if shoe else shoe_of(automaton, 0))
    assert sum(outcomes.values()) == 1
    return outcomes


@pytest.mark.parametrize("name", COUP_TABLES)
def test_the_automaton_and_the_walk_find_the_same_fractions(name: str) -> None:
    """Deal from one deck at most; at baccarat from two cards of each of six ranks."""
    table = COUP_TABLES[name]
    decks = table.game.decks(table.rules)
    shoe = cards("8S 7S 6S 5S 2S TS") * 2 if table.game.name == "baccarat" else DECK * min(decks, 1)
    assert outcomes_by_automaton(table, shoe) == outcomes_by_walk(table, shoe)


TOTALS = st.sets(st.integers(0, 9), max_size=8).map(sorted)
BANKER_DRAWS = st.dictionaries(
    st.integers(0, 9), st.lists(st.sampled_from("-0123456789"), unique=True, min_size=1), max_size=8
)


@settings(max_examples=12)
@given(
    rows=BANKER_DRAWS,
    draws=TOTALS,
    naturals=TOTALS,
    ranks=st.lists(st.sampled_from(RANKS), min_size=8, max_size=8),
)
def test_any_tableau_and_any_shoe_agree_with_the_walk(
    rows: dict[int, list[str]], draws: list[int], naturals: list[int], ranks: list[str]
) -> None:
    tableau = [f"{total}: {' '.join(sorted(thirds))}" for total, thirds in rows.items()]
    changes = {"banker_draws": tableau, "player_draws": draws, "naturals": naturals}
    table = with_rules(COUP_TABLES["baccarat"], changes)
    shoe = tuple(Card(rank, "S") for rank in ranks)
    assert outcomes_by_automaton(table, shoe) == outcomes_by_walk(table, shoe)


def test_a_shoe_that_may_run_out_is_refused() -> None:
    with pytest.raises(Refused, match="shoe_empty"):
        outcomes_by_automaton(COUP_TABLES["baccarat"], cards("2S 3S TS TS TS"))


# --- the model of a game: which cards and states it distinguishes -----------------------------------


def with_model(table: Table, **changes: Any) -> Table:
    """Return the table with fields of its game's model changed."""
    assert table.game.model
    return replace(table, game=replace(table.game, model=replace(table.game.model, **changes)))


def test_needless_card_groups_change_nothing() -> None:
    table = COUP_TABLES["football_studio"]
    all_distinct = with_model(table, rank_groups=all_cards_distinct)
    assert len(compiled(all_distinct).columns) == 52 > len(compiled(table).columns) == 13
    assert figures_of(all_distinct).bets == figures_of(table).bets


def _key_without_hands(coup: Any) -> Any:
    return coup.wants(), len(coup.dealt)


WRONG_MODELS: dict[str, tuple[str, dict[str, Callable[[Any], Any]]]] = {
    "suits ignored": ("dragon_tiger", {"rank_groups": lambda _: tuple(RANKS)}),
    "ranks merged": ("football_studio", {"rank_groups": lambda _: ("A", "23456789TJQK")}),
    "hands left out of the state": ("baccarat", {"state_key": _key_without_hands}),
}


@pytest.mark.parametrize("name", WRONG_MODELS)
def test_missing_distinctions_are_detected_by_the_walk(name: str) -> None:
    table = COUP_TABLES[WRONG_MODELS[name][0]]
    shoe = cards("8S 7S 6S 5S 2S TS") * 2 if table.game.name == "baccarat" else DECK
    faulty = with_model(table, **WRONG_MODELS[name][1])
    assert outcomes_by_automaton(faulty, shoe) != outcomes_by_walk(table, shoe)


# --- the best bet and groups of bets ---------------------------------------------------------------


@pytest.mark.parametrize("name", COUP_TABLES)
def test_the_best_bet_has_the_highest_return_and_a_consistent_distribution(name: str) -> None:
    figures = figures_of(COUP_TABLES[name])
    best = max(odds.returned for odds in figures.bets) - 1
    assert figures.best.mean == figures.mean == float(best)
    assert sum(bar.chance for bar in figures.distribution) == pytest.approx(1, abs=1e-12)
    mean = sum(bar.net * bar.chance for bar in figures.distribution)
    assert mean == pytest.approx(figures.mean, abs=1e-12)
    spread = sum((bar.net - mean) ** 2 * bar.chance for bar in figures.distribution) ** 0.5
    assert spread == pytest.approx(figures.best.standard_deviation)
    assert (figures.chart, figures.openings, figures.chance_tables) == (None, (), {})


def test_among_equal_bets_the_lowest_variance_is_named() -> None:
    assert figures_of(COUP_TABLES["roulette"]).best.strategy == "red"
    assert figures_of(COUP_TABLES["live_baccarat"]).best.strategy == "banker"


def test_bets_of_a_kind_with_equal_odds_are_grouped() -> None:
    groups = [[odds.bet for odds in alike] for alike in group_equal(figures_of(COUP_TABLES["sic_bo"]).bets)]
    assert ["total_4", "total_17"] in groups
    assert ["any_triple"] in groups
    assert sum(map(len, groups)) == 52


def test_a_game_without_an_exact_analysis_is_refused() -> None:
    table = TABLES["classic"]
    without_figures: Game = replace(table.game, figures=None)
    with pytest.raises(ValueError, match="Blackjack has no exact analysis"):
        figures_of(replace(table, game=without_figures))

"""Dragon Tiger and Football Studio: every pair of cards, compared with a reference, and the house edges."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from croupier.equipment.cards import DECK, Card
from croupier.games import games, published_tables
from croupier.play.contract.bets import Wager
from croupier.play.contract.game import Game
from croupier.play.coup.coup import Coup
from tests.games.reference_coups import REFERENCE

RULES = {name: published_tables()[name].rules for name in ("dragon_tiger", "football_studio")}
DECKS = 8
STAKE = 101


def new_coup(name: str) -> Coup:
    game = games()[name]
    coup: Coup = game.start(RULES[name], [Wager(0, game.bets(RULES[name])[0].name, 1)])
    return coup


def finished_coup(game: Game, rules: object, first: Card, second: Card) -> Coup:
    coup: Coup = game.start(rules, [Wager(0, bet.name, STAKE) for bet in game.bets(rules)])
    for card in (first, second):
        coup = coup.answer(coup.wants()[0], card)
    assert coup.ended
    return coup


def all_coups(name: str) -> Iterator[tuple[Card, Card, Coup]]:
    for first, second in product(DECK, DECK):
        yield first, second, finished_coup(games()[name], RULES[name], first, second)


@pytest.mark.parametrize("name", RULES)
def test_every_coup_is_settled_like_the_reference(name: str) -> None:
    for first, second, coup in all_coups(name):
        result, returns = REFERENCE[name]([str(first)], [str(second)])
        lines = {line.bet: line.returned_minor for line in games()[name].settle(coup)}
        assert lines == {bet: int(STAKE * per_unit) for bet, per_unit in returns.items()}
        assert coup.definition.result(coup.rules, coup.dealt) == result


@pytest.mark.parametrize(
    ("name", "bet", "edge"),
    [
        ("dragon_tiger", "dragon", Fraction(31, 830)),
        ("dragon_tiger", "tiger", Fraction(31, 830)),
        ("dragon_tiger", "tie", Fraction(43, 415)),
        ("dragon_tiger", "suited_tie", Fraction(58, 415)),
        ("football_studio", "home", Fraction(31, 830)),
        ("football_studio", "away", Fraction(31, 830)),
        ("football_studio", "draw", Fraction(43, 415)),
    ],
)
def test_the_house_edges_are_the_published_ones(name: str, bet: str, edge: Fraction) -> None:
    """With eight decks: 3.73 %, 10.36 % and 13.98 %."""
    game, house_edge = games()[name], Fraction()
    pays = {offered.name: dict(offered.pays) for offered in game.bets(RULES[name])}[bet]
    cards = 52 * DECKS
    for first, second, coup in all_coups(name):
        chance = Fraction(DECKS * (DECKS - (first == second)), cards * (cards - 1))
        outcome = coup.definition.outcome(coup.rules, bet, coup.dealt)
        house_edge -= chance * (Fraction(*pays[outcome]) if outcome else -1)
    assert house_edge == edge


def test_the_view_names_the_winner() -> None:
    ace, king, kings = Card("A", "S"), Card("K", "S"), Card("K", "H")
    view = games()["dragon_tiger"].show(
        finished_coup(games()["dragon_tiger"], RULES["dragon_tiger"], ace, king), 0
    )
    assert (view.dragon, view.tiger, view.winner) == ("AS", "KS", "tiger")  # type: ignore[attr-defined]
    game = games()["football_studio"]
    view = game.show(finished_coup(game, RULES["football_studio"], ace, king), 0)
    assert (view.home, view.away, view.winner) == ("AS", "KS", "home")  # type: ignore[attr-defined]
    view = game.show(finished_coup(game, RULES["football_studio"], king, kings), 0)
    assert (view.winner, view.result) == ("draw", "=KK")  # type: ignore[attr-defined]


@pytest.mark.parametrize(("second", "suited"), [("KS", True), ("KH", False), ("QS", False)])
def test_the_view_states_whether_a_tie_is_suited(second: str, suited: bool) -> None:
    game = games()["dragon_tiger"]
    coup = finished_coup(game, RULES["dragon_tiger"], Card("K", "S"), Card(*second))
    assert game.show(coup, 0).suited is suited  # type: ignore[attr-defined]


def test_an_unfinished_coup_has_no_winner() -> None:
    for name in RULES:
        coup = new_coup(name)
        view = games()[name].show(coup.answer(coup.wants()[0], Card("K", "S")), 0)
        assert (view.winner, view.won, view.result) == (None, (), "")  # type: ignore[attr-defined]


def test_the_rank_of_the_ace_is_configurable() -> None:
    game = games()["dragon_tiger"]
    high = replace(RULES["dragon_tiger"], ace="high")
    coup = finished_coup(game, high, Card("A", "S"), Card("K", "S"))
    assert coup.definition.result(high, coup.dealt) == "DAK"


def test_the_tie_bet_may_pay_more_for_a_suited_tie() -> None:
    game = games()["dragon_tiger"]
    rules = replace(RULES["dragon_tiger"], tie=("suited_tie 50:1", "tie 11:1"), suited_tie=())
    assert [bet.name for bet in game.bets(rules)] == ["dragon", "tiger", "tie"]
    suited, unsuited = (
        game.settle(finished_coup(game, rules, Card("9", "S"), Card("9", suit)))[2] for suit in "SH"
    )
    assert (suited.outcome, suited.returned_minor) == ("suited_tie", 51 * STAKE)
    assert (unsuited.outcome, unsuited.returned_minor) == ("tie", 12 * STAKE)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("dragon_tiger", ["the dragon's card", "the tiger's card"]),
        ("football_studio", ["the home side's card", "the away side's card"]),
    ],
)
def test_the_dealer_is_prompted_card_by_card(name: str, expected: list[str]) -> None:
    live, coup = games()[name].live, new_coup(name)
    assert live
    prompts = []
    while wants := coup.wants():
        prompts.append(live.dealer_prompt(coup, wants[0]))
        coup = coup.answer(wants[0], Card("2", "S"))
    assert prompts == expected

"""Dragon Tiger and Football Studio: every two cards against a plain telling, and what bets return."""

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
from tests.games.plain_coups import PLAIN

RULES = {name: published_tables()[name].rules for name in ("dragon_tiger", "football_studio")}
DECKS = 8
STAKE = 101


def coup_begun(name: str) -> Coup:
    game = games()[name]
    coup: Coup = game.start(RULES[name], [Wager(0, game.bets(RULES[name])[0].name, 1)])
    return coup


def coup_of(game: Game, rules: object, one: Card, other: Card) -> Coup:
    coup: Coup = game.start(rules, [Wager(0, bet.name, STAKE) for bet in game.bets(rules)])
    for card in (one, other):
        coup = coup.answer(coup.wants()[0], card)
    assert coup.ended
    return coup


def pairs(name: str) -> Iterator[tuple[Card, Card, Coup]]:
    for one, other in product(DECK, DECK):
        yield one, other, coup_of(games()[name], RULES[name], one, other)


@pytest.mark.parametrize("name", RULES)
def test_every_two_cards_are_settled_as_told(name: str) -> None:
    for one, other, coup in pairs(name):
        result, back = PLAIN[name]([str(one)], [str(other)])
        lines = {line.bet: line.returned_minor for line in games()[name].settle(coup)}
        assert lines == {bet: int(STAKE * returned) for bet, returned in back.items()}
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
def test_what_the_house_keeps(name: str, bet: str, edge: Fraction) -> None:
    """Of eight decks: 3.73 %, 10.36 % and 13.98 %, as the tables of the trade print them."""
    game, kept = games()[name], Fraction()
    pays = {found.name: dict(found.pays) for found in game.bets(RULES[name])}[bet]
    cards = 52 * DECKS
    for one, other, coup in pairs(name):
        chance = Fraction(DECKS * (DECKS - (one == other)), cards * (cards - 1))
        outcome = coup.definition.outcome(coup.rules, bet, coup.dealt)
        kept -= chance * (Fraction(*pays[outcome]) if outcome else -1)
    assert kept == edge


def test_the_view_names_the_winner() -> None:
    ace, king, kings = Card("A", "S"), Card("K", "S"), Card("K", "H")
    shown = games()["dragon_tiger"].show(
        coup_of(games()["dragon_tiger"], RULES["dragon_tiger"], ace, king), 0
    )
    assert (shown.dragon, shown.tiger, shown.winner) == ("AS", "KS", "tiger")  # type: ignore[attr-defined]
    game = games()["football_studio"]
    shown = game.show(coup_of(game, RULES["football_studio"], ace, king), 0)
    assert (shown.home, shown.away, shown.winner) == ("AS", "KS", "home")  # type: ignore[attr-defined]
    shown = game.show(coup_of(game, RULES["football_studio"], king, kings), 0)
    assert (shown.winner, shown.result) == ("draw", "=KK")  # type: ignore[attr-defined]


@pytest.mark.parametrize(("other", "suited"), [("KS", True), ("KH", False), ("QS", False)])
def test_the_view_says_whether_a_tie_is_suited(other: str, suited: bool) -> None:
    game = games()["dragon_tiger"]
    coup = coup_of(game, RULES["dragon_tiger"], Card("K", "S"), Card(*other))
    assert game.show(coup, 0).suited is suited  # type: ignore[attr-defined]


def test_before_the_end_nobody_has_won() -> None:
    for name in RULES:
        coup = coup_begun(name)
        shown = games()[name].show(coup.answer(coup.wants()[0], Card("K", "S")), 0)
        assert (shown.winner, shown.won, shown.result) == (None, (), "")  # type: ignore[attr-defined]


def test_where_the_ace_stands_is_data() -> None:
    game = games()["dragon_tiger"]
    high = replace(RULES["dragon_tiger"], ace="high")
    coup = coup_of(game, high, Card("A", "S"), Card("K", "S"))
    assert coup.definition.result(high, coup.dealt) == "DAK"


def test_a_table_may_pay_a_suited_tie_on_the_tie() -> None:
    game = games()["dragon_tiger"]
    rules = replace(RULES["dragon_tiger"], tie=("suited_tie 50:1", "tie 11:1"), suited_tie=())
    assert [bet.name for bet in game.bets(rules)] == ["dragon", "tiger", "tie"]
    suited, other = (game.settle(coup_of(game, rules, Card("9", "S"), Card("9", suit)))[2] for suit in "SH")
    assert (suited.outcome, suited.returned_minor) == ("suited_tie", 51 * STAKE)
    assert (other.outcome, other.returned_minor) == ("tie", 12 * STAKE)


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("dragon_tiger", ["the dragon's card", "the tiger's card"]),
        ("football_studio", ["the home side's card", "the away side's card"]),
    ],
)
def test_what_the_dealer_is_asked_for(name: str, asked: list[str]) -> None:
    live, coup = games()[name].live, coup_begun(name)
    assert live
    found = []
    while wants := coup.wants():
        found.append(live.dealer_prompt(coup, wants[0]))
        coup = coup.answer(wants[0], Card("2", "S"))
    assert found == asked

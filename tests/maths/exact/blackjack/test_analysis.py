"""The exact analysis reproduces the published returns to their printed digits."""

from fractions import Fraction

import pytest

from croupier.games import published_tables
from croupier.games.blackjack.bets import paytable
from croupier.games.blackjack.exact import analyse
from croupier.games.blackjack.side_bet_odds import side_bets
from croupier.play.contract.odds import PUSH
from tests.maths.exact.blackjack.small_shoes import RULES


def percent(returned: float) -> str:
    return f"{100 * returned:.2f}"


def test_the_published_return_of_infinite_is_per_initial_stake() -> None:
    analysis = analyse(RULES["infinite"])
    assert percent(analysis.return_per_initial_stake) == "99.47"
    assert percent(analysis.return_per_total_stake) != "99.47"
    assert analysis.return_per_initial_stake == pytest.approx(0.994653170654, abs=1e-12)
    assert analysis.stake_per_round == pytest.approx(1.099999695375, abs=1e-12)


def test_the_published_return_of_multihand_is_per_total_stake() -> None:
    analysis = analyse(RULES["multihand"])
    assert percent(analysis.return_per_total_stake) == "99.59"
    assert percent(analysis.return_per_initial_stake) != "99.59"
    assert analysis.return_per_total_stake == pytest.approx(0.995947618784, abs=1e-12)
    assert analysis.stake_per_round == pytest.approx(1.127447347597, abs=1e-12)


@pytest.mark.parametrize("table", ["infinite", "seven_seat"])
def test_side_bets_have_their_published_returns(table: str) -> None:
    by_bet = {odds.bet: odds for odds in side_bets(RULES[table])}
    for line in published_tables()[table].published:
        if line.bet != "main":
            assert percent(float(by_bet[line.bet].returned)) == line.percent
    assert by_bet["twenty_one_plus_three"].returned == Fraction(119489, 124085)


def test_chances_of_pairs_equal_a_count_by_hand() -> None:
    """Of the other 415 cards, 7 equal the first card and 24 more have its rank."""
    infinite = {odds.bet: odds for odds in side_bets(RULES["infinite"])}
    lines = {line.outcome: line.chance for line in infinite["any_pair"].lines}
    assert lines == {"suited_pair": Fraction(7, 415), "pair": Fraction(24, 415)}
    (perfect, *_) = side_bets(RULES["seven_seat"])
    assert [line.chance for line in perfect.lines] == [Fraction(n, 415) for n in (7, 8, 16)]


def test_bust_it_is_a_push_with_a_blackjack() -> None:
    bust_it = {odds.bet: odds for odds in side_bets(RULES["infinite"])}["bust_it"]
    assert {line.outcome for line in bust_it.lines} == {
        *(pay.outcome for pay in paytable(RULES["infinite"], "bust_it")),
        "pushed",
    }
    pushed = next(line.chance for line in bust_it.lines if line.pays == PUSH)
    assert pushed == Fraction(2 * 32 * 128, 416 * 415)

"""The figures that tables publish, to their printed digits, and what they are figures of."""

from fractions import Fraction

import pytest

from croupier.games import published_tables
from croupier.games.blackjack.bets import paytable
from croupier.games.blackjack.exact import analyse
from croupier.games.blackjack.exact.side_bets import side_bets
from croupier.play.contract.odds import PUSH
from tests.maths.exact.shoes import TABLES


def printed(returned: float) -> str:
    return f"{100 * returned:.2f}"


def test_infinite_publishes_its_return_per_initial_stake() -> None:
    found = analyse(TABLES["infinite"])
    assert printed(found.return_per_initial_stake) == "99.47"
    assert printed(found.return_per_total_stake) != "99.47"
    assert found.return_per_initial_stake == pytest.approx(0.994653170654, abs=1e-12)
    assert found.stake_per_round == pytest.approx(1.099999695375, abs=1e-12)


def test_multihand_publishes_its_return_per_total_stake() -> None:
    found = analyse(TABLES["multihand"])
    assert printed(found.return_per_total_stake) == "99.59"
    assert printed(found.return_per_initial_stake) != "99.59"
    assert found.return_per_total_stake == pytest.approx(0.995947618784, abs=1e-12)
    assert found.stake_per_round == pytest.approx(1.127447347597, abs=1e-12)


@pytest.mark.parametrize("table", ["infinite", "seven_seat"])
def test_side_bets_return_what_is_published(table: str) -> None:
    found = {odds.bet: odds for odds in side_bets(TABLES[table])}
    for line in published_tables()[table].published:
        if line.bet != "main":
            assert printed(float(found[line.bet].returned)) == line.percent
    assert found["twenty_one_plus_three"].returned == Fraction(119489, 124085)


def test_pairs_are_counted_as_on_paper() -> None:
    """The second of two cards is one of 7 of 415 that are just the first, of 31 that have its rank."""
    infinite = {odds.bet: odds for odds in side_bets(TABLES["infinite"])}
    lines = {line.outcome: line.chance for line in infinite["any_pair"].lines}
    assert lines == {"suited_pair": Fraction(7, 415), "pair": Fraction(24, 415)}
    (perfect, *_) = side_bets(TABLES["seven_seat"])
    assert [line.chance for line in perfect.lines] == [Fraction(n, 415) for n in (7, 8, 16)]


def test_bust_it_comes_back_with_a_blackjack() -> None:
    bust_it = {odds.bet: odds for odds in side_bets(TABLES["infinite"])}["bust_it"]
    assert {line.outcome for line in bust_it.lines} == {
        *(pay.outcome for pay in paytable(TABLES["infinite"], "bust_it")),
        "pushed",
    }
    pushed = next(line.chance for line in bust_it.lines if line.pays == PUSH)
    assert pushed == Fraction(2 * 32 * 128, 416 * 415)

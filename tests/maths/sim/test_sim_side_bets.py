"""Side bets dealt by the round agree with their exact odds."""

import pytest

from croupier.games import published_tables
from croupier.maths.side_bets import SideBet, side_bets

TABLES = published_tables()


def found(name: str, rounds: int) -> dict[str, tuple[SideBet, float]]:
    table = TABLES[name]
    assert table.game.model
    assert table.game.figures
    strategy = table.game.model.strategies["never_bust"](table.rules)
    exact = {odds.bet: float(odds.returned) for odds in table.game.figures(table.rules).bets}
    dealt = side_bets(table.game, table.rules, strategy, rounds=rounds, seed=8)
    return {bet: (dealt[bet], exact[bet]) for bet in dealt}


def check(name: str, rounds: int) -> None:
    results = found(name, rounds)
    assert len(results) == len(TABLES[name].game.bets(TABLES[name].rules)) - 1
    for bet, (simulated, exact) in results.items():
        assert simulated.rounds == rounds
        assert abs(simulated.returned - exact) < 4 * simulated.standard_error, bet


@pytest.mark.parametrize("name", ["infinite", "seven_seat"])
def test_side_bets_agree_with_their_exact_odds(name: str) -> None:
    check(name, 2_000)


@pytest.mark.campaign
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", ["infinite", "seven_seat"])
def test_side_bets_agree_over_a_million_rounds(name: str) -> None:
    check(name, 1_000_000)

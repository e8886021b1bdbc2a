"""Ten thousand players at one table: every history is right, and the dealing costs no more."""

from collections import Counter
from random import Random

import pytest

from croupier.games import published_tables
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.settlement import settle
from croupier.play.contract.wants import Answer, Want
from tests.tables.live.himself import by_himself
from tests.tables.live.house import START_MINOR, House
from tests.tables.live.people import bet_at_random, waits_of
from tests.tables.live.retold import returns

PLAYERS = 10_000
RULES = published_tables()["infinite"].rules


def play_round(house: House, draw: Random) -> None:
    names = list(house.balances)
    for name in names:
        bet_at_random(house, "infinite", name, draw)
    house.wait(15_000)
    while house.state.phase in ("offer", "decisions"):
        window = house.state.deadline_ms
        assert house.state.play is not None
        for name in [name for players, *_ in house.state.play.pending for name in players]:
            if draw.random() < 0.9 and house.state.deadline_ms == window:
                for want in waits_of(house, name):
                    house.decide(name, draw.choice(want.options).action, want.to)
        if house.state.deadline_ms == window:
            house.wait(12_000)


def test_ten_thousand_players_share_a_hand() -> None:
    house, draw = House(), Random(5)
    for number in range(PLAYERS):
        house.join(f"player {number}")
    house.open()
    play_round(house, draw)
    assert house.money == PLAYERS * START_MINOR
    assert len(house.settles) == PLAYERS
    for paid in house.settles:
        wagers = house.bets[paid.player, paid.round]
        assert returns("infinite", paid.steps, wagers) == (paid.staked_minor, paid.returned_minor)
        assert tuple(paid.lines) == settle(by_himself(RULES, wagers, paid.steps))
    assert Counter(made.by for paid in house.settles for made in paid.decisions)["time_out"] > PLAYERS / 20


def answers(monkeypatch: pytest.MonkeyPatch, players: int) -> int:
    """How often rounds were answered with cards: what dealing costs."""
    calls: list[Want] = []
    right = Round.answer

    def counted(round_: Round, want: Want, answer: Answer) -> Round:
        calls.append(want)
        return right(round_, want, answer)

    house = House()
    for number in range(players):
        house.join(f"player {number}")
    house.open()
    for name in list(house.balances):
        house.main(name)
    with monkeypatch.context() as patch:
        patch.setattr(Round, "answer", counted)
        house.wait_for("pause")
    return len(calls)


def test_dealing_costs_the_same_for_ten_and_for_two_thousand(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answers(monkeypatch, 10) == answers(monkeypatch, 2_000)

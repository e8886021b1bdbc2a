"""Ten thousand players at one table: all are paid correctly, and dealing costs no more than for ten."""

from collections import Counter
from random import Random

import pytest

from croupier.games import published_tables
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.settlement import settle
from croupier.play.contract.wants import Answer, Want
from tests.tables.live.harness import START_MINOR, TableHarness
from tests.tables.live.own_round import replay_own_round
from tests.tables.live.random_players import bet_at_random, open_decisions
from tests.tables.live.reference_blackjack import expected_amounts

PLAYERS = 10_000
RULES = published_tables()["infinite"].rules


def play_round(harness: TableHarness, draw: Random) -> None:
    names = list(harness.balances)
    for name in names:
        bet_at_random(harness, "infinite", name, draw)
    harness.wait(15_000)
    while harness.state.phase in ("offer", "decisions"):
        window = harness.state.deadline_ms
        assert harness.state.play is not None
        for name in [name for players, *_ in harness.state.play.pending for name in players]:
            if draw.random() < 0.9 and harness.state.deadline_ms == window:
                for want in open_decisions(harness, name):
                    harness.decide(name, draw.choice(want.options).action, want.to)
        if harness.state.deadline_ms == window:
            harness.wait(12_000)


def test_ten_thousand_players_share_a_deal() -> None:
    harness, draw = TableHarness(), Random(5)
    for number in range(PLAYERS):
        harness.join(f"player {number}")
    harness.open()
    play_round(harness, draw)
    assert harness.total_minor == PLAYERS * START_MINOR
    assert len(harness.settlements) == PLAYERS
    for settlement in harness.settlements:
        wagers = harness.bets[settlement.player, settlement.round]
        assert expected_amounts("infinite", settlement.steps, wagers) == (
            settlement.staked_minor,
            settlement.returned_minor,
        )
        assert tuple(settlement.lines) == settle(replay_own_round(RULES, wagers, settlement.steps))
    decided_by = Counter(made.by for settlement in harness.settlements for made in settlement.decisions)
    assert decided_by["time_out"] > PLAYERS / 20


def answer_count(monkeypatch: pytest.MonkeyPatch, players: int) -> int:
    """Count the answers to rounds in one deal, as the cost of dealing."""
    calls: list[Want] = []
    original = Round.answer

    def counted(round_: Round, want: Want, answer: Answer) -> Round:
        calls.append(want)
        return original(round_, want, answer)

    harness = TableHarness()
    for number in range(players):
        harness.join(f"player {number}")
    harness.open()
    for name in list(harness.balances):
        harness.bet_main(name)
    with monkeypatch.context() as patch:
        patch.setattr(Round, "answer", counted)
        harness.wait_for("pause")
    return len(calls)


def test_dealing_costs_the_same_for_ten_and_for_two_thousand_players(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer_count(monkeypatch, 10) == answer_count(monkeypatch, 2_000)

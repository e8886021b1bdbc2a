"""A thousand rounds under a virtual clock: all money, all records and their replay."""

from collections.abc import Sequence
from random import Random

import pytest

from croupier.tables.live import State
from croupier.tables.live.effects import Settle
from croupier.tables.live.record import replay
from tests.tables.live.harness import START_MINOR, TableHarness
from tests.tables.live.random_players import play_round
from tests.tables.live.reference_blackjack import expected_amounts

ROUNDS = 500
PLAYERS = ["ann", "bob", "cat", "dan", "eve"]


def opened(table: str) -> TableHarness:
    harness = TableHarness(table)
    for seat, player in enumerate(PLAYERS):
        if table == "seven_seat":
            harness.sit(player, seat + 1)
        else:
            harness.join(player)
    harness.open()
    return harness


def reset_balances(harness: TableHarness) -> None:
    """Give every player the start balance again, since one without money would only watch."""
    for player, balance in harness.balances.items():
        harness.table_balance += balance - START_MINOR
        harness.balances[player] = START_MINOR


def check_settlements(table: str, harness: TableHarness, settlements: Sequence[Settle]) -> None:
    """Compare each settlement with the reference implementation."""
    for settle in settlements:
        wagers = harness.bets[settle.player, settle.round]
        amounts = settle.staked_minor, settle.returned_minor
        assert amounts == expected_amounts(table, settle.steps, wagers), settle


@pytest.mark.parametrize("table", ["infinite", "seven_seat"])
def test_every_record_matches_its_payout_and_no_money_is_lost(table: str) -> None:
    harness, draw = opened(table), Random(1)
    for _ in range(ROUNDS):
        play_round(harness, table, PLAYERS, draw)
        reset_balances(harness)
    assert harness.total_minor == START_MINOR * len(PLAYERS)
    assert len({settle.round for settle in harness.settlements}) > ROUNDS * 0.9
    check_settlements(table, harness, harness.settlements)
    outcomes = {line.outcome for settle in harness.settlements for line in settle.lines}
    assert {"won", "lost", "pushed", "bust", "blackjack"} <= outcomes
    made = {(made.action, made.by) for settle in harness.settlements for made in settle.decisions}
    assert {("double", "player"), ("split", "player"), ("insure", "player"), ("hit", "time_out")} <= made


@pytest.mark.parametrize("table", ["infinite", "seven_seat"])
def test_replaying_the_record_gives_the_same_states(table: str) -> None:
    harness, draw = opened(table), Random(2)
    states: list[tuple[int, State]] = []
    for _ in range(40):
        play_round(harness, table, PLAYERS, draw)
        states.append((len(harness.record), harness.state))
    assert replay(harness.initial_state, harness.record) == harness.state
    replayed, done = harness.initial_state, 0
    for lines, state in states:
        replayed = replay(replayed, harness.record[done:lines])
        done = lines
        assert replayed == state

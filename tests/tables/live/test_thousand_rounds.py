"""A thousand rounds under a virtual clock: the money, every history and every replay."""

from collections.abc import Sequence
from random import Random

import pytest

from croupier.tables.live import State
from croupier.tables.live.effects import Settle
from croupier.tables.live.record import replay
from tests.tables.live.house import START_MINOR, House
from tests.tables.live.people import play_round
from tests.tables.live.retold import returns

ROUNDS = 500
PLAYERS = ["ann", "bob", "cat", "dan", "eve"]


def opened(table: str) -> House:
    house = House(table)
    for seat, player in enumerate(PLAYERS):
        if table == "seven_seat":
            house.sit(player, seat + 1)
        else:
            house.join(player)
    house.open()
    return house


def refilled(house: House) -> None:
    """Everybody starts anew: a player without money would only watch."""
    for player, balance in house.balances.items():
        house.bank += balance - START_MINOR
        house.balances[player] = START_MINOR


def check(table: str, house: House, settles: Sequence[Settle]) -> None:
    """What the house paid is what the record says, told once more."""
    for settle in settles:
        wagers = house.bets[settle.player, settle.round]
        assert returns(table, settle.steps, wagers) == (settle.staked_minor, settle.returned_minor), settle


@pytest.mark.parametrize("table", ["infinite", "seven_seat"])
def test_every_history_is_right_and_no_money_is_lost(table: str) -> None:
    house, draw = opened(table), Random(1)
    for _ in range(ROUNDS):
        play_round(house, table, PLAYERS, draw)
        refilled(house)
    assert house.money == START_MINOR * len(PLAYERS)
    assert len({settle.round for settle in house.settles}) > ROUNDS * 0.9
    check(table, house, house.settles)
    outcomes = {line.outcome for settle in house.settles for line in settle.lines}
    assert {"won", "lost", "pushed", "bust", "blackjack"} <= outcomes
    made = {(made.action, made.by) for settle in house.settles for made in settle.decisions}
    assert {("double", "player"), ("split", "player"), ("insure", "player"), ("hit", "time_out")} <= made


@pytest.mark.parametrize("table", ["infinite", "seven_seat"])
def test_a_record_played_again_gives_the_same_table(table: str) -> None:
    house, draw = opened(table), Random(2)
    states: list[tuple[int, State]] = []
    for _ in range(40):
        play_round(house, table, PLAYERS, draw)
        states.append((len(house.lines), house.state))
    assert replay(house.first, house.lines) == house.state
    again, done = house.first, 0
    for lines, state in states:
        again = replay(again, house.lines[done:lines])
        done = lines
        assert again == state

"""Coups at live tables: one spin, roll or deal for everybody, and each is paid as if he had been alone."""

from random import Random

import pytest

from croupier.games import published_tables
from croupier.play.contract.bets import Wager
from croupier.play.contract.game import Table
from croupier.play.coup.coup import Coup
from croupier.play.coup.view import CoupView
from croupier.play.driving.dealing import replay
from croupier.refusal import Refused
from croupier.tables.limits import check_limits
from croupier.tables.live import Timings, dealer_view, outstanding, record, shared_view
from croupier.tables.live import inputs as i
from croupier.tables.live.effects import RequestCard
from croupier.tables.live.view import result
from tests.tables.live.house import START_MINOR, House

LIVE = [
    name
    for name, table in published_tables().items()
    if table.dealing == "live" and issubclass(table.game.view, CoupView)
]
RED = (0, "red", 1_000)


def any_bet(table: Table, draw: Random) -> list[Wager]:
    """Up to five bets that the table takes together, of any stake."""
    every = table.game.bets(table.rules)
    bets = draw.sample(every, min(5, len(every)))
    wagers = [Wager(0, bet.name, sum(table.limits_of(bet, "EUR")) // draw.randint(2, 300)) for bet in bets]
    for wager in list(wagers):
        try:
            check_limits(table, "EUR", wagers)
        except Refused:
            wagers.remove(wager)
    return wagers


def evening(name: str, players: int, rounds: int) -> House:
    house, draw = House(name), Random(name)
    for number in range(players):
        house.join(f"player {number}")
    house.open()
    for _ in range(rounds):
        for player in house.balances:
            house.bet(player, *any_bet(house.state.setup.table, draw))
        house.wait_for("pause")
        house.wait_for("betting")
    return house


def alone(table: Table, house: House, number: int) -> tuple[int, int]:
    """What a player staked and gets back when his record is played again by itself."""
    settle = house.settles[number]
    wagers = house.bets[settle.player, settle.round]
    coup: Coup = replay(table.game.start(table.rules, wagers), settle.steps)
    lines = table.game.settle(coup)
    assert sorted(settle.lines) == sorted(lines)
    return sum(line.stake_minor for line in lines), sum(line.returned_minor for line in lines)


@pytest.mark.parametrize("name", LIVE)
def test_everybody_is_paid_as_if_he_had_been_alone(name: str) -> None:
    house = evening(name, players=12, rounds=25)
    assert house.money == 12 * START_MINOR
    assert len(house.settles) > 12 * 15
    for number, settle in enumerate(house.settles):
        assert alone(house.state.setup.table, house, number) == (settle.staked_minor, settle.returned_minor)
    assert record.replay(house.first, house.lines) == house.state


def test_ten_thousand_players_share_a_spin() -> None:
    house = evening("live_roulette", players=10_000, rounds=1)
    assert house.money == 10_000 * START_MINOR
    assert len(house.settles) > 9_900
    for number in range(0, len(house.settles), 97):
        settle = house.settles[number]
        assert alone(house.state.setup.table, house, number) == (settle.staked_minor, settle.returned_minor)


# --- a person spins


def spinning(**setup: int) -> House:
    """Bets are closed, and a person has been asked to spin."""
    house = House("live_roulette", automatic=False, timings=Timings(**setup))
    house.join("ann")
    house.open()
    house.bet("ann", RED)
    house.wait_for("dealing")
    return house


def test_a_wheel_needs_no_shuffle() -> None:
    house = House("live_roulette")
    house.open()
    assert house.state.phase == "betting"
    house.feed(i.Shuffled(0))
    assert house.refused() == "not_wanted"


def test_a_spin_that_isnt_valid_is_spun_again() -> None:
    """004 2.3: three turns at least."""
    house = spinning()
    first = house.state.ask
    house.feed(i.SpinInvalid())
    assert (house.state.phase, house.state.ask) == ("dealing", first + 1)
    assert [event.what.what for event in house.events if hasattr(event.what, "what")] == ["no_spin"]
    house.feed(i.Dealt("7", first))
    assert house.refused() == "no_card_wanted"
    house.feed(i.Dealt("7", first + 1))
    house.wait_for("pause")
    assert house.settled("ann").returned_minor == 2_000
    assert house.settled("ann").steps == ("wheel 7",)


def test_no_spin_is_called_only_while_the_ball_runs() -> None:
    house = House("live_roulette", automatic=False)
    house.open()
    house.feed(i.SpinInvalid())
    assert house.refused() == "no_spin_wanted"
    cards = House("live_baccarat", automatic=False)
    cards.open()
    cards.feed(i.Dealt("2H"))
    cards.join("ann")
    cards.bet("ann", (0, "player", 1_000))
    cards.wait_for("dealing")
    cards.feed(i.SpinInvalid())
    assert cards.refused() == "no_spin_wanted"


@pytest.mark.parametrize("what", ["37", "00", "-1", "", "KS", "seven"])
def test_what_is_no_pocket_of_the_wheel_is_refused(what: str) -> None:
    house = spinning()
    before = house.state
    house.feed(i.Dealt(what))
    assert house.refused() == "not_wanted"
    assert house.state is before


def test_there_is_no_cut_card_at_a_wheel() -> None:
    house = spinning()
    house.feed(i.CutCard())
    assert house.refused() == "no_card_wanted"


def test_a_misread_pocket_is_corrected_while_the_ball_lies_there() -> None:
    house = spinning(ball_ms=4_000)
    house.feed(i.Dealt("7"))
    assert (house.state.phase, house.settles) == ("settlement", [])
    house.correct(0, "8")
    assert dealer_view(house.state).dealt == ("8",)
    house.wait(4_000)
    assert house.settled("ann").returned_minor == 0
    assert result(house.state) == "8"


def test_a_paused_spin_is_asked_for_again() -> None:
    house = spinning()
    house.feed(i.Paused("the ball fell off"))
    house.feed(i.Dealt("7"))
    assert house.refused() == "paused"
    house.feed(i.Resumed())
    assert [type(effect) for effect in outstanding(house.state)] == [RequestCard]
    house.feed(i.Dealt("7", house.state.ask))
    assert house.state.phase == "settlement"


def test_everybody_sees_what_came_back_and_nobody_sees_who_bet() -> None:
    """Before the spin nothing; after it every bet that returned something, laid by anybody or not."""
    house = spinning()
    before = shared_view(house.state, ())
    assert isinstance(before, CoupView)
    assert (before.bets, before.won, before.result) == ((), (), "")
    house.feed(i.Dealt("36"))
    after = shared_view(house.state, ())
    assert isinstance(after, CoupView)
    returned = {bet.bet: bet.returned_minor for bet in after.bets}
    assert returned == {
        "straight_36": 3_600,
        "split_33_36": 1_800,
        "split_35_36": 1_800,
        "street_34_35_36": 1_200,
        "corner_32_33_35_36": 900,
        "six_line_31_32_33_34_35_36": 600,
        "column_3": 300,
        "dozen_3": 300,
        "red": 200,
        "even": 200,
        "high": 200,
    }
    assert set(after.won) == returned.keys()

"""Coups at live tables: all players share a spin, roll or deal, and each is paid as if alone."""

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
from tests.tables.live.harness import START_MINOR, TableHarness

LIVE = [
    name
    for name, table in published_tables().items()
    if table.dealing == "live" and issubclass(table.game.view, CoupView)
]
RED = (0, "red", 1_000)


def random_wagers(table: Table, draw: Random) -> list[Wager]:
    """Return up to five wagers that the table accepts together."""
    every = table.game.bets(table.rules)
    bets = draw.sample(every, min(5, len(every)))
    wagers = [Wager(0, bet.name, sum(table.limits_of(bet, "EUR")) // draw.randint(2, 300)) for bet in bets]
    for wager in list(wagers):
        try:
            check_limits(table, "EUR", wagers)
        except Refused:
            wagers.remove(wager)
    return wagers


def play_rounds(name: str, players: int, rounds: int) -> TableHarness:
    harness, draw = TableHarness(name), Random(name)
    for number in range(players):
        harness.join(f"player {number}")
    harness.open()
    for _ in range(rounds):
        for player in harness.balances:
            harness.bet(player, *random_wagers(harness.state.setup.table, draw))
        harness.wait_for("pause")
        harness.wait_for("betting")
    return harness


def own_amounts(table: Table, harness: TableHarness, number: int) -> tuple[int, int]:
    """Replay the record of a settlement for its player alone; return the total stake and the total return."""
    settle = harness.settlements[number]
    wagers = harness.bets[settle.player, settle.round]
    coup: Coup = replay(table.game.start(table.rules, wagers), settle.steps)
    lines = table.game.settle(coup)
    assert sorted(settle.lines) == sorted(lines)
    return sum(line.stake_minor for line in lines), sum(line.returned_minor for line in lines)


@pytest.mark.parametrize("name", LIVE)
def test_every_player_is_paid_as_if_alone(name: str) -> None:
    harness = play_rounds(name, players=12, rounds=25)
    assert harness.total_minor == 12 * START_MINOR
    assert len(harness.settlements) > 12 * 15
    for number, settle in enumerate(harness.settlements):
        assert own_amounts(harness.state.setup.table, harness, number) == (
            settle.staked_minor,
            settle.returned_minor,
        )
    assert record.replay(harness.initial_state, harness.record) == harness.state


def test_ten_thousand_players_share_a_spin() -> None:
    harness = play_rounds("live_roulette", players=10_000, rounds=1)
    assert harness.total_minor == 10_000 * START_MINOR
    assert len(harness.settlements) > 9_900
    for number in range(0, len(harness.settlements), 97):
        settle = harness.settlements[number]
        assert own_amounts(harness.state.setup.table, harness, number) == (
            settle.staked_minor,
            settle.returned_minor,
        )


# --- a person deals


def awaiting_spin(**timings: int) -> TableHarness:
    """Return a table where bets are closed and a person has been asked to spin."""
    harness = TableHarness("live_roulette", automatic=False, timings=Timings(**timings))
    harness.join("ann")
    harness.open()
    harness.bet("ann", RED)
    harness.wait_for("dealing")
    return harness


def test_a_wheel_needs_no_shuffle() -> None:
    harness = TableHarness("live_roulette")
    harness.open()
    assert harness.state.phase == "betting"
    harness.feed(i.Shuffled(0))
    assert harness.refusal_code() == "not_wanted"


def test_an_invalid_spin_is_repeated() -> None:
    """004 2.3: at least three turns."""
    harness = awaiting_spin()
    ask = harness.state.ask
    harness.feed(i.SpinInvalid())
    assert (harness.state.phase, harness.state.ask) == ("dealing", ask + 1)
    assert [event.what.what for event in harness.events if hasattr(event.what, "what")] == ["no_spin"]
    harness.feed(i.Dealt("7", ask))
    assert harness.refusal_code() == "no_card_wanted"
    harness.feed(i.Dealt("7", ask + 1))
    harness.wait_for("pause")
    assert harness.settlement("ann").returned_minor == 2_000
    assert harness.settlement("ann").steps == ("wheel 7",)


def test_a_spin_is_declared_invalid_only_while_one_is_requested() -> None:
    harness = TableHarness("live_roulette", automatic=False)
    harness.open()
    harness.feed(i.SpinInvalid())
    assert harness.refusal_code() == "no_spin_wanted"
    harness = TableHarness("live_baccarat", automatic=False)
    harness.open()
    harness.feed(i.Dealt("2H"))
    harness.join("ann")
    harness.bet("ann", (0, "player", 1_000))
    harness.wait_for("dealing")
    harness.feed(i.SpinInvalid())
    assert harness.refusal_code() == "no_spin_wanted"


@pytest.mark.parametrize("pocket", ["37", "00", "-1", "", "KS", "seven"])
def test_an_unknown_pocket_is_refused(pocket: str) -> None:
    harness = awaiting_spin()
    before = harness.state
    harness.feed(i.Dealt(pocket))
    assert harness.refusal_code() == "not_wanted"
    assert harness.state is before


def test_a_wheel_has_no_cut_card() -> None:
    harness = awaiting_spin()
    harness.feed(i.CutCard())
    assert harness.refusal_code() == "no_card_wanted"


def test_a_misread_pocket_is_corrected_before_the_settlement() -> None:
    harness = awaiting_spin(ball_ms=4_000)
    harness.feed(i.Dealt("7"))
    assert (harness.state.phase, harness.settlements) == ("settlement", [])
    harness.correct(0, "8")
    assert dealer_view(harness.state).dealt == ("8",)
    harness.wait(4_000)
    assert harness.settlement("ann").returned_minor == 0
    assert result(harness.state) == "8"


def test_a_spin_is_requested_again_after_a_pause() -> None:
    harness = awaiting_spin()
    harness.feed(i.Paused("the ball fell off"))
    harness.feed(i.Dealt("7"))
    assert harness.refusal_code() == "paused"
    harness.feed(i.Resumed())
    assert [type(effect) for effect in outstanding(harness.state)] == [RequestCard]
    harness.feed(i.Dealt("7", harness.state.ask))
    assert harness.state.phase == "settlement"


def test_the_shared_view_shows_winning_bets_and_no_players_bets() -> None:
    """It has no bets before the spin; after it, each bet that returns something, placed or not."""
    harness = awaiting_spin()
    before = shared_view(harness.state, ())
    assert isinstance(before, CoupView)
    assert (before.bets, before.won, before.result) == ((), (), "")
    harness.feed(i.Dealt("36"))
    after = shared_view(harness.state, ())
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

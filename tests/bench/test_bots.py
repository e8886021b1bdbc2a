"""The simulated players place only bets and decisions that their table allows."""

import pytest

from croupier.bench import bots
from croupier.games import published_tables
from croupier.games.blackjack.view import BlackjackView, DealerView, OptionView, TurnView
from croupier.protocol.wire import LiveClock, LiveState

TABLE = published_tables()["infinite"]


@pytest.mark.parametrize("player", range(0, 10_000, 397))
def test_stakes_are_within_the_limits_and_on_every_bet(player: int) -> None:
    limits = TABLE.limits[bots.CURRENCY]
    stakes = bots.stakes(player, player % 5)
    assert [stake.bet for stake in stakes] == ["main", *bots.SIDE_BETS]
    assert all(limits.min_minor <= stake.stake_minor <= limits.max_minor for stake in stakes)


def test_stakes_differ_between_players_and_rounds() -> None:
    assert len({bots.stakes(player, change) for player in range(1000) for change in range(3)}) > 2900


def state_with(*turns: TurnView) -> LiveState:
    clock = LiveClock("decisions", "red", 1, None, "", "r", "#00:00:00", 0, None)
    dealer = DealerView(("AS",), face_down=True, low=1, total=11, blackjack=False, bust=False)
    view = BlackjackView((), dealer, turns, ended=False, staked_minor=0, returned_minor=0)
    return LiveState(clock, 1, (), view, 1, 100, ())


def turn(hand: int, *actions: str) -> TurnView:
    return TurnView(0, hand, tuple(OptionView(action, 0, 0, covered=True, instead="") for action in actions))  # type: ignore[arg-type]


OFFERS = [
    ("take_even_money", "decline_even_money"),
    ("stand", "hit"),
    ("stand", "hit", "double"),
    ("stand", "hit", "double", "split"),
    ("insure", "decline_insurance"),
]


@pytest.mark.parametrize("options", OFFERS)
def test_bots_take_every_option_offered_and_no_other(options: tuple[str, ...]) -> None:
    state = state_with(turn(0, *options))
    actions = {action for player in range(500) for _, _, action in bots.decisions(player, state.round)}
    assert actions == set(options)


def test_bots_decide_for_each_hand() -> None:
    state = state_with(turn(0, "stand", "hit"), turn(1, "stand", "hit"))
    assert [(box, hand) for box, hand, _ in bots.decisions(3, state.round)] == [(0, 0), (0, 1)]

"""Baccarat, Dragon Tiger and Football Studio dealt live, from one shoe to the next, for all who bet."""

from random import Random

import pytest

from croupier.equipment.shoe import Shoe
from croupier.games import published_tables
from croupier.tables.live import notices
from tests.games.plain_coups import hands_of, returns
from tests.tables.live.house import START_MINOR, House, seeded_shoe

BETS = {
    "live_baccarat": ("player", "banker", "tie"),
    "live_dragon_tiger": ("dragon", "tiger", "tie", "suited_tie"),
    "live_football_studio": ("home", "away", "draw"),
}
"""The first two can't be bet on together."""
STAKES = (100, 101, 199, 2_500, 33_333)
CARDS = 8 * 52
COUP_MOST = {"live_baccarat": 6, "live_dragon_tiger": 2, "live_football_studio": 2}


def shoes_of(table: str) -> House:
    """A house whose shoes have the cut card where the table's rules put it."""
    rules = published_tables()[table].rules

    def shoe(seed: int) -> Shoe:
        full = seeded_shoe(seed)
        return Shoe(full.cards, 0, CARDS - rules.cut_card_from_back)

    return House(table, shoes=shoe)


def bet(house: House, table: str, name: str, draw: Random) -> None:
    one, other, *rest = BETS[table]
    laid = [draw.choice((one, other)), *(bet for bet in rest if draw.random() < 0.3)]
    house.bet(name, *((0, spot, draw.choice(STAKES)) for spot in laid))


def play(house: House, table: str, draw: Random) -> None:
    """A coup, from the opening of the bets to the pause."""
    house.wait_for("betting")
    for name in list(house.balances):
        bet(house, table, name, draw)
    house.wait_for("pause")


def check(house: House, table: str) -> None:
    """Every settlement is what the cards alone say."""
    for settle in house.settles:
        wagers = house.bets[settle.player, settle.round]
        found = settle.staked_minor, settle.returned_minor
        assert returns(table.removeprefix("live_"), settle.steps, wagers) == found


@pytest.mark.parametrize("table", BETS)
def test_ten_thousand_players_share_a_coup(table: str) -> None:
    house, draw = shoes_of(table), Random(table)
    for number in range(10_000):
        house.join(f"player {number}")
    house.open()
    play(house, table, draw)
    assert house.money == 10_000 * START_MINOR
    assert len(house.settles) == 10_000
    assert len({settle.steps for settle in house.settles}) == 1
    check(house, table)


def gone_by_coup(house: House, table: str, draw: Random) -> dict[int, list[int]]:
    """Three shoes dealt out: by the shoe, how many of its cards are gone after the burn and each coup."""
    gone: dict[int, list[int]] = {}
    while shuffled(house) < 4:
        house.wait_for("betting")
        after = gone.setdefault(shuffled(house), [burned(house)])
        play(house, table, draw)
        after.append(after[-1] + sum(map(len, hands_of(house.settles[-1].steps))))
    return {shoe: after for shoe, after in gone.items() if shoe < 4}


def shuffled(house: House) -> int:
    """How often the table waited for a shoe."""
    return sum(
        isinstance(event.what, notices.PhaseEntered) and event.what.phase == "shuffling"
        for event in house.events
    )


def burned(house: House) -> int:
    """Of the shoe in use: the card that was turned, and as many as it counts; 0 where none is burned."""
    shown = [event.what.step for event in house.events if isinstance(event.what, notices.StepShown)]
    turned = [step.split()[1][0] for step in shown if step.startswith("shoe ")]
    return 1 + ("A23456789".find(turned[-1]) + 1 or 10) if turned else 0


@pytest.mark.parametrize("table", BETS)
def test_shoes_are_dealt_out_and_changed(table: str) -> None:
    """The coup in which the cut card comes out is the last, or the last but one if there are cards for it."""
    house, draw, rules = shoes_of(table), Random(table), published_tables()[table].rules
    for number in range(5):
        house.join(f"player {number}", 10**9)
    house.open()
    gone = gone_by_coup(house, table, draw)
    assert set(gone) == {1, 2, 3}
    coups_after_cut = set()
    for after in gone.values():
        assert (after[0] > 0) == (rules.burn == "by_first_card")
        before_cut = [cards for cards in after if cards < CARDS - rules.cut_card_from_back]
        cut, *more = after[len(before_cut) :]
        coups_after_cut.add(len(more))
        assert len(more) == (rules.rounds_after_cut if CARDS - cut >= COUP_MOST[table] else 0)
    assert coups_after_cut == ({0, 1} if rules.rounds_after_cut else {0})
    assert house.money == 5 * 10**9
    check(house, table)


@pytest.mark.parametrize("table", BETS)
def test_two_bets_against_each_other_are_refused(table: str) -> None:
    house = shoes_of(table)
    house.join("anna")
    house.open()
    house.wait_for("betting")
    one, other, *_ = BETS[table]
    house.bet("anna", (0, one, 100), (0, other, 100))
    assert house.refused() == "never_together"
    house.bet("anna", (0, one, 100))
    house.wait_for("pause")
    assert house.settled("anna").staked_minor == 100


def test_nobody_decides_and_no_window_opens() -> None:
    house = shoes_of("live_baccarat")
    house.join("anna")
    house.open()
    play(house, "live_baccarat", Random(1))
    phases = [event.what.phase for event in house.events if isinstance(event.what, notices.PhaseEntered)]
    assert phases == [
        "shuffling",
        "opening",
        "betting",
        "warning",
        "no_more_bets",
        "dealing",
        "settlement",
        "pause",
    ]

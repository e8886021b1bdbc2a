"""Live tables of Baccarat, Dragon Tiger and Football Studio: payouts and changes of shoes."""

from random import Random

import pytest

from croupier.equipment.shoe import Shoe
from croupier.games import published_tables
from croupier.tables.live import notices
from tests.games.reference_coups import hands_of, returns
from tests.tables.live.harness import START_MINOR, TableHarness, seeded_shoe

BETS = {
    "live_baccarat": ("player", "banker", "tie"),
    "live_dragon_tiger": ("dragon", "tiger", "tie", "suited_tie"),
    "live_football_studio": ("home", "away", "draw"),
}
"""The first two bets of a table can't be placed together."""
STAKES = (100, 101, 199, 2_500, 33_333)
CARDS = 8 * 52
COUP_CARDS_MAX = {"live_baccarat": 6, "live_dragon_tiger": 2, "live_football_studio": 2}


def harness_of(table: str) -> TableHarness:
    """Return a table whose shoes have the cut card where its rules put it."""
    rules = published_tables()[table].rules

    def shoe(seed: int) -> Shoe:
        full = seeded_shoe(seed)
        return Shoe(full.cards, 0, CARDS - rules.cut_card_from_back)

    return TableHarness(table, shoes=shoe)


def bet_at_random(harness: TableHarness, table: str, name: str, draw: Random) -> None:
    one, other, *rest = BETS[table]
    bets = [draw.choice((one, other)), *(bet for bet in rest if draw.random() < 0.3)]
    harness.bet(name, *((0, bet, draw.choice(STAKES)) for bet in bets))


def play_coup(harness: TableHarness, table: str, draw: Random) -> None:
    """Play a coup from the opening of the bets to the pause."""
    harness.wait_for("betting")
    for name in list(harness.balances):
        bet_at_random(harness, table, name, draw)
    harness.wait_for("pause")


def check_settlements(harness: TableHarness, table: str) -> None:
    """Compare each settlement with the reference implementation."""
    for settle in harness.settlements:
        wagers = harness.bets[settle.player, settle.round]
        amounts = settle.staked_minor, settle.returned_minor
        assert returns(table.removeprefix("live_"), settle.steps, wagers) == amounts


@pytest.mark.parametrize("table", BETS)
def test_ten_thousand_players_share_a_coup(table: str) -> None:
    harness, draw = harness_of(table), Random(table)
    for number in range(10_000):
        harness.join(f"player {number}")
    harness.open()
    play_coup(harness, table, draw)
    assert harness.total_minor == 10_000 * START_MINOR
    assert len(harness.settlements) == 10_000
    assert len({settle.steps for settle in harness.settlements}) == 1
    check_settlements(harness, table)


def used_cards(harness: TableHarness, table: str, draw: Random) -> dict[int, list[int]]:
    """Deal three shoes; return by shoe the numbers of cards used after the burn and after each coup."""
    used: dict[int, list[int]] = {}
    while shoes_used(harness) < 4:
        harness.wait_for("betting")
        after = used.setdefault(shoes_used(harness), [burned(harness)])
        play_coup(harness, table, draw)
        after.append(after[-1] + sum(map(len, hands_of(harness.settlements[-1].steps))))
    return {shoe: after for shoe, after in used.items() if shoe < 4}


def shoes_used(harness: TableHarness) -> int:
    """Count the times that the table waited for a shoe."""
    return sum(
        isinstance(event.what, notices.PhaseEntered) and event.what.phase == "shuffling"
        for event in harness.events
    )


def burned(harness: TableHarness) -> int:
    """Count the cards of this shoe that were turned or burned; 0 if the game burns none."""
    steps = [event.what.step for event in harness.events if isinstance(event.what, notices.StepShown)]
    turned = [step.split()[1][0] for step in steps if step.startswith("shoe ")]
    return 1 + ("A23456789".find(turned[-1]) + 1 or 10) if turned else 0


@pytest.mark.parametrize("table", BETS)
def test_shoes_are_changed_after_the_last_coup(table: str) -> None:
    """The coup with the cut card is the last, or the last but one if enough cards are left."""
    harness, draw, rules = harness_of(table), Random(table), published_tables()[table].rules
    for number in range(5):
        harness.join(f"player {number}", 10**9)
    harness.open()
    used = used_cards(harness, table, draw)
    assert set(used) == {1, 2, 3}
    coups_after_cut = set()
    for after in used.values():
        assert (after[0] > 0) == (rules.burn == "by_first_card")
        before_cut = [cards for cards in after if cards < CARDS - rules.cut_card_from_back]
        cut, *more = after[len(before_cut) :]
        coups_after_cut.add(len(more))
        assert len(more) == (rules.rounds_after_cut if CARDS - cut >= COUP_CARDS_MAX[table] else 0)
    assert coups_after_cut == ({0, 1} if rules.rounds_after_cut else {0})
    assert harness.total_minor == 5 * 10**9
    check_settlements(harness, table)


@pytest.mark.parametrize("table", BETS)
def test_opposite_bets_are_refused(table: str) -> None:
    harness = harness_of(table)
    harness.join("anna")
    harness.open()
    harness.wait_for("betting")
    one, other, *_ = BETS[table]
    harness.bet("anna", (0, one, 100), (0, other, 100))
    assert harness.refusal_code() == "never_together"
    harness.bet("anna", (0, one, 100))
    harness.wait_for("pause")
    assert harness.settlement("anna").staked_minor == 100


def test_a_coup_has_no_decision_phases() -> None:
    harness = harness_of("live_baccarat")
    harness.join("anna")
    harness.open()
    play_coup(harness, "live_baccarat", Random(1))
    phases = [event.what.phase for event in harness.events if isinstance(event.what, notices.PhaseEntered)]
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

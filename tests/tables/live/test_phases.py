"""The table of transitions: the machine makes exactly these, and the documentation shows them."""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from random import Random

from croupier.equipment.cards import cards
from croupier.equipment.shoe import Shoe
from croupier.tables.live import inputs as i
from croupier.tables.live.notices import PhaseEntered
from croupier.tables.live.phases import DEALT_PHASES, ROUND_PHASES, TRANSITIONS, is_allowed, mermaid_lines
from tests.tables.live.harness import TableHarness, seeded_shoe, shallow_shoe
from tests.tables.live.random_players import play_round

PAGE = Path(__file__).parents[3] / "docs" / "live-table.md"


def transitions_made(harness: TableHarness) -> set[tuple[str, str]]:
    phases = [
        "closed",
        *(event.what.phase for event in harness.events if isinstance(event.what, PhaseEntered)),
    ]
    return set(pairwise(phases))


FACE_UP = {"hole_card": "face_up", "peek": "never", "insurance": "none"}
"""Rules by which the dealer's hand can be complete before the first decision."""


def play_rounds(table: str, rules: Mapping[str, str]) -> TableHarness:
    """Play 150 rounds."""
    harness = TableHarness(table, rules=rules, shoes=lambda number: seeded_shoe(number, cut_percent=20))
    for seat, player in enumerate(("ann", "bob")):
        harness.sit(player, seat)
    harness.open()
    for _ in range(150):
        play_round(harness, table, ["ann", "bob"], Random(harness.rounds))
    return harness


def all_sessions() -> list[TableHarness]:
    """Play the published tables and two others, and close tables in each phase."""
    published = [play_rounds(table, {}) for table in ("infinite", "seven_seat")]
    others = [play_rounds("infinite", rules) for rules in ({"peek": "never"}, FACE_UP)]
    return [
        *published,
        *others,
        blackjacks_without_peek(),
        open_wheel(),
        *map(closed_in, ("shuffling", "opening", "warning", "pause")),
    ]


def open_wheel() -> TableHarness:
    """Open a table without a shoe."""
    harness = TableHarness("live_roulette")
    harness.open()
    return harness


def blackjacks_without_peek() -> TableHarness:
    """Play a blackjack against an ace without a peek: after the insurance there is nothing to decide."""
    shoe = Shoe(cards("AH AD KS TC"), 0, 4)
    harness = TableHarness(rules={"peek": "never"}, shoes=lambda _number: shoe)
    harness.join("ann")
    harness.open()
    play_round(harness, "infinite", ["ann"], Random(1))
    return harness


def closed_in(phase: str) -> TableHarness:
    """Close a table as soon as it reaches this phase."""
    harness = TableHarness(shoes=shallow_shoe)
    harness.join("ann")
    if phase in ("shuffling", "opening"):
        harness.feed_without_replies(
            i.TableOpened(), *([i.Shuffled(0)] if phase == "opening" else []), i.TableClosed()
        )
        return harness
    harness.open()
    if phase == "pause":
        harness.bet_main("ann")
    harness.wait_for(phase)
    harness.feed(i.TableClosed())
    harness.wait(60_000)
    return harness


def test_every_listed_transition_is_made_and_no_other() -> None:
    made = set().union(*map(transitions_made, all_sessions()))
    assert made == {(line.before, line.after) for line in TRANSITIONS}


def test_a_void_leads_to_the_pause_and_a_correction_stays_in_the_round() -> None:
    assert all(is_allowed(phase, "pause") for phase in ROUND_PHASES)
    assert all(is_allowed(before, after) for before in DEALT_PHASES for after in DEALT_PHASES)
    assert not is_allowed("closed", "pause")
    assert not is_allowed("dealer", "betting")


def test_the_documentation_shows_all_transitions() -> None:
    assert "\n".join(["```mermaid", *mermaid_lines(), "```"]) in PAGE.read_text(encoding="utf-8")

"""The table of transitions: the machine walks all of it, nothing beside it, and the manual shows it."""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from random import Random

from croupier.equipment.cards import cards
from croupier.equipment.shoe import Shoe
from croupier.tables.live import inputs as i
from croupier.tables.live.notices import PhaseEntered
from croupier.tables.live.phases import DEALT_PHASES, ROUND_PHASES, TRANSITIONS, is_allowed, mermaid_lines
from tests.tables.live.house import House, seeded_shoe
from tests.tables.live.people import play_round
from tests.tables.live.test_floor import shallow

MANUAL = Path(__file__).parents[3] / "docs" / "live-table.md"


def walked(house: House) -> set[tuple[str, str]]:
    phases = ["closed", *(event.what.phase for event in house.events if isinstance(event.what, PhaseEntered))]
    return set(pairwise(phases))


FACE_UP = {"hole_card": "face_up", "peek": "never", "insurance": "none"}
"""An operator's table: the dealer's hand may be complete before anybody has decided."""


def evening(table: str, rules: Mapping[str, str]) -> House:
    """Some hundred rounds."""
    house = House(table, rules=rules, shoes=lambda number: seeded_shoe(number, cut_percent=20))
    for seat, player in enumerate(("ann", "bob")):
        house.sit(player, seat)
    house.open()
    for _ in range(150):
        play_round(house, table, ["ann", "bob"], Random(house.rounds))
    return house


def evenings() -> list[House]:
    """The published tables and two others, and tables that close at every moment."""
    published = [evening(table, {}) for table in ("infinite", "seven_seat")]
    others = [evening("infinite", rules) for rules in ({"peek": "never"}, FACE_UP)]
    return [
        *published,
        *others,
        naturals(),
        wheel(),
        *map(closing, ("shuffling", "opening", "warning", "pause")),
    ]


def wheel() -> House:
    """A table without a shoe."""
    house = House("live_roulette")
    house.open()
    return house


def naturals() -> House:
    """A blackjack against an ace at a table where the dealer doesn't look: insured or not, nobody decides."""
    shoe = Shoe(cards("AH AD KS TC"), 0, 4)
    house = House(rules={"peek": "never"}, shoes=lambda _number: shoe)
    house.join("ann")
    house.open()
    play_round(house, "infinite", ["ann"], Random(1))
    return house


def closing(phase: str) -> House:
    """Closed by the manager as soon as this phase is reached."""
    house = House(shoes=shallow)
    house.join("ann")
    if phase in ("shuffling", "opening"):
        house.feed_only(i.TableOpened(), *([i.Shuffled(0)] if phase == "opening" else []), i.TableClosed())
        return house
    house.open()
    if phase == "pause":
        house.main("ann")
    house.wait_for(phase)
    house.feed(i.TableClosed())
    house.wait(60_000)
    return house


def test_every_transition_is_walked_and_no_other() -> None:
    seen = set().union(*map(walked, evenings()))
    assert seen == {(line.before, line.after) for line in TRANSITIONS}


def test_a_void_ends_in_the_pause_and_a_correction_stays_in_the_round() -> None:
    assert all(is_allowed(phase, "pause") for phase in ROUND_PHASES)
    assert all(is_allowed(before, after) for before in DEALT_PHASES for after in DEALT_PHASES)
    assert not is_allowed("closed", "pause")
    assert not is_allowed("dealer", "betting")


def test_the_manual_shows_the_table_as_it_is() -> None:
    assert "\n".join(["```mermaid", *mermaid_lines(), "```"]) in MANUAL.read_text(encoding="utf-8")

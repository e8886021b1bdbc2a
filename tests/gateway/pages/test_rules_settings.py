"""Settings on a rules page: timings, the dealer, and the jurisdiction's restrictions."""

from typing import Any

import pytest
from msgspec import structs

from croupier.config import DEFAULT_CONFIG, DEFAULT_LIVE_TABLE, InactivityConfig, LiveTableConfig
from croupier.games import published_tables
from croupier.gateway.pages.rules import markdown
from croupier.protocol.wire import JurisdictionProfile
from croupier.tables.live.setup import Timings

TABLES = published_tables()

RUN_OTHERWISE: dict[str, Any] = {
    "dealer": "person",
    "chat": False,
    "seats_each": 3,
    "spin_ms": 7770,
    "roll_ms": 7770,
    **dict.fromkeys(Timings._fields, 7770),
}
SHOWN_AT = {"spin_ms": "live_roulette", "roll_ms": "live_sic_bo", "ball_ms": "live_sic_bo"}
"""Settings that not every live table has; the others are on the page of a table of seats."""
NOT_FOR_PLAYERS = {"opened": "for the operator", "pace_ms": "it is seen"}
ALLOWED_OTHERWISE = {"statistics": False, "round_min_ms": 5_000}
NOT_HERE = {
    "results": "in the lobby",
    "tables_max": "in the window",
    "reminder_minutes": "in the settings",
    "advice": "in the settings",
}


def run(
    table: str,
    running: LiveTableConfig = DEFAULT_LIVE_TABLE,
    profile: JurisdictionProfile = DEFAULT_CONFIG.profile,
) -> str:
    return " ".join(markdown(TABLES[table], running, profile).split())


def test_every_setting_is_on_the_page_or_exempt() -> None:
    assert {*RUN_OTHERWISE, *NOT_FOR_PLAYERS} == set(LiveTableConfig.__struct_fields__)
    assert {*ALLOWED_OTHERWISE, *NOT_HERE} == set(JurisdictionProfile.__struct_fields__)


@pytest.mark.parametrize(("field", "value"), tuple(RUN_OTHERWISE.items()), ids=RUN_OTHERWISE)
def test_another_setting_changes_the_page(field: str, value: Any) -> None:
    other = structs.replace(DEFAULT_LIVE_TABLE, **{field: value})
    table = SHOWN_AT.get(field, "seven_seat")
    assert run(table, other) != run(table)
    assert run("classic", other) == run("classic"), "an own table has no dealer"
    if value == 7770:
        assert "| 7.77 s |" in run(table, other)


def test_the_spin_time_is_shown_for_an_automatic_wheel() -> None:
    by_hand = structs.replace(DEFAULT_LIVE_TABLE, dealer="person", check_ms=7_000)
    assert "to the drop of the ball | 3 s | | From the drop of the ball to the settlement | 4 s |" in run(
        "live_roulette"
    )
    assert "to the drop of the ball" not in run("live_roulette", by_hand)
    assert "| From the drop of the ball to the settlement | 7 s |" in run("live_roulette", by_hand)


@pytest.mark.parametrize("table", ["infinite", "live_baccarat"])
def test_a_card_table_has_no_spin_time(table: str) -> None:
    slow = structs.replace(DEFAULT_LIVE_TABLE, spin_ms=7_770, roll_ms=7_770, ball_ms=7_770)
    assert run(table, slow) == run(table)


@pytest.mark.parametrize(("field", "value"), tuple(ALLOWED_OTHERWISE.items()), ids=ALLOWED_OTHERWISE)
def test_the_page_states_the_profiles_effects(field: str, value: Any) -> None:
    other = structs.replace(DEFAULT_CONFIG.profile, **{field: value})
    assert run("infinite", profile=other) != run("infinite")


def test_an_own_table_states_the_minimum_time_of_a_round() -> None:
    slow = structs.replace(DEFAULT_CONFIG.profile, round_min_ms=5_000)
    assert "A round is dealt 5 s after the start of the previous one, or later." in run(
        "classic", profile=slow
    )
    assert run("classic", profile=structs.replace(DEFAULT_CONFIG.profile, statistics=False)) == run("classic")


def test_the_page_distinguishes_the_automatic_dealer() -> None:
    by_hand = run("infinite", structs.replace(DEFAULT_LIVE_TABLE, dealer="person"))
    assert "A dealer shuffles and deals the cards." in by_hand
    assert "The server deals the cards" not in by_hand


def absent(table: str, **changes: Any) -> str:
    return " ".join(
        markdown(TABLES[table], absent=structs.replace(DEFAULT_CONFIG.inactivity, **changes)).split()
    )


WAITS = "A round that isn't finished waits for you"
LATE = "A round that nobody has finished by then"


def test_the_page_states_what_happens_to_unfinished_rounds() -> None:
    assert f"{WAITS} for 24 hours from its deal." in absent("classic")
    played = "is played to its end for you, and History shows it. A hand of 11 or less hits, and a hand of 12"
    assert f"{LATE} {played}" in absent("classic", unfinished="play")
    assert f"{LATE} is void, and every stake is returned." in absent("classic", unfinished="refund")
    for_ever = absent("classic", resume_hours=0)
    assert f"{WAITS}. It is offered again" in for_ever
    assert LATE not in for_ever


@pytest.mark.parametrize("table", ["classic", "infinite", "baccarat", "live_roulette"])
def test_the_page_states_when_a_session_ends(table: str) -> None:
    assert "If you do nothing for 7 minutes, your session ends." in absent(table, idle_minutes=7)
    assert "your session ends" not in absent(table, idle_minutes=0)
    as_cut_off = "For the table that is as if your connection had broken."
    assert (as_cut_off in absent(table)) == (TABLES[table].dealing == "live")


def test_every_inactivity_setting_is_on_the_page() -> None:
    fields = {"idle_minutes", "resume_hours", "unfinished", "unused_guest_days"}
    assert set(InactivityConfig.__struct_fields__) == fields


@pytest.mark.parametrize("table", ["classic", "live_roulette"])
def test_the_page_states_when_an_unused_guest_is_deleted(table: str) -> None:
    sentence = "A guest who has never played is deleted 5 days after their last visit."
    assert sentence in absent(table, unused_guest_days=5)
    assert "is deleted" not in absent(table, unused_guest_days=0)

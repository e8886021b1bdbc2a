"""Limits and breaks: what is stricter counts at once, what is looser when it has been slept on."""

from datetime import UTC, datetime
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.accounts.responsible_gaming import (
    CHANGES_A_DAY,
    FOR_GOOD_MS,
    SESSION,
    Barred,
    Measure,
    Period,
    PlayerRestrictions,
    began_ms,
)
from croupier.refusal import Refused

LOSS = Measure("loss", "day", "EUR")
OFF_MS = 24 * 3600 * 1000
T = 1_800_000_000_000

# What is in force, what is asked for; from when on (0: now, None: nothing is to be said)
CHANGES: list[tuple[int | None, int | None, int | None]] = [
    (None, 100, 0),
    (100, 50, 0),
    (100, 100, None),
    (100, 200, OFF_MS),
    (100, None, OFF_MS),
    (None, None, None),
]


def with_limit(most: int | None) -> PlayerRestrictions:
    said = PlayerRestrictions().to_set(LOSS, most, T - 1, OFF_MS)
    return PlayerRestrictions().after(said, T - 1) if said else PlayerRestrictions()


@pytest.mark.parametrize(("now", "asked", "waits_ms"), CHANGES)
def test_stricter_at_once_and_looser_later(now: int | None, asked: int | None, waits_ms: int | None) -> None:
    care = with_limit(now)
    said = care.to_set(LOSS, asked, T, OFF_MS)
    if waits_ms is None:
        assert said is None
        return
    assert said is not None
    after = care.after(said, T)
    assert after.most(LOSS, T + waits_ms - 1) == now or not waits_ms
    assert after.most(LOSS, T + waits_ms) == asked
    assert after.most(SESSION, T + waits_ms) is None


def test_to_ask_again_for_what_is_to_come_does_not_put_it_off() -> None:
    care = with_limit(100)
    said = care.to_set(LOSS, 200, T, OFF_MS)
    assert said is not None
    waiting = care.after(said, T)
    assert waiting.to_set(LOSS, 200, T + 1_000, OFF_MS) is None


@pytest.mark.parametrize("asked", [100, 50])
def test_what_is_to_come_is_taken_back_at_once(asked: int) -> None:
    care = with_limit(100)
    looser = care.to_set(LOSS, None, T, OFF_MS)
    assert looser is not None
    waiting = care.after(looser, T)
    said = waiting.to_set(LOSS, asked, T + 1_000, OFF_MS)
    assert said is not None
    assert waiting.after(said, T + 1_000).most(LOSS, T + 2 * OFF_MS) == asked


def test_limits_are_changed_a_hundred_times_a_day_and_a_break_is_always_taken() -> None:
    care = PlayerRestrictions()
    for most in range(CHANGES_A_DAY, 0, -1):
        said = care.to_set(LOSS, most, T, OFF_MS)
        assert said is not None
        care = care.after(said, T)
    with pytest.raises(Refused, match="too_many_changes"):
        care.to_set(LOSS, None, T, OFF_MS)
    assert care.to_set(LOSS, 1, T, OFF_MS) is None, "it is so already"
    assert care.to_bar("time_out", T + 1) == Barred("time_out", T + 1)
    assert care.to_set(LOSS, None, T + OFF_MS, OFF_MS) is not None


def test_no_break_becomes_shorter() -> None:
    barred = PlayerRestrictions().after(Barred("exclusion", T + 100), T)
    assert barred.to_bar("time_out", T + 100) is None
    assert barred.after(Barred("time_out", T + 50), T).barred == Barred("exclusion", T + 100)
    assert barred.after(Barred("exclusion", FOR_GOOD_MS), T).is_barred(FOR_GOOD_MS - 1)
    assert barred.is_barred(T + 99)
    assert not barred.is_barred(T + 100)


MOST = st.one_of(st.none(), st.integers(1, 5))


def loose(most: int | None) -> float:
    return inf if most is None else most


@given(st.lists(st.tuples(st.integers(0, 2 * OFF_MS), MOST), max_size=12))
def test_nothing_becomes_looser_but_by_the_last_wish_and_in_its_time(
    wishes: list[tuple[int, int | None]],
) -> None:
    care, now_ms = PlayerRestrictions(), T
    before: int | None = None
    wished: tuple[int, int | None] = T, None
    for later_ms, most in wishes:
        now_ms += later_ms
        stood = care.most(LOSS, now_ms)
        if loose(stood) > loose(before):
            asked_ms, wish = wished
            assert (stood, asked_ms + OFF_MS <= now_ms) == (wish, True)
        if said := care.to_set(LOSS, most, now_ms, OFF_MS):
            care, wished = care.after(said, now_ms), (now_ms, most)
        before = care.most(LOSS, now_ms)
        assert loose(before) == min(loose(stood), loose(most)), "stricter counts at once, looser not"


# By UTC: Wednesday 2026-11-25, Monday the 23rd, the 1st; and at the edges
BEGAN: list[tuple[str, Period, str]] = [
    ("2026-11-25T13:14:15", "day", "2026-11-25"),
    ("2026-11-25T13:14:15", "week", "2026-11-23"),
    ("2026-11-25T13:14:15", "month", "2026-11-01"),
    ("2026-11-23T00:00:00", "week", "2026-11-23"),
    ("2026-11-22T23:59:59", "week", "2026-11-16"),
    ("2027-01-01T00:00:00", "month", "2027-01-01"),
    ("2027-01-01T00:00:00", "week", "2026-12-28"),
]


@pytest.mark.parametrize(("now", "period", "began"), BEGAN)
def test_when_a_period_began(now: str, period: Period, began: str) -> None:
    def ms(text: str) -> int:
        return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * 1000

    assert began_ms(period, ms(now)) == ms(began)

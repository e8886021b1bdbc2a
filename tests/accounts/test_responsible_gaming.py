"""Limits and breaks: a stricter limit holds at once, a looser one after the cooling-off period."""

from datetime import UTC, datetime
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.accounts.days import period_start_ms
from croupier.accounts.responsible_gaming import (
    CHANGES_PER_DAY_MAX,
    PERMANENT_MS,
    SESSION,
    Barred,
    Measure,
    Period,
    PlayerRestrictions,
)
from croupier.refusal import Refused

LOSS = Measure("loss", "day", "EUR")
COOLING_OFF_MS = 24 * 3600 * 1000
T = 1_800_000_000_000

# The limit in force, the requested one, and the delay before it holds; None: nothing changes.
CHANGES: list[tuple[int | None, int | None, int | None]] = [
    (None, 100, 0),
    (100, 50, 0),
    (100, 100, None),
    (100, 200, COOLING_OFF_MS),
    (100, None, COOLING_OFF_MS),
    (None, None, None),
]


def with_limit(most: int | None) -> PlayerRestrictions:
    change = PlayerRestrictions().limit_change(LOSS, most, T - 1, COOLING_OFF_MS)
    return PlayerRestrictions().after(change, T - 1) if change else PlayerRestrictions()


@pytest.mark.parametrize(("now", "requested", "delay_ms"), CHANGES)
def test_a_stricter_limit_holds_at_once_and_a_looser_one_later(
    now: int | None, requested: int | None, delay_ms: int | None
) -> None:
    restrictions = with_limit(now)
    change = restrictions.limit_change(LOSS, requested, T, COOLING_OFF_MS)
    if delay_ms is None:
        assert change is None
        return
    assert change is not None
    after = restrictions.after(change, T)
    assert after.limit_at(LOSS, T + delay_ms - 1) == now or not delay_ms
    assert after.limit_at(LOSS, T + delay_ms) == requested
    assert after.limit_at(SESSION, T + delay_ms) is None


def test_requesting_a_pending_change_again_does_not_delay_it() -> None:
    restrictions = with_limit(100)
    change = restrictions.limit_change(LOSS, 200, T, COOLING_OFF_MS)
    assert change is not None
    pending = restrictions.after(change, T)
    assert pending.limit_change(LOSS, 200, T + 1_000, COOLING_OFF_MS) is None


@pytest.mark.parametrize("requested", [100, 50])
def test_a_pending_change_is_cancelled_at_once(requested: int) -> None:
    restrictions = with_limit(100)
    looser = restrictions.limit_change(LOSS, None, T, COOLING_OFF_MS)
    assert looser is not None
    pending = restrictions.after(looser, T)
    change = pending.limit_change(LOSS, requested, T + 1_000, COOLING_OFF_MS)
    assert change is not None
    assert pending.after(change, T + 1_000).limit_at(LOSS, T + 2 * COOLING_OFF_MS) == requested


def test_changes_of_limits_are_capped_per_day_but_breaks_are_not() -> None:
    restrictions = PlayerRestrictions()
    for most in range(CHANGES_PER_DAY_MAX, 0, -1):
        change = restrictions.limit_change(LOSS, most, T, COOLING_OFF_MS)
        assert change is not None
        restrictions = restrictions.after(change, T)
    with pytest.raises(Refused, match="too_many_changes"):
        restrictions.limit_change(LOSS, None, T, COOLING_OFF_MS)
    assert restrictions.limit_change(LOSS, 1, T, COOLING_OFF_MS) is None, "the limit is already set"
    assert restrictions.break_change("time_out", T + 1) == Barred("time_out", T + 1)
    assert restrictions.limit_change(LOSS, None, T + COOLING_OFF_MS, COOLING_OFF_MS) is not None


def test_a_break_is_never_shortened() -> None:
    barred = PlayerRestrictions().after(Barred("exclusion", T + 100), T)
    assert barred.break_change("time_out", T + 100) is None
    assert barred.after(Barred("time_out", T + 50), T).barred == Barred("exclusion", T + 100)
    assert barred.after(Barred("exclusion", PERMANENT_MS), T).is_barred(PERMANENT_MS - 1)
    assert barred.is_barred(T + 99)
    assert not barred.is_barred(T + 100)


def test_an_exclusion_lasts_beside_a_longer_time_out() -> None:
    """A time-out begun on the last day of an exclusion mustn't let the player sign in."""
    excluded = PlayerRestrictions().after(Barred("exclusion", T + 100), T)
    both = excluded.after(Barred("time_out", T + 500), T + 50)
    assert (both.is_excluded(T + 99), both.is_excluded(T + 100), both.is_barred(T + 499)) == (
        True,
        False,
        True,
    )
    assert both.break_change("registry", T + 300) == Barred("registry", T + 300), "a later exclusion counts"
    assert both.after(Barred("registry", T + 300), T + 60).is_excluded(T + 299)


LIMITS = st.one_of(st.none(), st.integers(1, 5))


def or_unlimited(most: int | None) -> float:
    return inf if most is None else most


@given(st.lists(st.tuples(st.integers(0, 2 * COOLING_OFF_MS), LIMITS), max_size=12))
def test_a_limit_loosens_only_to_the_last_request_after_cooling_off(
    requests: list[tuple[int, int | None]],
) -> None:
    restrictions, now_ms = PlayerRestrictions(), T
    previous: int | None = None
    last_request: tuple[int, int | None] = T, None
    for later_ms, most in requests:
        now_ms += later_ms
        current = restrictions.limit_at(LOSS, now_ms)
        if or_unlimited(current) > or_unlimited(previous):
            requested_ms, requested = last_request
            assert (current, requested_ms + COOLING_OFF_MS <= now_ms) == (requested, True)
        if change := restrictions.limit_change(LOSS, most, now_ms, COOLING_OFF_MS):
            restrictions, last_request = restrictions.after(change, now_ms), (now_ms, most)
        previous = restrictions.limit_at(LOSS, now_ms)
        assert or_unlimited(previous) == min(or_unlimited(current), or_unlimited(most)), (
            "only a stricter limit holds at once"
        )


# By UTC. 2026-11-25 is a Wednesday; then the boundaries of periods.
PERIOD_STARTS: list[tuple[str, Period, str]] = [
    ("2026-11-25T13:14:15", "day", "2026-11-25"),
    ("2026-11-25T13:14:15", "week", "2026-11-23"),
    ("2026-11-25T13:14:15", "month", "2026-11-01"),
    ("2026-11-23T00:00:00", "week", "2026-11-23"),
    ("2026-11-22T23:59:59", "week", "2026-11-16"),
    ("2027-01-01T00:00:00", "month", "2027-01-01"),
    ("2027-01-01T00:00:00", "week", "2026-12-28"),
]


@pytest.mark.parametrize(("now", "period", "start"), PERIOD_STARTS)
def test_the_start_of_a_period(now: str, period: Period, start: str) -> None:
    def ms(text: str) -> int:
        return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * 1000

    assert period_start_ms(period, ms(now)) == ms(start)

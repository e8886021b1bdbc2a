"""Time played: 24 hours, from the last break on, over sessions, devices and nodes."""

from hypothesis import given
from hypothesis import strategies as st

from croupier.accounts.play_time import PlayClock, Stretch, played_ms, since_break
from croupier.accounts.responsible_gaming import DAY_MS, MINUTE_MS

BREAK_MS = 30 * MINUTE_MS
NOW_MS = 10 * DAY_MS


def minutes_ago(began: int, ended: int) -> Stretch:
    return Stretch(NOW_MS - began * MINUTE_MS, NOW_MS - ended * MINUTE_MS)


def played(*stretches: Stretch) -> float:
    return played_ms(stretches, NOW_MS, BREAK_MS) / MINUTE_MS


def test_short_gaps_dont_count_and_dont_restart() -> None:
    assert played(minutes_ago(60, 50), minutes_ago(40, 25), minutes_ago(5, 0)) == 30


def test_a_break_of_the_configured_length_restarts() -> None:
    assert played(minutes_ago(100, 50), minutes_ago(20, 0)) == 20
    assert played(minutes_ago(100, 49), minutes_ago(20, 0)) == 71, "a minute less is no break"
    assert played(minutes_ago(100, 30)) == 0, "the break that goes on counts"


def test_only_the_last_24_hours_count() -> None:
    day = 24 * 60
    assert played(minutes_ago(3 * day, 0)) == day
    steady = [minutes_ago(at, at - 10) for at in range(3 * day, 0, -30)]
    assert played(*steady) == day / 3


def test_devices_and_nodes_at_once_count_once() -> None:
    assert played(minutes_ago(20, 0), minutes_ago(15, 5), minutes_ago(10, 0)) == 20


def test_a_clock_set_back_loosens_nothing() -> None:
    """After a boot with a system clock that is behind, what was played seems to lie ahead."""
    assert played(minutes_ago(-60, -90)) == 30
    assert played(minutes_ago(10, -20), minutes_ago(5, 0)) == 30


@given(st.lists(st.tuples(st.integers(0, 3_000), st.integers(0, 300)), max_size=20))
def test_more_play_never_counts_less_within_a_day(found: list[tuple[int, int]]) -> None:
    stretches = [minutes_ago(began, max(0, began - length)) for began, length in found]
    whole = played(*stretches)
    assert 0 <= whole <= 24 * 60
    assert whole == played(*since_break(stretches, NOW_MS, BREAK_MS))


def test_ending_a_session_stops_the_clock_and_coming_back_goes_on() -> None:
    play = PlayClock(BREAK_MS)
    play.start(NOW_MS)
    assert play.stop(NOW_MS + 48_000) == Stretch(NOW_MS, NOW_MS + 48_000)
    assert play.stop(NOW_MS + 50_000) is None
    play.start(NOW_MS + 60_000)
    assert play.played_ms(NOW_MS + 72_000) == 60_000
    assert play.began_ms(NOW_MS + 72_000) == NOW_MS


def test_a_lost_connection_makes_no_row_of_its_own() -> None:
    play = PlayClock(BREAK_MS, (Stretch(NOW_MS, NOW_MS + 1_000),))
    play.start(NOW_MS + 3_000)
    assert play.present(NOW_MS + 4_000) == Stretch(NOW_MS, NOW_MS + 4_000)

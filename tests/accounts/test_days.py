"""Days, weeks and months of a time zone, over both changes of the clocks."""

from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple, cast
from zoneinfo import ZoneInfo

import pytest

from croupier.accounts.days import day_of, months_later_ms, period_start_ms
from croupier.accounts.deposit_conditions import check_new_deposit
from croupier.accounts.payment_rules import PaymentRules
from croupier.accounts.payments import Payment
from croupier.accounts.responsible_gaming import LimitSet, Measure, PlayerRestrictions
from croupier.admission.balances import BalanceCache
from croupier.admission.player_limits import PlayerLimits
from croupier.refusal import Refused

LONDON = ZoneInfo("Europe/London")
HOUR_MS = 3_600_000


def at(text: str, zone: tzinfo = LONDON) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=zone).timestamp() * 1000)


@pytest.mark.parametrize(
    ("day", "after", "hours"), [("2026-03-29", "2026-03-30", 23), ("2026-10-25", "2026-10-26", 25)]
)
def test_the_days_on_which_the_clocks_change(day: str, after: str, hours: int) -> None:
    """Every minute of the day belongs to it, and the next one begins after 23 or 25 hours."""
    start_ms, next_ms = at(day), at(after)
    assert next_ms - start_ms == hours * HOUR_MS
    assert {period_start_ms("day", ms, LONDON) for ms in range(start_ms, next_ms, 60_000)} == {start_ms}
    assert period_start_ms("day", start_ms - 1, LONDON) == at(day) - 24 * HOUR_MS
    assert period_start_ms("day", next_ms, LONDON) == next_ms


@pytest.mark.parametrize("now", ["2026-03-29 12:00", "2026-10-25 12:00"])
def test_the_weeks_and_months_in_which_the_clocks_change(now: str) -> None:
    monday, first = now.replace("-29", "-23").replace("-25", "-19")[:10], f"{now[:8]}01"
    assert period_start_ms("week", at(now), LONDON) == at(monday)
    assert period_start_ms("month", at(now), LONDON) == at(first)


def test_utc_knows_no_change() -> None:
    starts = [period_start_ms("day", ms) for ms in range(at("2026-03-28"), at("2026-04-01"), HOUR_MS)]
    assert {after - before for before, after in pairwise(sorted(set(starts)))} == {24 * HOUR_MS}


@pytest.mark.parametrize(
    ("day", "months", "later"),
    [
        ("2026-03-29 23:59", 6, "2026-09-29"),
        ("2026-08-31 00:00", 6, "2027-02-28"),
        ("2026-12-01 10:00", 12, "2027-12-01"),
    ],
)
def test_months_later(day: str, months: int, later: str) -> None:
    assert months_later_ms(at(day), months, LONDON) == at(later)


def test_a_time_before_midnight_utc_is_the_next_day_in_summer() -> None:
    now_ms = at("2026-06-30 23:30", UTC)
    assert str(day_of(now_ms, LONDON)) == "2026-07-01"
    assert period_start_ms("month", now_ms, LONDON) == at("2026-07-01")


class Deposits:
    """A ledger that notes since when deposits are counted."""

    since_ms = 0

    def totals(self) -> None:
        """Nothing is staked."""

    def deposited(self, _player: str, *, since_ms: int, **_: object) -> dict[str, int]:
        self.since_ms = since_ms
        return {}


@pytest.mark.parametrize("day", ["2026-03-29", "2026-10-25"])
@pytest.mark.anyio
async def test_limits_follow_the_configured_zone_when_the_clocks_change(day: str) -> None:
    ledger = Deposits()
    limits = PlayerLimits(cast("Any", ledger), BalanceCache(), lambda _: None, LONDON)
    for time in ("00:00", "03:00", "23:59"):
        count = partial(limits.used, "p", Measure("deposit", "day", "EUR"), at(f"{day} {time}"))
        await limits.facts.when_read(count, read)
        assert ledger.since_ms == at(day)


async def read(query: Callable[[], Any]) -> Any:
    return query()


class Facts(NamedTuple):
    """A player with a daily deposit limit of 1,000; `credited`: the times of deposits of 600."""

    credited: tuple[int, ...]
    rules: PaymentRules = PaymentRules(LONDON)

    def jurisdiction(self, _player: str) -> str:
        return ""

    def limit_answered_ms(self, _player: str) -> int | None:
        return None

    def restrictions(self, _player: str) -> PlayerRestrictions:
        limit = LimitSet("deposit", "day", "EUR", 1_000, 0)
        return PlayerRestrictions().after(limit, 1)

    def deposited_minor(self, _player: str, _currency: str, since_ms: int) -> int:
        return sum(600 for ms in self.credited if ms >= since_ms)

    def open_deposits_minor(self, _player: str, _currency: str) -> int:
        return 0


@pytest.mark.parametrize("day", ["2026-03-29", "2026-10-25"])
def test_a_deposit_is_credited_by_the_same_days(day: str) -> None:
    now_ms = at(f"{day} 23:30")
    payment = Payment("p1", "p", "deposit", "EUR", 600, now_ms, now_ms, "created", now_ms)
    check_new_deposit(payment, Facts((at(day) - 1,)))
    with pytest.raises(Refused, match="over_own_limit"):
        check_new_deposit(payment, Facts((at(day),)))

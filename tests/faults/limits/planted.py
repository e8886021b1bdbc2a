"""Faults of limits and breaks, planted in the services for the campaign to find."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import tzinfo
from typing import Any

from msgspec.structs import replace

from croupier import clock
from croupier.accounts import responsible_gaming
from croupier.accounts.days import period_start_ms
from croupier.accounts.responsible_gaming import (
    PERIODS,
    Barred,
    LimitSet,
    Measure,
    PlayerRestrictions,
)
from croupier.admission import player_limits
from croupier.admission.conditions import OwnLimit
from croupier.admission.player_limits import PlayerLimits
from croupier.players.registry_check import RegistryCheck
from croupier.refusal import Refused
from croupier.tables.live.effects import Hold, Raise

Patch = tuple[Any, str, object]


def spend_one_unit_more() -> Patch:
    """A stake or a deposit may exceed the limit by one unit: `<` became `<=`."""
    right = OwnLimit.check

    def check(limit: OwnLimit, amount_minor: int) -> None:
        right(limit, amount_minor - 1)

    return OwnLimit, "check", check


def refuse_the_last_unit() -> Patch:
    """A stake or a deposit that reaches the limit exactly is refused: `>` became `>=`."""
    right = OwnLimit.check

    def check(limit: OwnLimit, amount_minor: int) -> None:
        right(limit, amount_minor + 1)

    return OwnLimit, "check", check


def bet_live_while_barred() -> Patch:
    """Live tables check limits, but neither breaks nor exclusions."""
    reserve = PlayerLimits.reserve_holds

    @contextmanager
    def reserve_holds(
        limits: PlayerLimits, moves: Any, table: str
    ) -> Iterator[Mapping[Hold | Raise, Refused]]:
        with reserve(limits, moves, table) as refused:
            yield {move: why for move, why in refused.items() if why.code != "barred"}

    return PlayerLimits, "reserve_holds", reserve_holds


def count_cooling_off_from_the_first_request() -> Patch:
    """A further, looser request holds when the pending one would have: cooling off isn't begun again."""
    right = PlayerRestrictions.limit_change

    def limit_change(
        restrictions: PlayerRestrictions, measure: Measure, maximum: int | None, now_ms: int, wait_ms: int
    ) -> LimitSet | None:
        change, limit = (
            right(restrictions, measure, maximum, now_ms, wait_ms),
            restrictions.limits.get(measure),
        )
        pending_ms = limit.from_ms if limit else 0
        if change and change.from_ms > now_ms and pending_ms > now_ms:
            return replace(change, from_ms=pending_ms)
        return change

    return PlayerRestrictions, "limit_change", limit_change


def loosen_at_once() -> Patch:
    """A looser limit holds without cooling off."""
    right = PlayerRestrictions.limit_change

    def limit_change(
        restrictions: PlayerRestrictions, measure: Measure, maximum: int | None, now_ms: int, _wait_ms: int
    ) -> LimitSet | None:
        return right(restrictions, measure, maximum, now_ms, 0)

    return PlayerRestrictions, "limit_change", limit_change


def start_months_a_day_early() -> Patch:
    """A month starts on the last day of the month before."""

    def start(period: responsible_gaming.Period, now_ms: int, _zone: tzinfo) -> int:
        day_ms = responsible_gaming.DAY_MS
        if period != "month":
            return period_start_ms(period, now_ms)
        return period_start_ms(period, now_ms + day_ms) - day_ms

    return player_limits, "period_start_ms", start


def start_weeks_on_sunday() -> Patch:
    """A week starts a day early."""

    def start(period: responsible_gaming.Period, now_ms: int, _zone: tzinfo) -> int:
        day_ms = responsible_gaming.DAY_MS
        shift_ms = day_ms if period == "week" else 0
        return period_start_ms(period, now_ms + shift_ms) - shift_ms

    return player_limits, "period_start_ms", start


def start_days_by_local_time() -> Patch:
    """Days start an hour late, as in a zone that isn't UTC."""

    def start(period: responsible_gaming.Period, now_ms: int, _zone: tzinfo) -> int:
        hour_ms = 3_600_000
        return period_start_ms(period, now_ms - hour_ms) + hour_ms

    return player_limits, "period_start_ms", start


def count_deposits_when_they_are_paid() -> Patch:
    """Deposits that the provider hasn't confirmed don't count."""
    return PlayerLimits, "restore_deposit", lambda *_: None


def shorten_a_break() -> Patch:
    """A new break replaces the one before, even if it is shorter."""
    right = PlayerRestrictions.after

    def after(restrictions: PlayerRestrictions, change: Any, at_ms: int) -> PlayerRestrictions:
        changed = right(restrictions, change, at_ms)
        return changed._replace(barred=change) if isinstance(change, Barred) else changed

    return PlayerRestrictions, "after", after


def let_a_time_out_replace_an_exclusion() -> Patch:
    """Only the break that ends last counts, so a time-out can end an exclusion."""

    def is_excluded(restrictions: PlayerRestrictions, now_ms: int) -> bool:
        return restrictions.barred.why != "time_out" and restrictions.is_barred(now_ms)

    return PlayerRestrictions, "is_excluded", is_excluded


def forget_breaks_at_a_restart() -> Patch:
    """The notes of limits are read when the server starts, those of breaks aren't."""
    right = PlayerLimits.load

    def load(limits: PlayerLimits) -> None:
        right(limits)
        for player, restrictions in limits._of.items():
            limits._of[player] = restrictions._replace(barred=responsible_gaming.NOT_BARRED)

    return PlayerLimits, "load", load


def cache_totals_of_open_rounds() -> Patch:
    """Totals before a visit are cached while a round from before it is open."""

    def read_ahead(limits: PlayerLimits, player: str) -> None:
        if visit_ms := limits._visit_began_ms(player):
            for period in PERIODS:
                limits._before_visit(player, period_start_ms(period, clock.now_ms()), visit_ms)

    return PlayerLimits, "read_ahead", read_ahead


def check_each_bet_alone() -> Patch:
    """Bets that are being posted don't count for others."""
    return PlayerLimits, "_reserve_one", lambda *_: None


def count_rounds_for_the_day_they_end() -> Patch:
    """The totals of the day before are cached while one of its rounds is open."""
    return PlayerLimits, "_all_ended_from_before", lambda *_: True


def ignore_the_registry() -> Patch:
    """The external registry isn't asked."""

    async def check(*_: Any) -> None:
        pass

    return RegistryCheck, "check", check


_PLANTED = (
    spend_one_unit_more,
    refuse_the_last_unit,
    bet_live_while_barred,
    count_cooling_off_from_the_first_request,
    loosen_at_once,
    start_months_a_day_early,
    start_weeks_on_sunday,
    start_days_by_local_time,
    count_deposits_when_they_are_paid,
    shorten_a_break,
    let_a_time_out_replace_an_exclusion,
    forget_breaks_at_a_restart,
    cache_totals_of_open_rounds,
    check_each_bet_alone,
    count_rounds_for_the_day_they_end,
    ignore_the_registry,
)
FAULTS: Mapping[str, Callable[[], Patch]] = {fault.__name__: fault for fault in _PLANTED}

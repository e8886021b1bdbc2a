"""What a player sees of his limits and breaks, and how he asks for others."""

from collections.abc import Iterator

from croupier import clock
from croupier.accounts.responsible_gaming import (
    DAY_MS,
    FOR_GOOD_MS,
    NO_LIMIT,
    PERIODS,
    SESSION,
    Measure,
    What,
    began_ms,
)
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.runtime.house import House
from croupier.runtime.player_limits import NOTHING

MONEY_LIMITS: tuple[What, ...] = ("deposit", "loss", "wager")
MINUTE_MS = 60_000


async def page(house: House, player: str, visit_ms: int) -> wire.ResponsibleGaming:
    """All limits that there may be, those that are set with what is used of them."""
    await house.reads_ahead(player)
    care, rules, now = house.bank.keeper.of(player), house.floor.responsible_gaming, clock.now_ms()
    barred = wire.ActiveBreak(care.barred.why, care.barred.until_ms) if care.is_barred(now) else None
    measures = [
        Measure(what, period, code)
        for what in MONEY_LIMITS
        for code in house.floor.currencies
        for period in PERIODS
    ]
    limits = [_limit(house, player, measure, visit_ms, now) for measure in (SESSION, *measures)]
    return wire.ResponsibleGaming(
        limits=tuple(limits),
        barred=barred,
        spans=tuple(_spans(house, player, now)),
        cooling_off_hours=rules.cooling_off_hours,
        time_out_days=rules.time_out_days,
        exclusion_days=(*rules.exclusion_days, 0),
    )


def _limit(house: House, player: str, measure: Measure, visit_ms: int, now: int) -> wire.PlayerLimit:
    keeper = house.bank.keeper
    limit = keeper.of(player).limits.get(measure, NO_LIMIT)
    most, waits = limit.at(now), limit.from_ms > now
    used = 0
    if most is not None:
        used = (now - visit_ms) // MINUTE_MS if measure == SESSION else keeper.used(player, measure, now)
    then, from_ms = (limit.then, limit.from_ms) if waits else (None, 0)
    return wire.PlayerLimit(*measure, most, used, then, from_ms)


def _spans(house: House, player: str, now: int) -> Iterator[wire.PeriodTotals]:
    for period in PERIODS:
        since_ms = began_ms(period, now)
        played = house.bank.keeper.played(player, since_ms)
        deposited = house.bank.ledger.deposited(player, since_ms=since_ms)
        for code in house.floor.currencies:
            totals, brought = played.get(code, NOTHING), deposited.get(code, 0)
            if totals.staked_minor or brought:
                yield wire.PeriodTotals(
                    period, since_ms, code, totals.staked_minor, totals.returned_minor, brought
                )


def requested_measure(house: House, order: wire.LimitRequest) -> Measure:
    """Refused when there is no such limit."""
    measure = Measure(order.what, order.period, order.currency)
    if measure == SESSION:
        return measure
    if order.what not in MONEY_LIMITS or order.period not in PERIODS:
        raise Refused("no_such_limit", what=order.what, period=order.period)
    house.currency(order.currency)
    return measure


def break_until_ms(house: House, order: wire.BreakRequest) -> int:
    """Refused when it is no time that the house offers."""
    rules = house.floor.responsible_gaming
    days = rules.time_out_days if order.why == "time_out" else (*rules.exclusion_days, 0)
    if order.days not in days:
        raise Refused("no_such_break", days=order.days, allowed=", ".join(map(str, days)))
    return clock.now_ms() + order.days * DAY_MS if order.days else FOR_GOOD_MS

"""The page of a player's limits and breaks, and requests to change them."""

from collections.abc import Iterator
from functools import partial

from croupier import clock
from croupier.accounts.days import period_start_ms
from croupier.accounts.responsible_gaming import (
    DAY_MS,
    NO_LIMIT,
    PERIODS,
    PERMANENT_MS,
    SESSION,
    LimitKind,
    Measure,
)
from croupier.admission.player_limits import NOTHING, PlayerLimits
from croupier.config import ServerConfig
from croupier.gateway.server import Server
from croupier.players.settings import check_currency
from croupier.protocol import wire
from croupier.refusal import Refused

MONEY_LIMITS: tuple[LimitKind, ...] = ("deposit", "loss", "wager")
MINUTE_MS = 60_000


async def page(server: Server, player: str) -> wire.ResponsibleGaming:
    """Return all possible limits, with the used amount of those that are set."""
    played_ms = await server.sessions.played_ms(player)
    deposit_limit_due = await server.deposit_questions.is_due(player)
    return await server.gateway.when_read(
        partial(_page, server, player, played_ms, deposit_limit_due=deposit_limit_due)
    )


def _page(server: Server, player: str, played_ms: int, *, deposit_limit_due: bool) -> wire.ResponsibleGaming:
    rules, now = server.config.responsible_gaming, clock.now_ms()
    measures = [
        Measure(what, period, code)
        for what in MONEY_LIMITS
        for code in server.config.currencies
        for period in PERIODS
    ]
    limits = [_limit(server.limits, player, measure, played_ms, now) for measure in (SESSION, *measures)]
    return wire.ResponsibleGaming(
        limits=tuple(limits),
        barred=server.limits.active_break(player),
        spans=tuple(_spans(server, player, now)),
        cooling_off_hours=rules.cooling_off_hours,
        session_break_minutes=rules.session_break_minutes,
        deposit_limit_due=deposit_limit_due,
        time_zone=str(server.limits.zone),
        time_out_days=rules.time_out_days,
        exclusion_days=(*rules.exclusion_days, 0),
    )


def _limit(limits: PlayerLimits, player: str, measure: Measure, played_ms: int, now: int) -> wire.PlayerLimit:
    limit = limits.of(player).limits.get(measure, NO_LIMIT)
    maximum, waits = limit.at(now), limit.from_ms > now
    used = 0
    if maximum is not None:
        used = played_ms // MINUTE_MS if measure == SESSION else limits.used(player, measure, now)
    then, from_ms = (limit.then, limit.from_ms) if waits else (None, 0)
    return wire.PlayerLimit(*measure, maximum, used, then, from_ms)


def _spans(server: Server, player: str, now: int) -> Iterator[wire.PeriodTotals]:
    for period in PERIODS:
        since_ms = period_start_ms(period, now, server.limits.zone)
        played = server.limits.played(player, since_ms)
        deposited = server.limits.facts.deposited(player, since_ms=since_ms)
        for code in server.config.currencies:
            totals, brought = played.get(code, NOTHING), deposited.get(code, 0)
            if totals.staked_minor or brought:
                yield wire.PeriodTotals(
                    period, since_ms, code, totals.staked_minor, totals.returned_minor, brought
                )


def requested_measure(config: ServerConfig, order: wire.LimitRequest) -> Measure:
    """Return the measure that a request limits; refuse one that can't be limited."""
    measure = Measure(order.what, order.period, order.currency)
    if measure == SESSION:
        return measure
    if order.what not in MONEY_LIMITS or order.period not in PERIODS:
        raise Refused("no_such_limit", what=order.what, period=order.period)
    check_currency(order.currency, config.currencies)
    return measure


def break_until_ms(config: ServerConfig, order: wire.BreakRequest) -> int:
    """Return the end of a requested break; refuse a length that the server doesn't offer."""
    rules = config.responsible_gaming
    days = rules.time_out_days if order.why == "time_out" else (*rules.exclusion_days, 0)
    if order.days not in days:
        raise Refused("no_such_break", days=order.days, allowed=", ".join(map(str, days)))
    return clock.now_ms() + order.days * DAY_MS if order.days else PERMANENT_MS

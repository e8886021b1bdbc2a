"""Commands about sessions, money, limits, breaks and time."""

from croupier import clock
from croupier.accounts.responsible_gaming import BreakReason
from croupier.protocol.wire.launches import LaunchLimit
from croupier.storage.stores import Stores
from tests.faults.limits.comparison import HOUR_MS, MINUTE_MS, Comparison, Wrong, equal, measure_of
from tests.faults.limits.oracle import (
    ALLOWED,
    DAY_MS,
    FOR_GOOD_MS,
    SESSION,
    VISIT_GAP_MS,
    Break,
    Deposit,
    Rule,
)
from tests.faults.limits.surroundings import BONUS

RULES = [Rule(what, period) for what in ("loss", "wager", "deposit") for period in ("day", "week", "month")]
MAXIMA = (None, *range(1, 12))
"""Limits of money; most stakes and deposits are as small, so that limits are met exactly."""
SESSION_MINUTES = (None, 5, 20, 40, 90)
BREAK_DAYS = (1, 1, 7, 42)
EXCLUSION_DAYS = (1, 2, 180, 0)
"""0: for good. The service takes any end, so that exclusions also end within a sequence."""
WAITS_MS = (1, 9 * MINUTE_MS, 31 * MINUTE_MS, 5 * HOUR_MS, DAY_MS, 8 * DAY_MS)
AWAY_MS = (0, 9 * MINUTE_MS, 31 * MINUTE_MS)
STEPS_MS = (-HOUR_MS, HOUR_MS, -2 * DAY_MS, 2 * DAY_MS)
"""Steps of the system clock; by an hour, as at a wrong change to summer time."""


class AccountCommands(Comparison):
    """Each public method is a command, which makes its arguments of two small numbers."""

    def __init__(self, stores: Stores, start_ms: int, *, launched: bool) -> None:
        super().__init__(stores, start_ms, launched=launched)
        self._visits_ms = frozenset({start_ms})
        """The possible starts of the player's visit."""
        self._began_ms = {start_ms}
        """The possible starts of all visits; once the machine's clock was set back, each may go on."""
        self._rebooted = False
        self._seen_ms = start_ms
        """When the player was last seen; -1: their visit has ended."""

    # --- sessions

    async def sign_in(self, first: int, second: int) -> None:
        """Begin a session on another device; the operator's launch sets a limit."""
        rule, maximum = RULES[first % len(RULES)], second
        limits = [LaunchLimit(rule.what, rule.period, maximum)] if self.launched else []  # type: ignore[arg-type]
        await self.ask(ALLOWED, self.world.sign_in(limits))
        if limits:
            self.oracle.asked(rule, maximum)
        self._registry_answered()
        self._active()

    async def connect(self, first: int, _: int) -> None:
        """Connect a device; the visit goes on unless the player was away for longer than its gap."""
        self._active()
        is_first = not self.world.devices
        visit_ms = await self.world.connect(first)
        if is_first:
            possible_ms = self._began_ms if self._rebooted else self._visits_ms
            if visit_ms not in possible_ms:
                raise Wrong(f"the visit began {visit_ms}, and not at {possible_ms}")
            self._visits_ms = frozenset({visit_ms})
        self.oracle.connected()

    def _active(self) -> None:
        """Note that the player is seen: after a gap a new visit may begin."""
        now_ms = self.oracle.now_ms
        if self._seen_ms < 0 or now_ms - self._seen_ms > VISIT_GAP_MS:
            self._visits_ms |= {now_ms}
            self._began_ms.add(now_ms)
        self._seen_ms = now_ms

    async def disconnect(self, first: int, _: int) -> None:
        if self.world.devices:
            self.world.disconnect(first)
        if not self.world.devices:
            self.oracle.disconnected()

    async def come_back(self, first: int, second: int) -> None:
        """Leave with all devices, and come back at once, in the same visit or after its end."""
        self._leave()
        await self._advance(AWAY_MS[second % len(AWAY_MS)])
        await self.connect(first, second)

    def _leave(self) -> None:
        while self.world.devices:
            self.world.disconnect(0)
        self.oracle.disconnected()

    async def open_table(self, _first: int, _second: int) -> None:
        await self.ask(self.oracle.play(), self.world.open_table())

    # --- money

    async def deposit(self, first: int, _: int) -> None:
        done, _result = await self.ask(self.oracle.deposit(first + 1), self.world.deposit(first + 1))
        if done:
            self.oracle.deposits.append(Deposit("", first + 1, self.oracle.now_ms))
            self.oracle.cash += first + 1
        self._active()
        self._registry_answered()

    async def begin_payment(self, first: int, _: int) -> None:
        """Begin a deposit by the provider, which counts from now on."""
        done, payment = await self.ask(self.oracle.deposit(first + 1), self.world.begin_payment(first + 1))
        if done and payment:
            self.oracle.deposits.append(Deposit(payment, first + 1, None))
        self._active()
        self._registry_answered()

    async def end_payment(self, first: int, second: int) -> None:
        """Let the provider report a deposit as paid, or as denied."""
        under_way = [one for one in self.oracle.deposits if one.credited_ms is None]
        if not under_way:
            return
        one, paid = under_way[second % len(under_way)], first % 3 > 0
        await self.ask(ALLOWED, self.world.end_payment(one.id, one.minor, paid=paid))
        if paid and self.oracle.credits(one.minor):
            one.credited_ms = self.oracle.now_ms
            self.oracle.cash += one.minor
        else:
            self.oracle.deposits.remove(one)

    async def withdraw(self, first: int, _: int) -> None:
        """Withdraw cash, which no break and no limit forbids, and which ends the bonus."""
        minor = min(first + 1, self.oracle.cash)
        if minor:
            await self.ask(ALLOWED, self.world.withdraw(minor, self.oracle.forfeited_by_withdrawal()))
            self.oracle.cash -= minor
            self.oracle.end_bonus()
            self._active()

    async def grant_bonus(self, _first: int, _second: int) -> None:
        done, _ = await self.ask(self.oracle.grant(), self.world.grant_bonus())
        if done:
            self.oracle.begin_bonus(BONUS.amount_minor, BONUS.days)

    # --- restrictions

    async def set_limit(self, first: int, second: int) -> None:
        rule, maximum = RULES[first % len(RULES)], MAXIMA[second % len(MAXIMA)]
        await self.ask(ALLOWED, self.world.set_limit(measure_of(rule), maximum))
        self.oracle.asked(rule, maximum)

    async def set_session_limit(self, first: int, _: int) -> None:
        minutes = SESSION_MINUTES[first % len(SESSION_MINUTES)]
        await self.ask(ALLOWED, self.world.set_limit(measure_of(SESSION), minutes))
        self.oracle.asked(SESSION, minutes)

    async def take_time_out(self, first: int, _: int) -> None:
        await self._break("time_out", BREAK_DAYS[first % len(BREAK_DAYS)])

    async def exclude(self, first: int, _: int) -> None:
        await self._break("exclusion", EXCLUSION_DAYS[first % len(EXCLUSION_DAYS)])

    async def list_in_registry(self, first: int, _: int) -> None:
        """Let the external registry list the player, who is barred once it is asked."""
        days = EXCLUSION_DAYS[first % len(EXCLUSION_DAYS)]
        until_ms = self.oracle.now_ms + days * DAY_MS if days else FOR_GOOD_MS
        self.world.registry.until_ms = until_ms
        self.oracle.registry_until_ms = 0 if self.launched else until_ms

    def _registry_answered(self) -> None:
        """Note the exclusion that an answer of the registry begins."""
        until_ms = self.oracle.registry_until_ms
        if until_ms > self.oracle.now_ms:
            self._barred("registry", until_ms)

    async def _break(self, why: BreakReason, days: int) -> None:
        until_ms = self.oracle.now_ms + days * DAY_MS if days else FOR_GOOD_MS
        await self.ask(ALLOWED, self.world.take_break(why, until_ms))
        self._barred(why, until_ms)

    def _barred(self, why: str, until_ms: int) -> None:
        self.oracle.breaks.append(Break(why, until_ms))
        self.oracle.disconnected()
        self._seen_ms = -1

    # --- time

    async def wait(self, first: int, _: int) -> None:
        await self._advance(WAITS_MS[first % len(WAITS_MS)])

    async def wait_for_a_change(self, first: int, second: int) -> None:
        """Wait until a period, a break or a cooling-off period ends, or a millisecond less or more."""
        later = [one for one in sorted(self.oracle.moments()) if one > self.oracle.now_ms]
        await self._advance(later[first % len(later)] - self.oracle.now_ms + second % 3 - 1)

    async def _advance(self, ms: int) -> None:
        self.world.machine.advance(ms)
        self.oracle.now_ms += ms
        await self.sweep(0, 0)

    async def sweep(self, _first: int, _second: int) -> None:
        """Do what the server does every few seconds: begin a break once the session limit is reached."""
        maximum, now_ms = self.oracle.limit(SESSION), self.oracle.now_ms
        is_over = maximum is not None and self.oracle.played_ms() >= maximum * MINUTE_MS
        if self.world.devices and is_over:
            self._barred("session", now_ms + VISIT_GAP_MS)
        await self.world.sweep()

    async def step_clock(self, first: int, _: int) -> None:
        """Step the system clock, which changes nothing."""
        self.world.machine.step_system_clock(STEPS_MS[first % len(STEPS_MS)])

    async def restart(self, _first: int, _second: int) -> None:
        """Start the server's process again; it ends the connections first."""
        self._leave()
        await self.world.restart()

    async def reboot(self, first: int, _: int) -> None:
        """Restart the machine: its clock may be wrong, but never before the last entry of the journal."""
        self._leave()
        last_ms = self.world.server.ledger.last_ms()
        await self.world.reboot(STEPS_MS[first % len(STEPS_MS)])
        equal("the clock", clock.now_ms(), max(self.world.machine.system_ns // 1_000_000, last_ms + 1))
        self.oracle.now_ms = clock.now_ms()
        self._rebooted, self._seen_ms = True, -1

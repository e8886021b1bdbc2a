"""Limits, breaks and money of one player, worked out from the whole history at each question.

It shares no code with the server: dates come from `time.gmtime`, limits from all requests of the past.
"""

import calendar
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

DAY_MS = 86_400_000
FOR_GOOD_MS = 9_007_199_254_740_991
VISIT_GAP_MS = 30 * 60_000
GOES_ON_MS = 5_000


class Rule(NamedTuple):
    """The quantity that a limit restricts, and over which period."""

    what: str
    period: str


SESSION = Rule("session", "visit")


class Request(NamedTuple):
    """A request for a limit; None: no limit."""

    at_ms: int
    maximum: int | None


class Break(NamedTuple):
    why: str
    until_ms: int


class Verdict(NamedTuple):
    """The reasons to refuse that hold."""

    reasons: frozenset[str] = frozenset()

    def accepts(self, code: str) -> bool:
        """Return whether the server may answer with this code; empty: done."""
        return code in self.reasons if code else not self.reasons


ALLOWED = Verdict()


@dataclass
class PlayedRound:
    """A round as the oracle knows it.

    `bonus_parts`: the bonus money in the stake, by the number of its bonus.
    """

    id: str
    table: str
    live: bool
    started_ms: int
    staked: int = 0
    bonus_parts: dict[int, int] = field(default_factory=dict)
    returned: int = 0
    ended_ms: int | None = None


@dataclass
class Deposit:
    """A deposit by a payment provider is open until it is `credited_ms`."""

    id: str
    minor: int
    credited_ms: int | None


def period_start_ms(period: str, now_ms: int) -> int:
    """Return the first millisecond of the day, week (from Monday) or month by UTC."""
    at = time.gmtime(now_ms // 1000)
    days_back = {"day": 0, "week": at.tm_wday, "month": at.tm_mday - 1}[period]
    return calendar.timegm((at.tm_year, at.tm_mon, at.tm_mday, 0, 0, 0)) * 1000 - days_back * DAY_MS


def limit_at(requests: list[Request], cooling_off_ms: int, now_ms: int) -> int | None:
    """Return the limit in force: a stricter request holds at once, a looser one after cooling off.

    A request that changed nothing isn't in the journal, so a boot with a wrong clock may come before it.
    """
    current: int | None = None
    due: Request | None = None
    for request in [*(each for each in requests if each.at_ms <= now_ms), None]:
        at_ms = request.at_ms if request else now_ms
        if due and due.at_ms <= at_ms:
            current, due = due.maximum, None
        if request is None or request.maximum == (due.maximum if due else current):
            continue
        stricter = request.maximum is not None and (current is None or request.maximum <= current)
        current = request.maximum if stricter else current
        due = None if stricter else Request(request.at_ms + cooling_off_ms, request.maximum)
    return current


@dataclass
class Oracle:
    """The player's history; amounts are in one currency. `bonus_until_ms` None: no active bonus."""

    now_ms: int
    cash: int
    cooling_off_ms: int
    bonus: int = 0
    """The number of the player's last bonus."""
    bonus_minor: int = 0
    bonus_until_ms: int | None = None
    rounds: list[PlayedRound] = field(default_factory=list)
    deposits: list[Deposit] = field(default_factory=list)
    requests: dict[Rule, list[Request]] = field(default_factory=dict)
    breaks: list[Break] = field(default_factory=list)
    stretches: list[list[int]] = field(default_factory=list)
    """When the player was connected: beginnings and ends. The last one goes on while it has no end."""
    registry_until_ms: int = 0
    """The end of the exclusion that the registry reports; 0: the player isn't listed."""

    # --- what holds now

    @property
    def barred_until_ms(self) -> int:
        return max((each.until_ms for each in self.breaks), default=0)

    @property
    def excluded_until_ms(self) -> int:
        return max(
            (each.until_ms for each in self.breaks if each.why in ("exclusion", "registry")), default=0
        )

    @property
    def open_rounds(self) -> list[PlayedRound]:
        return [one for one in self.rounds if one.ended_ms is None]

    def limit(self, rule: Rule) -> int | None:
        return limit_at(self.requests.get(rule, []), self.cooling_off_ms, self.now_ms)

    def used(self, rule: Rule, *, open_too: bool = True) -> int:
        """Return how much of a limit is used: by rounds that began in the period, and by open ones.

        `open_too`: also by deposits that the provider hasn't confirmed.
        """
        since_ms = period_start_ms(rule.period, self.now_ms)
        if rule.what == "deposit":
            begun = [one for one in self.deposits if one.credited_ms is None and open_too]
            credited = [
                one for one in self.deposits if (one.credited_ms or 0) >= since_ms and one.credited_ms
            ]
            return sum(one.minor for one in [*begun, *credited])
        counts = [one for one in self.rounds if one.ended_ms is None or one.started_ms >= since_ms]
        return sum(one.staked - (one.returned if rule.what == "loss" else 0) for one in counts)

    # --- time played

    @property
    def is_connected(self) -> bool:
        return bool(self.stretches) and len(self.stretches[-1]) == 1

    def connected(self) -> None:
        """Note that the player is connected from now on, or still."""
        if self.is_connected:
            return
        back_ms = self.now_ms - max((one[1] for one in self.stretches), default=-DAY_MS)
        last = max(self.stretches, key=lambda one: one[1], default=None)
        if last and 0 <= back_ms < GOES_ON_MS:
            self.stretches.remove(last)
            self.stretches.append(last[:1])
        else:
            self.stretches.append([self.now_ms])

    def disconnected(self) -> None:
        """Note that the player isn't connected any more."""
        if self.is_connected:
            self.stretches[-1].append(self.now_ms)

    def played_ms(self) -> int:
        """Return the time connected in the last 24 hours, since the last gap as long as a break."""
        times = sorted((one[0], one[1] if len(one) > 1 else self.now_ms) for one in self.stretches)
        ends = [max(end for began, end in times[: place + 1]) for place in range(len(times))]
        nexts = [began for began, _ in times[1:]] + [self.now_ms]
        gaps = [place for place, end in enumerate(ends) if nexts[place] - end >= VISIT_GAP_MS]
        counted = times[gaps[-1] + 1 :] if gaps else times
        played, until = 0, self.now_ms - DAY_MS
        for began, end in counted:
            played += max(0, end - max(began, until))
            until = max(until, end)
        return played

    # --- verdicts

    def bet(self, minor: int) -> Verdict:
        """Judge a bet; once the session limit is reached, a connected player may only finish rounds."""
        maximum = self.limit(SESSION)
        is_over = maximum is not None and self.is_connected and self.played_ms() >= maximum * 60_000
        reasons = self.raise_stake(minor).reasons
        return Verdict(reasons | ({"barred"} if is_over else set()))

    def raise_stake(self, minor: int) -> Verdict:
        """Judge a further stake in an open round."""
        funds = self.cash + (self.bonus_minor if self.bonus_usable else 0)
        reasons = set(self._barred()) | ({"not_covered"} if minor > funds else set())
        return self._limited(("loss", "wager"), minor, reasons)

    def deposit(self, minor: int) -> Verdict:
        """Judge a deposit, for which the registry is asked."""
        reasons = set(self._barred()) | ({"barred"} if self.registry_until_ms > self.now_ms else set())
        return self._limited(("deposit",), minor, reasons)

    def credits(self, minor: int) -> bool:
        """Return whether a deposit that was paid is credited: not to the excluded, nor above a limit."""
        verdict = self._limited(("deposit",), minor, set(), open_too=False)
        return not verdict.reasons and self.now_ms >= self.excluded_until_ms

    def grant(self) -> Verdict:
        """Judge the grant of a bonus."""
        return Verdict(self._barred() | ({"bonus_active"} if self.bonus_usable else set()))

    def play(self) -> Verdict:
        """Judge the opening of a table."""
        return Verdict(self._barred())

    @property
    def bonus_usable(self) -> bool:
        return self.bonus_until_ms is not None and self.now_ms < self.bonus_until_ms

    def _barred(self) -> frozenset[str]:
        return frozenset({"barred"} if self.now_ms < self.barred_until_ms else ())

    def _limited(
        self, whats: tuple[str, ...], minor: int, reasons: set[str], *, open_too: bool = True
    ) -> Verdict:
        limits = ((rule, self.limit(rule)) for rule in self.requests if rule.what in whats)
        passed = any(
            most is not None and self.used(rule, open_too=open_too) + minor > most for rule, most in limits
        )
        return Verdict(frozenset(reasons | ({"over_own_limit"} if passed else set())))

    # --- what happened

    def staked(self, round_: PlayedRound, minor: int) -> None:
        """Add to the stake of a round: cash first, bonus money for the rest."""
        if round_ not in self.rounds:
            self.rounds.append(round_)
        of_bonus = max(0, minor - self.cash)
        self.cash -= minor - of_bonus
        self.bonus_minor -= of_bonus
        round_.staked += minor
        if of_bonus:
            round_.bonus_parts[self.bonus] = round_.bonus_parts.get(self.bonus, 0) + of_bonus

    def ended(self, round_: PlayedRound, returned: int) -> None:
        """End a round; a bonus gets back its part of what is returned, which lapses if the bonus has."""
        round_.returned, round_.ended_ms = returned, self.now_ms
        self.cash += returned
        for number, part in round_.bonus_parts.items():
            back = returned * part // round_.staked
            self.cash -= back
            self.bonus_minor += back if number == self.bonus and self.bonus_usable else 0
        if round_.bonus_parts and not self.bonus_minor and not self._bonus_in_play():
            self.end_bonus()

    def begin_bonus(self, minor: int, days: int) -> None:
        self.bonus += 1
        self.bonus_minor, self.bonus_until_ms = minor, self.now_ms + days * DAY_MS

    def end_bonus(self) -> None:
        self.bonus_minor, self.bonus_until_ms = 0, None

    def forfeited_by_withdrawal(self) -> int:
        """Return the bonus money that a withdrawal costs."""
        return self.bonus_minor + self._bonus_in_play() if self.bonus_usable else 0

    def _bonus_in_play(self) -> int:
        return sum(one.bonus_parts.get(self.bonus, 0) for one in self.open_rounds)

    def asked(self, rule: Rule, maximum: int | None) -> None:
        self.requests.setdefault(rule, []).append(Request(self.now_ms, maximum))

    def moments(self) -> Iterator[int]:
        """Yield the moments at which a rule changes: ends of periods, breaks and cooling off."""
        for period, length in (("day", 1), ("week", 7), ("month", 31)):
            start_ms = period_start_ms(period, self.now_ms)
            yield period_start_ms(period, start_ms + length * DAY_MS)
        yield from (each.until_ms for each in self.breaks if each.until_ms < FOR_GOOD_MS)
        for requests in self.requests.values():
            yield from (each.at_ms + self.cooling_off_ms for each in requests)

"""A model of bonuses in plain Python: what a player has after each step, and after each crash.

It shares only the templates with the server. Each `commit` is one of the ledger's; a crash comes before one.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor

from croupier.accounts.bonus import DAY_MS, BonusTemplate


class Crash(Exception):
    """The server is killed before a commit."""


class ModelRefusal(Exception):
    """Has the code that the server must refuse with."""


@dataclass
class ModelBonus:
    """A bonus of the model.

    `counted` is in units; `parts`: its money in each open round.
    """

    template: BonusTemplate
    expires_ms: int
    balance: int
    counted: Fraction = Fraction(0)
    parts: dict[str, int] = field(default_factory=dict)
    status: str = "active"

    @property
    def left(self) -> Fraction:
        return self.template.amount_minor * self.template.multiple - self.counted


@dataclass
class ModelRound:
    id: str
    player: str
    table: str
    currency: str
    staked: int = 0


@dataclass
class Model:
    """A model of players' money and bonuses.

    `commits_left`: those before the crash; None: there is none. `rounds` are the open ones by id.
    """

    percents: dict[str, int]
    now_ms: int
    commits_left: int | None = None
    cash: defaultdict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    bonuses: defaultdict[str, list[ModelBonus]] = field(default_factory=lambda: defaultdict(list))
    rounds: dict[str, ModelRound] = field(default_factory=dict)

    def commit(self) -> None:
        if self.commits_left is not None:
            self.commits_left -= 1
            if self.commits_left < 0:
                raise Crash

    # --- queries

    def of(self, player: str, currency: str) -> list[ModelBonus]:
        return [bonus for bonus in self.bonuses[player] if bonus.template.currency == currency]

    def active(self, player: str, currency: str) -> ModelBonus | None:
        return next((bonus for bonus in self.of(player, currency) if bonus.status == "active"), None)

    def usable(self, player: str, currency: str) -> ModelBonus | None:
        bonus = self.active(player, currency)
        return bonus if bonus and self.now_ms < bonus.expires_ms else None

    def in_play(self, player: str, currency: str) -> int:
        rounds = self.rounds.values()
        return sum(one.staked for one in rounds if (one.player, one.currency) == (player, currency))

    def is_paid_by_an_ended_bonus(self, round_: ModelRound) -> bool:
        held = self.of(round_.player, round_.currency)
        return any(bonus.parts.get(round_.id) and bonus.status != "active" for bonus in held)

    # --- ends

    @contextmanager
    def changing(self, *players: str) -> Iterator[None]:
        """End what is due, before and after a step of the players."""
        self.end_due(*players)
        yield
        self.end_due(*players)

    def end_due(self, *players: str) -> None:
        held = [(player, bonus) for player in players for bonus in self.bonuses[player]]
        due = [(player, bonus, why) for player, bonus in held if (why := self._due(bonus))]
        if due:
            self.commit()
        for player, bonus, why in due:
            self.end(player, bonus, why)

    def sweep(self, players: Sequence[str]) -> None:
        for player in players:
            self.end_due(player)

    def _due(self, bonus: ModelBonus) -> str:
        if bonus.status != "active":
            return ""
        if bonus.left <= 0:
            return "converted"
        if self.now_ms >= bonus.expires_ms:
            return "expired"
        return "" if bonus.balance or any(bonus.parts.values()) else "spent"

    def end(self, player: str, bonus: ModelBonus, why: str) -> None:
        if why == "converted":
            self.cash[player, bonus.template.currency] += bonus.balance
        bonus.status, bonus.balance = why, 0

    # --- steps

    def grant(self, player: str, template: BonusTemplate) -> None:
        with self.changing(player):
            if self.active(player, template.currency):
                raise ModelRefusal("bonus_active")
            self.commit()
            expires_ms = self.now_ms + template.days * DAY_MS
            self.bonuses[player].append(ModelBonus(template, expires_ms, template.amount_minor))

    def cancel(self, player: str, currency: str) -> None:
        with self.changing(player):
            bonus = self.active(player, currency)
            if bonus is None:
                raise ModelRefusal("no_such_bonus")
            self.commit()
            self.end(player, bonus, "cancelled")

    def withdraw(self, player: str, currency: str, minor: int, *, agrees: bool) -> None:
        with self.changing(player):
            bonus = self.usable(player, currency)
            if bonus and not agrees and bonus.balance + sum(bonus.parts.values()):
                raise ModelRefusal("bonus_forfeit")
            self.commit()
            if minor > self.cash[player, currency]:
                raise ModelRefusal("not_covered")
            self.cash[player, currency] -= minor
            if bonus:
                self.end(player, bonus, "withdrawn")

    def move(self, moves: Sequence[tuple[ModelRound, int]]) -> list[bool]:
        """Add to the stakes of rounds in one commit, or take back (negative); return which are covered."""
        with self.changing(*{round_.player for round_, _ in moves}):
            self.commit()
            return [self._moved(round_, minor) for round_, minor in moves]

    def _moved(self, round_: ModelRound, minor: int) -> bool:
        if minor < 0:
            self._take_back(round_, -minor)
            return True
        cash, bonus = self.cash[round_.player, round_.currency], self.usable(round_.player, round_.currency)
        spendable = bonus.balance if bonus and round_.table not in bonus.template.excluded else 0
        if minor > cash + spendable:
            return False
        if bonus and minor > cash:
            bonus.balance -= minor - cash
            bonus.parts[round_.id] = bonus.parts.get(round_.id, 0) + minor - cash
        self.cash[round_.player, round_.currency] -= min(minor, cash)
        round_.staked += minor
        self.rounds[round_.id] = round_
        return True

    def _take_back(self, round_: ModelRound, minor: int) -> None:
        round_.staked -= minor
        for bonus in reversed(self.of(round_.player, round_.currency)):
            if bonus.status != "converted":
                part = min(minor, bonus.parts.get(round_.id, 0))
                minor -= part
                bonus.parts[round_.id] = bonus.parts.get(round_.id, 0) - part
                bonus.balance += part if bonus.status == "active" else 0
        self.cash[round_.player, round_.currency] += minor

    def finish(self, ends: Sequence[tuple[ModelRound, int | None]]) -> None:
        """End rounds in one commit, each with what it returns; None: it is void."""
        with self.changing(*{round_.player for round_, _ in ends}):
            self.commit()
            for round_, returned in ends:
                self._finished(round_, returned)

    def _finished(self, round_: ModelRound, returned: int | None) -> None:
        """Divide what is returned: each bonus's part is rounded down, the rest is cash."""
        del self.rounds[round_.id]
        left = back = round_.staked if returned is None else returned
        if returned is not None and (counting := self.usable(round_.player, round_.currency)):
            counting.counted += Fraction(round_.staked * self.percents[round_.table], 100)
        for bonus in self.of(round_.player, round_.currency):
            part = bonus.parts.pop(round_.id, 0)
            if part and bonus.status != "converted":
                share = floor(Fraction(back * part, round_.staked))
                left -= share
                bonus.balance += share if bonus.status == "active" else 0
        self.cash[round_.player, round_.currency] += left

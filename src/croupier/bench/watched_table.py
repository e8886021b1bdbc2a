"""A table of the load test of live tables: its players, their bets, and the receipts of results and lines."""

from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush

from croupier.bench.growing_load import PlayedTable


class WatchedTable:
    """A table as its first player sees it. `bettors`: who has a bet in the present round."""

    def __init__(self, table: PlayedTable) -> None:
        self.stake = {"box": 0, "bet": table.bet, "stake_minor": table.stake_minor}
        self.players = list[int]()
        self.bettors = set[int]()
        self.round = ""
        self._mark = b""
        """The text that begins a result of the present round."""
        self._results = dict[int, float]()
        """The time of each bettor's result."""

    def begin(self, round_: str) -> float | None:
        """Begin a round; return the time from the first to the last result of the one before."""
        times, is_complete = self._results.values(), self._results.keys() == self.bettors
        took = max(times) - min(times) if times and is_complete else None
        self.round, self._mark = round_, b'"result":{"round":"%s"' % round_.encode()
        self.bettors, self._results = set(), {}
        return took

    def receive(self, player: int, payload: bytes, at: float) -> None:
        """Note the time of a personal message, if it is the first with the player's result."""
        if player in self.bettors and player not in self._results and self._mark in payload:
            self._results[player] = at


@dataclass(slots=True)
class PostedLine:
    """A line of chat, and the number of players who haven't received it."""

    due: float
    waiting: int

    def receive(self) -> bool:
        """Count a receipt; return whether it is the last."""
        self.waiting -= 1
        return not self.waiting


class DueBets:
    """Planned bets of several tables, in the order of their times. Follows `Work`."""

    def __init__(self, bet: Callable[[float, int, str], None]) -> None:
        """`bet` is called with the time that a bet is due, the player and the round."""
        self._bet = bet
        self._due = list[tuple[float, int, str]]()

    @property
    def next(self) -> float:
        return self._due[0][0] if self._due else float("inf")

    def act(self, _due: float, /) -> None:
        self._bet(*heappop(self._due))

    def step(self) -> None:
        """Do nothing: `act` removes its bet."""

    def add(self, due: float, player: int, round_: str) -> None:
        heappush(self._due, (due, player, round_))

    def clear(self) -> None:
        self._due.clear()

"""The play of a deal that all players share: those with the same decisions are on one path, with one hand."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import repeat
from typing import Any, Self

from croupier.play.contract.bets import Wager
from croupier.play.contract.game import Game
from croupier.play.contract.live import Path, SharedDeal, StakesByBet
from croupier.play.contract.wants import Answer, At, Choice, Decision, Option, Want
from croupier.tables.live.round_play import (
    DecidedGroup,
    PendingGroup,
    SettledGroup,
    lines_of,
    live,
    step_text,
)
from croupier.tables.live.scaling import ScaledLines, UnitResult


@dataclass(frozen=True)
class SharedPlay:
    """The rounds of all players on one shared deal.

    `stakes` and `paths` are by player, `records` by path.

    `unasked`: the lines of a path's record that a player on it was never asked for.
    """

    game: Game
    shared: SharedDeal
    stakes: Mapping[str, StakesByBet]
    paths: Mapping[str, Path]
    records: Mapping[Path, tuple[str, ...]]
    unasked: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @cached_property
    def open(self) -> Mapping[Path, tuple[Decision, ...]]:
        """Cached: thousands of players decide in one window."""
        return self.shared.open_decisions

    @property
    def next_want(self) -> tuple[Any, Want] | None:
        round_ = self.shared.next_to_deal
        return (round_, round_.wants()[0]) if round_ else None

    def after_answer(self, answer: Answer) -> Self:
        assert self.next_want is not None, "nothing is wanted"
        before, after, want = self.shared, self.shared.answer(answer), self.next_want[1]
        step = step_text(want, answer)
        # The dealer's cards are in every record, even if the path's own round has ended.
        public = want.to.box < 0
        records = {
            path: (*lines, step) if public or after.rounds[path] is not before.rounds[path] else lines
            for path, lines in self.records.items()
        }
        return replace(self, shared=after, records=records)

    def recipients(self, before: Self) -> tuple[Path, ...]:
        paths = tuple([path for path, lines in self.records.items() if lines is not before.records[path]])
        return () if len(paths) == len(self.records) else paths

    @property
    def groups(self) -> Iterable[Path]:
        return self.shared.rounds

    def group(self, player: str) -> Path:
        path = self.paths.get(player)
        return next(iter(self.shared.rounds)) if path is None else path

    def shown_round(self, group: Path, unit_minor: int) -> Any:
        return self.shared.round_at_stake(group, unit_minor)

    @cached_property
    def pending(self) -> Iterable[PendingGroup]:
        players: dict[Path, list[str]] = {path: [] for path in self.open}
        for player, path in self.paths.items():
            if path in players:
                players[path].append(player)
        return [each for path, wants in self.open.items() for each in self._pending(players[path], wants)]

    def _pending(self, players: Sequence[str], wants: tuple[Decision, ...]) -> Iterator[PendingGroup]:
        """Split off the players whose stake is too small for a decision that costs a part of it."""
        costs = {option.cost_minor for want in wants for option in want.options}
        if costs <= {0, self.shared.unit_minor}:
            yield PendingGroup(players, wants)
        else:
            asks, stakes = self.shared.applies, self.stakes
            asked = {player for player in players for want in wants if asks(want, stakes[player])}
            yield PendingGroup([player for player in players if player in asked], wants)
            yield PendingGroup([player for player in players if player not in asked], wants, asked=False)

    @property
    def decision_count(self) -> int:
        return sum(len(players) * len(wants) for players, wants, asked in self.pending if asked)

    def decisions(self, player: str) -> tuple[Decision, ...]:
        if player not in self.paths:
            return ()
        wants, stakes = self.open.get(self.paths[player], ()), self.stakes[player]
        return tuple([self.shared.price(want, stakes) for want in wants if self.shared.applies(want, stakes)])

    def decision(self, player: str, at: At) -> Decision | None:
        path = self.paths.get(player)
        for want in () if path is None else self.open.get(path, ()):
            if want.to == at and self.shared.applies(want, self.stakes[player]):
                return self.shared.price(want, self.stakes[player])
        return None

    def checked_option(self, player: str, want: Decision, choice: Choice) -> Option:
        option = want.option(choice.action)
        if option is None or choice.stake_minor not in (None, option.cost_minor):
            self.own_round(player).answer(want, choice)
        assert option is not None, f"{choice} was taken"
        return option

    def after_window(self, window: Iterable[DecidedGroup]) -> Self:
        forks: dict[Path, dict[Path, dict[At, str]]] = {}
        paths, unasked = dict(self.paths), dict(self.unasked)
        for players, choices, asked in window:
            path, lines = self.paths[players[0]], lines_of(choices)
            fork = (*path, *lines)
            forks.setdefault(path, {})[fork] = {at: str(choice) for at, choice in choices.items()}
            paths |= dict.fromkeys(players, fork)
            unasked |= {} if asked else dict.fromkeys(players, lines)
        shared = self.shared.fork({path: list(into.values()) for path, into in forks.items()})
        records = {
            fork: (*lines, *fork[len(path) :])
            for path, lines in self.records.items()
            for fork in forks.get(path, (path,))
        }
        return replace(self, shared=shared, paths=paths, records=records, unasked=unasked)

    def round_of(self, player: str) -> Any:
        return self.shared.rounds[self.paths[player]]

    def own_round(self, player: str) -> Any:
        """Return the player's round at their real stakes; slow."""
        wagers = [Wager(0, bet, stake_minor) for bet, stake_minor in self.stakes[player].items()]
        return self.shared.round_for(self.paths[player], wagers)

    def steps(self, player: str) -> tuple[str, ...]:
        records, unasked = self.records[self.paths[player]], self.unasked.get(player)
        return tuple(line for line in records if line not in unasked) if unasked else records

    @cached_property
    def unit_results(self) -> Mapping[Path, UnitResult]:
        shared = self.shared
        return {path: UnitResult(shared.unit_settlement(path), shared.unit_minor) for path in shared.rounds}

    @cached_property
    def settled(self) -> Sequence[SettledGroup]:
        players: dict[Path, list[str]] = {}
        for player, path in self.paths.items():
            players.setdefault(path, []).append(player)
        return [self._settled(path, names) for path, names in players.items()]

    def _settled(self, path: Path, players: Sequence[str]) -> SettledGroup:
        result, stakes = self.unit_results[path], [self.stakes[player] for player in players]
        steps = [*map(self.steps, players)] if self.unasked else repeat(self.records[path])
        return SettledGroup(
            players, *result.amounts(stakes), [*map(ScaledLines, repeat(result), stakes)], steps
        )

    @cached_property
    def situations(self) -> Mapping[tuple[Path, At], int]:
        """The situations of the window, numbered: a number is a faster key than a round."""
        numbers: dict[Hashable, int] = {}
        rounds, of = self.shared.rounds, live(self.game).situation
        return {
            (path, want.to): numbers.setdefault(of(rounds[path], want.to), len(numbers))
            for path, wants in self.open.items()
            for want in wants
        }

    def situation(self, group: Path, at: At) -> Hashable:
        return self.situations[group, at]

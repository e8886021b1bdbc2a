"""One deal that everybody shares: all who decided the same went one path, and hold the same cards."""

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
    """`stakes` and `paths` are the players', `told` is the record of each path.

    `unasked`: the lines of a path that a player on it was never asked for.
    """

    game: Game
    shared: SharedDeal
    stakes: Mapping[str, StakesByBet]
    paths: Mapping[str, Path]
    records: Mapping[Path, tuple[str, ...]]
    unasked: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @cached_property
    def open(self) -> Mapping[Path, tuple[Decision, ...]]:
        """The decisions of each path: worked out once for a window, however many decide in it."""
        return self.shared.open_decisions

    @property
    def asking(self) -> tuple[Any, Want] | None:
        round_ = self.shared.next_to_deal
        return (round_, round_.wants()[0]) if round_ else None

    def answered(self, answer: Answer) -> Self:
        assert self.asking is not None, "nothing is asked"
        before, after, want = self.shared, self.shared.answer(answer), self.asking[1]
        step = step_text(want, answer)
        # The dealer's cards are everybody's to see, also when their own round has ended.
        public = want.to.box < 0
        records = {
            path: (*lines, step) if public or after.rounds[path] is not before.rounds[path] else lines
            for path, lines in self.records.items()
        }
        return replace(self, shared=after, records=records)

    def came_to(self, before: Self) -> tuple[Path, ...]:
        paths = tuple([path for path, lines in self.records.items() if lines is not before.records[path]])
        return () if len(paths) == len(self.records) else paths

    @property
    def groups(self) -> Iterable[Path]:
        return self.shared.rounds

    def group(self, player: str) -> Path:
        path = self.paths.get(player)
        return next(iter(self.shared.rounds)) if path is None else path

    def shown(self, group: Path, unit_minor: int) -> Any:
        return self.shared.round_at_stake(group, unit_minor)

    @cached_property
    def waiting(self) -> Iterable[PendingGroup]:
        players: dict[Path, list[str]] = {path: [] for path in self.open}
        for player, path in self.paths.items():
            if path in players:
                players[path].append(player)
        return [each for path, wants in self.open.items() for each in self._waiting(players[path], wants)]

    def _waiting(self, players: Sequence[str], wants: tuple[Decision, ...]) -> Iterator[PendingGroup]:
        """What costs a stake is asked of all of them; of a part of it, a small stake may have nothing."""
        costs = {option.cost_minor for want in wants for option in want.options}
        if costs <= {0, self.shared.unit_minor}:
            yield PendingGroup(players, wants)
        else:
            asks, stakes = self.shared.applies, self.stakes
            asked = {player for player in players for want in wants if asks(want, stakes[player])}
            yield PendingGroup([player for player in players if player in asked], wants)
            yield PendingGroup([player for player in players if player not in asked], wants, asked=False)

    @property
    def asked(self) -> int:
        return sum(len(players) * len(wants) for players, wants, asked in self.waiting if asked)

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

    def chosen(self, player: str, want: Decision, choice: Choice) -> Option:
        option = want.option(choice.action)
        if option is None or choice.stake_minor not in (None, option.cost_minor):
            self.own(player).answer(want, choice)
        assert option is not None, f"{choice} was taken"
        return option

    def decided(self, window: Iterable[DecidedGroup]) -> Self:
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

    def own(self, player: str) -> Any:
        """The round of a player at his stakes: the slow way to all that is his."""
        wagers = [Wager(0, bet, stake_minor) for bet, stake_minor in self.stakes[player].items()]
        return self.shared.round_for(self.paths[player], wagers)

    def steps(self, player: str) -> tuple[str, ...]:
        records, unasked = self.records[self.paths[player]], self.unasked.get(player)
        return tuple(line for line in records if line not in unasked) if unasked else records

    @cached_property
    def ends(self) -> Mapping[Path, UnitResult]:
        """What each path came to: worked out once, however many played the round."""
        shared = self.shared
        return {path: UnitResult(shared.unit_settlement(path), shared.unit_minor) for path in shared.rounds}

    @cached_property
    def ended(self) -> Sequence[SettledGroup]:
        players: dict[Path, list[str]] = {}
        for player, path in self.paths.items():
            players.setdefault(path, []).append(player)
        return [self._ended(path, together) for path, together in players.items()]

    def _ended(self, path: Path, players: Sequence[str]) -> SettledGroup:
        end, stakes = self.ends[path], [self.stakes[player] for player in players]
        steps = [*map(self.steps, players)] if self.unasked else repeat(self.records[path])
        return SettledGroup(players, *end.amounts(stakes), [*map(ScaledLines, repeat(end), stakes)], steps)

    @cached_property
    def situations(self) -> Mapping[tuple[Path, At], int]:
        """The situations of the window, numbered: worked out once, and a number is quickly found again."""
        numbers: dict[Hashable, int] = {}
        rounds, of = self.shared.rounds, live(self.game).situation
        return {
            (path, want.to): numbers.setdefault(of(rounds[path], want.to), len(numbers))
            for path, wants in self.open.items()
            for want in wants
        }

    def situation(self, group: Path, at: At) -> Hashable:
        return self.situations[group, at]

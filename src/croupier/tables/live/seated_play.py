"""The play at a table of seats: one round with a box for each seat."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any, Self

from croupier.play.contract.bets import Settled
from croupier.play.contract.game import Game
from croupier.play.contract.live import Path
from croupier.play.contract.wants import Answer, At, Choice, Decision, Option, Want
from croupier.tables.live.round_play import (
    DecidedGroup,
    PendingGroup,
    SettledGroup,
    decisions_of,
    lines_of,
    live,
    step_text,
)

Owners = Mapping[int, str]
"""The player of each box."""


@dataclass(frozen=True)
class SeatedPlay:
    game: Game
    round: Any
    owners: Owners
    record: tuple[str, ...] = ()

    @property
    def next_want(self) -> tuple[Any, Want] | None:
        wants = self.round.wants()
        return (self.round, wants[0]) if wants and not isinstance(wants[0], Decision) else None

    def after_answer(self, answer: Answer) -> Self:
        want = self.round.wants()[0]
        after = self.round.answer(want, answer)
        return replace(self, round=after, record=(*self.record, step_text(want, answer)))

    def recipients(self, _before: Self) -> tuple[Path, ...]:
        return ()

    @property
    def open(self) -> Mapping[Path, tuple[Decision, ...]]:
        return {(): wants} if (wants := decisions_of(self.round)) else {}

    @property
    def groups(self) -> Iterable[Path]:
        return ((),)

    def group(self, _player: str) -> Path:
        return ()

    def shown_round(self, _group: Path, _unit_minor: int) -> Any:
        return self.round

    @property
    def pending(self) -> Iterable[PendingGroup]:
        return [
            PendingGroup((player,), wants)
            for player in dict.fromkeys(self.owners.values())
            if (wants := self.decisions(player))
        ]

    @property
    def decision_count(self) -> int:
        return len(decisions_of(self.round))

    def decisions(self, player: str) -> tuple[Decision, ...]:
        return tuple(want for want in decisions_of(self.round) if self.owners[want.to.box] == player)

    def decision(self, player: str, at: At) -> Decision | None:
        return next((want for want in self.decisions(player) if want.to == at), None)

    def checked_option(self, _player: str, want: Decision, choice: Choice) -> Option:
        self.round.answer(want, choice)
        option = want.option(choice.action)
        assert option is not None, f"{choice} was taken"
        return option

    def after_window(self, window: Iterable[DecidedGroup]) -> Self:
        choices = {at: choice for group in window for at, choice in group.choices.items()}
        round_ = self.round
        for at, choice in sorted(choices.items(), key=lambda item: item[0]):
            round_ = round_.answer(next(want for want in round_.wants() if want.to == at), choice)
        return replace(self, round=round_, record=(*self.record, *lines_of(choices)))

    def round_of(self, _player: str) -> Any:
        return self.round

    def steps(self, _player: str) -> tuple[str, ...]:
        return self.record

    @property
    def settled(self) -> Iterable[SettledGroup]:
        lines: dict[str, list[Settled]] = {player: [] for player in self.owners.values()}
        for line in self.game.settle(self.round):
            lines[self.owners[line.box]].append(line)
        staked = [sum(line.stake_minor for line in own) for own in lines.values()]
        returned = [sum(line.returned_minor for line in own) for own in lines.values()]
        yield SettledGroup(tuple(lines), staked, returned, map(tuple, lines.values()), repeat(self.record))

    def situation(self, _group: Path, at: At) -> Hashable:
        return live(self.game).situation(self.round, at)

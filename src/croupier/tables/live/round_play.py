"""The cards of one round at a live table, as the machine plays them; see `together` and `seats`."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, Self

from croupier.play.contract.bets import Settled, Wager
from croupier.play.contract.game import Game
from croupier.play.contract.live import LiveGame, Path
from croupier.play.contract.wants import Answer, At, Choice, Decision, Option, Want, answer_text

Wagers = tuple[Wager, ...]
Choices = Mapping[At, Choice]


class PendingGroup(NamedTuple):
    """Players who wait for the same decisions, which are told at no player's own cost.

    Not `asked` are those who staked too little for what is offered: the table declines it, and their records
    say nothing of it.
    """

    players: Sequence[str]
    wants: tuple[Decision, ...]
    asked: bool = True


class DecidedGroup(NamedTuple):
    """Players who waited for the same and decided the same."""

    players: Sequence[str]
    choices: Choices
    asked: bool = True


class SettledGroup(NamedTuple):
    """What became of the stakes of `players` who went one way: a column each, in their order.

    All that a player staked, and all that returns to him, is what his `lines` add up to, a line a stake.
    """

    players: Sequence[str]
    staked_minor: Iterable[int]
    returned_minor: Iterable[int]
    lines: Iterable[Iterable[Settled]]
    steps: Iterable[tuple[str, ...]]


class RoundPlay(Protocol):
    """A value that asks, like the rounds it is made of."""

    @property
    def asking(self) -> tuple[Any, Want] | None:
        """What who deals is asked next, and of which round; None: decisions are waited for, or the end."""
        ...

    def answered(self, answer: Answer) -> Self: ...

    def came_to(self, before: Self, /) -> tuple[Path, ...]:
        """The paths to whose hands the answer to `before` came; empty: to everybody's."""
        ...

    @property
    def open(self) -> Mapping[Path, tuple[Decision, ...]]:
        """The decisions of the window, by the paths that wait; empty: none is open."""
        ...

    @property
    def groups(self) -> Iterable[Path]:
        """The paths somebody went; one where all sit at one round."""
        ...

    def group(self, player: str, /) -> Path:
        """The path he went; who doesn't play looks at the first."""
        ...

    def shown(self, group: Path, unit_minor: int, /) -> Any:
        """The round as all of that path see it: so much on every bet; at seats, everybody's own stakes."""
        ...

    @property
    def waiting(self) -> Iterable[PendingGroup]:
        """Who waits for what in this window; nobody: the round has ended, or cards are owed."""
        ...

    @property
    def asked(self) -> int:
        """How many decisions players have to make."""
        ...

    def decisions(self, player: str, /) -> tuple[Decision, ...]:
        """His decisions in this window, at what they cost him."""
        ...

    def decision(self, player: str, at: At, /) -> Decision | None:
        """That one of them, if he has it."""
        ...

    def chosen(self, player: str, want: Decision, choice: Choice, /) -> Option:
        """The option of his decision that he chooses; Refused as his round refuses what isn't on offer."""
        ...

    def decided(self, window: Iterable[DecidedGroup], /) -> Self:
        """The window is closed; every player in `waiting` has decided all that is waited for."""
        ...

    def round_of(self, player: str, /) -> Any:
        """The round he plays, whatever he staked."""
        ...

    def steps(self, player: str, /) -> tuple[str, ...]:
        """The lines of a record that lead to his round; his may have no want for the dealer's last ones."""
        ...

    @property
    def ended(self) -> Iterable[SettledGroup]:
        """What became of everybody's stakes; the round has ended."""
        ...

    def situation(self, group: Path, at: At) -> Hashable:
        """Equal for paths that face the same decision of this window."""
        ...


def live(game: Game) -> LiveGame:
    """What the game offers to a live table; ValueError when it is no game for one."""
    if game.live is None:
        raise ValueError(f"{game.name} isn't dealt at live tables")
    return game.live


def step_text(want: Want, answer: Answer) -> str:
    return f"{want.to} {answer_text(answer)}"


def lines_of(choices: Choices) -> Sequence[str]:
    return [f"{at} {choice}" for at, choice in sorted(choices.items(), key=lambda item: item[0])]


def decisions_of(round_: Any) -> tuple[Decision, ...]:
    return tuple(want for want in round_.wants() if isinstance(want, Decision))

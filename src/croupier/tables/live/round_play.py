"""The play of one round at a live table: `SharedPlay` or `SeatedPlay`."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, Self

from croupier.play.contract.bets import Settled, Wager
from croupier.play.contract.game import Game
from croupier.play.contract.live import LiveGame, Path
from croupier.play.contract.wants import Answer, At, Choice, Decision, Option, Want, answer_text

Wagers = tuple[Wager, ...]
Choices = Mapping[At, Choice]


class PendingGroup(NamedTuple):
    """Players with the same pending decisions, which are priced at no player's own stake.

    Not `asked` are players whose stake is too small for the offer: the table declines it for them, and their
    records omit it.
    """

    players: Sequence[str]
    wants: tuple[Decision, ...]
    asked: bool = True


class DecidedGroup(NamedTuple):
    """Players who had the same pending decisions and made the same choices."""

    players: Sequence[str]
    choices: Choices
    asked: bool = True


class SettledGroup(NamedTuple):
    """The settlement of players on one path: a column for each field, in the order of `players`.

    A player's `lines`, one a stake, add up to the player's staked and returned amounts.
    """

    players: Sequence[str]
    staked_minor: Iterable[int]
    returned_minor: Iterable[int]
    lines: Iterable[Iterable[Settled]]
    steps: Iterable[tuple[str, ...]]


class RoundPlay(Protocol):
    """An immutable value that asks, like the rounds it consists of."""

    @property
    def next_want(self) -> tuple[Any, Want] | None:
        """The dealer's next want and its round; None: decisions are pending, or the round has ended."""
        ...

    def after_answer(self, answer: Answer) -> Self:
        """Return the play after the dealer's answer to `next_want`."""
        ...

    def recipients(self, before: Self, /) -> tuple[Path, ...]:
        """Return the paths whose hands received the answer to `before`; empty: all of them."""
        ...

    @property
    def open(self) -> Mapping[Path, tuple[Decision, ...]]:
        """The decisions of the window by path; empty: no window is open."""
        ...

    @property
    def groups(self) -> Iterable[Path]:
        """The paths that players have taken; one if all play the same round."""
        ...

    def group(self, player: str, /) -> Path:
        """Return the player's path; the first one for a watcher."""
        ...

    def shown_round(self, group: Path, unit_minor: int, /) -> Any:
        """Return the round shown to a path: `unit_minor` on every bet, or the real stakes at seats."""
        ...

    @property
    def pending(self) -> Iterable[PendingGroup]:
        """The players with decisions in this window; empty: none is open."""
        ...

    @property
    def decision_count(self) -> int:
        """The number of decisions that players have to make in this window."""
        ...

    def decisions(self, player: str, /) -> tuple[Decision, ...]:
        """Return the player's decisions in this window, at their cost to the player."""
        ...

    def decision(self, player: str, at: At, /) -> Decision | None:
        """Return the player's decision for that hand."""
        ...

    def checked_option(self, player: str, want: Decision, choice: Choice, /) -> Option:
        """Return the chosen option; Refused, as by the player's round, for one that isn't offered."""
        ...

    def after_window(self, window: Iterable[DecidedGroup], /) -> Self:
        """Return the play after a window, which has the choices of all players in `pending`."""
        ...

    def round_of(self, player: str, /) -> Any:
        """Return a round on the player's path, at any stakes."""
        ...

    def steps(self, player: str, /) -> tuple[str, ...]:
        """Return the player's record; it may end with steps of the dealer after the player's round ended."""
        ...

    @property
    def settled(self) -> Iterable[SettledGroup]:
        """The settlement of every stake, once the round has ended."""
        ...

    def situation(self, group: Path, at: At) -> Hashable:
        """Return a key that is equal for paths with the same decision in this window."""
        ...


def live(game: Game) -> LiveGame:
    """Return the game's part for live tables; ValueError when it has none."""
    if game.live is None:
        raise ValueError(f"{game.name} isn't dealt at live tables")
    return game.live


def step_text(want: Want, answer: Answer) -> str:
    return f"{want.to} {answer_text(answer)}"


def lines_of(choices: Choices) -> Sequence[str]:
    return [f"{at} {choice}" for at, choice in sorted(choices.items(), key=lambda item: item[0])]


def decisions_of(round_: Any) -> tuple[Decision, ...]:
    return tuple(want for want in round_.wants() if isinstance(want, Decision))

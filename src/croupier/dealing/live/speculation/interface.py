"""The interface of speculation: work on a round's end before the input that ends the round arrives."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from croupier.dealing.live.broadcast.broadcaster import Broadcaster
from croupier.dealing.live.broadcast.prerendered import NONE_PRERENDERED, Prerendered
from croupier.dealing.live.money.table_money import TableMoney
from croupier.dealing.live.steps import TableStep, take_step
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import Ledger
from croupier.tables.live.inputs import AnyInput
from croupier.tables.live.state import State


class Speculation(Protocol):
    """The interface that a live table uses.

    No result depends on it: each answer is what the table would compute itself, or absent.
    """

    def expect(self, inputs: Iterable[AnyInput], at_ms: int) -> None:
        """Prepare for these inputs, which arrive at that time unless another input does."""

    def cancel(self) -> None:
        """Stop preparing. What is prepared may still be used."""

    def step(self, state: State, given: AnyInput, at_ms: int) -> TableStep:
        """Take a step of the table."""
        ...

    def entries(self, step: TableStep, /) -> Sequence[Entry] | None:
        """Return the entries that end the round by `step`; None if they aren't prepared."""
        ...

    def committing(self, steps: Sequence[TableStep], /) -> AbstractContextManager[Prerendered]:
        """Render messages while `steps` are committed. The messages are complete when the block ends."""
        ...


Speculate = Callable[[Broadcaster, TableMoney, Ledger, Callable[[], State]], Speculation]
"""Makes the speculation of a table, which reads the table's state from the last argument."""


class NoSpeculation:
    """Prepares nothing."""

    def expect(self, inputs: Iterable[AnyInput], at_ms: int) -> None:
        pass

    def cancel(self) -> None:
        pass

    def step(self, state: State, given: AnyInput, at_ms: int) -> TableStep:
        return take_step(state, given, at_ms)

    def entries(self, _step: TableStep) -> Sequence[Entry] | None:
        return None

    @contextmanager
    def committing(self, _steps: Sequence[TableStep]) -> Iterator[Prerendered]:
        yield NONE_PRERENDERED

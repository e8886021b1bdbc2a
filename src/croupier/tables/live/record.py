"""A table's record: one line an input, its time and what it was. Played again it gives the same state."""

from collections.abc import Iterable

import msgspec

from croupier.tables.live.inputs import AnyInput
from croupier.tables.live.machine import step
from croupier.tables.live.state import State

_WRITE = msgspec.json.Encoder()
_READ = msgspec.json.Decoder(AnyInput)


def line(given: AnyInput, now_ms: int) -> str:
    """`1764000000000 {"t":"dealt","what":"KS"}`."""
    return f"{now_ms} {_WRITE.encode(given).decode()}"


def read(text: str) -> tuple[AnyInput, int]:
    """The input of a line, and its time; ValueError when it is no line of a record."""
    now_ms, _, given = text.partition(" ")
    return _READ.decode(given), int(now_ms)


def replayed(state: State, lines: Iterable[str]) -> State:
    """The table after every line, from the state it was in before the first."""
    for text in lines:
        given, now_ms = read(text)
        state, _ = step(state, given, now_ms)
    return state

"""The record of a table: a line for each input, with its time. Replayed, it gives the same state."""

from collections.abc import Iterable

import msgspec

from croupier.tables.live.inputs import AnyInput
from croupier.tables.live.machine import step
from croupier.tables.live.state import State

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(AnyInput)


def record_line(given: AnyInput, now_ms: int) -> str:
    """Return a line such as `1764000000000 {"t":"dealt","what":"KS"}`."""
    return f"{now_ms} {_ENCODER.encode(given).decode()}"


def read_line(text: str) -> tuple[AnyInput, int]:
    """Return the input and the time of a line; ValueError when it is malformed."""
    now_ms, _, given = text.partition(" ")
    return _DECODER.decode(given), int(now_ms)


def replay(state: State, lines: Iterable[str]) -> State:
    """Return the table after every line, from the state before the first."""
    for text in lines:
        given, now_ms = read_line(text)
        state, _ = step(state, given, now_ms)
    return state

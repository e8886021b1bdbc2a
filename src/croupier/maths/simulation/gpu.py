"""Simulation on an NVIDIA GPU: each thread is a lane and counts the same as on a CPU."""

from collections.abc import Callable, Iterator
from functools import cache
from time import perf_counter
from typing import Any, TypeVar, cast

import numpy as np
from numba import cuda, uint32

from croupier.maths.simulation.count import RoundCounts
from croupier.maths.simulation.lanes import PackedAutomaton, Uint32Array, lane_seeds, rounds_per_lane
from croupier.maths.simulation.layout import (
    DRAW,
    DRAW_BITS,
    FIRST_END,
    LANES,
    RECIPROCAL_BITS,
    SHIFT,
    SHIFT_BITS,
    TICK_BITS,
    TICKS_A_WORD,
    Layout,
)
from croupier.maths.simulation.simulate import Backend, ChunkResult, SimulationJob
from croupier.maths.simulation.vectors import WORD
from croupier.refusal import Refused

gpu: Any = cuda
u = uint32
F = TypeVar("F", bound=Callable[..., Any])
WORD_HELD, WAITS, WORDS_HELD = 4, 5, 6
"""After the generator's four words: the word last drawn, and whether its low bits are still unused."""
NONE = 0xFFFF
"""No column."""
BLOCK_THREADS = 128
LAUNCH_CHUNKS = 4096
"""Chunks per launch: as many threads as the largest GPU holds."""


def on_gpu() -> Backend:
    """Return a backend for this machine's first GPU. Raises OSError if there is none."""
    if not gpu.is_available():
        raise OSError("this machine has no NVIDIA GPU that numba-cuda can use")
    return _played


def _played(job: SimulationJob) -> Iterator[ChunkResult]:
    """Report a chunk's share of the GPU time as its processor time."""
    for first in range(0, job.chunks, LAUNCH_CHUNKS):
        chunks = range(first, min(first + LAUNCH_CHUNKS, job.chunks))
        begun = perf_counter()
        counts = play_chunks(job.packed, job.seed, {chunk: job.chunk_rounds(chunk) for chunk in chunks})
        seconds = (perf_counter() - begun) / len(chunks)
        for nth in range(len(chunks)):
            yield ChunkResult(RoundCounts.of(counts[:, nth * LANES : (nth + 1) * LANES], job.nets), seconds)


def play_chunks(packed: PackedAutomaton, seed: int, rounds: dict[int, int]) -> Uint32Array:
    """Return counts[end, lane] of several chunks, LANES lanes each. Raises Refused if a shoe runs out."""
    starts = np.concatenate([lane_seeds(seed, chunk) for chunk in rounds], axis=1)
    left = np.concatenate([rounds_per_lane(number) for number in rounds.values()])
    counts = np.zeros((packed.layout.ends, len(left)), np.uint32)
    empty = np.zeros(1, np.uint32)
    blocks = -(-len(left) // BLOCK_THREADS)
    play: Any = kernel(packed.layout)
    play[blocks, BLOCK_THREADS](packed.table, starts, left, counts, np.uint32(packed.cut), empty)
    if empty[0]:
        raise Refused("shoe_empty", dealt=packed.layout.size)
    return counts


def _device(function: F) -> F:
    """Compile a function that the kernel calls on the GPU."""
    return cast("F", gpu.jit(device=True)(function))


@_device
def _begin(random: Any, starts: Any, lane: Any) -> None:
    for nth in range(WORDS_HELD):
        random[nth] = starts[nth, lane] if nth < len(starts) else u(0)


@_device
def _next_draw(random: Any) -> Any:
    """Return the high bits of the next xoshiro128++ word, and its low bits on the following call."""
    random[WAITS] ^= u(1)
    if not random[WAITS]:
        return u(random[WORD_HELD] & u(DRAW))
    total = u(random[0] + random[3])
    random[WORD_HELD] = u(u(u(total << u(7)) | (total >> u(25))) + random[0])
    shifted = u(random[1] << u(9))
    random[2] ^= random[0]
    random[3] ^= random[1]
    random[1] ^= random[2]
    random[0] ^= random[3]
    random[2] ^= shifted
    random[3] = u(u(random[3] << u(11)) | (random[3] >> u(21)))
    return u(random[WORD_HELD] >> u(WORD - DRAW_BITS))


@_device
def _take(draw: Any, gone: Any, size: Any, kinds: Any, columns: Any, bits: Any, words: Any) -> Any:
    """Return the drawn card's column and count it as dealt; NONE if the draw is rejected.

    If `words` is 0, cards are drawn with replacement.
    """
    place, per_kind = u(draw * size), u(size // kinds)
    if u(place & u(DRAW)) < u(u(1 << DRAW_BITS) % size):
        return u(NONE)
    card = u(place >> u(DRAW_BITS))
    kind = u(u(card * u(u(1 << RECIPROCAL_BITS) // per_kind + u(1))) >> u(RECIPROCAL_BITS))
    column = u(min(kind, u(columns - u(1))))
    if words == u(0):
        return column
    word, part = column // u(WORD // bits), u(column % u(WORD // bits) * bits)
    if u(card - u(column * per_kind)) < u(u(gone[word] >> part) & u(u(u(1) << bits) - u(1))):
        return u(NONE)
    gone[word] += u(u(1) << part)
    return column


@_device
def _shuffle(gone: Any) -> None:
    for nth in range(len(gone)):
        gone[nth] = u(0)


@_device
def _end(entry: Any) -> Any:
    """Return the end that a table entry stands for."""
    word = u(entry - u(FIRST_END)) >> u(SHIFT_BITS)
    return word * u(TICKS_A_WORD) + u(entry & u(SHIFT)) // u(TICK_BITS)


@cache
def kernel(layout: Layout) -> Any:
    """Return `play(table, starts, left, counts, cut, empty)`; each thread plays its lane's rounds.

    `starts[4, lane]` are the generators' states; results are added to `counts[end, lane]`; `empty[0]` is set
    to 1 if a shoe runs out.
    """
    size, kinds, columns, bits = layout.size, layout.kinds, layout.columns, layout.count_bits
    words, reuse_shoe = layout.count_words, layout.reuse_shoe
    words_held, stride_bits = max(1, words), u(layout.stride_bits)
    rounds_after_cut, cards_left_min = layout.rounds_after_cut, layout.cards_left_min

    def play(table: Any, starts: Any, left: Any, counts: Any, cut: Any, empty: Any) -> None:
        lane = gpu.grid(1)
        if lane >= len(left):
            return
        random, gone = gpu.local.array(WORDS_HELD, u), gpu.local.array(words_held, u)
        _begin(random, starts, lane)
        _shuffle(gone)
        at, out, after, rounds = u(0), u(0), u(0), left[lane]
        while rounds > u(0) or out > u(0):
            column = _take(_next_draw(random), gone, u(size), u(kinds), u(columns), u(bits), u(words))
            if column == u(NONE):
                continue
            out += u(reuse_shoe)
            at = u(table[u(u(at << stride_bits) + column + u(1))])
            if at >= u(FIRST_END):
                counts[_end(at), lane] += u(1)
                at, rounds = u(0), u(rounds - u(rounds > u(0)))
                after += u(out >= cut)
                if after > u(rounds_after_cut) or (after and out > u(size - cards_left_min)):
                    out, after = u(0), u(0)
                    _shuffle(gone)
            elif out == u(size):
                empty[0] = u(1)
                return

    return gpu.jit(play)

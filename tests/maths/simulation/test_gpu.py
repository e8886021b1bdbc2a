"""The GPU's counts equal those of the processor, lane by lane.

Without a GPU the kernel runs in numba's simulator, thread by thread in Python.
On a machine with a GPU: pip install .[gpu,dev] && pytest tests/maths/simulation/test_gpu.py
"""

import os
import subprocess
import sys

import numpy as np
import pytest

from croupier.maths.simulation.lanes import pack, play_chunk
from croupier.maths.simulation.layout import LANES
from tests.maths.simulation.reference import Cut
from tests.maths.simulation.test_lanes import automaton_of

CASES = [
    ("premium", 6, Cut()),
    ("double_exposure", 5, Cut()),
    ("infinite", 8, Cut(208)),
    ("live_baccarat", 1, Cut(40, 1, 6)),
    ("dragon_tiger", 8, Cut()),
    ("sic_bo", 0, Cut()),
]


@pytest.mark.parametrize(("name", "decks", "cut"), CASES)
@pytest.mark.parametrize("rounds", [6400, 1_000_000])
def test_the_gpu_counts_the_same(name: str, decks: int, cut: Cut, rounds: int) -> None:
    from numba import cuda

    from croupier.maths.simulation.gpu import play_chunks

    if not cuda.is_available():
        pytest.skip("this machine has no NVIDIA GPU")
    packed = pack(automaton_of(name, reuse_shoe=bool(cut.cut)), decks, *cut)
    counts = play_chunks(packed, 3, {0: rounds, 5: 77})
    assert np.array_equal(counts[:, :LANES], play_chunk(packed, 3, 0, rounds))
    assert np.array_equal(counts[:, LANES:], play_chunk(packed, 3, 5, 77))


SIMULATED_CASES = [
    pytest.param(*case, marks=() if case[0] in ("double_exposure", "live_baccarat") else pytest.mark.campaign)
    for case in CASES
]
"""A fresh shoe and a shoe with a cut card; a process for each takes a second, mostly to start."""
SIMULATED = """
import sys
from croupier.maths.simulation.gpu import play_chunks
from croupier.maths.simulation.lanes import pack
from tests.maths.simulation.test_lanes import automaton_of
name, decks, *cut = sys.argv[1], *map(int, sys.argv[2:])
print(play_chunks(pack(automaton_of(name, reuse_shoe=bool(cut[0])), decks, *cut), 3, {2: 130}).tolist())
"""


@pytest.mark.parametrize(("name", "decks", "cut"), SIMULATED_CASES)
def test_the_simulated_gpu_counts_the_same(name: str, decks: int, cut: Cut) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SIMULATED, name, *map(str, (decks, *cut))],
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    packed = pack(automaton_of(name, reuse_shoe=bool(cut.cut)), decks, *cut)
    assert done.stdout.strip() == str(play_chunk(packed, 3, 2, 130).tolist())

"""The kernel, compared with its reference implementation number by number."""

import platform
from typing import Any

import numpy as np
import pytest
from llvmlite.binding import get_host_cpu_features

from croupier.games import published_tables
from croupier.maths.exact.automaton import Automaton, Ends
from croupier.maths.exact.compile import compile_automaton
from croupier.maths.simulation import lanes
from croupier.maths.simulation.lanes import SEED_MAX, Uint32Array, pack, play_chunk, rounds_per_lane
from croupier.maths.simulation.layout import LANES
from croupier.maths.simulation.vectors import Machine
from croupier.refusal import Refused
from tests.maths.simulation.reference import Cut, lane_counts

TABLES = published_tables()


def automaton_of(name: str, *, reuse_shoe: bool) -> Automaton[Ends]:
    """Compile the strategy `mimic` if the table has decisions, or else its only strategy."""
    table = TABLES[name]
    assert table.game.model
    strategies = table.game.model.strategies
    strategy = strategies.get("mimic", next(iter(strategies.values())))(table.rules)
    return compile_automaton(table.game, table.rules, strategy, reuse_shoe=reuse_shoe)


def reference_counts(
    automaton: Automaton[Ends], decks: int, cut: Cut, seed: int, chunk: int, rounds: int
) -> Uint32Array:
    """Return the expected counts as an array [end, lane]."""
    counts = np.zeros((len(automaton.ends), LANES), np.uint32)
    for lane, share in enumerate(rounds_per_lane(rounds).tolist()):
        lane_result = lane_counts(automaton, decks, cut, seed, chunk * LANES + lane, share)
        for end, count in lane_result.items():
            counts[end, lane] = count
    return counts


CASES = [
    ("premium", 6, Cut()),
    ("double_exposure", 5, Cut()),
    ("classic", 1, Cut()),
    ("infinite", 8, Cut(208)),
    ("premium", 6, Cut(234)),
    ("live_baccarat", 8, Cut(409, 1, 6)),
    ("live_baccarat", 2, Cut(90, 3, 8)),
    ("live_dragon_tiger", 8, Cut(401, 2, 2)),
    ("baccarat", 8, Cut()),
    ("baccarat", 3, Cut()),
    ("dragon_tiger", 8, Cut()),
    ("dragon_tiger", 1, Cut()),
    ("american_roulette", 0, Cut()),
    ("sic_bo", 0, Cut()),
]


@pytest.mark.parametrize(("name", "decks", "cut"), CASES)
def test_the_kernel_counts_what_the_reference_counts(name: str, decks: int, cut: Cut) -> None:
    """Play enough rounds to run both the unchecked and the checked loop."""
    automaton = automaton_of(name, reuse_shoe=bool(cut.cut))
    for seed, chunk, rounds in ((1, 0, 30 * LANES + 7), (SEED_MAX, 3, 5)):
        counts = play_chunk(pack(automaton, decks, *cut), seed, chunk, rounds)
        assert np.array_equal(counts, reference_counts(automaton, decks, cut, seed, chunk, rounds))
        assert counts.sum() == rounds if not cut.cut else counts.sum() >= rounds


def test_long_runs_of_a_small_automaton_equal_the_reference() -> None:
    automaton = automaton_of("american_roulette", reuse_shoe=False)
    counts = play_chunk(pack(automaton, 0), 1, 0, 1000 * LANES)
    assert np.array_equal(counts, reference_counts(automaton, 0, Cut(), 1, 0, 1000 * LANES))


@pytest.mark.parametrize("stride_bits", [1, 2, 4])
def test_padded_rows_equal_the_reference(stride_bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Automata with many states need padding: rows of 13 columns begin every 14 or every 16 entries."""
    monkeypatch.setattr(lanes, "_stride_bits", lambda *_: stride_bits)
    automaton = automaton_of("double_exposure", reuse_shoe=False)
    counts = play_chunk(pack(automaton, 5), 1, 0, 3 * LANES)
    assert np.array_equal(counts, reference_counts(automaton, 5, Cut(), 1, 0, 3 * LANES))


def test_rows_are_padded_when_there_are_many_states() -> None:
    automaton = automaton_of("premium", reuse_shoe=False)
    row_strides = [
        pack(automaton._replace(rows=automaton.rows * times), 6).layout.stride_bits for times in (1, 11, 100)
    ]
    assert row_strides == [0, 1, 4]
    with pytest.raises(ValueError, match="too many states"):
        pack(automaton._replace(rows=automaton.rows * 110), 6)


@pytest.mark.parametrize("faulty", ["places", "draws"])
def test_a_reference_with_a_drawing_fault_is_detected(faulty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Either no draw is rejected, or the halves of a word are swapped."""
    from tests.maths.simulation import reference

    def biased(seed: int, lane: int, size: int) -> Any:
        return (draw * size >> 15 for draw in reference.draws(seed, lane))

    def swapped(seed: int, lane: int) -> Any:
        return (half for word in reference.words(seed, lane) for half in (word & 0x7FFF, word >> 17))

    monkeypatch.setattr(reference, faulty, {"places": biased, "draws": swapped}[faulty])
    automaton = automaton_of("double_exposure", reuse_shoe=False)
    counts = play_chunk(pack(automaton, 8), 1, 0, 30 * LANES)
    assert not np.array_equal(counts, reference_counts(automaton, 8, Cut(), 1, 0, 30 * LANES))


def test_a_shoe_that_runs_out_is_refused() -> None:
    """A cut card in front of the last card leaves no cards for the round."""
    with pytest.raises(Refused, match="shoe_empty"):
        play_chunk(pack(automaton_of("premium", reuse_shoe=True), 1, 51), 1, 0, 6400)


def test_an_invalid_seed_is_refused() -> None:
    with pytest.raises(ValueError, match="a seed is a whole number"):
        play_chunk(pack(automaton_of("premium", reuse_shoe=False), 6), -1, 0, 64)


MACHINES = [
    pytest.param("x86-64", "", id="vectors of 128 bits"),
    pytest.param("x86-64-v3", "+avx2", id="vectors of 256 bits", marks=pytest.mark.campaign),
    pytest.param("znver4", "+avx512f", id="loads one by one", marks=pytest.mark.campaign),
    pytest.param("sapphirerapids", "+avx512f", id="gathers"),
]


@pytest.mark.parametrize(("name", "features"), MACHINES)
@pytest.mark.skipif(platform.machine() != "x86_64", reason="x86 machines")
def test_other_machines_count_the_same(name: str, features: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if features and not get_host_cpu_features()[features[1:]]:
        pytest.skip(f"this machine has no {features[1:]}")
    for table, cut in (("premium", Cut()), ("live_baccarat", Cut(409, 1, 6)), ("dragon_tiger", Cut())):
        packed = pack(automaton_of(table, reuse_shoe=bool(cut.cut)), 8, *cut)
        expected = play_chunk(packed, 7, 0, 5000)
        with monkeypatch.context() as patch:
            patch.setattr(lanes, "this_machine", lambda: Machine(name, features))
            assert np.array_equal(play_chunk(packed, 7, 0, 5000), expected)

"""Simulates the bets of a table with any strategy, on any number of threads.

The result depends only on the rules, the strategy, the number of rounds and the seed.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from os import cpu_count
from secrets import randbits
from time import perf_counter, thread_time
from typing import Any, NamedTuple

from croupier.maths.exact.automaton import Ends
from croupier.maths.exact.compile import compile_automaton, main_bets, side_bets
from croupier.maths.exact.compiled_cache import cached_automaton
from croupier.maths.simulation.count import Estimate, Nets, RoundCounts, estimate, nets
from croupier.maths.simulation.lanes import SEED_MAX, PackedAutomaton, pack, play_chunk
from croupier.play.contract.game import Game
from croupier.play.contract.live import NO_SHOES
from croupier.play.contract.model import Strategy

CHUNK_ROUNDS = 1 << 21
"""Rounds of a chunk: some milliseconds of work."""
SEED_BITS = 64


class SimulationJob(NamedTuple):
    """Everything that the chunks of a simulation need; can be sent to other machines."""

    packed: PackedAutomaton
    bets: tuple[str, ...]
    ends: tuple[Ends, ...]
    nets: Nets
    unit_stake: int
    rounds: int
    seed: int

    def bet_name(self, bet: str) -> str:
        """Return the bet's name; "" selects the first. Raises ValueError for an unknown bet."""
        if bet and bet not in self.bets:
            raise ValueError(f"no bet {bet!r}; there are: {', '.join(self.bets)}")
        return bet or self.bets[0]

    @property
    def chunks(self) -> int:
        return -(-self.rounds // CHUNK_ROUNDS)

    def chunk_rounds(self, chunk: int) -> int:
        return min(CHUNK_ROUNDS, self.rounds - chunk * CHUNK_ROUNDS)


class ChunkResult(NamedTuple):
    """A chunk's counts and processor time."""

    counted: RoundCounts
    cpu_seconds: float


class Result(NamedTuple):
    """The result of a simulation. `complete`: all requested rounds were played."""

    job: SimulationJob
    counted: RoundCounts
    complete: bool
    seconds: float
    """Elapsed time, without compiling the rules."""
    cpu_seconds: float
    """Total of all threads, for the rounds alone."""

    def of(self, bet: str) -> Estimate:
        """Return the estimate of one bet; every round has all bets. Raises ValueError for an unknown bet."""
        place = self.job.bets.index(self.job.bet_name(bet))
        return estimate(self.counted, self.job.ends, place, self.job.unit_stake)

    @property
    def estimate(self) -> Estimate:
        """The estimate of the table's first bet."""
        return self.of("")

    @property
    def rounds(self) -> int:
        return self.counted.rounds

    @property
    def seed(self) -> int:
        return self.job.seed

    @property
    def rounds_per_cpu_second(self) -> float:
        return self.rounds / self.cpu_seconds if self.cpu_seconds else 0.0


ProgressCallback = Callable[[Result], None]
Backend = Callable[[SimulationJob], Iterator[ChunkResult]]
"""Runs a job's chunks and yields their results in order."""


def prepare(
    game: Game,
    rules: Any,
    strategy: Strategy | str,
    *,
    rounds: int,
    seed: int | None = None,
    fresh_shoe: bool = False,
    bet: str = "",
) -> SimulationJob:
    """Prepare a simulation; `strategy` is the name of one of the game's, or any other.

    Every round has all main bets. If `bet` is a side bet, it is played instead, always from fresh shoes: to a
    player who hasn't seen the earlier cards, every round of a shoe has the same odds. At a cut-card table,
    every shoe is dealt to its end, so slightly more rounds are played than requested; `fresh_shoe`: every
    round is the first of its shoe. Burned cards are assumed to lie behind the cut card, which changes no
    probability. Raises ValueError for an invalid number of rounds, seed or bet.
    """
    if rounds < 1:
        raise ValueError("a simulation has one round at least")
    if seed is not None and not 0 <= seed <= SEED_MAX:
        raise ValueError(f"a seed is a whole number from 0 to {SEED_MAX}")
    assert game.model is not None, f"{game.name} can't be simulated so"
    names, sides = main_bets(game, rules), side_bets(game, rules)
    if bet not in {"", *names, *sides}:
        raise ValueError(f"no bet {bet!r}; there are: {', '.join((*names, *sides))}")
    side = bet if bet in sides else ""
    cards = NO_SHOES if fresh_shoe or side or game.live is None else game.live.shoe_policy(rules)
    cut = 0 if cards.every_round else cards.cut
    make = cached_automaton if isinstance(strategy, str) else compile_automaton
    automaton = make(game, rules, strategy, reuse_shoe=bool(cut), side=side)  # type: ignore[arg-type]
    packed = pack(automaton, game.decks(rules), cut, cards.rounds_after_cut, cards.round_cards_max)
    chosen = randbits(SEED_BITS) if seed is None else seed
    ends = automaton.ends
    return SimulationJob(packed, automaton.bets, ends, nets(ends), automaton.unit_stake, rounds, chosen)


def on_threads(threads: int | None = None) -> Backend:
    """Return a backend for this machine; by default with one thread per processor."""
    return partial(_threaded, threads or cpu_count() or 1)


def simulate(
    job: SimulationJob, backend: Backend | None = None, progress: ProgressCallback | None = None
) -> Result:
    """Run the job. `progress` is called after each chunk with the result so far.

    On KeyboardInterrupt, return the result so far as incomplete. Raises Refused `shoe_empty` if a shoe runs
    out during a round.
    """
    begun, count, cpu_seconds = perf_counter(), RoundCounts(), 0.0

    def result(*, complete: bool) -> Result:
        return Result(job, count, complete, perf_counter() - begun, cpu_seconds)

    try:
        for timed in (backend or on_threads())(job):
            count, cpu_seconds = count.plus(timed.counted), cpu_seconds + timed.cpu_seconds
            if progress:
                progress(result(complete=False))
    except KeyboardInterrupt:
        return result(complete=False)
    return result(complete=True)


def run_chunk(job: SimulationJob, chunk: int) -> ChunkResult:
    """Play one chunk of a job."""
    begun = thread_time()
    counts = play_chunk(job.packed, job.seed, chunk, job.chunk_rounds(chunk))
    return ChunkResult(RoundCounts.of(counts, job.nets), thread_time() - begun)


def _threaded(threads: int, job: SimulationJob) -> Iterator[ChunkResult]:
    """Run chunks on threads; the kernel releases the GIL."""
    play_chunk(job.packed, job.seed, 0, 0)  # compiles
    pool = ThreadPoolExecutor(threads)
    try:
        yield from pool.map(partial(run_chunk, job), range(job.chunks))
    finally:
        pool.shutdown(cancel_futures=True)

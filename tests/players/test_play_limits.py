"""Item A5: the limits of one player's play compared with a plain list of all accepted rounds."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import pairwise

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from croupier.config import profiles
from croupier.players.play_limits import MINUTE_MS, PlayLimits
from croupier.protocol.wire import JurisdictionProfile
from croupier.refusal import Refused
from tests.support.clocks import START_MS

PLAYER = "p_one"
ROUND_MIN_MS = 5_000
EVERY_MS = 30 * MINUTE_MS
LIVE = st.sampled_from(("live_one", "live_two", "live_three"))
STRICT = JurisdictionProfile(
    statistics=False,
    results=False,
    tables_max=4,
    round_min_ms=ROUND_MIN_MS,
    reminder_minutes=(30, 60, 90),
    advice="none",
)


class Failed(Exception):
    """The ledger refuses an entry."""


class Journal:
    """The journal's records that a restarted server reads."""

    def __init__(self) -> None:
        self.started_ms = {PLAYER: 0}
        self.reminded_ms = {PLAYER: 0}

    def last_started_ms(self, player: str) -> int:
        return self.started_ms[player]

    def last_reminded_ms(self, player: str) -> int:
        return self.reminded_ms[player]

    def accepted_versions(self, player: str) -> Mapping[str, str]:
        return {player: ""}


class Play(RuleBasedStateMachine):
    """One player at own tables and three live ones."""

    def __init__(self) -> None:
        super().__init__()
        self.now_ms = START_MS
        self.journal = Journal()
        self.rounds = dict.fromkeys(("live_one", "live_two", "live_three"), 0)
        self.starts: list[tuple[int, str]] = []
        self.in_round: set[tuple[str, int]] = set()
        self.answered_ms = START_MS
        self.limits = self.opened()

    def opened(self) -> PlayLimits:
        limits = PlayLimits(STRICT)
        limits.play.start(START_MS)
        limits.reminder_minutes = 30
        limits.add_start(self.journal.last_started_ms(PLAYER))
        limits.reminder_answered(self.journal.last_reminded_ms(PLAYER))
        return limits

    @property
    def due(self) -> bool:
        return self.now_ms - self.answered_ms >= EVERY_MS

    def started(self, table: str = "") -> None:
        assert not self.due
        self.starts.append((self.now_ms, table))
        self.journal.started_ms[PLAYER] = self.now_ms

    @rule(ms=st.one_of(st.integers(1, 7_000), st.integers(1, EVERY_MS)))
    def time_passes(self, ms: int) -> None:
        self.now_ms += ms

    @rule(fails=st.booleans())
    def deals(self, fails: bool) -> None:
        with suppress(Refused, Failed):
            with self.limits.starting_round(self.now_ms):
                if fails:
                    raise Failed
            self.started()

    @rule(table=LIVE)
    def round_opens(self, table: str) -> None:
        self.rounds[table] += 1

    @rule(table=LIVE, refused=st.booleans())
    def bets_live(self, table: str, refused: bool) -> None:
        round_ = self.rounds[table]
        try:
            undo: Callable[[], None] | None = self.limits.bet_live(table, str(round_), self.now_ms)
        except Refused:
            return
        assert not self.due
        if refused:
            if undo:
                undo()
        elif (table, round_) not in self.in_round:
            self.in_round.add((table, round_))
            self.started(table)

    @rule()
    def answers(self) -> None:
        if self.limits.reminder_due(self.now_ms):
            assert self.due
            self.answered_ms = self.journal.reminded_ms[PLAYER] = self.now_ms
            self.limits.reminder_answered(self.now_ms)
        else:
            assert not self.due

    @rule()
    def server_restarts(self) -> None:
        """Live rounds are void then, and others open."""
        self.limits = self.opened()
        for table in self.rounds:
            self.rounds[table] += 1

    @invariant()
    def no_two_rounds_start_too_close(self) -> None:
        for (before_ms, before), (after_ms, after) in pairwise(self.starts):
            paced_by_dealer = before and before == after
            assert paced_by_dealer or after_ms - before_ms >= ROUND_MIN_MS

    @invariant()
    def a_round_is_refused_only_if_the_profile_demands_it(self) -> None:
        last_ms = max((at_ms for at_ms, _ in self.starts), default=0)
        assert self.limits.next_start_ms == last_ms + ROUND_MIN_MS
        if self.now_ms - last_ms >= ROUND_MIN_MS and not self.due:
            with suppress(Failed), self.limits.starting_round(self.now_ms):
                raise Failed


TestPlay = Play.TestCase
TestPlay.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)


def test_a_profile_that_forbids_nothing_limits_nothing() -> None:
    free = profiles()["all"]
    limits = PlayLimits(
        JurisdictionProfile(True, True, 4, free.round_min_ms, free.reminder_minutes, free.advice)
    )
    assert not limits.is_limited
    for _ in range(3):
        with limits.starting_round(START_MS):
            pass
    assert limits.next_start_ms == 0

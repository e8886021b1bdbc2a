"""Shared play against each player's own round, under random rules, stakes, cards and decisions."""

from collections.abc import Mapping
from random import Random
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.games import published_tables
from croupier.games.blackjack import GAME
from croupier.games.blackjack.labels import OUTCOMES, rule_errors
from croupier.games.blackjack.rules import ANY_TOTAL, Rules
from croupier.play.contract.bets import Settled, Wager
from croupier.play.contract.wants import At, Choice, Decision
from croupier.play.driving.sources import ShoeSource
from croupier.tables.live.automatic import AutomaticDealer
from croupier.tables.live.effects import RequestCard
from croupier.tables.live.inputs import Dealt
from croupier.tables.live.round_play import DecidedGroup, decisions_of, live
from croupier.tables.live.shared_play import SharedPlay
from croupier.tables.live.start import start_play
from tests.conformance.strategies import RANK_SETS, shoe_of
from tests.tables.live.own_round import replay_own_round

RULES: Rules = published_tables()["infinite"].rules
ODDS_BASES = st.sampled_from([(1,), (1, 3), (1, 2), tuple(range(1, 10))])
"""Sets of stakes that odds refer to. Drawing from all of them would always give an even unit stake."""
STAKES = st.one_of(st.integers(1, 4), st.integers(1, 10**9))
SIDE_BETS = ("any_pair", "perfect_pairs", "twenty_one_plus_three", "hot_3", "bust_it")
RULE_VALUES = {
    "dealer_hits_soft_17": st.booleans(),
    "hole_card": st.sampled_from(["face_down", "face_down", "face_up"]),
    "peek": st.sampled_from(["never", "ace", "ace_or_ten"]),
    "dealer_blackjack_takes": st.sampled_from(["everything", "initial_stake"]),
    "blackjack_beats_blackjack": st.booleans(),
    "ties": st.sampled_from(["push", "dealer_wins"]),
    "insurance": st.sampled_from(["none", "without_blackjack", "always"]),
    "even_money": st.booleans(),
    "double_low_totals": st.sampled_from([ANY_TOTAL, (9, 10, 11)]),
    "double_after_split": st.booleans(),
    "split": st.sampled_from(["equal_value", "equal_rank"]),
    "splits": st.sampled_from(["none", "one_per_round", "one_per_hand"]),
    "split_aces_one_card": st.booleans(),
    "stand_on_21": st.booleans(),
    "charlie_cards": st.sampled_from([0, 5, 6, 7]),
}


@st.composite
def shared_rules(draw: st.DrawFn) -> Rules:
    """Draw valid rules of a table where all players share one deal."""
    odds = st.builds("{}:{}".format, st.integers(1, 30), st.sampled_from(draw(ODDS_BASES)))
    fields: dict[str, Any] = {name: draw(values) for name, values in RULE_VALUES.items()}
    fields |= {"blackjack_pays": draw(odds), "insurance_pays": draw(odds)}
    if fields["hole_card"] == "face_up":
        fields |= {"peek": "never", "insurance": "none", "even_money": False}
    for side in SIDE_BETS:
        paid = draw(st.sets(st.sampled_from(sorted(OUTCOMES[side]))))
        fields[side] = tuple(f"{outcome} {draw(odds)}" for outcome in sorted(paid))
    rules = replace(RULES, **fields)
    assume(not list(rule_errors(rules, "live")))
    return rules


@st.composite
def bets_of(draw: st.DrawFn, rules: Rules) -> Mapping[str, tuple[Wager, ...]]:
    names = [f"player {number}" for number in range(draw(st.integers(1, 12)))]
    return {
        name: tuple(
            Wager(0, bet.name, draw(STAKES)) for bet in GAME.bets(rules) if bet.main or draw(st.booleans())
        )
        for name in names
    }


class PlayedRound:
    """A shared round, played to its end with random decisions."""

    def __init__(
        self, rules: Rules, bets: Mapping[str, tuple[Wager, ...]], source: ShoeSource, seed: int
    ) -> None:
        play = start_play(GAME, rules, bets)
        assert isinstance(play, SharedPlay)
        self.play = play
        self.dealer, self.draw = AutomaticDealer(source), Random(seed)
        self.bets = bets
        while self.play.next_want or self.play.open:
            for player, (main, *_) in bets.items():
                shared, own = self.play.decisions(player), decisions_of(self.play.own_round(player))
                # While insurance is offered, a player whose stake can't be halved waits for the others.
                assert shared == own or (main.stake_minor == 1 and not shared), player
            self._deal() if self.play.next_want else self._decide()

    def _deal(self) -> None:
        assert self.play.next_want is not None
        _, want = self.play.next_want
        self.dealer, inputs = self.dealer.deal(RequestCard(want, "", 1))
        (dealt,) = (given for given in inputs if isinstance(given, Dealt))
        self.play = self.play.after_answer(want.parse(dealt.what))

    def _decide(self) -> None:
        window, open_count = [], 0
        for players, wants, offered in self.play.pending:
            for player in players:
                own = self.play.decisions(player)
                assert bool(own) is offered
                open_count += len(own)
                window.append(DecidedGroup((player,), self._choices(player, own or wants), offered))
        assert self.play.decision_count == open_count
        self.play = self.play.after_window(window)

    def _choices(self, player: str, wants: tuple[Decision, ...]) -> dict[At, Choice]:
        if not self.play.decisions(player):
            return {
                want.to: live(GAME).default_choice(self.play.round_of(player), want, "") for want in wants
            }
        return {want.to: Choice(self.draw.choice(want.options).action) for want in wants}

    def results(self) -> dict[str, tuple[int, int, tuple[Settled, ...]]]:
        """Return each player's total stake, total return and lines."""
        return {
            player: (staked_minor, returned_minor, tuple(lines))
            for settled in self.play.settled
            for player, staked_minor, returned_minor, lines, _ in zip(*settled, strict=False)
        }


@settings(max_examples=150)
@given(data=st.data(), ranks=RANK_SETS, seed=st.integers(0, 2**32))
def test_shared_play_pays_each_player_like_their_own_round(
    data: st.DataObject, ranks: str, seed: int
) -> None:
    """It also offers the same decisions at the same costs."""
    rules = data.draw(shared_rules())
    bets = data.draw(bets_of(rules))
    played = PlayedRound(rules, bets, shoe_of(ranks, seed), seed)
    results = played.results()
    assert results.keys() == bets.keys()
    for player, (staked_minor, returned_minor, lines) in results.items():
        own = played.play.own_round(player)
        assert own.ended
        assert lines == GAME.settle(own)
        assert sum(line.stake_minor for line in lines) == staked_minor == own.staked_minor
        assert sum(line.returned_minor for line in lines) == returned_minor
        assert lines == GAME.settle(replay_own_round(rules, bets[player], played.play.steps(player)))


def outcomes(seed: int, **fields: Any) -> set[tuple[str, str]]:
    """Return the outcomes for 50 players who place every bet."""
    rules = replace(RULES, **fields)
    bets = {
        f"player {number}": tuple(Wager(0, bet.name, 101 + number) for bet in GAME.bets(rules))
        for number in range(50)
    }
    results = PlayedRound(rules, bets, shoe_of("A8T", seed), seed).results()
    return {(line.bet, line.outcome) for _, _, lines in results.values() for line in lines}


def test_random_rounds_reach_every_kind_of_outcome() -> None:
    found = set[tuple[str, str]]().union(*(outcomes(seed, even_money=seed % 2 == 1) for seed in range(30)))
    main = {"won", "lost", "pushed", "bust", "blackjack", "even_money"}
    assert {("main", outcome) for outcome in main} <= found
    assert {("insurance", "won"), ("insurance", "lost"), ("bust_it", "pushed"), ("any_pair", "pair")} <= found

"""Amounts in proportion against each player's own round: rules, stakes, cards and decisions of every kind."""

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
from tests.conformance.dealt import RANKS_DEALT, shoe_of
from tests.tables.live.himself import by_himself

RULES: Rules = published_tables()["infinite"].rules
STAKED = st.sampled_from([(1,), (1, 3), (1, 2), tuple(range(1, 10))])
"""What odds may be paid on: with all kinds together, what isn't rounded is always even."""
STAKES = st.one_of(st.integers(1, 4), st.integers(1, 10**9))
SIDES = ("any_pair", "perfect_pairs", "twenty_one_plus_three", "hot_3", "bust_it")
FREE = {
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
def rules_shared(draw: st.DrawFn) -> Rules:
    """Any rules of a table where all share one deal."""
    odds = st.builds("{}:{}".format, st.integers(1, 30), st.sampled_from(draw(STAKED)))
    fields: dict[str, Any] = {name: draw(values) for name, values in FREE.items()}
    fields |= {"blackjack_pays": draw(odds), "insurance_pays": draw(odds)}
    if fields["hole_card"] == "face_up":
        fields |= {"peek": "never", "insurance": "none", "even_money": False}
    for side in SIDES:
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


class Evening:
    """A round of many players to its end; decisions are drawn."""

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
                his, own = self.play.decisions(player), decisions_of(self.play.own_round(player))
                # While insurance is offered, a stake that can't be halved waits for the others.
                assert his == own or (main.stake_minor == 1 and not his), player
            self._card() if self.play.next_want else self._window()

    def _card(self) -> None:
        assert self.play.next_want is not None
        _, want = self.play.next_want
        self.dealer, said = self.dealer.deal(RequestCard(want, "", 1))
        (dealt,) = (given for given in said if isinstance(given, Dealt))
        self.play = self.play.answered(want.parse(dealt.what))

    def _window(self) -> None:
        window, asked = [], 0
        for players, wants, offered in self.play.pending:
            for player in players:
                his = self.play.decisions(player)
                assert bool(his) is offered
                asked += len(his)
                window.append(DecidedGroup((player,), self._choices(player, his or wants), offered))
        assert self.play.decision_count == asked
        self.play = self.play.decided(window)

    def _choices(self, player: str, wants: tuple[Decision, ...]) -> dict[At, Choice]:
        if not self.play.decisions(player):
            return {
                want.to: live(GAME).default_choice(self.play.round_of(player), want, "") for want in wants
            }
        return {want.to: Choice(self.draw.choice(want.options).action) for want in wants}

    def ended(self) -> dict[str, tuple[int, int, tuple[Settled, ...]]]:
        """What each player staked, what returned to him, and his lines."""
        return {
            player: (staked_minor, returned_minor, tuple(lines))
            for ended in self.play.settled
            for player, staked_minor, returned_minor, lines, _ in zip(*ended, strict=False)
        }


@settings(max_examples=150)
@given(data=st.data(), ranks=RANKS_DEALT, seed=st.integers(0, 2**32))
def test_what_a_player_has_in_proportion_is_what_his_own_round_pays(
    data: st.DataObject, ranks: str, seed: int
) -> None:
    """Also what he may decide, and what it costs him."""
    rules = data.draw(rules_shared())
    bets = data.draw(bets_of(rules))
    evening = Evening(rules, bets, shoe_of(ranks, seed), seed)
    ended = evening.ended()
    assert ended.keys() == bets.keys()
    for player, (staked_minor, returned_minor, lines) in ended.items():
        own = evening.play.own_round(player)
        assert own.ended
        assert lines == GAME.settle(own)
        assert sum(line.stake_minor for line in lines) == staked_minor == own.staked_minor
        assert sum(line.returned_minor for line in lines) == returned_minor
        assert lines == GAME.settle(by_himself(rules, bets[player], evening.play.steps(player)))


def outcomes(seed: int, **fields: Any) -> set[tuple[str, str]]:
    """What came up for 50 players who bet on everything."""
    rules = replace(RULES, **fields)
    bets = {
        f"player {number}": tuple(Wager(0, bet.name, 101 + number) for bet in GAME.bets(rules))
        for number in range(50)
    }
    ended = Evening(rules, bets, shoe_of("A8T", seed), seed).ended()
    return {(line.bet, line.outcome) for _, _, lines in ended.values() for line in lines}


def test_the_test_above_meets_every_kind_of_outcome() -> None:
    seen = set[tuple[str, str]]().union(*(outcomes(seed, even_money=seed % 2 == 1) for seed in range(30)))
    main = {"won", "lost", "pushed", "bust", "blackjack", "even_money"}
    assert {(("main"), outcome) for outcome in main} <= seen
    assert {("insurance", "won"), ("insurance", "lost"), ("bust_it", "pushed"), ("any_pair", "pair")} <= seen

"""Shared dealing: text cases, and every player's round compared with one dealt to them alone."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.equipment.cards import Card, cards
from croupier.equipment.shoe import Shoe
from croupier.games import published_tables
from croupier.games.blackjack.boxes import Hand
from croupier.games.blackjack.live import result
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.settlement import settle
from croupier.games.blackjack.shared import SharedRounds, open_shared, path_after
from croupier.games.blackjack.start import start
from croupier.play.contract.bets import Wager
from croupier.play.contract.live import Path
from croupier.play.contract.wants import (
    DEALER,
    Answer,
    At,
    Choice,
    DealCard,
    DealFaceDown,
    Decision,
    Peek,
    TurnCard,
    Want,
)
from croupier.refusal import Refused
from tests.conformance.strategies import RANK_SETS, shoe_of
from tests.conformance.text_cases import Case, all_cases, read_cases
from tests.games.blackjack.shared_cases import SharedCase

RULES = published_tables()["infinite"].rules
CASES = all_cases(".shared")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_text_case_passes(case: Case) -> None:
    SharedCase(case)


VALID = """# 003: x
table infinite
player ann main 100
cards TH 6D 6S (TC) KC
window ann hit
hand ann TH 6S KC
dealer 6D TC
settles ann main 100 bust 0
"""


@pytest.mark.parametrize(
    ("valid", "invalid", "message"),
    [
        ("KC\nwindow", "KC 2H\nwindow", "cards are left"),
        ("hand ann TH 6S KC", "hand ann TH 6S", "hand"),
        ("dealer 6D TC", "dealer 6D", "dealer"),
        ("bust 0", "lost 0", "settles"),
        ("window ann hit\n", "asks\nwindow ann hit\n", "asks"),
        ("window ann hit\n", "window ann split\n", "not_offered"),
    ],
)
def test_an_invalid_case_fails(valid: str, invalid: str, message: str) -> None:
    SharedCase(next(read_cases("written", VALID)))
    with pytest.raises(AssertionError, match=message):
        SharedCase(next(read_cases("written", VALID.replace(valid, invalid))))


# --- many players -------------------------------------------------------------------------------


class Player:
    """A player who decides at random, but always the same in the same situation."""

    def __init__(self, seed: int, *, bust_it: bool = False) -> None:
        self.seed = seed
        self.path: Path = ()
        stake = Random(seed).choice((2, 5, 100))
        side_bets = [Wager(0, "bust_it", 3)] if bust_it and seed % 5 == 0 else []
        self.wagers = [Wager(0, "main", stake), *side_bets]

    def decide(self, want: Decision, hands: Sequence[Hand]) -> str:
        card_count = len(hands[want.to.hand].cards)
        return Random(f"{self.seed} {len(hands)} {want.to} {card_count}").choice(want.options).action


def play(shoe: Shoe, players: list[Player]) -> SharedRounds:
    """Play the round to its end, window by window."""
    shared = open_shared(RULES, [wager for player in players for wager in player.wagers], shoe)
    while shared.open_decisions:
        window: dict[Path, list[dict[At, str]]] = {path: [] for path in shared.open_decisions}
        for player in players:
            if player.path in window:
                hands = shared.rounds[player.path].boxes[0].hands
                decisions = shared.open_decisions[player.path]
                choices = {want.to: player.decide(want, hands) for want in decisions}
                window[player.path].append(choices)
                player.path = path_after(player.path, choices)
        shared = shared.decide(window)
    return shared


def lane_hands(shared: SharedRounds) -> dict[tuple[int, int], tuple[Card, ...]]:
    """Return the longest hand of each lane: unsplit, first of a split, second of a split."""
    longest: dict[tuple[int, int], tuple[Card, ...]] = {}
    for round_ in shared.rounds.values():
        for place, hand in enumerate(round_.boxes[0].hands):
            lane = (len(round_.boxes[0].hands), place)
            longest[lane] = max(longest.get(lane, ()), hand.cards, key=len)
    return longest


def play_alone(player: Player, shared: SharedRounds) -> Round:
    """Play an ordinary round with the player's wagers and the cards of the lanes."""
    round_, dealt = start(RULES, player.wagers), lane_hands(shared)
    while wants := round_.wants():
        want = wants[0]
        round_ = round_.answer(want, answer_from_lanes(player, shared, dealt, round_, want))
    return round_


def answer_from_lanes(player: Player, shared: SharedRounds, dealt: Any, round_: Round, want: Want) -> Any:
    hands = round_.boxes[0].hands
    match want:
        case Decision():
            return Choice(player.decide(want, hands))
        case DealFaceDown():
            return None
        case Peek(_, ranks):
            return shared.dealer[1].rank in ranks
        case TurnCard():
            return shared.dealer[1]
        case DealCard(to) if to == DEALER:
            return shared.dealer[len(round_.dealer)]
    unsplit = max(dealt.get((1, 0), ()), shared.rounds[min(shared.rounds)].boxes[0].first_two, key=len)
    lane = unsplit if len(hands) == 1 else dealt[2, want.to.hand]
    return lane[len(hands[want.to.hand].cards)]


@settings(max_examples=60)
@given(ranks=RANK_SETS, seed=st.integers(0, 2**32), count=st.integers(1, 25), bust_it=st.booleans())
def test_every_player_is_settled_as_if_alone(ranks: str, seed: int, count: int, bust_it: bool) -> None:
    players = [Player(seed + number, bust_it=bust_it) for number in range(count)]
    shared = play(shoe_of(ranks, seed).shoe, players)
    for player in players:
        shared_round = shared.round_for(player.path, player.wagers)
        assert shared_round.ended
        own_round = play_alone(player, shared)
        assert shared_round.boxes == own_round.boxes
        assert settle(shared_round) == settle(own_round)


@given(ranks=RANK_SETS, seed=st.integers(0, 2**32))
def test_every_card_dealt_is_in_one_lane(ranks: str, seed: int) -> None:
    players = [Player(seed + number) for number in range(25)]
    shared = play(shoe_of(ranks, seed).shoe, players)
    dealt = lane_hands(shared)
    split = {lane: hand[1:] for lane, hand in dealt.items() if lane[0] == 2}
    first = dealt.get((1, 0)) or shared.rounds[min(shared.rounds)].boxes[0].first_two
    visible = Counter([*first, *(card for hand in split.values() for card in hand), *shared.dealer])
    assert visible == Counter(shared.source.shoe.cards[: shared.source.shoe.dealt])
    for round_ in shared.rounds.values():
        for place, hand in enumerate(round_.boxes[0].hands):
            lane = dealt[len(round_.boxes[0].hands), place]
            assert lane[: len(hand.cards)] == hand.cards, "two players have different cards in one lane"


def count_answers(monkeypatch: pytest.MonkeyPatch, players: int) -> tuple[int, int]:
    """Return the number of answers to rounds and of paths, with this many players."""
    calls: list[object] = []
    original = Round.answer

    def counted(round_: Round, want: Want, answer: Answer) -> Round:
        calls.append(want)
        return original(round_, want, answer)

    with monkeypatch.context() as patch:
        patch.setattr(Round, "answer", counted)
        shared = play(shoe_of("23", 1).shoe, [Player(number % 300) for number in range(players)])
    return len(calls), len(shared.rounds)


def test_the_cost_of_a_window_depends_on_paths_not_on_players(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = count_answers(monkeypatch, 300), count_answers(monkeypatch, 10_000)
    assert few == many
    assert many[1] > 20
    assert many[0] < 20 * many[1]


def table_of(shoe: str, *wagers: Wager) -> SharedRounds:
    return open_shared(RULES, wagers, Shoe(cards(shoe), 0, len(shoe.split())))


@pytest.mark.parametrize(
    ("window", "code"),
    [
        ({}, "not_decided"),
        ({(): []}, "not_decided"),
        ({(): [{}]}, "not_your_turn"),
        ({(): [{At(0, 1): "hit"}]}, "not_your_turn"),
        ({(): [{At(0): "hit", At(0, 1): "hit"}]}, "not_your_turn"),
        ({(): [{At(0): "split"}]}, "not_offered"),
        ({(): [{At(0): "hit"}], ("0.0 hit",): [{At(0): "hit"}]}, "not_your_turn"),
    ],
)
def test_an_invalid_window_is_refused(window: dict[Path, list[dict[At, str]]], code: str) -> None:
    shared = table_of("TH 6D 5S TC 2C 9H")
    with pytest.raises(Refused) as refused:
        shared.decide(window)
    assert refused.value.code == code
    assert shared == table_of("TH 6D 5S TC 2C 9H")


def test_a_stake_of_one_unit_cannot_be_insured() -> None:
    shared = table_of("TH AD 5S 9C 2C 9H")
    small = [Wager(0, "main", 1)]
    assert not [want for want in shared.round_for((), small).wants() if isinstance(want, Decision)]
    insured = shared.decide({(): [{At(0): "insure"}, {At(0): "decline_insurance"}]})
    with pytest.raises(Refused, match="not_offered by rule insurance"):
        insured.round_for(("0.0 insure",), small)
    assert insured.round_for(("0.0 decline_insurance",), small).staked_minor == 1


def test_the_cost_of_an_option_follows_the_players_stake() -> None:
    (want,) = table_of("8H 6D 8S TC").round_for((), [Wager(0, "main", 700)]).wants()
    assert isinstance(want, Decision)
    assert {option.action: option.cost_minor for option in want.options} == {
        "hit": 0,
        "stand": 0,
        "double": 700,
        "split": 700,
    }


@pytest.mark.parametrize(
    "fields", [{"boxes": 2}, {"split_hands_decide": "in_turn"}, {"double_for_less": True}]
)
def test_rules_without_shared_dealing_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="shared dealing needs"):
        open_shared(replace(RULES, **fields), [], Shoe(cards("TH AD 5S 9C"), 0, 4))


def test_a_round_without_a_turned_hole_card_has_no_result() -> None:
    (paid_even_money,) = table_of("TH AD AS 9C").rounds.values()
    assert len(paid_even_money.dealer) == 1
    assert result(paid_even_money) == ""


def test_the_hole_card_is_in_no_round() -> None:
    ten, two = table_of("TH 6D 5S TC"), table_of("TH 6D 5S 2C")
    assert ten.source.face_down != two.source.face_down
    assert ten.rounds == two.rounds

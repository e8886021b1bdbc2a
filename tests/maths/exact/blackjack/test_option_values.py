"""The option values that advice uses, compared with the exact analysis of the whole table."""

from dataclasses import replace

import pytest

from croupier.equipment.cards import Card
from croupier.games.blackjack.boxes import Box, Hand
from croupier.games.blackjack.exact import analyse
from croupier.games.blackjack.exact.reference import Spot, after
from croupier.games.blackjack.exact.results import Analysis, OpeningAnalysis
from croupier.games.blackjack.option_values import option_values
from croupier.games.blackjack.round import Round
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.shoe import RankCounts, less
from croupier.play.contract.wants import Decision, Peek
from tests.maths.exact.blackjack.small_shoes import RULES

OWN_TABLES = ("classic", "premium", "double_exposure")
HANDS = {"T6", "A7", "88", "AA", "T2", "TT", "65", "AT"}
DEALERS = {"A", "T", "6", "T6", "T5", "A7"}


def spades(text: str) -> tuple[Card, ...]:
    return tuple(Card(rank, "S") for rank in text)


def round_of(rules: Rules, hand: str, dealer: str) -> Round:
    """Return a round of one box at its first decision."""
    boxes = (Box(0, 100, hands=(Hand(spades(hand)),)),)
    return Round(rules, boxes, spades(dealer), face_down=rules.hole_card == "face_down")


def in_play(round_: Round) -> Round:
    """Return the round after all offers are declined and the peek finds no blackjack."""
    (box,) = round_.boxes
    after_offers = replace(round_, boxes=(replace(box, insured=False),))
    want = next(iter(after_offers.wants()), None)
    return after_offers.answer(want, False) if isinstance(want, Peek) else after_offers


def open_decision(round_: Round) -> Decision | None:
    """Return the first decision that the round wants, if it wants one."""
    want = next(iter(round_.wants()), None)
    return want if isinstance(want, Decision) else None


def value_errors(rules: Rules, opening: OpeningAnalysis[float]) -> list[float]:
    """Return the differences between the values of options and offers and the analysis."""
    round_ = round_of(rules, opening.hand, opening.dealer)
    errors = []
    if opening.offer and (want := open_decision(round_)):
        taken, declined = option_values(round_, want).values()
        errors += [taken - declined - opening.offer.gain, max(taken, declined) - opening.value.net]
    if (want := open_decision(round_ := in_play(round_))) and opening.options:
        values = option_values(round_, want)
        assert set(values) == set(opening.options)
        errors += [values[action] - opening.options[action] for action in values]
    return errors


@pytest.fixture(scope="module", params=OWN_TABLES)
def rules_and_analysis(request: pytest.FixtureRequest) -> tuple[Rules, Analysis[float]]:
    rules = RULES[request.param]
    return rules, analyse(rules, RankCounts.of_decks(rules.decks))


def test_values_of_options_and_offers_equal_the_analysis(
    rules_and_analysis: tuple[Rules, Analysis[float]],
) -> None:
    rules, analysis = rules_and_analysis
    openings = [
        opening
        for opening in analysis.openings
        if {opening.hand, opening.hand[::-1]} & HANDS and {opening.dealer, opening.dealer[::-1]} & DEALERS
    ]
    errors = [error for opening in openings for error in value_errors(rules, opening)]
    assert len(errors) > 2 * len(openings) > 40
    assert max(map(abs, errors)) < 1e-9


def test_values_after_a_split_equal_the_reference() -> None:
    rules = RULES["premium"]
    boxes = (Box(0, 100, hands=(Hand(spades("87"), of_split=True), Hand(spades("85"), of_split=True))),)
    round_ = Round(rules, boxes, spades("T"), face_down=True, peeked=False)
    (want,) = round_.wants()
    assert isinstance(want, Decision)
    unseen = less(RankCounts.of_decks(rules.decks).counts, *spades("8785T"))
    spot = Spot(rules, spades("T"), unseen, replace(boxes[0], stake_minor=100))
    live = 1 - unseen[0] / sum(unseen)
    exact = {action: float(after(spot, action).net) / live for action in ("stand", "hit", "double")}
    assert option_values(round_, want) == pytest.approx(exact, abs=1e-12)


def test_cards_of_other_boxes_count_as_seen() -> None:
    rules = RULES["multihand"]
    own, tens = Box(0, 100, hands=(Hand(spades("T6")),)), Box(1, 100, hands=(Hand(spades("TT")),))
    values = [
        option_values(round_, round_.wants()[0])["hit"]  # type: ignore[arg-type]
        for boxes in ((own,), (own, tens))
        for round_ in [Round(rules, boxes, spades("9"), face_down=True)]
    ]
    assert values[0] < values[1]

"""What advice says an option is worth, held against the exact analysis of the whole table."""

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
from tests.maths.exact.shoes import TABLES

OWN = ("classic", "premium", "double_exposure")
HANDS = {"T6", "A7", "88", "AA", "T2", "TT", "65", "AT"}
DEALERS = {"A", "T", "6", "T6", "T5", "A7"}


def of(text: str) -> tuple[Card, ...]:
    return tuple(Card(rank, "S") for rank in text)


def dealt(rules: Rules, hand: str, dealer: str) -> Round:
    """A round of one box at its first decision."""
    boxes = (Box(0, 100, hands=(Hand(of(hand)),)),)
    return Round(rules, boxes, of(dealer), face_down=rules.hole_card == "face_down")


def playing(round_: Round) -> Round:
    """Everything offered is declined, and the dealer has looked and has no blackjack."""
    (box,) = round_.boxes
    after_offers = replace(round_, boxes=(replace(box, insured=False),))
    want = next(iter(after_offers.wants()), None)
    return after_offers.answer(want, False) if isinstance(want, Peek) else after_offers


def decision(round_: Round) -> Decision | None:
    want = next(iter(round_.wants()), None)
    return want if isinstance(want, Decision) else None


def differences(rules: Rules, deal: OpeningAnalysis[float]) -> list[float]:
    round_ = dealt(rules, deal.hand, deal.dealer)
    found = []
    if deal.offer and (asked := decision(round_)):
        taken, declined = option_values(round_, asked).values()
        found += [taken - declined - deal.offer.gain, max(taken, declined) - deal.value.net]
    if (asked := decision(round_ := playing(round_))) and deal.options:
        told = option_values(round_, asked)
        assert set(told) == set(deal.options)
        found += [told[action] - deal.options[action] for action in told]
    return found


@pytest.fixture(scope="module", params=OWN)
def analysed(request: pytest.FixtureRequest) -> tuple[Rules, Analysis[float]]:
    rules = TABLES[request.param]
    return rules, analyse(rules, RankCounts.of_decks(rules.decks))


def test_options_and_offers_are_worth_what_the_whole_analysis_says(
    analysed: tuple[Rules, Analysis[float]],
) -> None:
    rules, analysis = analysed
    picked = [
        deal
        for deal in analysis.openings
        if {deal.hand, deal.hand[::-1]} & HANDS and {deal.dealer, deal.dealer[::-1]} & DEALERS
    ]
    found = [difference for deal in picked for difference in differences(rules, deal)]
    assert len(found) > 2 * len(picked) > 40
    assert max(map(abs, found)) < 1e-9


def test_a_half_of_a_split_is_worth_what_plain_recursion_says() -> None:
    rules = TABLES["premium"]
    boxes = (Box(0, 100, hands=(Hand(of("87"), of_split=True), Hand(of("85"), of_split=True))),)
    round_ = Round(rules, boxes, of("T"), face_down=True, peeked=False)
    (asked,) = round_.wants()
    assert isinstance(asked, Decision)
    unseen = less(RankCounts.of_decks(rules.decks).counts, *of("8785T"))
    spot = Spot(rules, of("T"), unseen, replace(boxes[0], stake_minor=100))
    live = 1 - unseen[0] / sum(unseen)
    exact = {action: float(after(spot, action).net) / live for action in ("stand", "hit", "double")}
    assert option_values(round_, asked) == pytest.approx(exact, abs=1e-12)


def test_cards_of_other_boxes_count_as_seen() -> None:
    rules = TABLES["multihand"]
    mine, tens = Box(0, 100, hands=(Hand(of("T6")),)), Box(1, 100, hands=(Hand(of("TT")),))
    told = [
        option_values(round_, round_.wants()[0])["hit"]  # type: ignore[arg-type]
        for boxes in ((mine,), (mine, tens))
        for round_ in [Round(rules, boxes, of("9"), face_down=True)]
    ]
    assert told[0] < told[1]

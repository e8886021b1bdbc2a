"""Request ids: a refusal reveals no card, and no request is executed twice or lost."""

import pytest

from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.rounds.requests import ANSWERS_KEPT, REQUESTS_MAX, Requests, digest
from tests.support.browser_connection import Browser, deal_open_round, new_req

pytestmark = pytest.mark.anyio

STAKE = wire.Stake(0, "main", 1000)
ROUNDS = 25
BUSTS_MIN = 2
"""Minimum of busts in ROUNDS rounds with every hand hit to the end; more than nine in ten bust."""


async def test_a_hit_is_never_refused_for_its_next_card(browser: Browser) -> None:
    """The attack: spend `X/settle` at the cashier, then hit as `X`; the server refused it if it busted."""
    await browser.join("classic")
    busts = 0
    for number in range(ROUNDS):
        played = await deal_open_round(browser, "classic", STAKE)
        while not played.view.ended:
            req = f"a{number}-{new_req()[:8]}"
            await _spend_the_settlements_key(browser, req)
            actions = [option.action for option in played.view.turns[0].options]
            action = "hit" if "hit" in actions else actions[-1]
            answer = await browser.decide("classic", played, action, req=req)
            assert answer.code == ""
            round_ = answer.state().round
            assert round_ is not None
            played = round_
        busts += any(hand.outcome == "bust" for box in played.view.boxes for hand in box.hands)
    assert busts >= BUSTS_MIN


async def _spend_the_settlements_key(browser: Browser, req: str) -> None:
    for key in (f"{req}/settle", f"settle:{req}"):
        order = wire.CashierRequest(key, "GC", 1)
        with pytest.raises(AssertionError, match=" 400 "):
            await browser.post("/api/cashier/withdraw", wire.Balance, order)


# --- the requests of one player


class RecordedAnswers:
    """The answers of one connection, by id, in order."""

    def __init__(self) -> None:
        self.given: list[tuple[str, str]] = []

    def __call__(self, req: str, refused: Refused | None) -> None:
        self.given.append((req, refused.code if refused else ""))


def begin(
    requests: Requests, answers: RecordedAnswers, number: int, round_: str = "", stake: int = 1
) -> bool:
    bet = wire.PlaceBet(f"q{number}", "infinite", round_ or "r0", (wire.Stake(0, "main", stake),))
    return requests.begin(bet.req, digest(bet), answers, round_)


def fill(requests: Requests, answers: RecordedAnswers, numbers: range, round_: str = "") -> None:
    for number in numbers:
        assert begin(requests, answers, number, round_)
        requests.done(f"q{number}", None)


def test_a_request_sent_again_gets_the_same_answer() -> None:
    requests, first, again = Requests(set), RecordedAnswers(), RecordedAnswers()
    assert begin(requests, first, 1)
    assert not begin(requests, again, 1)
    assert (first.given, again.given) == ([], [])
    requests.done("q1", Refused("not_covered"))
    assert first.given == again.given == [("q1", "not_covered")]
    assert not begin(requests, again, 1)
    assert again.given == [("q1", "not_covered")] * 2


@pytest.mark.parametrize("answered", [True, False])
def test_an_id_with_other_content_is_refused(answered: bool) -> None:
    requests, answers = Requests(set), RecordedAnswers()
    assert begin(requests, answers, 1)
    if answered:
        requests.done("q1", None)
    assert not begin(requests, answers, 1, stake=2)
    assert answers.given[-1] == ("q1", "key_reused")


def test_the_newest_requests_are_remembered() -> None:
    requests, answers = Requests(set), RecordedAnswers()
    fill(requests, answers, range(3 * ANSWERS_KEPT))
    for number in range(2 * ANSWERS_KEPT, 3 * ANSWERS_KEPT):
        assert not begin(requests, answers, number)


def test_no_request_of_an_open_round_is_forgotten() -> None:
    """An old bet that is sent again after hundreds of others is never executed again."""
    open_rounds = {"r1"}
    requests, answers = Requests(lambda: open_rounds), RecordedAnswers()
    fill(requests, answers, range(100), "r1")
    fill(requests, answers, range(100, 800))
    for number in range(100):
        assert not begin(requests, answers, number, "r1")
    open_rounds.clear()
    fill(requests, answers, range(800, 1500))
    assert begin(requests, answers, 0, "r1"), "the table refuses it: its round is over"


def test_requests_of_no_round_are_forgotten_while_a_table_has_none() -> None:
    requests, answers = Requests(lambda: {""}), RecordedAnswers()
    fill(requests, answers, range(3 * REQUESTS_MAX))


def test_requests_beyond_the_maximum_are_refused() -> None:
    open_rounds = {"r1"}
    requests, answers = Requests(lambda: open_rounds), RecordedAnswers()
    fill(requests, answers, range(REQUESTS_MAX), "r1")
    assert not begin(requests, answers, REQUESTS_MAX, "r1")
    assert answers.given[-1] == (f"q{REQUESTS_MAX}", "too_many_open_requests")
    open_rounds.clear()
    assert begin(requests, answers, REQUESTS_MAX, "r2")


def test_no_request_under_way_is_forgotten() -> None:
    requests, answers = Requests(set), RecordedAnswers()
    assert begin(requests, answers, 0)
    fill(requests, answers, range(1, 3 * ANSWERS_KEPT))
    assert not begin(requests, answers, 0)
    requests.done("q0", None)
    assert answers.given[-2:] == [("q0", "")] * 2

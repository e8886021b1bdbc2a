"""The input queue: inputs stay in order, a newer bet replaces the older, a void never meets open holds."""

import pytest

from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import At
from croupier.refusal import Refused
from croupier.runtime.live.input_queue import BATCH_MAX, InputQueue, QueuedInput
from croupier.tables.live.inputs import AnyInput, Decided, Joined, Left, Placed, Ticked, Undone, Voided

pytestmark = pytest.mark.anyio


def bet(minor: int, player: str = "anna") -> Placed:
    return Placed(player, (Wager(0, "main", minor),))


def queue(*every: AnyInput, may_replace: bool = True, round_: str = "r1") -> InputQueue:
    waiting = InputQueue()
    for number, given in enumerate(every):
        waiting.put(QueuedInput(given, number, round_, None), may_replace=may_replace)
    return waiting


async def batches(waiting: InputQueue, many: int) -> list[list[AnyInput]]:
    return [[asked.given for asked in await waiting.batch()] for _ in range(many)]


async def test_queued_inputs_are_batched_in_order() -> None:
    every = (bet(100), Joined("bert", "d", "EUR"), bet(200, "bert"), Ticked())
    assert await batches(queue(*every), 1) == [list(every)]


async def test_a_queued_bet_is_replaced_in_its_place() -> None:
    assert await batches(queue(bet(100), bet(500, "bert"), bet(200), bet(300)), 1) == [
        [bet(300), bet(500, "bert")]
    ]


async def test_every_replaced_bet_is_answered() -> None:
    answers: list[Refused | None] = []
    waiting = InputQueue()
    for minor in (100, 200, 300):
        waiting.put(QueuedInput(bet(minor), 0, "r1", answers.append), may_replace=True)
    (asked,) = await waiting.batch()
    asked.answer(None)
    asked.answer(Refused("never twice"))
    assert answers == [None, None, None]


async def test_a_late_bet_replaces_none_that_was_in_time() -> None:
    assert await batches(queue(bet(100), bet(200), may_replace=False), 2) == [[bet(100)], [bet(200)]]


async def test_a_bet_for_another_round_replaces_none() -> None:
    waiting = queue(bet(100))
    waiting.put(QueuedInput(bet(200), 1, "r2", None), may_replace=True)
    assert await batches(waiting, 2) == [[bet(100)], [bet(200)]]


@pytest.mark.parametrize("between", [Undone("anna"), Left("anna")])
async def test_a_bet_overtakes_no_other_input_of_its_player(between: AnyInput) -> None:
    waiting, found = queue(bet(100), between, bet(200)), list[AnyInput]()
    while len(found) < 3:
        found += [asked.given for asked in await waiting.batch()]
    assert found == [bet(100), between, bet(200)]


async def test_a_batch_has_one_costing_input_per_player() -> None:
    double = Decided("anna", At(0), "double")
    assert await batches(queue(bet(100), double, Ticked()), 2) == [[bet(100)], [double, Ticked()]]


async def test_a_second_costing_input_delays_no_other_player() -> None:
    """Two hands of many players, decided in turn."""
    first = [Decided(f"p{n}", At(0, 0), "hit") for n in range(9)]
    second = [Decided(f"p{n}", At(0, 1), "hit") for n in range(9)]
    both: list[AnyInput] = [given for pair in zip(first, second, strict=True) for given in pair]
    assert await batches(queue(*both), 2) == [first, second]


async def test_the_clock_overtakes_no_earlier_input() -> None:
    undone = Undone("anna")
    found = await batches(queue(bet(100), undone, bet(200, "bert"), Ticked()), 2)
    assert found == [[bet(100), bet(200, "bert")], [undone, Ticked()]]


async def test_a_void_starts_a_batch() -> None:
    found = await batches(queue(bet(100), Voided("why"), Ticked()), 2)
    assert found == [[bet(100)], [Voided("why"), Ticked()]]


async def test_a_batch_has_a_maximum_length() -> None:
    waiting = queue(*(bet(100, f"p{number}") for number in range(BATCH_MAX + 1)))
    assert [len(batch) for batch in await batches(waiting, 2)] == [BATCH_MAX, 1]

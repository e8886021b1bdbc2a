"""The queue keeps inputs in order, lets a bet replace an older one, and starts a batch with a void."""

import pytest

from croupier.dealing.live.input_queue import BATCH_MAX, InputQueue, QueuedInput
from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import At
from croupier.refusal import Refused
from croupier.tables.live.inputs import AnyInput, Decided, Joined, Left, Placed, Ticked, Undone, Voided

pytestmark = pytest.mark.anyio

HOLD = ("anna", "r1", 1)


def bet(minor: int, player: str = "anna") -> Placed:
    return Placed(player, (Wager(0, "main", minor),))


def queue(*inputs: AnyInput, may_replace: bool = True, round_: str = "r1") -> InputQueue:
    queued = InputQueue()
    for number, given in enumerate(inputs):
        queued.put(QueuedInput(given, number, round_, None), may_replace=may_replace)
    return queued


async def batches(queued: InputQueue, count: int) -> list[list[AnyInput]]:
    return [[entry.given for entry in await queued.batch()] for _ in range(count)]


async def test_queued_inputs_are_batched_in_order() -> None:
    inputs = (bet(100), Joined("bert", "d", "EUR"), bet(200, "bert"), Ticked())
    assert await batches(queue(*inputs), 1) == [list(inputs)]


async def test_a_queued_bet_is_replaced_in_its_place() -> None:
    assert await batches(queue(bet(100), bet(500, "bert"), bet(200), bet(300)), 1) == [
        [bet(300), bet(500, "bert")]
    ]


async def test_every_replaced_bet_is_answered() -> None:
    answers: list[Refused | None] = []
    queued = InputQueue()
    for minor in (100, 200, 300):
        queued.put(QueuedInput(bet(minor), 0, "r1", answers.append), may_replace=True)
    (entry,) = await queued.batch()
    entry.answer(None)
    entry.answer(Refused("answered_twice"))
    assert answers == [None, None, None]


async def test_a_late_bet_does_not_replace_one_that_was_in_time() -> None:
    assert await batches(queue(bet(100), bet(200), may_replace=False), 2) == [[bet(100)], [bet(200)]]


async def test_inputs_that_may_cost_wait_for_the_hold_of_the_one_before() -> None:
    queued = queue(bet(100))
    (first,) = await queued.batch()
    queued.keep_waiting(first, HOLD)
    for given in (Joined("anna", "d", "EUR"), bet(200), bet(500, "bert"), bet(300), Left("anna")):
        queued.put(QueuedInput(given, 1, "r1", None), may_replace=True)
    assert await batches(queued, 1) == [[Joined("anna", "d", "EUR"), bet(500, "bert")]]
    assert queued.stop_waiting(HOLD) is first
    assert await batches(queued, 1) == [[bet(300), Left("anna")]]
    assert queued.stop_waiting(HOLD) is None


async def test_a_cleared_queue_returns_what_waits() -> None:
    queued = queue(bet(100))
    (first,) = await queued.batch()
    queued.keep_waiting(first, HOLD)
    queued.put(QueuedInput(bet(200), 1, "r1", None), may_replace=True)
    queued.put(QueuedInput(bet(500, "bert"), 1, "r1", None), may_replace=True)
    await queued.batch()
    assert [entry.given for entry in queued.clear()] == [bet(100), bet(200)]


async def test_a_bet_for_another_round_replaces_nothing() -> None:
    queued = queue(bet(100))
    queued.put(QueuedInput(bet(200), 1, "r2", None), may_replace=True)
    assert await batches(queued, 2) == [[bet(100)], [bet(200)]]


@pytest.mark.parametrize("between", [Undone("anna"), Left("anna")])
async def test_a_bet_overtakes_no_other_input_of_its_player(between: AnyInput) -> None:
    queued, found = queue(bet(100), between, bet(200)), list[AnyInput]()
    while len(found) < 3:
        found += [entry.given for entry in await queued.batch()]
    assert found == [bet(100), between, bet(200)]


async def test_a_batch_has_at_most_one_chargeable_input_per_player() -> None:
    double = Decided("anna", At(0), "double")
    assert await batches(queue(bet(100), double, Ticked()), 2) == [[bet(100)], [double, Ticked()]]


async def test_a_second_chargeable_input_delays_no_other_player() -> None:
    """Many players decide two hands each."""
    first = [Decided(f"p{n}", At(0, 0), "hit") for n in range(9)]
    second = [Decided(f"p{n}", At(0, 1), "hit") for n in range(9)]
    both: list[AnyInput] = [given for pair in zip(first, second, strict=True) for given in pair]
    assert await batches(queue(*both), 2) == [first, second]


async def test_a_tick_overtakes_no_earlier_input() -> None:
    undone = Undone("anna")
    found = await batches(queue(bet(100), undone, bet(200, "bert"), Ticked()), 2)
    assert found == [[bet(100), bet(200, "bert")], [undone, Ticked()]]


async def test_a_void_starts_a_batch() -> None:
    found = await batches(queue(bet(100), Voided("why"), Ticked()), 2)
    assert found == [[bet(100)], [Voided("why"), Ticked()]]


async def test_a_batch_has_a_maximum_length() -> None:
    queued = queue(*(bet(100, f"p{number}") for number in range(BATCH_MAX + 1)))
    assert [len(batch) for batch in await batches(queued, 2)] == [BATCH_MAX, 1]

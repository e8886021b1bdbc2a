"""Everyone gets everything once and in order, whatever one player is sent alone meanwhile."""

import asyncio
from itertools import pairwise
from random import Random

import pytest

from croupier.runtime.live.broadcast.idle_tasks import IdleTasks
from croupier.runtime.live.broadcast.subscribers import BATCH_SIZE, Messages, Subscribers

pytestmark = pytest.mark.anyio

MANY = 10 * BATCH_SIZE


@pytest.fixture(autouse=True)
def _short_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every turn one batch, however fast the machine is."""
    monkeypatch.setattr("croupier.runtime.live.broadcast.subscribers.TIME_SLICE_S", 0.0)


class Looker:
    def __init__(self, player: str) -> None:
        self.player = player
        self.heard: list[str] = []
        self.left = False

    def send(self, messages: bytes) -> None:
        self.heard += messages.decode().split("|")[:-1]

    queue = send

    def taken_over(self) -> None:
        self.left = True


def word(text: str) -> Messages:
    return f"{text}|".encode()


def each_his(text: str) -> Messages:
    return lambda player: f"{text} {player}|".encode()


def hall(many: int = MANY) -> tuple[Subscribers, list[Looker]]:
    audience, lookers = Subscribers(IdleTasks()), [Looker(f"p{number}") for number in range(many)]
    for looker in lookers:
        audience.add(looker)
    return audience, lookers


async def all_told(audience: Subscribers) -> None:
    while not audience.delivered.is_set():  # noqa: ASYNC110 - turn by turn is what is tested
        await asyncio.sleep(0)


async def test_a_broadcast_yields_to_the_event_loop_between_batches() -> None:
    audience, lookers = hall()
    audience.publish(word("card"))
    counts = [0]
    while not audience.delivered.is_set():
        await asyncio.sleep(0)
        counts.append(sum(len(looker.heard) for looker in lookers))
    assert all(after - before <= BATCH_SIZE for before, after in pairwise(counts))
    assert [looker.heard for looker in lookers] == [["card"]] * MANY


async def test_a_personal_message_comes_after_what_was_published_before() -> None:
    audience, lookers = hall()
    audience.publish(word("card"))
    await asyncio.sleep(0)
    assert lookers[-1].heard == []
    audience.send_to(lookers[-1].player, word("yours"))
    assert lookers[-1].heard == ["card", "yours"]
    await all_told(audience)
    assert lookers[-1].heard == ["card", "yours"]


async def test_a_new_subscriber_gets_only_what_is_published_later() -> None:
    audience, _ = hall()
    audience.publish(word("card"))
    await asyncio.sleep(0)
    late = Looker("late")
    audience.add(late)
    audience.publish(word("next"))
    await all_told(audience)
    assert late.heard == ["next"]


async def test_a_removed_subscriber_gets_nothing_and_its_successor_everything() -> None:
    audience, lookers = hall()
    second = Looker("p0")
    audience.add(second)
    assert lookers[0].left
    assert not audience.remove(lookers[0]), "it has been replaced"
    assert audience.remove(lookers[1])
    audience.publish(word("card"))
    await all_told(audience)
    assert (lookers[0].heard, lookers[1].heard, second.heard) == ([], [], ["card"])


async def test_a_fault_in_one_message_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    audience, lookers = hall(3)

    def told(player: str) -> bytes:
        if player == "p1":
            raise RuntimeError("planted")
        return b"card|"

    audience.publish(told)
    await all_told(audience)
    assert [looker.heard for looker in lookers] == [["card"], [], ["card"]]
    assert "no message was sent to player p1" in caplog.text


async def test_empty_messages_are_not_sent() -> None:
    audience, lookers = hall(3)
    audience.publish(b"")
    assert audience.delivered.is_set()
    audience.publish(lambda player: b"card|" if player == "p1" else b"")
    await all_told(audience)
    assert [looker.heard for looker in lookers] == [[], ["card"], []]


@pytest.mark.parametrize("seed", range(20))
async def test_everyone_gets_everything_in_order(seed: int) -> None:
    """`all` goes to everyone, `each` to everyone with a text of their own, `own` to one player."""
    chance, (audience, lookers) = Random(seed), hall()
    said: dict[str, list[str]] = {looker.player: [] for looker in lookers}
    for number in range(300):
        if chance.random() < 0.3:
            for heard in said.values():
                heard.append(f"all {number}")
            audience.publish(word(f"all {number}"))
        elif chance.random() < 0.3:
            for player, heard in said.items():
                heard.append(f"each {number} {player}")
            audience.publish(each_his(f"each {number}"))
        else:
            looker = chance.choice(lookers)
            said[looker.player].append(f"own {number}")
            audience.send_to(looker.player, word(f"own {number}"))
        if chance.random() < 0.5:
            await asyncio.sleep(0)
    await all_told(audience)
    assert {looker.player: looker.heard for looker in lookers} == said

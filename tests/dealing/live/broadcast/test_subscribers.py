"""Every subscriber gets each message once and in order, broadcasts and personal messages alike."""

import asyncio
from itertools import pairwise
from random import Random

import pytest

from croupier.dealing.live.broadcast.subscribers import BATCH_SIZE, Messages, Subscribers
from croupier.idle_tasks import IdleTasks

pytestmark = pytest.mark.anyio

SUBSCRIBERS = 10 * BATCH_SIZE


@pytest.fixture(autouse=True)
def _one_batch_per_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send one batch in each turn, however fast the machine is."""
    monkeypatch.setattr("croupier.dealing.live.broadcast.subscribers.TIME_SLICE_S", 0.0)


class RecordingSubscriber:
    def __init__(self, player: str) -> None:
        self.player = player
        self.connection = self
        self.received: list[str] = []
        self.replaced = False

    def send(self, messages: bytes) -> None:
        self.received += messages.decode().split("|")[:-1]

    queue = send

    def taken_over(self) -> None:
        self.replaced = True


def same_text(text: str) -> Messages:
    return f"{text}|".encode()


def personal(text: str) -> Messages:
    return lambda player: f"{text} {player}|".encode()


def subscribe(count: int = SUBSCRIBERS) -> tuple[Subscribers, list[RecordingSubscriber]]:
    subscribers = Subscribers(IdleTasks())
    recorders = [RecordingSubscriber(f"p{number}") for number in range(count)]
    for recorder in recorders:
        subscribers.add(recorder)
    return subscribers, recorders


async def wait_until_delivered(subscribers: Subscribers) -> None:
    while not subscribers.delivered.is_set():  # noqa: ASYNC110 - the test is about single turns of the loop
        await asyncio.sleep(0)


async def test_a_broadcast_yields_to_the_event_loop_between_batches() -> None:
    subscribers, recorders = subscribe()
    subscribers.publish(same_text("card"))
    counts = [0]
    while not subscribers.delivered.is_set():
        await asyncio.sleep(0)
        counts.append(sum(len(recorder.received) for recorder in recorders))
    assert all(after - before <= BATCH_SIZE for before, after in pairwise(counts))
    assert [recorder.received for recorder in recorders] == [["card"]] * SUBSCRIBERS


async def test_a_personal_message_comes_after_earlier_broadcasts() -> None:
    subscribers, recorders = subscribe()
    subscribers.publish(same_text("card"))
    await asyncio.sleep(0)
    assert recorders[-1].received == []
    subscribers.send_to(recorders[-1].player, same_text("yours"))
    assert recorders[-1].received == ["card", "yours"]
    await wait_until_delivered(subscribers)
    assert recorders[-1].received == ["card", "yours"]


async def test_a_new_subscriber_gets_only_later_messages() -> None:
    subscribers, _ = subscribe()
    subscribers.publish(same_text("card"))
    await asyncio.sleep(0)
    late = RecordingSubscriber("late")
    subscribers.add(late)
    subscribers.publish(same_text("next"))
    await wait_until_delivered(subscribers)
    assert late.received == ["next"]


async def test_a_removed_subscriber_gets_nothing_and_its_successor_everything() -> None:
    subscribers, recorders = subscribe()
    second = RecordingSubscriber("p0")
    subscribers.add(second)
    assert recorders[0].replaced
    assert not subscribers.remove(recorders[0]), "it was replaced"
    assert subscribers.remove(recorders[1])
    subscribers.publish(same_text("card"))
    await wait_until_delivered(subscribers)
    assert (recorders[0].received, recorders[1].received, second.received) == ([], [], ["card"])


async def test_a_fault_in_one_message_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    subscribers, recorders = subscribe(3)

    def fail_for_one(player: str) -> bytes:
        if player == "p1":
            raise RuntimeError("planted")
        return b"card|"

    subscribers.publish(fail_for_one)
    await wait_until_delivered(subscribers)
    assert [recorder.received for recorder in recorders] == [["card"], [], ["card"]]
    assert "no message was sent to player p1" in caplog.text


async def test_empty_messages_are_not_sent() -> None:
    subscribers, recorders = subscribe(3)
    subscribers.publish(b"")
    assert subscribers.delivered.is_set()
    subscribers.publish(lambda player: b"card|" if player == "p1" else b"")
    await wait_until_delivered(subscribers)
    assert [recorder.received for recorder in recorders] == [[], ["card"], []]


@pytest.mark.parametrize("seed", range(20))
async def test_every_subscriber_gets_every_message_in_order(seed: int) -> None:
    """`all` is the same text for all, `each` a personal text for each, `own` a text for one player."""
    rng, (subscribers, recorders) = Random(seed), subscribe()
    sent: dict[str, list[str]] = {recorder.player: [] for recorder in recorders}
    for number in range(300):
        if rng.random() < 0.3:
            for texts in sent.values():
                texts.append(f"all {number}")
            subscribers.publish(same_text(f"all {number}"))
        elif rng.random() < 0.3:
            for player, texts in sent.items():
                texts.append(f"each {number} {player}")
            subscribers.publish(personal(f"each {number}"))
        else:
            recorder = rng.choice(recorders)
            sent[recorder.player].append(f"own {number}")
            subscribers.send_to(recorder.player, same_text(f"own {number}"))
        if rng.random() < 0.5:
            await asyncio.sleep(0)
    await wait_until_delivered(subscribers)
    assert {recorder.player: recorder.received for recorder in recorders} == sent

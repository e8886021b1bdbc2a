"""Advice and training at own tables: what is told, and from what, where it is refused, what is kept."""

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from croupier.app.serve import BOOKS
from croupier.config import DEFAULT_CONFIG
from croupier.equipment.cards import DECK, Card, cards
from croupier.games import published_tables
from croupier.gateway.pages.history import history_round
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.verify import verify
from croupier.play.contract.wants import At, Decision
from croupier.play.driving.dealing import DealtRound
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.runtime.advice import moments
from croupier.runtime.advice.adviser import WAITING_MOST, Adviser, Worths
from croupier.runtime.advice.question import Question
from croupier.runtime.server import Server
from croupier.tables import own
from tests.gateway.test_hidden import dealt, decided, otherwise, shoe_of, stakes
from tests.support.in_process import Inside, house_of

pytestmark = pytest.mark.anyio

DEALT = "premium"
SIXTEEN = cards("TS TH 6S 9D 5H") + cards("2C") * 30
"""Player T-6 against T, the dealer's other card is a 9; a hit draws the five."""


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Server]:
    with house_of(tmp_path, SIXTEEN) as house:
        yield house
        await house.stop()


async def at_the_table(house: Server, table: str = "premium", currency: str = "GC") -> Inside:
    inside = await Inside.enter(house)
    least = house.tables[table].limits[currency].min_minor
    await inside.say(wire.Join("join", table, currency))
    await inside.say(wire.DealRound("deal", table, (wire.Stake(0, "main", least),)))
    return inside


def player_of(house: Server) -> str:
    (player,) = house.players
    return player.id


def asked(inside: Inside) -> wire.AdviceRequest:
    return wire.AdviceRequest(inside.round_id, inside.turn, 0, 0)


async def refusal(asked: Any) -> str:
    with pytest.raises(Refused) as refused:
        await asked
    return refused.value.code


async def test_sixteen_against_ten_is_hit(house: Server) -> None:
    inside = await at_the_table(house)
    advice = await house.advice.advise(player_of(house), asked(inside))
    worth = {option.action: option.worth for option in advice.options}
    assert advice.best == "hit"
    assert worth == {"hit": -0.534676, "stand": -0.540954, "double": -1.069351}
    note = house.ledger.entry(f"advice:{inside.round_id}:{inside.turn}:0.0")
    assert note is not None
    assert note.round == inside.round_id
    assert note.body["shown"] == {"hit": -534676, "stand": -540954, "double": -1069351}


async def test_a_mistake_is_judged_once_and_kept(house: Server, tmp_path: Path) -> None:
    inside = await at_the_table(house)
    turn, round_id, player = inside.turn, inside.round_id, player_of(house)
    await inside.say(wire.Decide("d", "premium", round_id, turn, 0, 0, "stand"))
    order = wire.ReviewRequest(round_id, turn)
    judged = [await house.advice.judge(player, order) for _ in range(2)]
    assert (judged[0].action, judged[0].best, judged[0].cost) == ("stand", "hit", 0.006278)
    assert judged[1].total == wire.TrainingTotals(1, 1, 0.006278)
    record = await house.advice.training_record(player)
    assert record.total == judged[0].total
    assert [(line.table, line.kind) for line in record.lines] == [("premium", "hard")]
    assert [(worst.hand, worst.cost) for worst in record.worst] == [("10-6 against 10", 0.006278)]
    assert await refusal(house.advice.judge(player, wire.ReviewRequest(round_id, 0))) == "no_such_decision"
    assert await refusal(house.advice.judge("p_other", order)) == "no_such_round"
    house.ledger.close()
    assert verify(tmp_path / BOOKS).bad is None
    with closing(sqlite3.connect(tmp_path / BOOKS)) as forging, forging:
        forging.execute("UPDATE training SET record = replace(record, '6278', '0')")
    bad = verify(tmp_path / BOOKS).bad
    assert bad is not None
    assert bad.table == "training"


async def test_a_decision_that_advice_was_asked_for_counts_apart(house: Server) -> None:
    inside = await at_the_table(house)
    turn, round_id, player = inside.turn, inside.round_id, player_of(house)
    await house.advice.advise(player, asked(inside))
    await inside.say(wire.Decide("d", "premium", round_id, turn, 0, 0, "hit"))
    judged = await house.advice.judge(player, wire.ReviewRequest(round_id, turn))
    assert judged.advised
    record = house.ledger.round(round_id)
    assert record is not None
    told = history_round(house.ledger, house.tables, record).steps
    assert [step.advised for step in told] == [place == turn for place in range(len(told))]
    assert (await house.advice.training_record(player)).advised == 1
    assert judged.total == wire.TrainingTotals(0, 0, 0.0)


async def test_advice_is_refused_where_the_profile_forbids_it(house: Server) -> None:
    inside = await at_the_table(house)
    order, player = asked(inside), player_of(house)
    house.advice._profile = replace(house.config.profile, advice="none")
    assert await refusal(house.advice.advise(player, order)) == "advice_not_allowed"
    house.advice._profile = replace(house.config.profile, advice="own_tables")
    await inside.say(wire.Decide("d", "premium", inside.round_id, inside.turn, 0, 0, "stand"))
    assert await refusal(house.advice.advise(player, order)) == "round_ended"


async def test_advice_for_another_turn_is_refused(house: Server) -> None:
    inside = await at_the_table(house, "classic")
    order = replace(asked(inside), turn=inside.turn - 1)
    assert await refusal(house.advice.advise(player_of(house), order)) == "not_your_turn"


def test_books_from_before_training_records_are_right(tmp_path: Path) -> None:
    upgrade(tmp_path / BOOKS, "0008")
    assert verify(tmp_path / BOOKS).bad is None


async def told(
    folder: Path, adviser: Adviser, world: tuple[Card, ...], now: DealtRound[Any]
) -> list[wire.DecisionAdvice]:
    """All advice on the decisions that led to `now`, and on the one open then, in a house of these cards."""
    advice = []
    with house_of(folder, world) as house:
        house.advice._adviser = adviser
        inside = await Inside.enter(house)
        await inside.say(wire.Join("join", DEALT, "GC"))
        await inside.say(wire.DealRound("deal", DEALT, stakes(house.tables[DEALT])))
        made = [step for step in now.steps if isinstance(step.want, Decision)]
        for number, want in enumerate([*(step.want for step in made), now.round.wants()[0]]):
            round_id, turn = inside.round_id, inside.turn
            advice.append(
                await house.advice.advise(player_of(house), wire.AdviceRequest(round_id, turn, *want.to))
            )
            if number < len(made):
                action = str(made[number].answer)
                await inside.say(
                    wire.Decide(f"d{number}", DEALT, round_id, turn, want.to.box, want.to.hand, action)
                )
    return advice


async def differing(folder: Path, adviser: Adviser, seed: int) -> int:
    """On how many decisions of a round a house with other unseen cards advised otherwise."""
    chance = Random(seed)
    *moments, ended = decided(dealt(published_tables()[DEALT], chance), chance)
    differ = 0
    for number, now in enumerate(moments):
        right = await told(folder / f"right{number}", adviser, shoe_of(ended).shoe.cards, now)
        differ += right != await told(folder / f"twin{number}", adviser, otherwise(now, chance), now)
    return differ


async def test_hidden_cards_change_no_advice(tmp_path: Path) -> None:
    adviser = Adviser()
    assert sum([await differing(tmp_path / str(seed), adviser, seed) for seed in (1, 2)]) == 0
    await adviser.close()


async def test_advice_that_hangs_on_the_next_card_is_noticed(tmp_path: Path) -> None:
    class Leaking(Adviser):
        async def worths(self, question: Question) -> Worths:
            """Depend on the order of the shoe, as no honest advice can."""
            assert question.steps
            order = vars(own)["fresh_source"]().shoe.cards
            return {"hit": float(sum(DECK.index(card) * place for place, card in enumerate(order)))}

    assert await differing(tmp_path, Leaking(), 1) > 0


async def test_a_worker_that_fails_is_refused_and_started_anew(house: Server) -> None:
    inside = await at_the_table(house)
    house.advice._adviser = Adviser((sys.executable, "-c", "input()"))
    assert await refusal(house.advice.advise(player_of(house), asked(inside))) == "advice_failed"
    assert await refusal(house.advice.advise(player_of(house), asked(inside))) == "advice_failed"


async def test_more_questions_than_can_wait_are_refused() -> None:
    adviser = Adviser((sys.executable, "-c", "import time; time.sleep(60)"))
    questions = [Question("blackjack", {}, (), (str(number),), At(0)) for number in range(WAITING_MOST)]
    waiting = [asyncio.create_task(adviser.worths(question)) for question in questions]
    for _ in range(500):
        if adviser._worker is None:
            await asyncio.sleep(0.01)
    assert await refusal(adviser.worths(Question("blackjack", {}, (), (), At(1)))) == "advice_busy"
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


@pytest.mark.parametrize(
    ("allows", "table", "currency", "right"),
    [
        ("none", "classic", "GC", False),
        ("play_money", "classic", "GC", True),
        ("play_money", "classic", "SC", False),
        ("own_tables", "classic", "SC", True),
        ("own_tables", "infinite", "EUR", False),
        ("play_money", "infinite", "GC", False),
    ],
)
def test_where_advice_is_allowed(allows: str, table: str, currency: str, right: bool) -> None:
    profile = replace(DEFAULT_CONFIG.profile, advice=allows)
    with patch.object(moments, "PLAY_CURRENCIES", frozenset({"GC"})):
        assert moments.allowed(profile, published_tables()[table], currency) is right

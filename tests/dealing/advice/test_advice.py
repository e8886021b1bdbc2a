"""Advice and training at own tables: the values, when advice is refused, and the training record."""

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.app.serve import DATABASE
from croupier.config import DEFAULT_CONFIG
from croupier.dealing.advice import moments
from croupier.dealing.advice.adviser import WAITING_MAX, Adviser, Worths
from croupier.dealing.advice.question import Question
from croupier.equipment.cards import DECK, Card, cards
from croupier.games import published_tables
from croupier.gateway.pages.history import history_round
from croupier.gateway.server import Server
from croupier.ledger.sql.verify import verify
from croupier.ledger.sqlite.migrations import upgrade
from croupier.play.contract.amounts import CURRENCIES
from croupier.play.contract.wants import At, Decision
from croupier.play.driving.dealing import DealtRound
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.tables import own
from tests.gateway.test_hidden import dealt, decided, shoe_of, stakes, with_other_cards
from tests.support.in_process import InProcessClient, server_dealing

pytestmark = pytest.mark.anyio

DEALT = "premium"
SIXTEEN = cards("TS TH 6S 9D 5H") + cards("2C") * 30
"""The player has T-6 against T; the dealer's other card is a 9, and a hit draws the five."""


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    with server_dealing(tmp_path, SIXTEEN) as server:
        yield server
        await server.stop()


async def dealt_client(server: Server, table: str = "premium", currency: str = "GC") -> InProcessClient:
    inside = await InProcessClient.connect(server)
    stake_minor = server.tables[table].limits[currency].min_minor
    await inside.request(wire.Join("join", table, currency))
    await inside.request(wire.DealRound("deal", table, (wire.Stake(0, "main", stake_minor),)))
    return inside


def player_of(server: Server) -> str:
    (player,) = server.players
    return player.id


def advice_request(inside: InProcessClient) -> wire.AdviceRequest:
    return wire.AdviceRequest(inside.round_id, inside.turn, 0, 0)


async def refusal(request: Any) -> str:
    with pytest.raises(Refused) as refused:
        await request
    return refused.value.code


async def test_sixteen_against_ten_is_hit(server: Server) -> None:
    inside = await dealt_client(server)
    advice = await server.advice.advise(player_of(server), advice_request(inside))
    worth = {option.action: option.worth for option in advice.options}
    assert advice.best == "hit"
    assert worth == {"hit": -0.534676, "stand": -0.540954, "double": -1.069351}
    note = server.ledger.entry(f"advice:{inside.round_id}:{inside.turn}:0.0")
    assert note is not None
    assert note.round == inside.round_id
    assert note.body["shown"] == {"hit": -534676, "stand": -540954, "double": -1069351}


async def test_a_mistake_is_judged_and_recorded_once(server: Server, tmp_path: Path) -> None:
    inside = await dealt_client(server)
    turn, round_id, player = inside.turn, inside.round_id, player_of(server)
    await inside.request(wire.Decide("d", "premium", round_id, turn, 0, 0, "stand"))
    order = wire.ReviewRequest(round_id, turn)
    judged = [await server.advice.judge(player, order) for _ in range(2)]
    assert (judged[0].action, judged[0].best, judged[0].cost) == ("stand", "hit", 0.006278)
    assert judged[1].total == wire.TrainingTotals(1, 1, 0.006278)
    record = await server.advice.training_record(player)
    assert record.total == judged[0].total
    assert [(line.table, line.kind) for line in record.lines] == [("premium", "hard")]
    assert [(worst.hand, worst.cost) for worst in record.worst] == [("10-6 against 10", 0.006278)]
    assert await refusal(server.advice.judge(player, wire.ReviewRequest(round_id, 0))) == "no_such_decision"
    assert await refusal(server.advice.judge("p_other", order)) == "no_such_round"
    server.ledger.close()
    assert verify(tmp_path / DATABASE).bad is None
    with closing(sqlite3.connect(tmp_path / DATABASE)) as forging, forging:
        forging.execute("UPDATE training SET record = replace(record, '6278', '0')")
    bad = verify(tmp_path / DATABASE).bad
    assert bad is not None
    assert bad.table == "training"


async def test_a_decision_with_advice_is_counted_separately(server: Server) -> None:
    inside = await dealt_client(server)
    turn, round_id, player = inside.turn, inside.round_id, player_of(server)
    await server.advice.advise(player, advice_request(inside))
    await inside.request(wire.Decide("d", "premium", round_id, turn, 0, 0, "hit"))
    judged = await server.advice.judge(player, wire.ReviewRequest(round_id, turn))
    assert judged.advised
    record = server.ledger.round(round_id)
    assert record is not None
    steps = history_round(server.ledger, server.tables, record).steps
    assert [step.advised for step in steps] == [place == turn for place in range(len(steps))]
    assert (await server.advice.training_record(player)).advised == 1
    assert judged.total == wire.TrainingTotals(0, 0, 0.0)


async def test_advice_is_refused_if_the_profile_forbids_it(server: Server) -> None:
    inside = await dealt_client(server)
    order, player = advice_request(inside), player_of(server)
    server.advice._profile = replace(server.config.profile, advice="none")
    assert await refusal(server.advice.advise(player, order)) == "advice_not_allowed"
    server.advice._profile = replace(server.config.profile, advice="own_tables")
    await inside.request(wire.Decide("d", "premium", inside.round_id, inside.turn, 0, 0, "stand"))
    assert await refusal(server.advice.advise(player, order)) == "round_ended"


async def test_advice_for_another_turn_is_refused(server: Server) -> None:
    inside = await dealt_client(server, "classic")
    order = replace(advice_request(inside), turn=inside.turn - 1)
    assert await refusal(server.advice.advise(player_of(server), order)) == "not_your_turn"


def test_a_database_from_before_training_records_is_valid(tmp_path: Path) -> None:
    upgrade(tmp_path / DATABASE, "0008")
    assert verify(tmp_path / DATABASE).bad is None


async def advice_until(
    folder: Path, adviser: Adviser, shoe: tuple[Card, ...], now: DealtRound[Any]
) -> list[wire.DecisionAdvice]:
    """Return the advice on all decisions up to the one open at `now`, on a server with these cards."""
    advice = []
    with server_dealing(folder, shoe) as server:
        server.advice._adviser = adviser
        inside = await InProcessClient.connect(server)
        await inside.request(wire.Join("join", DEALT, "GC"))
        await inside.request(wire.DealRound("deal", DEALT, stakes(server.tables[DEALT])))
        made = [step for step in now.steps if isinstance(step.want, Decision)]
        for number, want in enumerate([*(step.want for step in made), now.round.wants()[0]]):
            round_id, turn = inside.round_id, inside.turn
            advice.append(
                await server.advice.advise(player_of(server), wire.AdviceRequest(round_id, turn, *want.to))
            )
            if number < len(made):
                action = str(made[number].answer)
                await inside.request(
                    wire.Decide(f"d{number}", DEALT, round_id, turn, want.to.box, want.to.hand, action)
                )
    return advice


async def count_differences(folder: Path, adviser: Adviser, seed: int) -> int:
    """Return on how many decisions of a round the advice differs if the unseen cards do."""
    chance = Random(seed)
    *open_deals, ended = decided(dealt(published_tables()[DEALT], chance), chance)
    differ = 0
    for number, now in enumerate(open_deals):
        expected = await advice_until(folder / f"right{number}", adviser, shoe_of(ended).shoe.cards, now)
        differ += expected != await advice_until(
            folder / f"twin{number}", adviser, with_other_cards(now, chance), now
        )
    return differ


async def test_hidden_cards_change_no_advice(tmp_path: Path) -> None:
    adviser = Adviser()
    assert sum([await count_differences(tmp_path / str(seed), adviser, seed) for seed in (1, 2)]) == 0
    await adviser.close()


async def test_planted_advice_that_depends_on_the_next_card_is_detected(tmp_path: Path) -> None:
    class Leaking(Adviser):
        async def worths(self, question: Question) -> Worths:
            """Return values that depend on the order of the shoe."""
            assert question.steps
            order = vars(own)["fresh_source"]().shoe.cards
            return {"hit": float(sum(DECK.index(card) * place for place, card in enumerate(order)))}

    assert await count_differences(tmp_path, Leaking(), 1) > 0


async def test_a_worker_that_fails_is_restarted_and_the_request_refused(server: Server) -> None:
    inside = await dealt_client(server)
    server.advice._adviser = Adviser((sys.executable, "-c", "input()"))
    assert await refusal(server.advice.advise(player_of(server), advice_request(inside))) == "advice_failed"
    assert await refusal(server.advice.advise(player_of(server), advice_request(inside))) == "advice_failed"


async def test_questions_beyond_the_queue_are_refused() -> None:
    adviser = Adviser((sys.executable, "-c", "import time; time.sleep(60)"))
    questions = [Question("blackjack", {}, (), (str(number),), At(0)) for number in range(WAITING_MAX)]
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
    money = {code: each._replace(play_money=code == "GC") for code, each in CURRENCIES.items()}
    assert moments.allowed(profile, published_tables(money)[table], currency) is right

"""A jurisdiction may ask for a deposit limit: no deposit begins before the answer, and it asks again."""

from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.accounts.identity import Player
from croupier.accounts.payments import Payment, PaymentChange
from croupier.accounts.responsible_gaming import DAY_MS, Measure
from croupier.config import ServerConfig, read_config
from croupier.gateway.pages import responsible_gaming
from croupier.gateway.payments import begin_deposit
from croupier.ledger.entries import Entry
from croupier.play.tables.toml_blocks import InvalidFile
from croupier.players.queries import jurisdiction_note
from croupier.protocol import wire
from croupier.refusal import Refused
from tests.dealing.live.in_process import SLOW, Guest, ManualServer, manual_server, new_guest

pytestmark = pytest.mark.anyio

ASKING = """
[responsible_gaming]
jurisdiction = "GB"

[jurisdictions.GB]

[jurisdictions.MT]

[payments.currencies.EUR]
provider = "play_money"
"""
EUR_A_DAY = Measure("deposit", "day", "EUR")


@pytest.fixture
async def manual(tmp_path: Path, speculate: None) -> AsyncIterator[ManualServer]:
    async with manual_server(tmp_path, SLOW + ASKING) as manual:
        yield manual


async def new_player(manual: ManualServer) -> Player:
    guest = await new_guest(manual.server)
    known = await manual.server.sessions.signed_in(guest.token)
    assert known is not None
    return known


def question(text: str, code: str = "GB") -> tuple[bool, int]:
    config: ServerConfig = read_config(text, {}, "croupier.toml")
    return config.payment_rules.question_in(code)


async def deposit(manual: ManualServer, player: Player, req: str) -> str:
    """Ask the route of the cashier's page; return the code of its refusal."""
    try:
        await begin_deposit.fn(manual.server, player, wire.CashierRequest(req, "EUR", 500))
    except Refused as refused:
        return refused.code
    return ""


# --- rules of a jurisdiction


@pytest.mark.parametrize(
    ("block", "asks"),
    [
        ("[jurisdictions.GB]", (True, 6)),
        ("[jurisdictions.GB]\nask_deposit_limit = false", (False, 6)),
        ("[jurisdictions.GB]\nask_again_months = 12", (True, 12)),
        ("[jurisdictions.MT]", (False, 0)),
        ('[jurisdictions.MT]\nlike = "GB"', (True, 6)),
        ("", (False, 0)),
    ],
)
def test_a_block_begins_with_the_rules_of_its_jurisdiction(block: str, asks: tuple[bool, int]) -> None:
    assert question(block, "GB" if "GB]" in block else "MT") == asks


def test_an_unknown_example_is_refused() -> None:
    with pytest.raises(InvalidFile, match="like: no predefined jurisdiction 'XX'; there are: GB"):
        question('[jurisdictions.MT]\nlike = "XX"')


# --- the question


async def test_no_deposit_begins_before_the_question_is_answered(manual: ManualServer) -> None:
    server = manual.server
    player = await new_player(manual)
    assert await deposit(manual, player, "one") == "deposit_limit_unanswered"
    assert (await responsible_gaming.page(server, player.id)).deposit_limit_due
    with pytest.raises(Refused, match="no_deposit_limit"):
        await server.deposit_questions.answer(player.id, "limit")
    assert await deposit(manual, player, "one") == "deposit_limit_unanswered"
    await server.deposit_questions.answer(player.id, "none")
    assert not (await responsible_gaming.page(server, player.id)).deposit_limit_due
    assert await deposit(manual, player, "one") == ""


async def test_a_limit_answers_it_and_counts_deposits_in_full(manual: ManualServer) -> None:
    """Gross: what is withdrawn doesn't make room for another deposit."""
    server = manual.server
    player = await new_player(manual)
    await server.restrictions.set_limit(player.id, EUR_A_DAY, 900)
    await server.deposit_questions.answer(player.id, "limit")
    assert await deposit(manual, player, "one") == ""
    await server.payments.withdraw(player, wire.CashierRequest("back", "EUR", 500))
    assert await deposit(manual, player, "two") == "over_own_limit"


async def test_it_is_asked_again_after_six_months(manual: ManualServer) -> None:
    server = manual.server
    player = await new_player(manual)
    await server.deposit_questions.answer(player.id, "none")
    manual.advance_clock(180 * DAY_MS)
    assert await deposit(manual, player, "one") == ""
    manual.advance_clock(5 * DAY_MS)
    assert await deposit(manual, player, "two") == "deposit_limit_unanswered"
    await server.deposit_questions.answer(player.id, "none")
    assert await deposit(manual, player, "two") == ""


async def test_the_transaction_that_begins_a_deposit_checks_the_question(manual: ManualServer) -> None:
    """Also when the question is due again, and the refusal names the rule."""
    server = manual.server
    player = await new_player(manual)
    with pytest.raises(Refused, match="deposit_limit_unanswered") as first:
        await server.payments.deposit(player, wire.CashierRequest("one", "EUR", 500))
    assert first.value.args_ == {"rule": "ask_deposit_limit", "jurisdiction": "GB"}
    assert not await server.payments.of(player.id)
    await server.deposit_questions.answer(player.id, "none")
    await server.payments.deposit(player, wire.CashierRequest("two", "EUR", 500))
    manual.advance_clock(185 * DAY_MS)
    with pytest.raises(Refused, match="deposit_limit_unanswered"):
        await server.payments.deposit(player, wire.CashierRequest("three", "EUR", 500))


async def test_a_jurisdiction_that_changes_during_a_request_asks(manual: ManualServer) -> None:
    """The note of the other jurisdiction is written before the payment, and the request checked none."""
    server = manual.server
    player = await new_player(manual)
    await server.gateway.post([jurisdiction_note(player.id, manual.now_ms(), "MT")])
    add = server.payments._repository.add

    def add_after_moving(payment: Payment, further: Sequence[Entry] = ()) -> Future[PaymentChange]:
        server.ledger.post([jurisdiction_note(player.id, manual.now_ms() + 1, "GB")])
        return add(payment, further)

    with patch.object(server.payments._repository, "add", add_after_moving):
        assert await deposit(manual, player, "one") == "deposit_limit_unanswered"
    assert not await server.payments.of(player.id)


async def test_a_repeated_request_is_answered_while_the_question_is_due(manual: ManualServer) -> None:
    server = manual.server
    player = await new_player(manual)
    await server.deposit_questions.answer(player.id, "none")
    assert await deposit(manual, player, "one") == ""
    manual.advance_clock(185 * DAY_MS)
    assert await deposit(manual, player, "one") == ""
    assert len(await server.payments.of(player.id)) == 1


async def test_other_jurisdictions_dont_ask(manual: ManualServer) -> None:
    server = manual.server
    player = await new_player(manual)
    await server.gateway.post([jurisdiction_note(player.id, manual.now_ms(), "MT")])
    assert await deposit(manual, player, "one") == ""


# --- the notice on arrival


async def told(guest: Guest) -> bool:
    """Return whether a player who arrives is told that the question is due again."""
    welcome = (await guest.connect()).welcome
    assert welcome is not None
    return welcome.deposit_limit_due


async def test_a_player_who_is_asked_again_is_told_on_arrival(manual: ManualServer) -> None:
    server = manual.server
    guest = await new_guest(server)
    assert not await told(guest), "the first deposit asks"
    known = await server.sessions.signed_in(guest.token)
    assert known is not None
    await server.deposit_questions.answer(known.id, "none")
    assert not await told(guest)
    manual.advance_clock(185 * DAY_MS)
    assert await told(guest)
    await server.deposit_questions.answer(known.id, "none")
    assert not await told(guest)

"""The reference operator over HTTP: signatures, malformed bodies, and the faults that it is told to have."""

import asyncio
import time
from collections.abc import Iterator

import httpx
import msgspec
import pytest

from croupier.integration.wallet_operator.operator import (
    AFTERWARDS,
    HANG_S,
    INSTEAD,
    HttpAnswer,
    ReferenceOperator,
    WalletBalance,
    WalletControl,
    WalletFault,
)
from croupier.integration.wallet_operator.wallet import OperatorWallet, WalletAccount
from croupier.outside.no_answer import NoAnswer
from croupier.outside.signed_client import SignedClient
from croupier.outside.systems import OutsideSystem
from croupier.protocol.encoding import encode
from croupier.protocol.signatures import (
    SIGNATURE_HEADER,
    TIMESTAMP_HEADER,
    Secret,
    SignedBody,
    signed_headers,
)
from croupier.protocol.wallet_wire import WalletAnswer, WalletBalanceQuestion, WalletDebit
from tests.support.reference_process import KEY
from tests.support.wallet_operator import OperatorProcess, operator_process

SECRET = Secret(KEY)
QUESTION = WalletBalanceQuestion("anna", "EUR")
DEBIT = WalletDebit("t", "anna", "EUR", 30, "round", "table", "roulette")


@pytest.fixture
def operator() -> ReferenceOperator:
    return ReferenceOperator(SECRET, OperatorWallet({WalletAccount("anna", "EUR"): 100}))


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OperatorProcess]:
    with operator_process(tmp_path_factory.mktemp("operator"), "anna:EUR:100", "b:c:EUR:7") as running:
        yield running


def signed(body: bytes, *, secret: Secret = SECRET, age_s: int = 0) -> SignedBody:
    headers = signed_headers(secret, body, int(time.time()) - age_s)
    return SignedBody(headers[TIMESTAMP_HEADER], headers[SIGNATURE_HEADER], body)


def test_a_message_has_an_answer_of_its_wallet(operator: ReferenceOperator) -> None:
    answer = operator.respond("/debit", signed(encode(DEBIT)))
    assert answer == HttpAnswer(body=encode(WalletAnswer("done", 70)))


NEGATIVE = encode({**msgspec.structs.asdict(DEBIT), "amount_minor": -1})
UNKNOWN_FIELD = encode({**msgspec.structs.asdict(DEBIT), "more": 1})


@pytest.mark.parametrize("body", [b"{", encode(QUESTION), NEGATIVE, UNKNOWN_FIELD])
def test_a_malformed_message_carries_nothing_out(operator: ReferenceOperator, body: bytes) -> None:
    assert operator.respond("/debit", signed(body)) == HttpAnswer(400)
    assert not operator.wallet.movements


@pytest.mark.parametrize(("secret", "age_s"), [(Secret(b"another"), 0), (SECRET, 400), (SECRET, -400)])
def test_a_wrong_signature_carries_nothing_out(
    operator: ReferenceOperator, secret: Secret, age_s: int
) -> None:
    message = signed(encode(DEBIT), secret=secret, age_s=age_s)
    assert operator.respond("/debit", message) == HttpAnswer(401)
    assert not operator.wallet.movements


@pytest.mark.parametrize("fault", [*INSTEAD, *AFTERWARDS])
def test_a_fault_says_whether_the_message_is_carried_out(
    operator: ReferenceOperator, fault: WalletFault
) -> None:
    operator.control(WalletControl(faults=(fault,), paths=("/debit",), times=1))
    assert operator.respond("/balance", signed(encode(QUESTION))).status == 200
    assert operator.respond("/debit", signed(encode(DEBIT))) == {**INSTEAD, **AFTERWARDS}[fault]
    assert len(operator.wallet.movements) == (fault in AFTERWARDS)
    assert operator.respond("/debit", signed(encode(DEBIT))).body == encode(WalletAnswer("done", 70))
    assert len(operator.wallet.movements) == 1


def test_a_message_that_is_handled_twice_moves_money_once(operator: ReferenceOperator) -> None:
    operator.control(WalletControl(faults=("twice", "late_answer"), late_s=2.5))
    assert operator.respond("/debit", signed(encode(DEBIT))).delay_s == 2.5
    assert len(operator.wallet.movements) == 1


async def ask(process: OperatorProcess, timeout_s: float = 5) -> WalletAnswer:
    client = SignedClient(process.url, SECRET, timeout_s, OutsideSystem("wallet"))
    try:
        return await client.ask("/debit", DEBIT, WalletAnswer)
    finally:
        await client.close()


def test_the_server_answers_and_keeps_a_log(process: OperatorProcess) -> None:
    process.misbehave("drop_answer", paths=("/debit",), times=1)
    with pytest.raises(NoAnswer, match="Timeout"):
        asyncio.run(ask(process, timeout_s=0.2))
    assert asyncio.run(ask(process)) == WalletAnswer("done", 70)
    assert [(each.operation, each.change_minor) for each in process.log.movements] == [("debit", -30)]
    assert WalletBalance("b:c", "EUR", 7) in process.log.balances
    process.control(WalletControl(balances=(WalletBalance("new", "EUR", 5),)))
    assert WalletBalance("new", "EUR", 5) in process.log.balances


def test_the_server_refuses_unsigned_messages_and_wrong_control(process: OperatorProcess) -> None:
    assert httpx.post(f"{process.url}/debit", json={}).status_code == 401
    assert httpx.post(f"{process.url}/control", json={"faults": ["no such fault"]}).status_code == 400
    assert HANG_S > 20, "no server waits that long"


def test_a_closed_client_has_no_answer(process: OperatorProcess) -> None:
    """A question may begin while the server stops."""

    async def ask_after_close() -> WalletAnswer:
        client = SignedClient(process.url, SECRET, 5, OutsideSystem("wallet"))
        await client.close()
        return await client.ask("/balance", QUESTION, WalletAnswer)

    with pytest.raises(NoAnswer, match="the server stops"):
        asyncio.run(ask_after_close())

"""W8: amounts are whole numbers from 0, and a body that is none of the messages changes nothing."""

from typing import Any

from croupier.integration.wallet_check.expectations import expect_rejected
from croupier.integration.wallet_check.trial import Trial, wallet_check
from croupier.protocol.wallet_wire import WALLET_PATHS, WalletDebit

WHOLE = "Read amount_minor as a whole number from 0 to 2^53 - 1, and refuse everything else; convert nothing."
ERRORS = "Answer with status 400: a status from 500 makes the server repeat the message."


async def _expect_amount_rejected(trial: Trial, amount: Any) -> None:
    for message in (trial.debit(1), trial.credit(1)):
        expect_rejected(await trial.send_changed(message, amount_minor=amount))
        await trial.expect_change(0)


@wallet_check("W8", WHOLE)
async def negative_amount(trial: Trial) -> None:
    """Negative amounts are refused, and move nothing."""
    await _expect_amount_rejected(trial, -2)


@wallet_check("W8", WHOLE)
async def fractional_amount(trial: Trial) -> None:
    """Amounts with a fraction are refused, and move nothing."""
    await _expect_amount_rejected(trial, 1.5)


@wallet_check("W8", WHOLE)
async def amount_as_text(trial: Trial) -> None:
    """Amounts as text are refused, and move nothing."""
    await _expect_amount_rejected(trial, "2")


@wallet_check("W8", WHOLE)
async def huge_amount(trial: Trial) -> None:
    """Debits of 2^63 and of 10^30 are refused or insufficient, and move nothing."""
    for amount in (2**63, 10**30):
        expect_rejected(await trial.send_changed(trial.debit(1), amount_minor=amount), "insufficient")
    await trial.expect_change(0)


@wallet_check("W8", "Refuse bodies without a required field; assume no amount.")
async def missing_field(trial: Trial) -> None:
    """A debit without an amount, and one without a transaction, are refused."""
    expect_rejected(await trial.send_changed(trial.debit(1), amount_minor=None))
    expect_rejected(await trial.send_changed(trial.debit(1), transaction=None))
    await trial.expect_change(0)


@wallet_check("W8", "Refuse a field that you don't know, or ignore it; don't fail with status 500.")
async def unknown_field(trial: Trial) -> None:
    """A debit with an unknown field is refused, or carried out as without it."""
    reply = await trial.send_changed(trial.debit(2), croupier_check="unknown")
    if reply.answer is not None and reply.answer.outcome == "done":
        await trial.expect_change(-2)
        return
    expect_rejected(reply)
    await trial.expect_change(0)


@wallet_check("W8", ERRORS)
async def no_json(trial: Trial) -> None:
    """Signed bodies that aren't JSON objects are refused."""
    for body in (b"", b"{", b"[]", b"\xff", b'"debit"'):
        expect_rejected(await trial.wallet.post(WALLET_PATHS[WalletDebit], body))


CHECKS = (
    negative_amount,
    fractional_amount,
    amount_as_text,
    huge_amount,
    missing_field,
    unknown_field,
    no_json,
)

"""W1: every message moves what it says, and a balance never becomes negative."""

from msgspec.structs import replace

from croupier.integration.wallet_check.expectations import expect_equal
from croupier.integration.wallet_check.trial import Trial, wallet_check
from croupier.protocol.wallet_wire import WalletBalanceQuestion, WalletMessage

UNKNOWN_PLAYER = "croupier-check-nobody"
UNKNOWN_CURRENCY = "ZZZ"


async def _expect_new_balance(trial: Trial, message: WalletMessage, change_minor: int) -> None:
    """Fail unless the answer has the new balance, and a question for the balance too."""
    answer = await trial.expect(message, "done")
    if answer.balance_minor is not None:
        expect_equal("balance_minor", trial.start_minor + change_minor, answer.balance_minor)
    await trial.expect_change(change_minor)


@wallet_check("W1", "Subtract amount_minor, and answer with the balance afterwards.")
async def debit(trial: Trial) -> None:
    """A debit takes its amount."""
    await _expect_new_balance(trial, trial.debit(3), -3)


@wallet_check("W1", "Add amount_minor, and answer with the balance afterwards.")
async def credit(trial: Trial) -> None:
    """A credit gives its amount."""
    await trial.expect(trial.debit(2), "done")
    await _expect_new_balance(trial, trial.credit(5), 3)


@wallet_check("W1", "Handle reason refund as you handle win: it gives back stakes of bets that don't count.")
async def refund(trial: Trial) -> None:
    """A credit with the reason refund gives its amount."""
    await trial.expect(trial.debit(4), "done")
    await _expect_new_balance(trial, trial.credit(4, reason="refund"), 0)


@wallet_check("W1", "Answer done to a debit of 0, and store it like any other.")
async def zero_debit(trial: Trial) -> None:
    """A debit of nothing is done."""
    await _expect_new_balance(trial, trial.debit(0), 0)


@wallet_check("W1", "Answer done to a credit of 0: it is how a lost round may be told.")
async def zero_credit(trial: Trial) -> None:
    """A credit of nothing is done."""
    await trial.expect(trial.debit(1), "done")
    await _expect_new_balance(trial, trial.credit(0), -1)


@wallet_check("W1", "Don't ask for a debit in the credit's round: a promotion pays without a stake.")
async def credit_without_debit(trial: Trial) -> None:
    """A credit in a round without a debit is done."""
    await _expect_new_balance(trial, trial.credit(2), 2)


@wallet_check(
    "W1", "Allow any number of debits in a round: doubles, splits and insurance are further debits."
)
async def several_debits(trial: Trial) -> None:
    """A round may have several debits."""
    for amount in (1, 2, 1):
        await trial.expect(trial.debit(amount), "done")
    await trial.expect_change(-4)


@wallet_check("W1", "Compare the amount with the balance in the same transaction that subtracts it.")
async def more_than_balance(trial: Trial) -> None:
    """A debit of more than the balance is insufficient, and moves nothing."""
    await trial.expect(trial.debit(trial.start_minor + 1), "insufficient")
    await trial.expect_change(0)


@wallet_check("W1", "Refuse a debit only if the amount is larger than the balance.")
async def whole_balance(trial: Trial) -> None:
    """A debit of exactly the balance is done, and nothing is left."""
    await trial.expect(trial.debit(trial.start_minor), "done")
    await trial.expect_change(-trial.start_minor)
    await trial.expect(trial.debit(1), "insufficient")


@wallet_check("W1", "Answer refused if you don't know the player; don't create one.")
async def unknown_player(trial: Trial) -> None:
    """Messages of an unknown player are refused."""
    await trial.expect(replace(trial.debit(1), player=UNKNOWN_PLAYER), "refused")
    await trial.expect(WalletBalanceQuestion(UNKNOWN_PLAYER, trial.currency), "refused")


@wallet_check("W1", "Answer refused for a currency that the player has no balance in; don't exchange.")
async def unknown_currency(trial: Trial) -> None:
    """A debit in a currency without a balance is refused, and moves nothing."""
    await trial.expect(replace(trial.debit(1), currency=UNKNOWN_CURRENCY), "refused")
    await trial.expect_change(0)


CHECKS = (
    debit,
    credit,
    refund,
    zero_debit,
    zero_credit,
    credit_without_debit,
    several_debits,
    more_than_balance,
    whole_balance,
    unknown_player,
    unknown_currency,
)

"""W7: messages that arrive at the same time have the effect of some order of them."""

from croupier.integration.wallet_check.expectations import count, expect_equal, fail
from croupier.integration.wallet_check.trial import Trial, wallet_check

MANY = 10
UNIQUE = "Let the database's unique key decide which of them is first; the others answer what it stored."
LOCKED = "Check and change the balance in one statement or under a lock: ... SET balance = balance - amount."


@wallet_check("W7", UNIQUE)
async def same_debit_at_once(trial: Trial) -> None:
    """Ten copies of a debit at once take its amount once, and all are done."""
    replies = await trial.at_once([trial.debit(2)] * MANY)
    expect_equal("outcomes done:", MANY, count(replies, "done"))
    await trial.expect_change(-2)


@wallet_check("W7", UNIQUE)
async def same_credit_at_once(trial: Trial) -> None:
    """Ten copies of a credit at once give its amount once, and all are done."""
    replies = await trial.at_once([trial.credit(2)] * MANY)
    expect_equal("outcomes done:", MANY, count(replies, "done"))
    await trial.expect_change(2)


@wallet_check("W7", UNIQUE)
async def same_rollback_at_once(trial: Trial) -> None:
    """Ten copies of a rollback at once give the amount back once, and all are done."""
    debit = trial.debit(2)
    await trial.expect(debit, "done")
    replies = await trial.at_once([trial.rollback(debit)] * MANY)
    expect_equal("outcomes done:", MANY, count(replies, "done"))
    await trial.expect_change(0)


@wallet_check("W7", LOCKED)
async def debits_at_once(trial: Trial) -> None:
    """Ten debits and ten credits at once are all done, and leave the right balance."""
    debits = [trial.debit(2) for _ in range(MANY)]
    replies = await trial.at_once([*debits, *(trial.credit(1) for _ in range(MANY))])
    expect_equal("outcomes done:", 2 * MANY, count(replies, "done"))
    await trial.expect_change(-MANY)


@wallet_check("W7", LOCKED)
async def overspending_at_once(trial: Trial) -> None:
    """Of ten debits at once that need more than half of the balance each, one is done."""
    amount = trial.start_minor // 2 + 1
    replies = await trial.at_once([trial.debit(amount) for _ in range(MANY)])
    expect_equal("outcomes done:", 1, count(replies, "done"))
    expect_equal("outcomes insufficient:", MANY - 1, count(replies, "insufficient"))
    await trial.expect_change(-amount)


@wallet_check("W7", "Lock the transaction's id, also if it isn't known yet, while you handle a rollback.")
async def debit_and_rollback_at_once(trial: Trial) -> None:
    """A debit and its rollback at once leave the balance as it was."""
    for number in range(MANY):
        debit = trial.debit(2)
        pair = debit, trial.rollback(debit)
        is_debit_first = number % 2 == 0
        replies = await trial.at_once(pair if is_debit_first else pair[::-1])
        undone = replies[is_debit_first]
        if not count([undone], "done") + count([undone], "unknown_transaction"):
            fail("/rollback: done or unknown_transaction", undone.described)
    await trial.expect_change(0)


CHECKS = (
    same_debit_at_once,
    same_credit_at_once,
    same_rollback_at_once,
    debits_at_once,
    overspending_at_once,
    debit_and_rollback_at_once,
)

"""W4: a rollback undoes a debit once, or keeps it from being carried out later."""

from croupier.integration.wallet_check.trial import Trial, wallet_check

TOMBSTONE = "Store the ids of unknown rollbacks, and refuse debits that come later with such an id."
SETTLED = "Refuse rollbacks of a round that has a win or has ended: its result is paid already."


@wallet_check("W4", "Find the debit by player and transaction alone, and give its amount back.")
async def rollback(trial: Trial) -> None:
    """A rollback gives the amount of its debit back."""
    debit = trial.debit(3)
    await trial.expect(debit, "done")
    await trial.expect(trial.rollback(debit), "done")
    await trial.expect_change(0)


@wallet_check("W4", "Mark the debit as rolled back in the transaction that gives the money back.")
async def repeat_rollback(trial: Trial) -> None:
    """A repeated rollback is done, and gives nothing more."""
    debit = trial.debit(3)
    await trial.expect(debit, "done")
    for _ in range(3):
        await trial.expect(trial.rollback(debit), "done")
    await trial.expect_change(0)


@wallet_check("W4", "Give back the amount of the rolled back debit only, not of its round.")
async def rollback_of_one_debit(trial: Trial) -> None:
    """A rollback leaves the other debits of its round."""
    undone, kept = trial.debit(3), trial.debit(2)
    await trial.expect(kept, "done")
    await trial.expect(undone, "done")
    await trial.expect(trial.rollback(undone), "done")
    await trial.expect_change(-2)


@wallet_check("W4", "Answer unknown_transaction, not an error: the server stops asking then.")
async def rollback_of_unknown(trial: Trial) -> None:
    """A rollback of an unknown debit is answered with unknown_transaction, each time."""
    debit = trial.debit(3)
    for _ in range(2):
        await trial.expect(trial.rollback(debit), "unknown_transaction")
    await trial.expect_change(0)


@wallet_check("W4", TOMBSTONE)
async def late_debit(trial: Trial) -> None:
    """A debit that comes after its rollback is refused, and takes nothing."""
    debit = trial.debit(3)
    await trial.expect(trial.rollback(debit), "unknown_transaction")
    await trial.expect(debit, "refused")
    await trial.expect_change(0)


@wallet_check("W4", "Don't carry a debit out again after its rollback.")
async def debit_after_rollback(trial: Trial) -> None:
    """A late copy of a debit that was rolled back takes nothing."""
    debit = trial.debit(3)
    await trial.expect(debit, "done")
    await trial.expect(trial.rollback(debit), "done")
    await trial.expect(debit, "refused", "done")
    await trial.expect_change(0)


@wallet_check("W4", SETTLED)
async def rollback_after_win(trial: Trial) -> None:
    """A rollback after a win of its round is refused, and gives nothing."""
    debit = trial.debit(3)
    await trial.expect(debit, "done")
    await trial.expect(trial.credit(1), "done")
    await trial.expect(trial.rollback(debit), "refused")
    await trial.expect_change(-2)


@wallet_check("W4", SETTLED)
async def rollback_after_end(trial: Trial) -> None:
    """A rollback after the end of its round is refused, and gives nothing."""
    debit = trial.debit(3)
    await trial.expect(debit, "done")
    await trial.expect(trial.end(), "done")
    await trial.expect(trial.rollback(debit), "refused")
    await trial.expect_change(-3)


@wallet_check("W4", "Look for the debit among those of the rollback's player only.", needs_other=True)
async def rollback_of_other_player(trial: Trial) -> None:
    """A rollback of another player's debit is unknown, and gives neither of them anything."""
    debit = trial.debit(3)
    await trial.expect(debit, "done")
    await trial.second.expect(trial.second.rollback(debit), "unknown_transaction")
    await trial.expect_change(-3)
    await trial.second.expect_change(0)


CHECKS = (
    rollback,
    repeat_rollback,
    rollback_of_one_debit,
    rollback_of_unknown,
    late_debit,
    debit_after_rollback,
    rollback_after_win,
    rollback_after_end,
    rollback_of_other_player,
)

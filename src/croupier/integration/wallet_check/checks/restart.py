"""W3 and W4 over a restart of the wallet: what it has answered must be in its database."""

from msgspec.structs import replace

from croupier.integration.wallet_check.trial import Trial, wallet_check

ADVICE = "Store transactions, refusals, rollbacks and ended rounds in the database, before you answer."


@wallet_check("W3", ADVICE, needs_restart=True)
async def memory_after_restart(trial: Trial) -> None:
    """After a restart, repeated messages still have the same outcome, and move nothing."""
    kept, undone, unknown, late = (trial.debit(amount) for amount in (2, 3, 4, 5))
    too_much = trial.debit(trial.start_minor + 1)
    credit = trial.credit(1, reason="refund")
    await trial.expect(kept, "done")
    await trial.expect(undone, "done")
    await trial.expect(trial.rollback(undone), "done")
    await trial.expect(trial.rollback(unknown), "unknown_transaction")
    await trial.expect(too_much, "insufficient")
    await trial.expect(credit, "done")
    end = trial.end()
    await trial.expect(end, "done")
    await trial.expect(late, "refused")
    await trial.restart()
    await trial.expect_change(-1)
    await trial.expect(kept, "done")
    await trial.expect(credit, "done")
    await trial.expect(trial.rollback(undone), "done")
    await trial.expect(unknown, "refused")
    await trial.expect(too_much, "insufficient", "refused")
    await trial.expect(late, "refused")
    await trial.expect(replace(late, round=f"{trial.round}-other"), "refused")
    await trial.expect(trial.debit(1), "refused")
    await trial.expect(end, "done")
    await trial.expect_change(-1)


CHECKS = (memory_after_restart,)

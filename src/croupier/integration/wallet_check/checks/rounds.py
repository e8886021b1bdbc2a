"""W6: a round ends once, and nothing is staked in it afterwards."""

from croupier.integration.wallet_check.trial import Trial, wallet_check


@wallet_check("W6", "Mark the round as ended and answer done; move nothing.")
async def round_end(trial: Trial) -> None:
    """The end of a round is done, and moves nothing."""
    await trial.expect(trial.debit(2), "done")
    await trial.expect(trial.end(), "done")
    await trial.expect_change(-2)


@wallet_check("W6", "Answer done to a repeated end: the first answer may have been lost.")
async def repeat_round_end(trial: Trial) -> None:
    """The repeated end of a round is done."""
    await trial.expect(trial.debit(2), "done")
    end = trial.end()
    for _ in range(2):
        await trial.expect(end, "done")
    await trial.expect_change(-2)


@wallet_check("W6", "Accept status void, for a round whose bets don't count.")
async def void_round(trial: Trial) -> None:
    """A void round ends after its refund."""
    await trial.expect(trial.debit(2), "done")
    await trial.expect(trial.credit(2, reason="refund"), "done")
    await trial.expect(trial.end("void"), "done")
    await trial.expect_change(0)


@wallet_check("W6", "Accept the end of a round for which you have no debit: all may be rolled back.")
async def end_of_unknown_round(trial: Trial) -> None:
    """The end of a round without transactions is done."""
    await trial.expect(trial.end("void"), "done")


@wallet_check("W6", "Refuse debits of a round that has ended.")
async def debit_after_end(trial: Trial) -> None:
    """A debit after the end of its round is refused, and takes nothing."""
    await trial.expect(trial.debit(2), "done")
    await trial.expect(trial.end(), "done")
    await trial.expect(trial.debit(1), "refused")
    await trial.expect_change(-2)


CHECKS = (round_end, repeat_round_end, void_round, end_of_unknown_round, debit_after_end)

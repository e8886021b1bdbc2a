"""W2 and W3: a transaction belongs to one player and one message, and is carried out once."""

from msgspec.structs import replace

from croupier.integration.wallet_check.trial import Trial, wallet_check
from croupier.protocol.wallet_wire import WalletCredit, WalletDebit

LONGEST = 100
"""Maximum length of an id."""
STORE = "Store each transaction with its answer, under a unique key of player and transaction."
COMPARE = "Compare a repeated transaction with the stored one, and refuse it if anything differs."


async def _expect_once(trial: Trial, message: WalletDebit | WalletCredit, change_minor: int) -> None:
    for _ in range(3):
        await trial.expect(message, "done")
    await trial.expect_change(change_minor)


@wallet_check("W2", "Make player and transaction the key together, not transaction alone.", needs_other=True)
async def same_ids_of_two_players(trial: Trial) -> None:
    """Two players may have the same transaction and round ids."""
    mine = trial.debit(2)
    theirs = replace(mine, player=trial.second.player, amount_minor=3)
    await trial.expect(mine, "done")
    await trial.second.expect(theirs, "done")
    await trial.expect_change(-2)
    await trial.second.expect_change(-3)


@wallet_check("W2", "Compare ids exactly: use a binary collation in the database.")
async def case_of_ids(trial: Trial) -> None:
    """Ids that differ in case only are different."""
    name = trial.new_id()
    await trial.expect(trial.debit(1, f"{name}-a"), "done")
    await trial.expect(trial.debit(2, f"{name}-A"), "done")
    await trial.expect_change(-3)


@wallet_check("W2", "Store ids of up to 100 characters without cutting them.")
async def long_ids(trial: Trial) -> None:
    """Ids have up to 100 characters, and all of them count."""
    name = trial.new_id().ljust(LONGEST - 1, "x")
    await trial.expect(trial.debit(1, f"{name}1"), "done")
    await trial.expect(trial.debit(2, f"{name}2"), "done")
    await trial.expect_change(-3)


@wallet_check("W3", STORE)
async def repeat_debit(trial: Trial) -> None:
    """A repeated debit has the same outcome, and takes no more money."""
    await _expect_once(trial, trial.debit(2), -2)


@wallet_check("W3", STORE)
async def repeat_credit(trial: Trial) -> None:
    """A repeated credit has the same outcome, and adds no more money."""
    await _expect_once(trial, trial.credit(2), 2)


@wallet_check("W3", "Store refusals for lack of money too: a late copy of the debit mustn't take the money.")
async def repeat_insufficient_debit(trial: Trial) -> None:
    """A debit that was insufficient stays so once there is more money."""
    debit = trial.debit(trial.start_minor + 1)
    await trial.expect(debit, "insufficient")
    await trial.expect(trial.credit(1), "done")
    await trial.expect(debit, "insufficient", "refused")
    await trial.expect_change(1)


@wallet_check("W3", "Store refusals too, and answer a repeated debit from the store.")
async def repeat_refused_debit(trial: Trial) -> None:
    """A debit that was refused stays so, and its id is refused in another round."""
    await trial.expect(trial.debit(1), "done")
    await trial.expect(trial.end(), "done")
    debit = trial.debit(2)
    await trial.expect(debit, "refused")
    await trial.expect(debit, "refused")
    await trial.expect(replace(debit, round=f"{trial.round}-other"), "refused")
    await trial.expect_change(-1)


@wallet_check("W3", COMPARE)
async def debit_of_other_amount(trial: Trial) -> None:
    """A debit's id is refused with another amount, and moves nothing."""
    debit = trial.debit(2)
    await trial.expect(debit, "done")
    await trial.expect(replace(debit, amount_minor=3), "refused")
    await trial.expect_change(-2)


@wallet_check("W3", COMPARE)
async def credit_of_other_amount(trial: Trial) -> None:
    """A credit's id is refused with another amount, and moves nothing."""
    credit = trial.credit(2)
    await trial.expect(credit, "done")
    await trial.expect(replace(credit, amount_minor=3), "refused")
    await trial.expect_change(2)


@wallet_check("W3", COMPARE)
async def debit_of_other_round(trial: Trial) -> None:
    """A debit's id is refused in another round, and moves nothing."""
    debit = trial.debit(2)
    await trial.expect(debit, "done")
    await trial.expect(replace(debit, round=f"{trial.round}-other"), "refused")
    await trial.expect_change(-2)


@wallet_check("W3", COMPARE)
async def debit_id_as_credit(trial: Trial) -> None:
    """A debit's id is refused for a credit, and moves nothing."""
    debit = trial.debit(2)
    await trial.expect(debit, "done")
    await trial.expect(trial.credit(2, debit.transaction), "refused")
    await trial.expect_change(-2)


CHECKS = (
    same_ids_of_two_players,
    case_of_ids,
    long_ids,
    repeat_debit,
    repeat_credit,
    repeat_insufficient_debit,
    repeat_refused_debit,
    debit_of_other_amount,
    credit_of_other_amount,
    debit_of_other_round,
    debit_id_as_credit,
)

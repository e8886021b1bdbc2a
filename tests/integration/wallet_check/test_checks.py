"""The reference operator passes all checks, and each planted fault fails those of its rule, and no others."""

import asyncio

import pytest

from croupier.integration.wallet_check.checks import CHECKS, restart
from croupier.integration.wallet_check.report import WalletPlayers, WalletTester
from croupier.integration.wallet_check.trial import Trial, WalletUnderTest, wallet_check
from croupier.integration.wallet_operator.operator import ReferenceOperator
from croupier.integration.wallet_operator.wallet import OperatorWallet, WalletAccount
from tests.integration.wallet_check.in_process import (
    BALANCES,
    PLAYERS,
    SECRET,
    InProcess,
    checked,
    names,
    reference,
)
from tests.integration.wallet_check.planted import FAULTS, RUINOUS, Fault


def planted(fault: Fault) -> InProcess:
    if issubclass(fault, OperatorWallet):
        return InProcess(reference(wallet=fault))
    if issubclass(fault, ReferenceOperator):
        return InProcess(reference(operator=fault))
    return fault(reference())


@pytest.mark.parametrize(("fault", "failing"), FAULTS, ids=[fault.__name__ for fault, _ in FAULTS])
def test_a_planted_fault_fails_its_checks(fault: Fault, failing: set[str]) -> None:
    report = checked(planted(fault))
    assert names(report, "failed") == failing
    assert report.is_restored == (fault not in RUINOUS)
    assert report.is_passed == (not failing)
    assert all(
        result.expected and result.found and result.advice
        for result in report.results
        if result.name in failing
    )


def test_each_check_finds_a_fault() -> None:
    found = set().union(*(failing for _, failing in FAULTS))
    restarted = {check.name for check in restart.CHECKS}
    assert found | restarted == {"balance", *(check.name for check in CHECKS)}


@pytest.mark.parametrize("forgotten", ["_transfers", "_rollbacks", "_ends"])
def test_memory_that_is_lost_at_a_restart_is_found(forgotten: str) -> None:
    transport = InProcess(reference())

    async def forget() -> None:
        getattr(transport.operator.wallet, forgotten).clear()

    report = checked(transport, checks=restart.CHECKS, restart=forget)
    assert names(report, "failed") >= {"memory_after_restart"}


async def _restart() -> None:
    """Restart a wallet that remembers everything."""


def test_the_reference_passes_and_each_player_has_their_balance_again() -> None:
    transport = InProcess(reference())
    report = checked(transport, restart=_restart)
    assert names(report, "passed") == {"balance", "answer_time", *(check.name for check in CHECKS)}
    assert report.is_passed
    assert transport.operator.wallet.balances == BALANCES
    assert not transport.operator.wallet.differing_ends
    staked = {movement.round for movement in transport.operator.wallet.movements}
    ended = {end.round for end in transport.operator.wallet.ends}
    assert all(round_.endswith("-other") for round_ in staked - ended)


def test_checks_of_two_players_are_skipped_with_one() -> None:
    report = checked(InProcess(reference()), WalletPlayers("anna", "", "EUR"))
    assert names(report, "skipped") == {
        check.name for check in CHECKS if check.needs_other or check.needs_restart
    }
    assert report.is_passed


def test_nothing_is_checked_without_enough_money() -> None:
    operator = reference()
    operator.wallet.balances[WalletAccount("bert", "EUR")] = 99
    report = checked(InProcess(operator))
    assert names(report, "failed") == {"balance"}
    assert len(report.results) == 1
    assert not operator.wallet.movements


@pytest.mark.parametrize(("took_ms", "status"), [(300, "passed"), (301, "warned")])
def test_slow_answers_are_a_warning(took_ms: int, status: str) -> None:
    report = checked(InProcess(reference(), took_ms), checks=CHECKS[:1])
    assert names(report, status) >= {"answer_time"}
    assert report.is_passed


@wallet_check("W1", "")
async def interrupted(trial: Trial) -> None:
    """A check that is stopped while money is taken."""
    await trial.expect(trial.debit(7), "done")
    raise asyncio.CancelledError


def test_an_interrupted_check_restores_the_balance() -> None:
    transport = InProcess(reference())
    tester = WalletTester(WalletUnderTest(transport, SECRET, []), PLAYERS)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(tester.run((interrupted,), lambda _done, _total: None))
    assert transport.operator.wallet.balances == BALANCES
    assert len(transport.operator.wallet.movements) == 2

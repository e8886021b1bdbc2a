"""Faults planted in the bonuses: the comparison with the model finds each."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from croupier.accounts import bonus_funding
from croupier.accounts.bonus import Bonus
from croupier.accounts.bonus_funding import EndedRound, StakeChange
from croupier.dealing.live.money import bonus_money
from croupier.ledger.entries import Entry
from croupier.money.bonus import service as bonuses
from croupier.money.bonus.service import Bonuses
from croupier.refusal import Refused
from tests.money.bonus.bonus_machine import BonusMachine

Fault = Callable[[pytest.MonkeyPatch], None]
SEARCH = settings(
    max_examples=40,
    stateful_step_count=30,
    deadline=None,
    phases=[Phase.generate],
    derandomize=True,
    database=None,
    report_multiple_bugs=False,
)


def round_up(patch: pytest.MonkeyPatch) -> None:
    """The bonus's part of a return is rounded up."""
    patch.setattr(bonus_funding, "bonus_share", lambda returned, part, staked: -(-returned * part // staked))


def forget_a_share(patch: pytest.MonkeyPatch) -> None:
    """The winnings of the bonus's part stay cash."""
    patch.setattr(bonus_funding, "bonus_share", lambda *_: 0)


def convert_twice(patch: pytest.MonkeyPatch) -> None:
    """A bonus is active again after a restart."""
    read = Bonuses._read

    def forget_the_end(self: Bonuses, grant: Entry) -> Bonus:
        patch.setattr(bonuses, "ENDS", "nothing:")
        try:
            return read(self, grant)
        finally:
            patch.setattr(bonuses, "ENDS", "bonus_end:")

    patch.setattr(Bonuses, "_read", forget_the_end)


def count_a_void(patch: pytest.MonkeyPatch) -> None:
    """Stakes of void rounds count, at live tables."""
    ends = bonus_money._ends

    def settled(*of: Any) -> Iterator[EndedRound]:
        return (end._replace(settled=True) for end in ends(*of))

    patch.setattr(bonus_money, "_ends", settled)


def stake_the_bonus_first(patch: pytest.MonkeyPatch) -> None:
    """Bonus money is staked although there is cash."""
    right = bonus_funding.staking

    def staking(bonus: Bonus, stake: StakeChange, _cash: int) -> Iterator[Entry]:
        return right(bonus, stake, 0)

    for module in (bonus_funding, bonus_money):
        patch.setattr(module, "staking", staking)


def take_back_cash_first(patch: pytest.MonkeyPatch) -> None:
    """A stake that is taken back comes back as cash."""
    patch.setattr(bonus_money, "taking_back", lambda *_: ())


def forget_open_rounds(patch: pytest.MonkeyPatch) -> None:
    """After a restart, ended bonuses with money in play are forgotten."""
    put = Bonuses._put

    def put_active(self: Bonuses, bonus: Bonus) -> None:
        if bonus.status == "active" or bonus.player in self._of:
            put(self, bonus)

    patch.setattr(Bonuses, "_put", put_active)


FAULTS = [
    round_up,
    forget_a_share,
    convert_twice,
    count_a_void,
    stake_the_bonus_first,
    take_back_cash_first,
    forget_open_rounds,
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_in_the_bonuses_is_found(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    fault(monkeypatch)
    with pytest.raises((AssertionError, Refused)):
        run_state_machine_as_test(BonusMachine, settings=SEARCH)

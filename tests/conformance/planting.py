"""Plant a fault and check that it is caught: the check passes without it, fails with it, and passes again."""

from collections.abc import Callable, Sequence
from functools import partial

import pytest

from croupier.equipment.cards import cards
from croupier.equipment.shoe import Shoe
from croupier.play.contract.bets import Wager
from croupier.play.driving.dealing import DealtRound
from croupier.play.driving.sources import ChanceSource, PredrawnSource, ShoeSource
from tests.conformance.checks import (
    check_moment,
    check_replay,
    check_settlements,
    check_shared,
    play_out,
)
from tests.conformance.strategies import TABLES
from tests.conformance.text_cases import CaseRun, all_cases

Fault = Callable[[pytest.MonkeyPatch], None]
Check = Callable[[], None]

CASES = {f"{case.file} {case.clause}: {case.title}": case for case in all_cases()}


def text_case(name: str) -> Check:
    return lambda: ignore(CaseRun(CASES[name]))


def ignore(_: object) -> None:
    """Discard a value, so that an expression can be a check."""


def assert_caught(check: Check, fault: Fault, why: str) -> None:
    """Assert that the check passes without the fault, and fails with it for the right reason."""
    check()
    with pytest.MonkeyPatch.context() as patch:
        fault(patch)
        with pytest.raises(AssertionError, match=why):
            check()
    check()


def shoe_of_cards(order: str) -> ChanceSource:
    """Return a shoe of these cards."""
    return ShoeSource(Shoe(cards(order), 0, len(order)))


def predrawn(*words: str) -> ChanceSource:
    """Return the results of a wheel or dice."""
    return PredrawnSource(words)


def one_round(table: str, source: ChanceSource, bets: Sequence[Wager], picks: Sequence[int] = ()) -> Check:
    """Return a check: the conformance suite on one round from this source with these decisions."""

    def check() -> None:
        game = TABLES[table].game
        start, next_picks = game.start(TABLES[table].rules, bets), iter(picks)
        check_round = partial(check_moment, TABLES[table])
        deal = play_out(DealtRound(start, source), lambda choices: choices[next(next_picks)], check_round)
        check_replay(start, deal, source)
        check_settlements(TABLES[table], bets, deal.round)
        check_shared(TABLES[table], bets, deal)

    return check

"""Plants a fault and sees it caught: the check passes without it, fails with it, and passes again."""

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
    played,
)
from tests.conformance.dealt import TABLES
from tests.conformance.text_cases import Played, all_cases

Plant = Callable[[pytest.MonkeyPatch], None]
Check = Callable[[], None]

CASES = {f"{case.file} {case.clause}: {case.title}": case for case in all_cases()}


def text_case(name: str) -> Check:
    return lambda: void(Played(CASES[name]))


def void(_: object) -> None:
    """A check gives nothing back."""


def caught(check: Check, plant: Plant, why: str) -> None:
    """Without the fault the check passes; with it, it fails and says why."""
    check()
    with pytest.MonkeyPatch.context() as patch:
        plant(patch)
        with pytest.raises(AssertionError, match=why):
            check()
    check()


def of_cards(order: str) -> ChanceSource:
    """A shoe of these cards."""
    return ShoeSource(Shoe(cards(order), 0, len(order)))


def of_words(*words: str) -> ChanceSource:
    """What comes up on a wheel or dice."""
    return PredrawnSource(words)


def conforming(table: str, source: ChanceSource, bets: Sequence[Wager], picks: Sequence[int] = ()) -> Check:
    """A round from this source with these decisions passes the checks of the conformance suite."""

    def check() -> None:
        game = TABLES[table].game
        start, following = game.start(TABLES[table].rules, bets), iter(picks)
        choose = partial(check_moment, TABLES[table])
        deal = played(DealtRound(start, source), lambda choices: choices[next(following)], choose)
        check_replay(start, deal, source)
        check_settlements(TABLES[table], bets, deal.round)
        check_shared(TABLES[table], bets, deal)

    return check

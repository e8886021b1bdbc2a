"""What isn't on offer is refused by the rule that forbids it, and no code asks which table it is."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import croupier
from croupier.games import published_tables
from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import At, Choice, Decision
from croupier.play.driving.dealing import DealtRound
from croupier.refusal import Refused
from tests.conformance.checks import played
from tests.conformance.dealt import RANKS_DEALT, TABLES, shoe_of

PLAYING = (
    *("accounts", "audit", "equipment", "games", "gateway", "ledger", "play", "protocol", "runtime", "staff"),
    "tables",
)
"""The rooms that a round goes through; elsewhere somebody may call for a table by its name."""
SOURCES = sorted(path for room in PLAYING for path in (Path(croupier.__file__).parent / room).rglob("*.py"))
DECIDED = [name for name, table in TABLES.items() if table.game.observations]
"""Where something is decided."""
RULED = {
    "double": {"double_low_totals", "double_after_split"},
    "split": {"split", "splits"},
    "insure": {"insurance", "even_money"},
    "take_even_money": {"even_money"},
}
"""By which rules an action may be forbidden."""


def refusals(round_: Any) -> Iterator[tuple[str, str]]:
    """Every action that isn't on offer where its kind is, and the rule named."""
    for want in round_.wants():
        if not isinstance(want, Decision):
            continue
        playing = want.option("stand") is not None
        for action in ("double", "split") if playing else ("insure", "take_even_money"):
            if want.option(action) is None:
                with pytest.raises(Refused) as refused:
                    round_.answer(want, Choice(action))
                yield action, refused.value.rule


@pytest.mark.parametrize("name", DECIDED)
@settings(max_examples=60)
@given(ranks=RANKS_DEALT, seed=st.integers(0, 2**32))
def test_a_rule_is_named(name: str, ranks: str, seed: int) -> None:
    table, dice = TABLES[name], Random(seed)

    def check(round_: Any) -> None:
        for action, rule in refusals(round_):
            assert rule in RULED[action], f"{action} refused by {rule!r}"

    def pick(choices: Sequence[tuple[At, Choice]]) -> tuple[At, Choice]:
        return dice.choice(choices)

    wagers = [Wager(box, "main", 10) for box in range(min(2, table.game.boxes(table.rules)))]
    played(DealtRound(table.game.start(table.rules, wagers), shoe_of(ranks, seed)), pick, check)


@pytest.mark.parametrize("table", published_tables())
def test_no_code_asks_for_a_tables_name(table: str) -> None:
    # A game's own name is said once in its folder, and stands before its views.
    named = re.compile(rf"""(?<!name=)(?<!tag=)(["']){table}\1""")
    assert [path.name for path in SOURCES if named.search(path.read_text(encoding="utf-8"))] == []
    assert named.search(f'if table.id == "{table}":')
    assert not named.search(f'    name="{table}",')

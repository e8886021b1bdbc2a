"""A refused action names the rule that forbids it, and no code compares a table's name."""

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
from tests.conformance.checks import play_out
from tests.conformance.strategies import RANK_SETS, TABLES, shoe_of

PACKAGES = (
    *("accounts", "admission", "audit", "cluster", "dealing", "equipment", "games", "gateway", "ledger"),
    *("money", "outside", "play", "players", "protocol", "rounds", "staff", "tables", "video"),
)
"""The packages that take part in a round; the others may name a table."""
SOURCES = sorted(
    path for package in PACKAGES for path in (Path(croupier.__file__).parent / package).rglob("*.py")
)
WITH_DECISIONS = [name for name, table in TABLES.items() if table.game.observations]
"""The tables with decisions."""
RULES_BY_ACTION = {
    "double": {"double_low_totals", "double_after_split"},
    "split": {"split", "splits"},
    "insure": {"insurance", "even_money"},
    "take_even_money": {"even_money"},
}
"""The rules that may forbid each action."""


def refusals(round_: Any) -> Iterator[tuple[str, str]]:
    """Yield the refused actions of each decision, with the rule that the refusal names."""
    for want in round_.wants():
        if not isinstance(want, Decision):
            continue
        playing = want.option("stand") is not None
        for action in ("double", "split") if playing else ("insure", "take_even_money"):
            if want.option(action) is None:
                with pytest.raises(Refused) as refused:
                    round_.answer(want, Choice(action))
                yield action, refused.value.rule


@pytest.mark.parametrize("name", WITH_DECISIONS)
@settings(max_examples=60)
@given(ranks=RANK_SETS, seed=st.integers(0, 2**32))
def test_a_refusal_names_the_rule(name: str, ranks: str, seed: int) -> None:
    table, random = TABLES[name], Random(seed)

    def check(round_: Any) -> None:
        for action, rule in refusals(round_):
            assert rule in RULES_BY_ACTION[action], f"{action} refused by {rule!r}"

    def choose(choices: Sequence[tuple[At, Choice]]) -> tuple[At, Choice]:
        return random.choice(choices)

    wagers = [Wager(box, "main", 10) for box in range(min(2, table.game.boxes(table.rules)))]
    play_out(DealtRound(table.game.start(table.rules, wagers), shoe_of(ranks, seed)), choose, check)


@pytest.mark.parametrize("table", published_tables())
def test_no_code_compares_a_tables_name(table: str) -> None:
    # A game's name may equal a table's; it is set once in its folder and tags its views.
    quoted = re.compile(rf"""(?<!name=)(?<!tag=)(["']){table}\1""")
    assert [path.name for path in SOURCES if quoted.search(path.read_text(encoding="utf-8"))] == []
    assert quoted.search(f'if table.id == "{table}":')
    assert not quoted.search(f'    name="{table}",')

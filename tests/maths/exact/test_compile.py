"""A compiled automaton agrees with the round that it was compiled from, and planted faults are detected."""

from collections.abc import Callable
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace as with_fields

from croupier.maths.exact import compile as compiler
from croupier.maths.exact.automaton import Automaton, Ends
from croupier.maths.exact.compile import compile_automaton
from croupier.play.contract.game import Table
from croupier.play.contract.model import Strategy
from croupier.play.contract.wants import Choice, Decision, TurnCard
from tests.maths.simulation.dealt_rounds import compare_rounds, orders
from tests.maths.tables import DECISION_TABLES, chart_strategy

CHART = (Path(__file__).parents[1] / "charts" / "stands_soft_17.txt").read_text()

COUNTS = [200, pytest.param(20_000, marks=[pytest.mark.campaign, pytest.mark.timeout(0)])]
"""Orders of the shoe in `make test`, and in the campaign."""


def strategy_of(table: Table, name: str) -> Strategy:
    assert table.game.model
    return chart_strategy(table, CHART) if name == "chart" else table.game.model.strategies[name](table.rules)


def compare(table: Table, strategy: Strategy, *, seed: int, count: int) -> int:
    automaton = compile_automaton(table.game, table.rules, strategy, reuse_shoe=True)
    return compare_rounds(
        table.game, table.rules, strategy, automaton, orders(table.game.decks(table.rules), seed, count)
    )


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", ["classic", pytest.param("infinite", marks=pytest.mark.campaign)])
def test_the_automaton_of_a_chart_agrees_with_the_round(name: str, count: int) -> None:
    table = DECISION_TABLES[name]
    assert compare(table, strategy_of(table, "chart"), seed=1, count=count) == count


@pytest.mark.parametrize(
    ("name", "strategy"), list(zip(DECISION_TABLES, cycle(["mimic", "never_bust"]), strict=False))
)
def test_the_automata_of_simple_strategies_agree_with_the_round(name: str, strategy: str) -> None:
    table = DECISION_TABLES[name]
    assert compare(table, strategy_of(table, strategy), seed=2, count=150) == 150


def test_the_automaton_of_the_best_play_agrees_with_the_round() -> None:
    table = DECISION_TABLES["seven_seat"]
    assert compare(table, strategy_of(table, "optimal"), seed=3, count=500) == 500


@pytest.mark.parametrize("count", COUNTS)
def test_rules_of_no_published_table_agree_with_the_round(count: int) -> None:
    """Split aces may draw, few totals double, five cards win, 21 may draw, and insurance is taken."""
    table = DECISION_TABLES["premium"]
    rules = with_fields(
        table.rules,
        decks=1,
        split_aces_one_card=False,
        double_low_totals=(10, 11),
        charlie_cards=5,
        even_money=False,
        insurance="always",
        split_hands_decide="together",
        peek="ace",
    )
    strategy = chart_strategy(table, CHART.replace("insurance no", "insurance yes"))
    automaton = compile_automaton(table.game, rules, strategy, reuse_shoe=True)
    assert compare_rounds(table.game, rules, strategy, automaton, orders(1, 4, count)) == count


@pytest.mark.campaign
@pytest.mark.timeout(0)
@pytest.mark.parametrize("strategy", ["optimal", "basic"])
@pytest.mark.parametrize("name", DECISION_TABLES)
def test_a_million_shoes_agree_with_the_round(name: str, strategy: str) -> None:
    table = DECISION_TABLES[name]
    assert compare(table, strategy_of(table, strategy), seed=5, count=85_000) == 85_000


def reduced(automaton: Automaton[Ends]) -> Automaton[Ends]:
    """Return an equal automaton without the draws that make no difference, its states renumbered."""
    rows: dict[tuple[int, ...], int] = {}
    renumbered: dict[int, int] = {}

    def state(old: int) -> int:
        if old >= 0 and old not in renumbered:
            row = tuple(state(to) for to in automaton.rows[old])
            renumbered[old] = row[0] if len(set(row)) == 1 else rows.setdefault(row, len(rows))
        return renumbered[old] if old >= 0 else old

    state(0)
    return automaton._replace(rows=tuple(rows))


def canonical_form(automaton: Automaton[Ends], start: int) -> Any:
    """Return the reachable rows with results in place of end numbers: equal for equivalent automata."""
    renumbered: dict[int, int] = {}
    rows: dict[Any, int] = {}

    def state(old: int) -> Any:
        if old < 0:
            return automaton.ends[~old]
        if old not in renumbered:
            row = tuple(state(to) for to in automaton.rows[old])
            renumbered[old] = rows.setdefault(row, len(rows))
        return renumbered[old]

    state(start)
    return tuple(rows)


@pytest.mark.parametrize("name", ["classic", "infinite"])
def test_compiling_for_a_fresh_shoe_omits_only_idle_draws(name: str) -> None:
    table, strategy = DECISION_TABLES[name], strategy_of(DECISION_TABLES[name], "mimic")
    with_idle_draws = compile_automaton(table.game, table.rules, strategy, reuse_shoe=True)
    without_idle_draws = reduced(with_idle_draws)
    fresh = compile_automaton(table.game, table.rules, strategy)
    assert canonical_form(without_idle_draws, len(without_idle_draws.rows) - 1) == canonical_form(fresh, 0)
    assert fresh.draws()[0] < with_idle_draws.draws()[0]


def test_no_two_states_are_equivalent() -> None:
    table = DECISION_TABLES["premium"]
    automaton = compile_automaton(table.game, table.rules, strategy_of(table, "mimic"))
    assert len(set(automaton.rows)) == len(automaton.rows) == len(canonical_form(automaton, 0))


COMPLETE_HAND_FIELDS = ("result", "doubled", "less_minor")
"""The fields of a complete hand in a node's situation."""
Fault = Callable[[pytest.MonkeyPatch], None]
FAULTS: dict[str, Fault] = {}


def fault(function: Fault) -> Fault:
    FAULTS[function.__name__] = function
    return function


@fault
def wrong_payoff(patch: pytest.MonkeyPatch) -> None:
    original = compiler._Compiler._end
    patch.setattr(
        compiler._Compiler,
        "_end",
        lambda self, round_: tuple(end._replace(net=abs(end.net)) for end in original(self, round_)),
    )


@fault
def wrong_stake(patch: pytest.MonkeyPatch) -> None:
    original = compiler._Compiler._end
    patch.setattr(
        compiler._Compiler,
        "_end",
        lambda self, round_: tuple(end._replace(stake=4) for end in original(self, round_)),
    )


@fault
def wrong_merge(patch: pytest.MonkeyPatch) -> None:
    """Merge doubled hands with hands that weren't doubled."""
    original = compiler._Compiler.node

    def merged_node(self: Any, round_: Any) -> Any:
        node = original(self, round_)
        (hands, *rest), looks = cast("Any", node.situation)
        merged = tuple(hand[:1] if len(hand) == len(COMPLETE_HAND_FIELDS) else hand for hand in hands)
        return node._replace(situation=((merged, *rest), looks))

    patch.setattr(compiler._Compiler, "node", merged_node)


@fault
def hole_card_leaked(patch: pytest.MonkeyPatch) -> None:
    """Stand on any hand when the dealer's hidden card makes a stiff hand."""
    original = compiler._Compiler._expand

    def expand(self: Any, branch: Any, face_down: str) -> int:
        if (
            isinstance(branch.want, Decision)
            and face_down in {"2", "3", "4", "5", "6"}
            and branch.want.option("stand")
        ):
            return self.state(self.node(branch.round.answer(branch.want, Choice("stand"))), face_down)  # type: ignore[no-any-return]
        return original(self, branch, face_down)

    patch.setattr(compiler._Compiler, "_expand", expand)


@fault
def hole_card_drawn_twice(patch: pytest.MonkeyPatch) -> None:
    """Draw the hole card again when it is turned after a peek."""
    original = compiler._Compiler._expand

    def expand(self: Any, branch: Any, face_down: str) -> int:
        drawn_again = isinstance(branch.want, TurnCard) and face_down in {"2", "3"}
        return (
            self._row(original(self, branch, face_down) for _ in self.names)
            if drawn_again
            else original(self, branch, face_down)
        )

    patch.setattr(compiler._Compiler, "_expand", expand)


@fault
def hole_card_left_in_shoe(patch: pytest.MonkeyPatch) -> None:
    """Leave a hole card that is never turned in the shoe."""
    original = compiler._Compiler._end_state
    patch.setattr(
        compiler._Compiler, "_end_state", lambda self, branch, _face_down: original(self, branch, "")
    )


@fault
def peek_misread(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(compiler, "_within", lambda group, ranks: group[0] not in ranks)


EVEN_MONEY_CHART = CHART.replace("even_money no", "even_money yes")
"""A chart that takes even money, so that some hole cards are never turned."""


def compare_without_splits() -> int:
    """Compare rounds of a table without splits, whose automaton is small and has every place for a fault."""
    table = DECISION_TABLES["premium"]
    no_splits = replace(table, rules=with_fields(table.rules, splits="none"))
    return compare(no_splits, chart_strategy(table, EVEN_MONEY_CHART), seed=6, count=600)


def test_the_automaton_agrees_without_a_fault() -> None:
    assert compare_without_splits() == 600


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_detected(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same rounds agree without the fault."""
    FAULTS[name](monkeypatch)
    with pytest.raises((AssertionError, ValueError)):
        compare_without_splits()

"""The compiled automaton against the very round it was compiled from, and planted faults against both."""

from collections.abc import Callable
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
from tests.maths.simulation.drive import check, orders
from tests.maths.tables import DECIDED as TABLES
from tests.maths.tables import by_chart

CHART = (Path(__file__).parents[1] / "charts" / "stands_soft_17.txt").read_text()


def strategy_of(table: Table, name: str) -> Strategy:
    assert table.game.model
    return by_chart(table, CHART) if name == "chart" else table.game.model.strategies[name](table.rules)


def compare(table: Table, strategy: Strategy, *, seed: int, count: int) -> int:
    automaton = compile_automaton(table.game, table.rules, strategy, reuse_shoe=True)
    return check(
        table.game, table.rules, strategy, automaton, orders(table.game.decks(table.rules), seed, count)
    )


@pytest.mark.parametrize("name", ["classic", "infinite"])
def test_a_chart_and_the_round_agree(name: str) -> None:
    assert compare(TABLES[name], strategy_of(TABLES[name], "chart"), seed=1, count=500) == 500


@pytest.mark.parametrize("strategy", ["mimic", "never_bust"])
@pytest.mark.parametrize("name", TABLES)
def test_plain_strategies_and_the_round_agree(name: str, strategy: str) -> None:
    assert compare(TABLES[name], strategy_of(TABLES[name], strategy), seed=2, count=150) == 150


def test_the_best_play_and_the_round_agree() -> None:
    assert (
        compare(TABLES["seven_seat"], strategy_of(TABLES["seven_seat"], "optimal"), seed=3, count=500) == 500
    )


def test_rules_of_no_published_table_agree() -> None:
    """Split aces play on, doubles on few totals, five-card Charlie, 21 may draw, insurance is taken."""
    rules = with_fields(
        TABLES["premium"].rules,
        decks=1,
        split_aces_one_card=False,
        double_low_totals=(10, 11),
        charlie_cards=5,
        even_money=False,
        insurance="always",
        split_hands_decide="together",
        peek="ace",
    )
    game = TABLES["premium"].game
    strategy = by_chart(TABLES["premium"], CHART.replace("insurance no", "insurance yes"))
    automaton = compile_automaton(game, rules, strategy, reuse_shoe=True)
    assert check(game, rules, strategy, automaton, orders(1, 4, 1000)) == 1000


@pytest.mark.campaign
@pytest.mark.timeout(0)
@pytest.mark.parametrize("strategy", ["optimal", "basic"])
@pytest.mark.parametrize("name", TABLES)
def test_a_million_shoes_agree(name: str, strategy: str) -> None:
    assert compare(TABLES[name], strategy_of(TABLES[name], strategy), seed=5, count=85_000) == 85_000


def reduced(automaton: Automaton[Ends]) -> Automaton[Ends]:
    """The same automaton without the draws on which nothing depends, its states made anew."""
    rows: dict[tuple[int, ...], int] = {}
    known: dict[int, int] = {}

    def state(old: int) -> int:
        if old >= 0 and old not in known:
            row = tuple(state(to) for to in automaton.rows[old])
            known[old] = row[0] if len(set(row)) == 1 else rows.setdefault(row, len(rows))
        return known[old] if old >= 0 else old

    state(0)
    return automaton._replace(rows=tuple(rows))


def language(automaton: Automaton[Ends], start: int) -> Any:
    """The automaton with results for the numbers of its ends: equal for equal play."""
    known: dict[int, int] = {}
    made: dict[Any, int] = {}

    def state(old: int) -> Any:
        if old < 0:
            return automaton.ends[~old]
        if old not in known:
            row = tuple(state(to) for to in automaton.rows[old])
            known[old] = made.setdefault(row, len(made))
        return known[old]

    state(start)
    return tuple(made)


@pytest.mark.parametrize("name", ["classic", "infinite"])
def test_a_fresh_shoe_leaves_out_idle_draws_only(name: str) -> None:
    table, strategy = TABLES[name], strategy_of(TABLES[name], "mimic")
    every = reduced(compile_automaton(table.game, table.rules, strategy, reuse_shoe=True))
    fresh = compile_automaton(table.game, table.rules, strategy)
    assert language(every, len(every.rows) - 1) == language(fresh, 0)
    assert fresh.draws()[0] < compile_automaton(table.game, table.rules, strategy, reuse_shoe=True).draws()[0]


def test_no_two_states_are_alike() -> None:
    automaton = compile_automaton(
        TABLES["premium"].game, TABLES["premium"].rules, strategy_of(TABLES["premium"], "mimic")
    )
    assert len(set(automaton.rows)) == len(automaton.rows) == len(language(automaton, 0))


COMPLETE = ("result", "doubled", "less_minor")
"""What the situation says of a hand that is complete."""
Fault = Callable[[pytest.MonkeyPatch], None]
FAULTS: dict[str, Fault] = {}


def fault(plant: Fault) -> Fault:
    FAULTS[plant.__name__] = plant
    return plant


@fault
def wrong_payoff(patch: pytest.MonkeyPatch) -> None:
    right = compiler._Compiler._end
    patch.setattr(
        compiler._Compiler,
        "_end",
        lambda self, round_: tuple(end._replace(net=abs(end.net)) for end in right(self, round_)),
    )


@fault
def wrong_stake(patch: pytest.MonkeyPatch) -> None:
    right = compiler._Compiler._end
    patch.setattr(
        compiler._Compiler,
        "_end",
        lambda self, round_: tuple(end._replace(stake=4) for end in right(self, round_)),
    )


@fault
def wrong_merge(patch: pytest.MonkeyPatch) -> None:
    """Hands that were doubled are taken for hands that weren't."""
    right = compiler._Compiler.node

    def node(self: Any, round_: Any) -> Any:
        found = right(self, round_)
        (hands, *rest), looks = cast("Any", found.situation)
        blind = tuple(hand[:1] if len(hand) == len(COMPLETE) else hand for hand in hands)
        return found._replace(situation=((blind, *rest), looks))

    patch.setattr(compiler._Compiler, "node", node)


@fault
def hole_card_leaked(patch: pytest.MonkeyPatch) -> None:
    """The strategy stands on anything when the dealer's hidden card makes a stiff hand."""
    right = compiler._Compiler._expand

    def expand(self: Any, branch: Any, face_down: str) -> int:
        if (
            isinstance(branch.want, Decision)
            and face_down in {"2", "3", "4", "5", "6"}
            and branch.want.option("stand")
        ):
            return self.state(self.node(branch.round.answer(branch.want, Choice("stand"))), face_down)  # type: ignore[no-any-return]
        return right(self, branch, face_down)

    patch.setattr(compiler._Compiler, "_expand", expand)


@fault
def hole_card_drawn_twice(patch: pytest.MonkeyPatch) -> None:
    """Off by one draw: after a peek the hole card is drawn again when it is turned."""
    right = compiler._Compiler._expand

    def expand(self: Any, branch: Any, face_down: str) -> int:
        twice = isinstance(branch.want, TurnCard) and face_down in {"2", "3"}
        return (
            self._row(right(self, branch, face_down) for _ in self.names)
            if twice
            else right(self, branch, face_down)
        )

    patch.setattr(compiler._Compiler, "_expand", expand)


@fault
def hole_card_forgotten(patch: pytest.MonkeyPatch) -> None:
    """Off by one draw: a card that was dealt face down and never turned isn't drawn from the shoe."""
    right = compiler._Compiler._end_state
    patch.setattr(compiler._Compiler, "_end_state", lambda self, branch, _face_down: right(self, branch, ""))


@fault
def peek_misheard(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(compiler, "_within", lambda group, ranks: group[0] not in ranks)


PLAY = CHART.replace("even_money no", "even_money yes")
"""Even money is taken, so that some hole cards are never seen."""


def test_without_a_fault_they_agree() -> None:
    table = TABLES["premium"]
    assert compare(table, by_chart(table, PLAY), seed=6, count=600) == 600


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the very rounds that agree without it."""
    table = TABLES["premium"]
    FAULTS[name](monkeypatch)
    with pytest.raises((AssertionError, ValueError)):
        compare(table, by_chart(table, PLAY), seed=6, count=600)

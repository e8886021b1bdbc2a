"""The Game record of a game of coups, made from its definition."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.resources.abc import Traversable
from typing import Any, NoReturn

from msgspec import Struct

from croupier.play.contract.coverage import coverage
from croupier.play.contract.game import Dealing, Game
from croupier.play.contract.live import NO_SHOES, LiveGame, ShoePolicy
from croupier.play.contract.wants import Want
from croupier.play.coup.coup import Coup, CoupDefinition, check_wagers, settle, start
from croupier.play.coup.ends import largest_returns
from croupier.play.coup.model import coup_model
from croupier.play.coup.shared import share
from croupier.play.coup.view import CoupView

RuleErrors = Iterator[tuple[str, str]]


def no_rule_errors(_rules: Any, _dealing: Dealing) -> RuleErrors:
    """Yield nothing: every rules record of the type is valid."""
    yield from ()


def no_shoes(_rules: Any) -> ShoePolicy:
    """Return the policy of games without cards."""
    return NO_SHOES


def coup_game(
    *,
    name: str,
    title: str,
    folder: Traversable,
    rules: type[Struct],
    labels: Mapping[str, str],
    definition: CoupDefinition,
    view: type[CoupView],
    show: Callable[[Coup], CoupView],
    cloth: Callable[[Any], tuple[str, ...]],
    dealer_prompt: Callable[[Coup, Want], str],
    rule_errors: Callable[[Any, Dealing], RuleErrors] = no_rule_errors,
    shoe_policy: Callable[[Any], ShoePolicy] = no_shoes,
    rank: int = 100,
    start_word: str = "Deal",
) -> Game:
    """Return the Game. `folder` has its `variants.toml`, `help.md` and `figures.json`.

    `shoe_policy` is for live tables; own tables use fresh shoes with as many decks. For the rest see Game
    and LiveGame.
    """

    def decks(rules: Any) -> int:
        return shoe_policy(rules).decks

    return Game(
        name=name,
        title=title,
        rules=rules,
        variants=_read(folder, "variants.toml"),
        help=_read(folder, "help.md"),
        labels=labels,
        bets=definition.bets,
        check_wagers=partial(check_wagers, definition),
        start=partial(start, definition),
        settle=settle,
        largest_returns=partial(largest_returns, definition, decks),
        view=view,
        show=lambda coup, _balance_minor: show(coup),
        cloth=cloth,
        rule_errors=rule_errors,
        boxes=lambda _rules: 1,
        decks=decks,
        coverage=partial(coverage, definition),
        model=coup_model(definition),
        published_figures=_read(folder, "figures.json"),
        live=_live(definition, dealer_prompt, shoe_policy),
        rank=rank,
        start_word=start_word,
    )


def _read(folder: Traversable, file: str) -> str:
    return (folder / file).read_text(encoding="utf-8")


def _live(
    definition: CoupDefinition,
    dealer_prompt: Callable[[Coup, Want], str],
    shoe_policy: Callable[[Any], ShoePolicy],
) -> LiveGame:
    return LiveGame(
        seats=lambda _rules: 0,
        share=partial(share, definition),
        shoe_policy=shoe_policy,
        dealer_prompt=dealer_prompt,
        offers=frozenset(),
        default_choice=_no_decisions,
        default_choice_notes=lambda _rules: (),
        uncovered_notes=lambda _rules: (),
        situation=_no_decisions,
        result=lambda coup: definition.result(coup.rules, coup.dealt),
    )


def _no_decisions(*arguments: object) -> NoReturn:
    raise AssertionError(f"a coup has no decisions: {arguments}")

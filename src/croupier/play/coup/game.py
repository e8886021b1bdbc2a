"""The record of a game of coups: what the house needs of it, made of the little that such a game tells."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.resources.abc import Traversable
from typing import Any, NoReturn

from msgspec import Struct

from croupier.play.contract.coverage import coverage
from croupier.play.contract.game import Dealing, Game
from croupier.play.contract.live import NO_CARDS, Cards, Live
from croupier.play.contract.wants import Want
from croupier.play.coup.coup import Coup, Telling, begun, check, settled
from croupier.play.coup.model import coup_model
from croupier.play.coup.shared import gathered
from croupier.play.coup.view import CoupView

Flaws = Iterator[tuple[str, str]]


def flawless(_rules: Any, _dealing: Dealing) -> Flaws:
    """Every rules record of the type is right, however it is dealt."""
    yield from ()


def no_cards(_rules: Any) -> Cards:
    """A wheel or dice are all there is."""
    return NO_CARDS


def coup_game(
    *,
    name: str,
    title: str,
    folder: Traversable,
    rules: type[Struct],
    words: Mapping[str, str],
    telling: Telling,
    view: type[CoupView],
    show: Callable[[Coup], CoupView],
    cloth: Callable[[Any], tuple[str, ...]],
    asks: Callable[[Coup, Want], str],
    flaws: Callable[[Any, Dealing], Flaws] = flawless,
    cards: Callable[[Any], Cards] = no_cards,
    rank: int = 100,
    start_word: str = "Deal",
) -> Game:
    """The Game. `folder` has its `variants.toml`, `help.md` and `figures.json`.

    `cards`: of a live table; a fresh shoe at an own table has as many decks. The rest is as in Game, Live.
    """
    return Game(
        name=name,
        title=title,
        rules=rules,
        variants=_read(folder, "variants.toml"),
        help=_read(folder, "help.md"),
        words=words,
        bets=telling.bets,
        check=partial(check, telling),
        start=partial(begun, telling),
        settled=settled,
        view=view,
        show=lambda coup, _balance_minor: show(coup),
        cloth=cloth,
        flaws=flaws,
        boxes=lambda _rules: 1,
        decks=lambda rules: cards(rules).decks,
        covers=partial(coverage, telling),
        model=coup_model(telling),
        known=_read(folder, "figures.json"),
        live=_live(telling, asks, cards),
        rank=rank,
        start_word=start_word,
    )


def _read(folder: Traversable, file: str) -> str:
    return (folder / file).read_text(encoding="utf-8")


def _live(telling: Telling, asks: Callable[[Coup, Want], str], cards: Callable[[Any], Cards]) -> Live:
    return Live(
        seats=lambda _rules: 0,
        gathered=partial(gathered, telling),
        cards=cards,
        asks=asks,
        offers=frozenset(),
        auto=_nobody_decides,
        auto_told=lambda _rules: (),
        uncovered_told=lambda _rules: (),
        situation=_nobody_decides,
        result=lambda coup: telling.result(coup.rules, coup.dealt),
    )


def _nobody_decides(*asked: object) -> NoReturn:
    raise AssertionError(f"nobody decides anything in a coup: {asked}")

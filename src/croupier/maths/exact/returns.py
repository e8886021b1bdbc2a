"""Returns of a table's bets, without numerical libraries where possible, and faults of its paytables."""

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import msgspec

from croupier.games import games, published_tables
from croupier.maths.exact.coup_figures import figures_under
from croupier.play.contract.figures import BetOdds, group_equal
from croupier.play.contract.game import Game, Table
from croupier.play.contract.published_figures import PublishedFigures
from croupier.play.tables.toml_blocks import fields


class PaytableFault(NamedTuple):
    """A field of a table whose bet returns more than 100 %, or has a line that can't occur."""

    field: str
    why: str
    is_over_100: bool


def bet_odds(table: Table) -> tuple[BetOdds, ...]:
    """Return the odds of the bets without decisions."""
    game = table.game
    return game.bet_odds(table.rules) if game.bet_odds else figures_under(game, table.rules).bets


def published_return(table: Table) -> float | None:
    """Return the published return of the main bet under these rules; None if no published table has them."""
    for found in published_tables().values():
        known = _published(found.game.published_figures).get(found.id)
        if found.game is table.game and found.rules == table.rules and known and known.returns:
            return float(known.returns[0].per_initial_stake) / 100
    return None


@cache
def _published(text: str) -> dict[str, PublishedFigures]:
    return msgspec.json.decode(text, type=dict[str, PublishedFigures])


def returns(table: Table, main: float | None) -> dict[str, float]:
    """Return the return of each bet by its label, those of one kind with equal lines once."""
    known = _published(table.game.published_figures).get(table.id) if _is_published(table) else None
    if known:
        percents = {label_of(table, each.bets): float(each.returned) for each in known.bets}
        main = float(known.returns[0].per_initial_stake) / 100 if known.returns else None
    else:
        grouped = group_equal(bet_odds(table))
        bets = [(label_of(table, [odds.bet for odds in alike]), alike[0].returned) for alike in grouped]
        percents = {label: round(100 * float(returned), 3) for label, returned in bets}
    return percents if main is None else {table.labels["main"]: round(100 * main, 3), **percents}


def _is_published(table: Table) -> bool:
    found = published_tables().get(table.id)
    return found is not None and found.rules == table.rules


def label_of(table: Table, bets: Sequence[str]) -> str:
    """Return the label of the first bet, and how many others are like it."""
    others = f" and {len(bets) - 1} like it" if len(bets) > 1 else ""
    return table.labels[bets[0]] + others


def main_return(game: Game, rules: Any) -> float:
    """Return the return of the main bet with the best play; loads numerical libraries."""
    return 1 + figures_under(game, rules).mean


def print_main_return(game: str, rules: str) -> None:
    """Print the return of the main bet, for a process that doesn't load numerical libraries itself."""
    found = games()[game]
    sys.stdout.write(str(main_return(found, msgspec.json.decode(rules, type=found.rules))))


def paytable_faults(table: Table) -> Iterator[PaytableFault]:
    """Yield the faults of the bets without decisions; of bets of a kind with equal lines, once."""
    seen = set[tuple[str, str]]()
    for odds in bet_odds(table):
        field = next((name for name in (odds.bet, odds.kind) if name in fields(type(table.rules))), "")
        for why, is_over in _faults(table, odds):
            if (field or odds.bet, why) not in seen:
                seen.add((field or odds.bet, why))
                yield PaytableFault(field, why, is_over)


def _faults(table: Table, odds: BetOdds) -> Iterator[tuple[str, bool]]:
    for line in odds.lines:
        if not line.chance:
            why = f"the line {line.outcome!r} can't occur; remove it (a bet with [] isn't offered), or "
            yield why + "change the line that is paid instead", False
    if odds.returned > 1:
        yield over_100(table.labels[odds.bet], odds.returned), True


def over_100(bet: str, returned: Fraction | float) -> str:
    """Return the fault of a bet that returns more than 100 %."""
    return f"{bet} returns {100 * float(returned):.3f} %; allowed is: 100 % at most, or allow_over_100 = true"

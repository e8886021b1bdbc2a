"""`rtp`: the return of a table's bets."""

from collections.abc import Iterator
from fractions import Fraction

from rich.table import Table as Grid

from croupier.cli.output import JsonFlag, TablesFile, console, fits_beside, grid, print_json
from croupier.cli.study import Changes, NoCache, TableName, at_best, changed_table, figures_of
from croupier.maths.exact.claims import DIGITS, Claim, claims
from croupier.maths.reporting.wording import MEASURES, bets_label, percent
from croupier.play.contract.figures import BetOdds, Figures, PlayFigures, group_equal
from croupier.play.contract.game import Table

REST_WIDTH = 66
"""Width of a row without its fraction."""


def rtp(
    table: TableName,
    changes: Changes = None,
    tables: TablesFile = None,
    json: JsonFlag = False,
    _no_cache: NoCache = False,
) -> None:
    """Print the exact return of every bet of a table, next to the published one.

    Returns are relative to the initial stake: what is placed before the deal. The main bet is played
    optimally, using every card of the hand; insurance and even money are taken if that is better.

    Examples:

    - `croupier rtp infinite`
    - `croupier rtp infinite --set decks=6 --set dealer_hits_soft_17=true`
    - `croupier rtp roulette --json`
    """
    found = changed_table(table, changes, tables)
    figures = figures_of(found)
    if json:
        print_json(record(found, figures))
    else:
        _print(found, figures)


def record(table: Table, figures: Figures) -> dict[str, object]:
    """Return the record that `rtp --json` prints."""
    return {
        "table": table.id,
        **_played(figures.best),
        "bets": {odds.bet: _odds(odds) for odds in figures.bets},
        "published": [_claim(claim) for claim in claims(table, figures)],
    }


def _played(played: PlayFigures) -> dict[str, object]:
    return {
        "strategy": played.strategy,
        "return_per_initial_stake": round(played.return_per_initial_stake, DIGITS),
        "return_per_total_stake": round(played.return_per_total_stake, DIGITS),
        "stake_per_round": round(played.stake_per_round, DIGITS),
        "standard_deviation": round(played.standard_deviation, DIGITS),
        "house_edge": round(played.house_edge, DIGITS),
        "element_of_risk": round(played.element_of_risk, DIGITS),
    }


def _odds(odds: BetOdds) -> dict[str, object]:
    return {
        "return": round(float(odds.returned), DIGITS),
        "fraction": str(odds.returned),
        "house_edge": round(float(odds.house_edge), DIGITS),
        "standard_deviation": round(odds.standard_deviation, DIGITS),
    }


def _claim(claim: Claim) -> dict[str, object]:
    return {
        "figure": claim.bet,
        "value": float(Fraction(claim.percent) / 100),
        "of": claim.of,
        "reproduced": claim.reproduced,
        "exact": round(float(claim.found), DIGITS),
    }


def _print(table: Table, figures: Figures) -> None:
    console.print(f"[bold]{table.title}[/], {at_best(table, figures)}")
    if figures.chart:
        console.print(_main(figures))
    for part in _bets(table, figures) if figures.bets else ():
        console.print(part, soft_wrap=isinstance(part, str))
    for line in _published(table, figures):
        console.print(line)


def _main(figures: Figures) -> Grid:
    shown = grid("main bet", "exactly")
    for name, describe in MEASURES.items():
        shown.add_row(name, describe(figures.best))
    return shown


def _bets(table: Table, exact: Figures) -> Iterator[Grid | str]:
    """Yield one row for bets of a kind with the same figures; fractions that don't fit follow the table."""
    rows = [(bets_label(table, alike), alike[0]) for alike in group_equal(exact.bets)]
    beside = fits_beside((odds.returned for _, odds in rows), REST_WIDTH)
    heading = "side bet" if exact.chart else "bet"
    shown = grid(heading, "return", "house edge", "deviation", *(("exactly",) if beside else ()))
    for name, odds in rows:
        figures = percent(odds.returned), percent(odds.house_edge), f"{odds.standard_deviation:.6f}"
        shown.add_row(name, *figures, *((str(odds.returned),) if beside else ()))
    yield shown
    if not beside:
        yield from (f"{name}: exactly {odds.returned}" for name, odds in rows)


def _published(table: Table, figures: Figures) -> Iterator[str]:
    for claim in claims(table, figures):
        verdict = "[green]reproduced[/]" if claim.reproduced else "[red]not reproduced[/]"
        yield (
            f"published: {table.labels[claim.bet]} {claim.percent} % of {claim.of}; "
            f"exact {percent(claim.found)}, {verdict}"
        )

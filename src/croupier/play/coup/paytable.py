"""Paytables as written in table files: one line for each outcome, with its odds.

A coup may have several outcomes at once: the banker won, and won with 6. The first paytable line that applies
settles a bet, so an exception goes above the rule: `banker_wins_6 1:2`, then `banker_wins 1:1`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any

from msgspec import Meta

from croupier.play.contract.bets import Bet, Pay
from croupier.play.contract.odds import Odds
from croupier.play.coup.coup import CoupSteps

OddsText = Annotated[str, Meta(pattern=r"^[1-9][0-9]*:[1-9][0-9]*$", description='odds such as "3:2"')]
PayText = Annotated[
    str,
    Meta(
        pattern=r"^[a-z0-9_]+ ([1-9][0-9]*:[1-9][0-9]*|push|half back)$",
        description='a line such as "tie 8:1", "tie push" or "tie half back"',
    ),
]
PaytableLines = tuple[PayText, ...]


@cache
def parse_paytable(lines: tuple[str, ...]) -> tuple[Pay, ...]:
    """Parse a paytable field as outcomes and odds, in order."""
    parted = (line.partition(" ") for line in lines)
    return tuple(Pay(outcome, Odds.parse(text)) for outcome, _, text in parted)


def first_line_hit(table: Iterable[Pay], outcomes: Collection[str]) -> str | None:
    """Return the outcome of the first line that applies; None if the bet is lost."""
    return next((pay.outcome for pay in table if pay.outcome in outcomes), None)


def paytable_bets(kinds: Mapping[str, str]) -> Callable[[Any], tuple[Bet, ...]]:
    """Return the `bets` function for rules with one paytable field for each bet.

    `kinds` maps these fields to the kinds of the bets. A bet with an empty paytable isn't offered.
    """

    @cache
    def bets(rules: Any) -> tuple[Bet, ...]:
        found = (
            Bet(bet, main=True, pays=parse_paytable(getattr(rules, bet)), kind=kind)
            for bet, kind in kinds.items()
        )
        return tuple(bet for bet in found if bet.pays)

    return bets


def paytable_outcome(
    outcomes: Callable[[Any, CoupSteps], Collection[str]],
) -> Callable[[Any, str, CoupSteps], str | None]:
    """Return the `outcome` function for such rules; `outcomes` names all outcomes of an ended coup."""

    def outcome(rules: Any, bet: str, dealt: CoupSteps) -> str | None:
        return first_line_hit(parse_paytable(getattr(rules, bet)), outcomes(rules, dealt))

    return outcome


def paytable_errors(field: str, table: Iterable[Pay], known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield a field's impossible or duplicate lines, with what is allowed."""
    outcomes = [pay.outcome for pay in table]
    for outcome in outcomes:
        if outcome not in known:
            yield field, f"no outcome {outcome!r}; allowed are: {', '.join(known)}"
        if outcomes.count(outcome) > 1:
            yield field, f"{outcome!r} stands there twice; allowed is: once"


def paytables_errors(rules: Any, bets: Iterable[str], known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the errors of all paytables, if all bets may name the same outcomes."""
    for bet in bets:
        yield from paytable_errors(bet, parse_paytable(getattr(rules, bet)), known)


def cloth_lines(bets: Iterable[Bet], labels: Mapping[str, str]) -> tuple[str, ...]:
    """Return the lines printed on the cloth: the odds of each bet, line by line if it has several."""
    return tuple(line for bet in bets for line in _printed(bet, labels))


def _printed(bet: Bet, labels: Mapping[str, str]) -> Iterator[str]:
    paid = [pay for pay in bet.pays if pay.odds.wins > 0]
    for outcome, odds in paid:
        what = labels[bet.name if len(paid) == 1 else outcome]
        yield f"{what} pays {odds.wins} to {odds.staked}"

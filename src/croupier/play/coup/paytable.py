"""Paytables as a table's file writes them: one line for each outcome, and what it pays.

A coup may answer to several outcomes at once: the banker won, and won with 6. A bet goes by the first
line of its paytable that came up, so an exception stands above the rule: `banker_wins_6 1:2`, then
`banker_wins 1:1`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any

from msgspec import Meta

from croupier.play.contract.bets import Bet, Pay
from croupier.play.contract.odds import Odds
from croupier.play.coup.coup import Dealt

OddsText = Annotated[str, Meta(pattern=r"^[1-9][0-9]*:[1-9][0-9]*$", description='odds such as "3:2"')]
PayText = Annotated[
    str,
    Meta(
        pattern=r"^[a-z0-9_]+ ([1-9][0-9]*:[1-9][0-9]*|push|half back)$",
        description='a line such as "tie 8:1", "tie push" or "tie half back"',
    ),
]
Lines = tuple[PayText, ...]


@cache
def pays(lines: tuple[str, ...]) -> tuple[Pay, ...]:
    """A paytable field as outcomes and odds, in its order."""
    parted = (line.partition(" ") for line in lines)
    return tuple(Pay(outcome, Odds.parse(text)) for outcome, _, text in parted)


def line_of(table: Iterable[Pay], came_up: Collection[str]) -> str | None:
    """The first line that came up; None: the bet is lost."""
    return next((pay.outcome for pay in table if pay.outcome in came_up), None)


def bets_of(kinds: Mapping[str, str]) -> Callable[[Any], tuple[Bet, ...]]:
    """The bets of rules that have a paytable in a field for each; `kinds` has these fields, each bet's kind.

    A bet whose paytable is empty isn't offered.
    """

    @cache
    def bets(rules: Any) -> tuple[Bet, ...]:
        found = (
            Bet(bet, main=True, pays=pays(getattr(rules, bet)), kind=kind) for bet, kind in kinds.items()
        )
        return tuple(bet for bet in found if bet.pays)

    return bets


def outcome_by(came_up: Callable[[Any, Dealt], Collection[str]]) -> Callable[[Any, str, Dealt], str | None]:
    """The line of such a paytable that came up; `came_up` names the outcomes of a coup that has ended."""

    def outcome(rules: Any, bet: str, dealt: Dealt) -> str | None:
        return line_of(pays(getattr(rules, bet)), came_up(rules, dealt))

    return outcome


def flaws(field: str, table: Iterable[Pay], known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Lines of a field's paytable that can't come up or stand there twice, with what is allowed."""
    outcomes = [pay.outcome for pay in table]
    for outcome in outcomes:
        if outcome not in known:
            yield field, f"no outcome {outcome!r}; allowed are: {', '.join(known)}"
        if outcomes.count(outcome) > 1:
            yield field, f"{outcome!r} stands there twice; allowed is: once"


def flaws_of(rules: Any, bets: Iterable[str], known: Collection[str]) -> Iterator[tuple[str, str]]:
    """The flaws of every bet's paytable, where all bets may name the same outcomes."""
    for bet in bets:
        yield from flaws(bet, pays(getattr(rules, bet)), known)


def cloth(bets: Iterable[Bet], words: Mapping[str, str]) -> tuple[str, ...]:
    """What is printed on the cloth: what each bet pays, line by line where it has more than one."""
    return tuple(line for bet in bets for line in _printed(bet, words))


def _printed(bet: Bet, words: Mapping[str, str]) -> Iterator[str]:
    paid = [pay for pay in bet.pays if pay.odds.wins > 0]
    for outcome, odds in paid:
        what = words[bet.name if len(paid) == 1 else outcome]
        yield f"{what} pays {odds.wins} to {odds.staked}"

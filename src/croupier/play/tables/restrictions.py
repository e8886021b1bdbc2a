"""Restrictions on combining bets (004 6), checked against all of a player's bets in a round."""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from croupier.play.contract.coverage import Coverage
from croupier.refusal import Refused

BetNames = tuple[str, ...]


class Restrictions(NamedTuple):
    """No player may place all bets of a line of `never_together`; a coverage of 100 % restricts nothing."""

    never_together: tuple[BetNames, ...] = ()
    covers_at_most_percent: int = 100


def check_bets(
    restrictions: Restrictions, coverage: Coverage | None, bets: Collection[str], labels: Mapping[str, str]
) -> None:
    """Refuse `never_together` with the labels of the bets, or `covers_too_much` with the maximum."""
    for line in restrictions.never_together:
        if all(bet in bets for bet in line):
            raise Refused("never_together", rule="never_together", bets=bet_list(line, labels))
    if coverage is None or restrictions.covers_at_most_percent == 100:
        return
    covered, maximum = coverage.covered(bets), coverage_max(restrictions, coverage)
    if covered > maximum:
        raise Refused(
            "covers_too_much",
            rule="covers_at_most_percent",
            percent=restrictions.covers_at_most_percent,
            covered=covered,
            most=maximum,
            outcomes=coverage.outcomes,
        )


def coverage_max(restrictions: Restrictions, coverage: Coverage) -> int:
    """Return the maximum number of outcomes that a player's bets may cover: 34 of 37 for 92 %."""
    return coverage.outcomes * restrictions.covers_at_most_percent // 100


def bet_list(bets: BetNames, labels: Mapping[str, str]) -> str:
    """Format the bets' labels, such as `Player and Banker` or `A, B and C`."""
    *first, last = (labels[bet] for bet in bets)
    return f"{', '.join(first)} and {last}" if first else last


def restriction_notes(
    restrictions: Restrictions, coverage: Coverage | None, labels: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the restrictions as sentences for players; empty without restrictions."""
    lines = [_never(line, labels) for line in restrictions.never_together]
    if coverage is not None and restrictions.covers_at_most_percent < 100:
        lines.append(_covered(restrictions, coverage))
    return tuple(lines)


def _never(line: BetNames, labels: Mapping[str, str]) -> str:
    return f"{bet_list(line, labels)} can't be bet on in the same round."


def _covered(restrictions: Restrictions, coverage: Coverage) -> str:
    return (
        f"All your bets in a round may cover at most {restrictions.covers_at_most_percent} % of the "
        f"outcomes: {coverage_max(restrictions, coverage)} of {coverage.outcomes}."
    )


def restriction_errors(
    restrictions: Restrictions, coverage: Coverage | None, bets: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield each invalid field with what is allowed: unknown bets, or a coverage that can't be counted."""
    for line in restrictions.never_together:
        if len(set(line)) < 2 or len(set(line)) < len(line):
            yield "never_together", "write at least two different bets in each of its lists"
        for bet in line:
            if bet not in bets:
                yield "never_together", f"no bet {bet!r}; allowed are: {', '.join(bets)}"
    if coverage is None and restrictions.covers_at_most_percent < 100:
        yield "covers_at_most_percent", "allowed is: 100, since this game has no outcomes to be counted"

"""What a table takes of a player: stakes and whole bets within limits, and bets that go together."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from croupier.play import restrictions
from croupier.play.amounts import Limits
from croupier.play.bets import Bet, Wager
from croupier.play.game import Table
from croupier.play.limits import flaws
from croupier.refusal import Refused

ByCurrency = Mapping[str, Limits]
Kinds = Mapping[str, ByCurrency]


def within_limits(table: Table, currency: str, wagers: Sequence[Wager]) -> None:
    """Refused with the bet and its limit, the table's maximum, or the restriction that is broken."""
    if currency not in table.limits:
        raise Refused("no_such_currency", currency=currency, allowed=", ".join(table.limits))
    bets = offered(table)
    for wager in wagers:
        if wager.bet not in bets:
            raise Refused("no_such_bet", bet=wager.bet)
        _stake_within(table, currency, bets[wager.bet], wager.stake_minor)
    _whole_within(table, currency, wagers)
    restrictions.check(table.restrictions, table.coverage, {wager.bet for wager in wagers}, table.words)


def offered(table: Table) -> Mapping[str, Bet]:
    """The bets of the table by name: worked out once, though thousands bet in a round."""
    return _by_name(table.game.bets, table.rules)


@lru_cache(maxsize=64)
def _by_name(bets: Callable[[Any], tuple[Bet, ...]], rules: Any) -> Mapping[str, Bet]:
    return {bet.name: bet for bet in bets(rules)}


def _stake_within(table: Table, currency: str, bet: Bet, stake_minor: int) -> None:
    least, most = table.limits_of(bet, currency)
    title = table.words[bet.name]
    if stake_minor < least:
        raise Refused("under_minimum", bet=bet.name, title=title, min_minor=least)
    if stake_minor > most:
        raise Refused("over_maximum", bet=bet.name, title=title, max_minor=most)


def _whole_within(table: Table, currency: str, wagers: Iterable[Wager]) -> None:
    whole = table.table_limits.get(currency)
    staked_minor = sum(wager.stake_minor for wager in wagers)
    if whole and staked_minor > whole.max_minor:
        raise Refused("over_table_maximum", staked_minor=staked_minor, max_minor=whole.max_minor)


def with_limits(
    table: Table, limits: ByCurrency, sides: ByCurrency, kinds: Kinds, whole: ByCurrency
) -> Table:
    """The table under other limits, all of them: as its block has them.

    Refused `no_such_currency` where they are of other currencies than the table's, `wrong_limits` where
    they are no limits, or don't fit its bets.
    """
    every = (limits, sides, whole, *kinds.values())
    if limits.keys() != table.limits.keys() or any(each.keys() - limits.keys() for each in every):
        raise Refused("no_such_currency", allowed=", ".join(table.limits))
    if not all(0 < least <= most for each in every for least, most in each.values()):
        raise Refused("wrong_limits")
    after = replace(
        table,
        limits=dict(limits),
        side_limits={**limits, **sides},
        kind_limits={kind: dict(each) for kind, each in kinds.items()},
        table_limits=dict(whole),
    )
    for field, _ in flaws(after):
        raise Refused("wrong_limits", rule=field)
    return after

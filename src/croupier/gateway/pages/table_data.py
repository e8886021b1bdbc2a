"""Conversion of tables to `wire.TableData`."""

from collections.abc import Iterator, Mapping

from croupier.gateway.pages.lobby import covering
from croupier.gateway.pages.rules import exact_figures
from croupier.play.contract.amounts import StakeLimits
from croupier.play.contract.bets import Bet
from croupier.play.contract.game import Table
from croupier.play.contract.published_figures import PublishedFigures
from croupier.protocol.wire import (
    BetReturn,
    BetTerms,
    PaytableLine,
    PublishedPercentage,
    StakeRange,
    StrategyReturn,
    TableData,
)


def table_data(table: Table) -> TableData:
    """Return the current bets, limits and returns of a table."""
    known = exact_figures(table) or PublishedFigures()
    return TableData(
        table=table.id,
        title=table.title,
        game=table.game.name,
        dealing=table.dealing,
        boxes=table.game.boxes(table.rules),
        rules_version=table.rules_version,
        rules_date=table.rules_date,
        rules={field: getattr(table.rules, field) for field in table.rules.__struct_fields__},
        bets=tuple(_bet(table, bet) for bet in table.bets.values()),
        table_limits=_ranges(table.table_limits),
        never_together=table.restrictions.never_together,
        covering=covering(table),
        published=tuple(
            PublishedPercentage(figure.bet, float(figure.percent), figure.of) for figure in table.published
        ),
        exact_strategies=tuple(_strategies(known)),
        exact_bets=tuple(
            BetReturn(each.bets, float(each.returned), float(each.house_edge)) for each in known.bets
        ),
    )


def _strategies(known: PublishedFigures) -> Iterator[StrategyReturn]:
    for each in known.returns:
        yield StrategyReturn(each.strategy, float(each.per_initial_stake), float(each.per_total_stake))


def _bet(table: Table, bet: Bet) -> BetTerms:
    return BetTerms(
        bet=bet.name,
        title=table.labels[bet.name],
        kind=bet.kind,
        main=bet.main,
        pays=tuple(PaytableLine(pay.outcome, table.labels[pay.outcome], *pay.odds) for pay in bet.pays),
        limits=_ranges({currency: table.limits_of(bet, currency) for currency in table.limits}),
    )


def _ranges(limits: Mapping[str, StakeLimits]) -> tuple[StakeRange, ...]:
    return tuple(StakeRange(currency, *each) for currency, each in limits.items())

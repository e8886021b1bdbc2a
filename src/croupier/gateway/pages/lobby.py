"""Tables as shown in the lobby, and the current status of live tables."""

from collections.abc import Callable, Mapping, Sequence

from croupier.dealing.live.table import LiveTable
from croupier.equipment.cards import DECK
from croupier.gateway.pages.rules import exact_figures
from croupier.play.contract.amounts import chips_minor
from croupier.play.contract.bets import Bet, Pay
from croupier.play.contract.game import Table
from croupier.play.tables.restrictions import bet_list, coverage_max, restriction_notes
from croupier.protocol.wire import (
    BetLimits,
    CoverageLimit,
    CurrencyLimits,
    DisplayedReturn,
    ExactReturn,
    ExclusiveBets,
    LastRound,
    LiveTableStatus,
    LobbyTable,
)
from croupier.tables.live.phases import light

FRESH_MS = 500
ROUNDS_SHOWN = 10


def lobby_table(table: Table) -> LobbyTable:
    return LobbyTable(
        table=table.id,
        title=table.title,
        game=table.game.name,
        line=table.line,
        live=table.dealing == "live",
        boxes=table.game.boxes(table.rules),
        start_word=table.game.start_word,
        cloth=table.game.cloth(table.rules),
        cut_card_percent=cut_card_percent(table),
        multi_play=table.multi_play,
        limits=tuple(_limits(table, currency) for currency in table.limits),
        restrictions=restriction_notes(table.restrictions, table.coverage, table.labels),
        never_together=tuple(
            ExclusiveBets(line, bet_list(line, table.labels)) for line in table.restrictions.never_together
        ),
        covering=covering(table),
        called=dict(table.label_overrides),
        published=tuple(
            DisplayedReturn(table.labels[figure.bet], figure.percent, figure.of) for figure in table.published
        ),
        exact_return=exact_return(table),
    )


def cut_card_percent(table: Table) -> int | None:
    """Return the part of a shoe in front of its cut card, in percent; None if there is no cut card."""
    if table.dealing != "live" or table.game.live is None:
        return None
    cards = table.game.live.shoe_policy(table.rules)
    if cards.every_round or not cards.shoes:
        return None
    return round(100 * cards.cut / (len(DECK) * cards.decks))


def exact_return(table: Table) -> ExactReturn | None:
    """Return the best return, by strategy or among the main bets; None if it wasn't computed."""
    known = exact_figures(table)
    if known is None:
        return None
    if known.returns:
        return ExactReturn(known.returns[0].per_initial_stake, "the initial stake, with the best decisions")
    main = {name: each.returned for each in known.bets for name in each.bets if table.bets[name].main}
    if not main:
        return None
    best = max(main.values(), key=float)
    return ExactReturn(best, _named([name for name in main if main[name] == best], len(main), table))


def _named(best: Sequence[str], of: int, table: Table) -> str:
    if len(best) == of:
        return "every bet"
    return table.labels[best[0]] if len(best) == 1 else "the best bets"


def covering(table: Table) -> CoverageLimit | None:
    """Return the limit on covered outcomes; None if all may be covered."""
    percent, coverage = table.restrictions.covers_at_most_percent, table.coverage
    if coverage is None or percent == 100:
        return None
    numbers = {outcome: at for at, outcome in enumerate(sorted(frozenset().union(*coverage.of.values())))}
    return CoverageLimit(
        percent=percent,
        most=coverage_max(table.restrictions, coverage),
        outcomes=coverage.outcomes,
        of={bet: tuple(sorted(numbers[won] for won in wins)) for bet, wins in coverage.of.items()},
    )


def _limits(table: Table, currency: str) -> CurrencyLimits:
    whole, span = table.table_limits.get(currency), table.main_limits(currency)
    return CurrencyLimits(
        currency=currency,
        min_minor=span.min_minor,
        max_minor=span.max_minor,
        chips_minor=chips_minor(table.currencies[currency], span),
        table_max_minor=whole.max_minor if whole else None,
        bets=tuple(_bet(table, bet, currency) for bet in table.game.bets(table.rules)),
    )


def _bet(table: Table, bet: Bet, currency: str) -> BetLimits:
    min_minor, max_minor = table.limits_of(bet, currency)
    return BetLimits(
        bet=bet.name,
        title=table.labels[bet.name],
        kind=bet.kind,
        main=bet.main,
        min_minor=min_minor,
        max_minor=max_minor,
        pays=tuple(_line(table, pay) for pay in bet.pays),
    )


def _line(table: Table, pay: Pay) -> str:
    return f"{table.labels[pay.outcome]} {pay.odds}"


class LobbyTableCache:
    """Cache of lobby tables, renewed when a table changes; roulette has 160 bets per currency."""

    def __init__(self) -> None:
        self._cached: dict[str, tuple[Table, LobbyTable]] = {}

    def card(self, table: Table) -> LobbyTable:
        cached = self._cached.get(table.id)
        if cached is None or cached[0] is not table:
            cached = self._cached[table.id] = table, lobby_table(table)
        return cached[1]


class LiveStatusCache:
    """Cache of the status of live tables, renewed at most twice a second for all clients.

    `remote` returns the statuses of other nodes' tables.
    """

    def __init__(
        self,
        live: Mapping[str, LiveTable],
        *,
        results: bool,
        remote: Callable[[], Mapping[str, LiveTableStatus]] = dict,
    ) -> None:
        self._live = live
        self._remote = remote
        self._results = results
        self._lines: list[LiveTableStatus] = []
        self._at_ms = 0

    def lines(self, now_ms: int) -> list[LiveTableStatus]:
        if not 0 <= now_ms - self._at_ms < FRESH_MS:
            here = {
                name: live_table_status(table, results=self._results) for name, table in self._live.items()
            }
            every = {**self._remote(), **here}
            self._lines = [every[name] for name in sorted(every)]
            self._at_ms = now_ms
        return self._lines


def live_table_status(live: LiveTable, *, results: bool) -> LiveTableStatus:
    """Return the status of a live table; `results` is whether past results may be shown."""
    state, last = live.state, live.results.last(ROUNDS_SHOWN) if results else []
    return LiveTableStatus(
        table=live.table.id,
        phase=state.phase,
        light=light(state.phase, state.paused),
        paused=state.paused,
        players=len(state.players),
        seats_free=state.setup.seats - len(state.seats),
        dealer=live.dealer,
        last=tuple(LastRound(each.number, each.result) for each in reversed(last)),
    )

"""A table's rules as data, for clients that don't show the rules page."""

from msgspec import Struct

from croupier.play.contract.game import Dealing
from croupier.protocol.wire.pages import CoverageLimit

RuleValue = bool | int | str | tuple[int | str, ...]


class PaytableLine(Struct, frozen=True):
    """One line of a paytable: winnings of `wins` for every `staked`, plus the returned stake.

    `wins` 0 returns the stake; a negative value loses part of it: -1 for every 2 returns half. The first line
    whose outcome occurred applies. Winnings are rounded down to the currency's smallest unit.
    """

    outcome: str
    title: str
    wins: int
    staked: int


class StakeRange(Struct, frozen=True):
    """Smallest and largest stake in a currency."""

    currency: str
    min_minor: int
    max_minor: int


class BetTerms(Struct, frozen=True):
    """A bet of the table. Side bets (`main` is false) need a main bet on their box."""

    bet: str
    title: str
    kind: str
    """Bets of one kind may share limits; empty: of no kind."""
    main: bool
    pays: tuple[PaytableLine, ...]
    limits: tuple[StakeRange, ...]
    """Limits in each currency that the table accepts."""


class PublishedPercentage(Struct, frozen=True):
    """A return published in the table's rules, in percent."""

    bet: str
    percent: float
    of: str
    """Basis of the percentage: `initial stake`."""


class StrategyReturn(Struct, frozen=True):
    """Exact return of the main bet with a strategy, in percent."""

    strategy: str
    per_initial_stake: float
    per_total_stake: float


class BetReturn(Struct, frozen=True):
    """Exact return of bets without decisions, in percent."""

    bets: tuple[str, ...]
    returned: float
    house_edge: float


class TableData(Struct, frozen=True):
    """Bets, paytables, limits, restrictions and returns of a table."""

    table: str
    title: str
    game: str
    dealing: Dealing
    boxes: int
    """Maximum number of boxes per player; at a live table the number of seats, 0 for a shared deal."""
    rules_version: str
    rules_date: str
    rules: dict[str, RuleValue]
    """Fields of the game's rules record."""
    bets: tuple[BetTerms, ...]
    table_limits: tuple[StakeRange, ...]
    """Limits on a player's total stake in a round; currencies not listed have none."""
    never_together: tuple[tuple[str, ...], ...]
    """Combinations of bets that a player may not place together."""
    covering: CoverageLimit | None
    """Limit on covered outcomes; null: none."""
    published: tuple[PublishedPercentage, ...]
    exact_strategies: tuple[StrategyReturn, ...]
    """Empty if the game has no decisions or no exact figures."""
    exact_bets: tuple[BetReturn, ...]

"""A table as data: what its rules page says in words, for clients that read no text."""

from msgspec import Struct

from croupier.play.contract.game import Dealing
from croupier.protocol.wire.pages import CoverageLimit

RuleValue = bool | int | str | tuple[int | str, ...]


class PaytableLine(Struct, frozen=True):
    """One line of a paytable: `wins` for every `staked`, and the stake comes back on top.

    `wins` 0 returns the stake; below 0 a part of it is lost: -1 for every 2 returns half. The first line
    whose outcome came up counts. Winnings are rounded down to the currency's smallest unit.
    """

    outcome: str
    title: str
    wins: int
    staked: int


class StakeRange(Struct, frozen=True):
    """The smallest and largest stake in a currency."""

    currency: str
    min_minor: int
    max_minor: int


class BetTerms(Struct, frozen=True):
    """A bet of the table. A bet that isn't `main` needs a main bet on its box."""

    bet: str
    title: str
    kind: str
    """Bets of one kind may share limits; empty: of no kind."""
    main: bool
    pays: tuple[PaytableLine, ...]
    limits: tuple[StakeRange, ...]
    """One for each currency that the table takes."""


class PublishedReturn(Struct, frozen=True):
    """A return that the table's rules publish, in percent."""

    bet: str
    percent: float
    of: str
    """What it is a percentage of: `initial stake`."""


class StrategyReturn(Struct, frozen=True):
    """The exact return of the main bet under one way to play, in percent."""

    strategy: str
    per_initial_stake: float
    per_total_stake: float


class BetReturn(Struct, frozen=True):
    """The exact return of bets that depend on no decision, in percent."""

    bets: tuple[str, ...]
    returned: float
    house_edge: float


class TableData(Struct, frozen=True):
    """GET /api/tables/{table}: bets, paytables, limits, restrictions and returns."""

    table: str
    title: str
    game: str
    dealing: Dealing
    boxes: int
    """Boxes that a player may open in a round; seats at a live table, 0 where all share one deal."""
    rules_version: str
    rules_date: str
    rules: dict[str, RuleValue]
    """The game's rules record, field by field."""
    bets: tuple[BetTerms, ...]
    table_limits: tuple[StakeRange, ...]
    """Limits of all of a player's bets in a round together; a currency that isn't listed has none."""
    never_together: tuple[tuple[str, ...], ...]
    """Bets that may not all be in one player's bet."""
    covering: CoverageLimit | None
    """None: all outcomes may be covered."""
    published: tuple[PublishedReturn, ...]
    exact_strategies: tuple[StrategyReturn, ...]
    """Empty where the player decides nothing, or nothing is known exactly."""
    exact_bets: tuple[BetReturn, ...]

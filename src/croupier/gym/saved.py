"""The state of an environment as plain data, so that it can be pickled and copied.

Games and rounds contain functions, which can't be pickled. A game is saved as its name, a round as its bet
and its record.
"""

from dataclasses import fields
from typing import Any, NamedTuple

from croupier.games import games
from croupier.play.contract.game import Table
from croupier.play.driving.dealing import DealtRound, RoundStep, parse_step
from croupier.play.driving.sources import ChanceSource


class SavedTable(NamedTuple):
    game: str
    fields: dict[str, Any]
    """Its other fields."""


class SavedDeal(NamedTuple):
    bet: str
    record: tuple[str, ...]
    source: ChanceSource
    """The cards and results still to come."""


def save_table(table: Table) -> SavedTable:
    saved = {field.name: getattr(table, field.name) for field in fields(table) if field.name != "game"}
    return SavedTable(table.game.name, saved)


def restore_table(saved: SavedTable) -> Table:
    return Table(game=games()[saved.game], **saved.fields)


def save_deal(bet: str, deal: DealtRound[Any]) -> SavedDeal:
    return SavedDeal(bet, tuple(str(step) for step in deal.steps), deal.source)


def restore_deal(opened: Any, saved: SavedDeal) -> DealtRound[Any]:
    """Return the deal of a round that was opened with the saved bet."""
    round_, steps = opened, list[RoundStep]()
    for text in saved.record:
        step = parse_step(round_, text)
        round_ = round_.answer(*step)
        steps.append(step)
    return DealtRound(round_, saved.source, tuple(steps))

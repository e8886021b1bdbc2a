"""The public replay of a round: cards, decisions and outcomes, without amounts or other players' hands."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from croupier.gateway.pages.history import history_round
from croupier.ledger.protocol import LedgerReader, RoundRecord
from croupier.play.contract.game import Table
from croupier.players.round_sharing import RoundSharing
from croupier.protocol.wire import RoundEvent, SharedReplay, SharedStep
from croupier.refusal import Refused
from croupier.rounds import round_entries
from croupier.tables.game_number import time_of

REPLAYS_CACHED = 128
AMOUNT = "_minor"
"""End of the name of each field with an amount."""
SHOWN_DECIDERS = ("ahead", "time_out")
"""Others, such as a balance that was too low, are the player's own business."""


class SharedReplays:
    """Replays of shared rounds; the most recent ones are cached, since an ended round doesn't change."""

    def __init__(self, ledger: LedgerReader, tables: Mapping[str, Table], sharing: RoundSharing) -> None:
        self._ledger = ledger
        self._tables = tables
        self._sharing = sharing
        self._replay = lru_cache(REPLAYS_CACHED)(self._render)

    def find(self, token: str) -> SharedReplay:
        """Return the replay that a token stands for; refuse `no_such_replay`."""
        return self._replay(self._sharing.round_of(token))

    def _render(self, round_id: str) -> SharedReplay:
        record = self._ledger.round(round_id)
        if record is None:
            raise Refused("no_such_replay")
        return shared_replay(self._ledger, self._tables, record)


def shared_replay(ledger: LedgerReader, tables: Mapping[str, Table], record: RoundRecord) -> SharedReplay:
    """Return what anybody may see of an ended round."""
    seen = history_round(ledger, tables, record)
    others = round_entries.other_boxes(record)
    hide = _hiding(ledger, record)
    return SharedReplay(
        table=seen.line.table,
        title=seen.line.title,
        number=time_of(seen.line.number),
        started_ms=seen.line.started_ms,
        steps=tuple(
            SharedStep(_event(step.did), without_amounts(hide(step.view)))
            for step in seen.steps
            if step.did.box not in others
        ),
    )


def _hiding(ledger: LedgerReader, record: RoundRecord) -> Callable[[Any], Any]:
    """Return the function that leaves the player's own boxes in a view."""
    game, _ = round_entries.opened_round(ledger, record)
    only_boxes = game.live.only_boxes if game.live else None
    if only_boxes is None or not round_entries.other_boxes(record):
        return lambda view: view
    boxes = {wager.box for wager in round_entries.wagers_of(record)}
    return lambda view: only_boxes(view, boxes)


def _event(did: RoundEvent) -> RoundEvent:
    return did if did.by in SHOWN_DECIDERS else replace(did, by="")


def without_amounts(value: Any) -> Any:
    """Return a view in which every amount is 0; an amount that is absent stays so."""
    if isinstance(value, Struct):
        parts = {name: getattr(value, name) for name in value.__struct_fields__}
        return replace(value, **{name: _hidden(name, part) for name, part in parts.items()})
    return tuple(map(without_amounts, value)) if isinstance(value, tuple) else value


def _hidden(name: str, value: Any) -> Any:
    if name.endswith(AMOUNT):
        return None if value is None else 0
    return without_amounts(value)

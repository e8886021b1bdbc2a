"""An independent reader of a live table: recomputes what it can from the messages of one connection."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from croupier.protocol import wire

RESULT_PHASES = ("pause", "opening", "shuffling", "closed")
BETS_OPEN = ("betting", "warning")


def faults(told: Iterable[wire.Message], table: str) -> list[str]:
    """Return the contradictions in a player's messages at the only table that they have open."""
    reader = Reader(table)
    return [fault for message in told for fault in reader.read(message)]


class Reader:
    def __init__(self, table: str) -> None:
        self.v = 0
        self.state: wire.LiveState | None = None
        self.mine: wire.PlayerState | None = None
        self.final: dict[str, Any] = {}
        """By round: the last view of it."""
        self._table = table

    def read(self, message: wire.Message) -> Iterator[str]:
        match message:
            case wire.LiveSnapshot():
                self.v, self.state, self.mine = message.v, message.state, message.mine
                yield from self._money(message.mine)
            case wire.LiveUpdate():
                yield from self._event(message)
            case wire.PlayerUpdate():
                yield from self._own(message)
            case _:
                pass

    def _event(self, event: wire.LiveUpdate) -> Iterator[str]:
        before, self.state = self.state, event.state
        if event.v != self.v + 1:
            yield f"version {event.v} follows {self.v}"
        self.v = event.v
        view: Any = event.state.round
        if view is not None:
            self.final[event.state.clock.round] = view
        if hasattr(view, "dealer"):
            yield from self._cards(before, event, view)
            yield from _offered(event, view)

    def _cards(self, before: wire.LiveState | None, event: wire.LiveUpdate, view: Any) -> Iterator[str]:
        """The cards of the view are those of the view before, and those that `did` tells of."""
        same = before is not None and before.round is not None and before.turn <= event.state.turn
        same = same and before is not None and before.clock.round == event.state.clock.round
        seen = before.round if same and before else None
        new = [one for one in event.did if one.what in ("card", "turned")]
        dealers = [*(seen.dealer.cards if seen else ()), *(one.card for one in new if one.box == -1)]
        if list(view.dealer.cards) != dealers:
            yield f"v {event.v}: the dealer has {view.dealer.cards}, and {dealers} were told"
        if self.mine and self.mine.stakes:
            held = _hands(seen) + Counter(one.card for one in new if one.box >= 0)
            if _hands(view) != held:
                yield f"v {event.v}: the hands have {_hands(view)}, and {held} were told"

    def _own(self, message: wire.PlayerUpdate) -> Iterator[str]:
        assert self.state is not None
        before, self.mine = self.mine, message.mine
        if (message.v, message.round) != (self.v, self.state.clock.round):
            yield f"mine of {message.v} {message.round} at {self.v} {self.state.clock.round}"
        result = message.mine.result
        if result and result.round == message.round and self.state.clock.phase not in RESULT_PHASES:
            yield f"v {message.v}: a result in {self.state.clock.phase}"
        yield from self._money(message.mine)
        yield from _moved(before, message.mine)

    def _money(self, mine: wire.PlayerState) -> Iterator[str]:
        assert self.state is not None
        if mine.in_play_minor != mine.held_minor:
            yield f"v {self.v}: {mine.held_minor} is held, {mine.in_play_minor} in play"
        staked = sum(stake.stake_minor for stake in mine.stakes)
        if self.state.clock.phase in BETS_OPEN and staked != mine.held_minor:
            yield f"v {self.v}: {staked} is staked, {mine.held_minor} is held"


def _hands(view: Any) -> Counter[str]:
    return Counter(card for box in (view.boxes if view else ()) for hand in box.hands for card in hand.cards)


def _offered(event: wire.LiveUpdate, view: Any) -> Iterator[str]:
    """Yield hands that are asked again right after a decision, before they have a card."""
    decided = {(one.box, one.hand) for one in event.did if one.what == "decided"}
    dealt = {(one.box, one.hand) for one in event.did if one.what == "card"}
    for turn in view.turns:
        if (turn.box, turn.hand) in decided - dealt:
            yield f"v {event.v}: {turn} is offered, and was decided"


def _moved(before: wire.PlayerState | None, after: wire.PlayerState) -> Iterator[str]:
    """Yield changes of the money that no result explains."""
    if before is None:
        return
    result = after.result
    new = result if result and (not before.result or before.result.round != result.round) else None
    net = new.returned_minor - new.staked_minor if new else 0
    moved = after.balance_minor + after.in_play_minor - before.balance_minor - before.in_play_minor
    if moved != net:
        yield f"the money changed by {moved}, and results come to {net}"


def answered_late(told: Iterable[wire.Message], bets: dict[str, wire.PlaceBet]) -> list[str]:
    """Return bets whose `ok` came before the `mine` that shows them."""
    late, mine = list[str](), None
    for message in told:
        if isinstance(message, wire.PlayerUpdate):
            mine = message
        elif isinstance(message, wire.Ok) and (bet := bets.get(message.req)):
            stands = mine and (mine.round != bet.round or mine.mine.stakes == bet.stakes)
            late += [] if stands else [message.req]
    return late

"""An independent checker of a live table's messages: recomputes all that one connection's messages imply."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from croupier.protocol import wire

RESULT_PHASES = ("pause", "opening", "shuffling", "closed")
BETS_OPEN = ("betting", "warning")


class MessageChecker:
    """Takes the messages of a player whose only open table is `table`."""

    def __init__(self, table: str) -> None:
        self.version = 0
        self.state: wire.LiveState | None = None
        self.mine: wire.PlayerState | None = None
        self.last_views: dict[str, Any] = {}
        """By round: the last view of it."""
        self._table = table

    def check(self, message: wire.Message) -> Iterator[str]:
        """Yield contradictions between a message and the earlier ones."""
        match message:
            case wire.LiveSnapshot():
                self.version, self.state, self.mine = message.v, message.state, message.mine
                yield from self._check_money(message.mine)
            case wire.LiveUpdate():
                yield from self._check_update(message)
            case wire.PlayerUpdate():
                yield from self._check_own_update(message)
            case _:
                pass

    def _check_update(self, update: wire.LiveUpdate) -> Iterator[str]:
        before, self.state = self.state, update.state
        if update.v != self.version + 1:
            yield f"version {update.v} follows {self.version}"
        self.version = update.v
        view: Any = update.state.round
        if view is not None:
            self.last_views[update.state.clock.round] = view
        if hasattr(view, "dealer"):
            yield from self._check_cards(before, update, view)
            yield from _repeated_turns(update, view)

    def _check_cards(
        self, before: wire.LiveState | None, update: wire.LiveUpdate, view: Any
    ) -> Iterator[str]:
        """Compare the view's cards with those of the previous view and of the events in `did`."""
        same = before is not None and before.round is not None and before.turn <= update.state.turn
        same = same and before is not None and before.clock.round == update.state.clock.round
        previous = before.round if same and before else None
        new = [event for event in update.did if event.what in ("card", "turned")]
        dealers = [
            *(previous.dealer.cards if previous else ()),
            *(event.card for event in new if event.box == -1),
        ]
        if list(view.dealer.cards) != dealers:
            yield f"v {update.v}: the dealer has {view.dealer.cards}, and {dealers} were sent"
        if self.mine and self.mine.stakes:
            expected = _cards_of_hands(previous) + Counter(event.card for event in new if event.box >= 0)
            if _cards_of_hands(view) != expected:
                yield f"v {update.v}: the hands have {_cards_of_hands(view)}, and {expected} were sent"

    def _check_own_update(self, message: wire.PlayerUpdate) -> Iterator[str]:
        assert self.state is not None
        before, self.mine = self.mine, message.mine
        if (message.v, message.round) != (self.version, self.state.clock.round):
            yield f"mine of {message.v} {message.round} at {self.version} {self.state.clock.round}"
        result = message.mine.result
        if result and result.round == message.round and self.state.clock.phase not in RESULT_PHASES:
            yield f"v {message.v}: a result in {self.state.clock.phase}"
        yield from self._check_money(message.mine)
        yield from _unexplained_changes(before, message.mine)

    def _check_money(self, mine: wire.PlayerState) -> Iterator[str]:
        assert self.state is not None
        if mine.in_play_minor != mine.held_minor:
            yield f"v {self.version}: {mine.held_minor} is held, {mine.in_play_minor} in play"
        staked = sum(stake.stake_minor for stake in mine.stakes)
        if self.state.clock.phase in BETS_OPEN and staked != mine.held_minor:
            yield f"v {self.version}: {staked} is staked, {mine.held_minor} is held"


def _cards_of_hands(view: Any) -> Counter[str]:
    return Counter(card for box in (view.boxes if view else ()) for hand in box.hands for card in hand.cards)


def _repeated_turns(update: wire.LiveUpdate, view: Any) -> Iterator[str]:
    """Yield hands whose turn comes again right after a decision, before they have another card."""
    decided = {(event.box, event.hand) for event in update.did if event.what == "decided"}
    dealt = {(event.box, event.hand) for event in update.did if event.what == "card"}
    for turn in view.turns:
        if (turn.box, turn.hand) in decided - dealt:
            yield f"v {update.v}: {turn} is offered although it was decided"


def _unexplained_changes(before: wire.PlayerState | None, after: wire.PlayerState) -> Iterator[str]:
    """Yield a change of the player's money that no result explains."""
    if before is None:
        return
    result = after.result
    new = result if result and (not before.result or before.result.round != result.round) else None
    net = new.returned_minor - new.staked_minor if new else 0
    change = after.balance_minor + after.in_play_minor - before.balance_minor - before.in_play_minor
    if change != net:
        yield f"the money changed by {change}, and new results are {net} net"


def answered_too_early(messages: Iterable[wire.Message], bets: dict[str, wire.PlaceBet]) -> list[str]:
    """Return the bets whose `ok` came before the `mine` that shows them."""
    early, mine = list[str](), None
    for message in messages:
        if isinstance(message, wire.PlayerUpdate):
            mine = message
        elif isinstance(message, wire.Ok) and (bet := bets.get(message.req)):
            shown = mine and (mine.round != bet.round or mine.mine.stakes == bet.stakes)
            early += [] if shown else [message.req]
    return early

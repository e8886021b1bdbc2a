"""Publication of a live table's steps: public events for everyone, and each player's personal view."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Protocol

from croupier.accounts.balances import CurrencyBalance
from croupier.admission.balances import BalanceCache, balance
from croupier.dealing.live.broadcast.events import table_events
from croupier.dealing.live.broadcast.messages import EventMessages, Personal, PulseMessages
from croupier.dealing.live.broadcast.player_views import PlayerHistory, PlayerRecord, PlayerView
from croupier.dealing.live.broadcast.prerendered import NONE_PRERENDERED, Prerendered
from croupier.dealing.live.broadcast.snapshot import Snapshot
from croupier.dealing.live.broadcast.subscribers import Subscriber, Subscribers
from croupier.dealing.live.chat.room import ChatEvent, ChatRoom, LinePosted, LineRemoved
from croupier.dealing.live.steps import TableStep
from croupier.idle_tasks import IdleTasks
from croupier.protocol.connection import encode_message
from croupier.protocol.wire import BalanceUpdate, ChatPosted, ChatRemoved
from croupier.tables.live.effects import Broadcast, Notify, Release, Settle, Void
from croupier.tables.live.inputs import Corrected, RoundNamed
from croupier.tables.live.notices import BetAccepted, Notice
from croupier.tables.live.state import State

PULSE_MS, FIRST_PULSE_MS = 250, 50
"""Minimum interval between pulses, and from the first change to its pulse."""
HISTORY_KEPT_MS = 30 * 60 * 1000
"""Time for which a player's last result is kept after they leave."""
BALANCES_MS = 500
"""Delay of the balances of the visit after a result, which reaches every player first."""

_PERSONAL = (Notify, Release)
"""Effects that change a player's personal view, beside the end of their round."""


class PlayerDirectory(Protocol):
    """The connected players of all tables."""

    in_several_places: set[str]
    """Players with more than one table open, or one table in several browsers."""
    idle_tasks: IdleTasks
    """Shared by all tables, which run in one event loop."""

    def send_balance(self, player: str, currency: str) -> None: ...


class Broadcaster:
    """Sends a live table's messages to everybody who is connected to it.

    `players`: everyone at the table, or who left it less than HISTORY_KEPT_MS ago.
    """

    def __init__(
        self, state: State, chat: ChatRoom, balances: BalanceCache, directory: PlayerDirectory
    ) -> None:
        self.players: dict[str, PlayerRecord] = {}
        self.subscribers = Subscribers(directory.idle_tasks)
        self.chat = chat
        self.balances = balances
        self._directory = directory
        self._snapshot = Snapshot(state.v, state, self.players)
        self._is_committing = False
        """True if the ledger may be ahead of what is published."""
        self._balances_due: list[str] = []
        self._deferred = set[str]()
        """Players whose view is published once the machine has the ledger's answer to their hold."""
        self._pulses: PulseMessages | None = None
        self._pulse_timer: asyncio.TimerHandle | None = None
        self._last_pulse_s = 0.0
        """By the event loop's clock."""
        self._published_counts = _counts(state)
        chat.watch(self._publish_chat)

    # --- subscribers

    def register(self, player: str, name: str) -> PlayerRecord:
        """Return the player's record; make it if there is none."""
        record = self.players.setdefault(player, PlayerRecord(name))
        record.name, record.seen_ms = name, 0  # kept until the next round at least
        return record

    def subscribe(self, subscriber: Subscriber) -> None:
        """Send a snapshot of the table, and from now on all that is published."""
        self.subscribers.add(subscriber)
        name, record = subscriber.player, self.players[subscriber.player]
        held = record.balance if self._is_committing else self._balance(name)
        view = PlayerView(record.history, record.at_maximum, held)
        subscriber.connection.queue(self._snapshot.full(view, name, self.chat.lines))

    def unsubscribe(self, subscriber: Subscriber) -> bool:
        """Return whether the player has no other subscription."""
        return self.subscribers.remove(subscriber)

    def catch_up(self, player: str) -> None:
        """Send a player all that is published, and their balance elsewhere."""
        self.subscribers.catch_up(player)
        if self._balances_due:
            self._send_due_balances()

    # --- steps

    @contextmanager
    def committing(self) -> Iterator[None]:
        """Mark that a commit is under way: balances may be ahead of what is published."""
        self._is_committing = True
        try:
            yield
        finally:
            self._is_committing = False

    def publish(self, steps: Sequence[TableStep], prerendered: Prerendered = NONE_PRERENDERED) -> None:
        """Publish durable steps."""
        changed, self._deferred = self._deferred, set()
        for step in steps:
            self._record(step, changed, prerendered)
        state, public = steps[-1].after, [step for step in steps if step.public]
        self._snapshot = Snapshot(self._snapshot.v + bool(public), state, self.players)
        personal = self._personal(changed, prerendered)
        if public:
            events = tuple(event for step in public for event in table_events(step, self.players))
            self.subscribers.publish(
                EventMessages(self._snapshot, events, personal, self._sent_personal).messages()
            )
            self._published_counts = _counts(state)
        else:
            for player, view in personal.items():
                message = view if isinstance(view, bytes) else partial(self._snapshot.personal, view)
                self.subscribers.send_to(player, message)
        self._schedule_balances(personal, public)
        for step in public:
            self._post_notices(step)
            if isinstance(step.given, RoundNamed):
                self._forget_absent(state.now_ms)
        if _counts(state) != self._published_counts:
            self._schedule_pulse()

    def next_snapshot(self, state: State) -> Snapshot:
        """Return the snapshot of the next public message, at `state`."""
        return Snapshot(self._snapshot.v + 1, state, self.players)

    def history_after(self, before: State, end: Settle | Void) -> PlayerHistory:
        """Return the history of a player whose round ends so."""
        bet = before.players[end.player].bet or self.players[end.player].history.bet
        return PlayerHistory(bet, (end, before.number))

    def _balance(self, name: str) -> CurrencyBalance:
        return self.balances.held(name, self._snapshot.player(name).currency)

    def _personal(self, changed: Iterable[str], prerendered: Prerendered) -> dict[str, Personal]:
        """Return the view, or the prerendered message, of each player whose view has changed.

        A player whose hold the ledger has answered, but not yet the machine, is deferred.
        """
        state, v, personal = self._snapshot.state, self._snapshot.v, dict[str, Personal]()
        dropped = {player for player, _, _ in state.cancelled_holds}
        # Bound once: the loop runs for thousands of players.
        prerendered_of, held_of, players = prerendered.get, self.balances.held, self.players
        for name in changed:
            ready = prerendered_of(name)
            if ready and ready.is_current(v, held := held_of(name, ready.currency)):
                players[name].balance, personal[name] = held, ready.message
            elif name in dropped or self._snapshot.player(name).pending_hold:
                self._deferred.add(name)
            elif record := players.get(name):
                record.balance = held = self._balance(name)
                personal[name] = PlayerView(record.history, record.at_maximum, held)
        return personal

    def _record(self, step: TableStep, changed: set[str], prerendered: Prerendered) -> None:
        """Update the players' records; add to `changed` the players whose view this step changes."""
        changed.update([end.player for end in step.ended])
        for effect in step.effects:
            if isinstance(effect, _PERSONAL):
                changed.add(effect.player)
                if isinstance(effect, Notify) and isinstance(effect.what, BetAccepted):
                    self.players[effect.player].at_maximum = effect.what.at_maximum
        player = step.player
        if player and player not in changed and step.refused is None and step.hold is None:
            changed.add(player)
        for end in step.ended:
            ready = prerendered.get(end.player)
            history = ready.history if ready else self.history_after(step.before, end)
            self.players[end.player].history = history
        if isinstance(step.given, RoundNamed):
            changed.update(self._clear_last_round(step.before))
        elif isinstance(step.given, Corrected):
            changed.update(_undecided(step.before))

    def _clear_last_round(self, before: State) -> Iterator[str]:
        """Yield the players who took part in the round before."""
        for name, player in before.players.items():
            if player.bet or player.earlier_decisions:
                self.players[name].at_maximum = ()
                yield name

    def _forget_absent(self, now_ms: int) -> None:
        players = self._snapshot.state.players
        for name, record in tuple(self.players.items()):
            if name in self.subscribers or name in players or not record.seen_ms:
                record.seen_ms = now_ms
            elif now_ms - record.seen_ms > HISTORY_KEPT_MS:
                del self.players[name]

    # --- balances

    def _sent_personal(self, player: str) -> None:
        """Send the balance to the player's other tables, after their message here."""
        if player in self._directory.in_several_places:
            if not self._balances_due:
                asyncio.get_running_loop().call_soon(self._send_due_balances)
            self._balances_due.append(player)

    def _send_due_balances(self) -> None:
        due, self._balances_due = self._balances_due, []
        for player in due:
            self._send_balance(player)

    def _send_balance(self, player: str) -> None:
        self._directory.send_balance(player, self._snapshot.player(player).currency)

    def _schedule_balances(self, personal: Mapping[str, Personal], public: Sequence[TableStep]) -> None:
        """Send balances now to players who get no event here, and later to everyone after a result."""
        for player in personal.keys() & self._directory.in_several_places:
            if not (public and player in self.subscribers):
                self._send_balance(player)
        if any(step.ends for step in public):
            asyncio.get_running_loop().call_later(BALANCES_MS / 1000, self._publish_balances, personal)

    def _publish_balances(self, players: Iterable[str]) -> None:
        """Publish balances after the results they follow from, except to players who have received theirs."""
        if self._is_committing:
            asyncio.get_running_loop().call_later(FIRST_PULSE_MS / 1000, self._publish_balances, players)
            return
        have_theirs = self._directory.in_several_places
        due = [name for name in players if name in self.subscribers and name not in have_theirs]
        held = {name: (self._snapshot.player(name).currency, self._balance(name)) for name in due}
        self.subscribers.publish(partial(_balance_message, held))

    # --- pulses and chat

    def _schedule_pulse(self) -> None:
        if self._pulse_timer is None:
            loop = asyncio.get_running_loop()
            next_s = max(loop.time() + FIRST_PULSE_MS / 1000, self._last_pulse_s + PULSE_MS / 1000)
            self._pulse_timer = loop.call_at(next_s, self._pulse)

    def _pulse(self) -> None:
        self._pulse_timer = None
        self._last_pulse_s = asyncio.get_running_loop().time()
        counts = _counts(self._snapshot.state)
        if counts == self._published_counts:  # an event came first
            return
        self._published_counts = counts
        self._pulses = PulseMessages(self._snapshot, self._pulses)
        self.subscribers.publish(self._pulses.messages())

    def _post_notices(self, step: TableStep) -> None:
        """Post the manager's actions in the chat too."""
        for effect in step.effects:
            if isinstance(effect, Broadcast) and isinstance(effect.what, Notice):
                what, reason = effect.what.what, effect.what.reason
                args = {"number": step.before.number, "reason": reason}
                self.chat.post_notice(
                    what, {name: value for name, value in args.items() if value}, step.after.now_ms
                )

    def _publish_chat(self, event: ChatEvent) -> None:
        match event:
            case LinePosted(line):
                self.subscribers.publish(encode_message(ChatPosted(self.chat.table, line)))
            case LineRemoved(line):
                self.subscribers.publish(encode_message(ChatRemoved(self.chat.table, (line,))))


def _undecided(before: State) -> Iterator[str]:
    """Yield the players whose decisions a corrected card undoes."""
    for name, player in before.players.items():
        if player.decisions or player.ahead:
            yield name


def _counts(state: State) -> tuple[int, int]:
    """Return a cheap key of what pulses carry: the number of players, and their decisions."""
    return len(state.players), id(state.window.choice_counts) if state.window else 0


def _balance_message(held: Mapping[str, tuple[str, CurrencyBalance]], player: str) -> bytes:
    return encode_message(BalanceUpdate(balance(*held[player]))) if player in held else b""

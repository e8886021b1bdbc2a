"""What is told at a live table, to whom: everybody what all may see, each player his own part."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Protocol

from croupier.accounts.balances import CurrencyBalance
from croupier.protocol.connection import encode_message
from croupier.protocol.wire import BalanceUpdate, ChatPosted, ChatRemoved
from croupier.runtime.balances import balance
from croupier.runtime.ledger_gateway import Bank
from croupier.runtime.live.broadcast.events import happenings
from croupier.runtime.live.broadcast.idle_tasks import Quiet
from croupier.runtime.live.broadcast.messages import News, Own, Pulses
from croupier.runtime.live.broadcast.player_views import Part, Past, Place
from croupier.runtime.live.broadcast.snapshot import Scene
from croupier.runtime.live.broadcast.subscribers import Audience, Viewer
from croupier.runtime.live.chat.room import Note, Room, Said, TakenAway
from croupier.runtime.live.prerendered import NOTHING_READY, Ahead, Ready, write
from croupier.runtime.live.steps import Stepped
from croupier.tables.live.effects import Broadcast, Notify, Release, Settle, Void
from croupier.tables.live.inputs import Corrected, RoundNamed
from croupier.tables.live.notices import BetAccepted, Notice
from croupier.tables.live.state import State

PULSE_MS, TOGETHER_MS = 250, 50
"""How often it is told, at most, who is here and what is decided; and after what changes first."""
KEPT_MS = 30 * 60 * 1000
"""How long a player who is away finds here what became of his last round."""

BALANCES_MS = 500
"""After a result, what it makes of the visit: everybody has seen his own by then."""


_OWN = (Notify, Release)
"""What changes a player's own part of the table, beside the end of his round."""


class Guests(Protocol):
    """The house, as far as a table must know of its guests."""

    elsewhere: set[str]
    """The players who see more than one table, or see it in more than one browser."""
    quiet: Quiet
    """Of the whole house, since all its tables have one event loop."""

    def tell_balance(self, player: str, currency: str) -> None: ...


def _undecided(before: State) -> Iterator[str]:
    """Whose decisions a corrected card undoes."""
    for name, player in before.players.items():
        if player.decided or player.ahead:
            yield name


def _balance(held: Mapping[str, tuple[str, CurrencyBalance]], player: str) -> bytes:
    return encode_message(BalanceUpdate(balance(*held[player]))) if player in held else b""


class Hall:
    """`places`: everybody who is at the table, or was a while ago."""

    def __init__(self, state: State, room: Room, bank: Bank, guests: Guests) -> None:
        self.places: dict[str, Place] = {}
        self.audience = Audience(guests.quiet)
        self.room = room
        self._purses = bank.purses
        self._guests = guests
        self._scene = Scene(state.v, state, self.places)
        self._entering = False
        """Set while the ledger may be ahead of what has been told."""
        self._unpaid: list[str] = []
        self._later = set[str]()
        """Players whose own part is told once the machine has heard what the books said of their stakes."""
        self._pulses: Pulses | None = None
        self._beating: asyncio.TimerHandle | None = None
        self._beat_s = 0.0
        """When a pulse was told last, by the event loop's clock."""
        self._known = self._moving(state)
        self._ready: dict[str, Ahead] = {}
        self._ready_for: tuple[Settle | Void, ...] = ()
        self._changed: set[str] = set()
        """Players whose own part may be another than when it was foreseen."""
        room.watch(self._said)

    # --- who looks

    def place(self, player: str, name: str) -> Place:
        """A player's place, which is his before he sits down."""
        place = self.places.setdefault(player, Place(name))
        place.name = name
        return place

    def enter(self, viewer: Viewer) -> None:
        """He sees the table as it is, and from now on all that happens."""
        self.audience.enter(viewer)
        name, place = viewer.player, self.places[viewer.player]
        held = place.held if self._entering else self._held(name)
        part = Part(place.past, place.at_maximum, held)
        viewer.gather(self._scene.snapshot(part, name, self.room.lines))

    def leave(self, viewer: Viewer) -> bool:
        """Whether his player looks on no more: not when he does with another browser."""
        return self.audience.leave(viewer)

    def catch_up(self, player: str) -> None:
        """Send a player everything that has happened, and their balance elsewhere."""
        self.audience.catch_up(player)
        if self._unpaid:
            self._pay_all()

    # --- what happened

    async def foresee(self, step: Stepped) -> None:
        """What is to be told of a round's end gets ready, in case that it ends by this step."""
        self._ready, self._ready_for, self._changed = {}, step.ended, set()
        await self._write(step, step.after, self._ready)

    @contextmanager
    def writing(self, steps: Sequence[Stepped]) -> Iterator[Ready]:
        """While it is waited for what these steps cost: what is then told of a round's end gets ready."""
        self._changed.update([step.player for step in steps])
        self._entering = True
        ending = next((step for step in steps if step.ends), None)
        try:
            if ending is None or any(isinstance(step.given, RoundNamed) for step in steps):
                yield NOTHING_READY
                return
            ready = self._foreseen(ending)
            writes = asyncio.create_task(self._write(ending, steps[-1].after, ready))
            try:
                yield ready
            finally:
                writes.cancel()
        finally:
            self._entering = False

    def _foreseen(self, ending: Stepped) -> dict[str, Ahead]:
        """What is ready by now, if it comes as it was foreseen."""
        ready = self._ready if self._ready_for == ending.ended else {}
        for player in self._changed & ready.keys():
            del ready[player]
        self._ready, self._ready_for, self._changed = {}, (), set()
        return ready

    async def _write(self, ending: Stepped, after: State, ready: dict[str, Ahead]) -> None:
        scene = Scene(self._scene.v + 1, after, self.places)
        await write(ending.ended, partial(self._ahead, scene, ending.before), ready)

    def _ahead(self, scene: Scene, before: State, end: Settle | Void) -> Ahead:
        held = self._purses.held(end.player, end.currency)
        return scene.ahead(end, self._past(before, end), held)

    def _past(self, before: State, end: Settle | Void) -> Past:
        """Of a player whose round has ended so."""
        bet = before.players[end.player].bet or self.places[end.player].past.bet
        return Past(bet, (end, before.number))

    def tell(self, steps: Sequence[Stepped], ready: Ready) -> None:
        """What these steps brought; it is durable. Some of it may be `ready`."""
        changed, self._later = self._later, set()
        for step in steps:
            self._remember(step, changed, ready)
        state, public = steps[-1].after, [step for step in steps if step.public]
        self._scene = Scene(self._scene.v + bool(public), state, self.places)
        own = self._own(changed, ready)
        if public:
            did = tuple(what for step in public for what in happenings(step, self.places))
            self.audience.tell(News(self._scene, did, own, self._told_own).told())
            self._known = self._moving(state)
        else:
            for player, part in own.items():
                mine = part if isinstance(part, bytes) else partial(self._scene.mine_now, part)
                self.audience.tell_one(player, mine)
        self._pay_elsewhere(own, public)
        for step in public:
            self._notice(step)
            if isinstance(step.given, RoundNamed):
                self._forget_who_left(state.now_ms)
        if self._moving(state) != self._known:
            self._beat()

    def _held(self, name: str) -> CurrencyBalance:
        return self._purses.held(name, self._scene.player(name).currency)

    def _own(self, changed: Iterable[str], ready: Ready) -> dict[str, Own]:
        """The own part of each whose part has changed, as it belongs to the state that is told.

        The machine may still have to hear that a stake is set aside, which the books say already.
        """
        state, v, own = self._scene.state, self._scene.v, dict[str, Own]()
        dropped = {player for player, _, _ in state.dropped}
        ready_of, held_of, places = ready.get, self._purses.held, self.places
        for name in changed:
            if (ahead := ready_of(name)) and ahead.stands(v, held := held_of(name, ahead.currency)):
                places[name].held, own[name] = held, ahead.mine
            elif name in dropped or self._scene.player(name).asked:
                self._later.add(name)
            elif place := self.places.get(name):
                place.held = held = self._held(name)
                own[name] = Part(place.past, place.at_maximum, held)
        return own

    def _told_own(self, player: str) -> None:
        """Players who play elsewhere too are told there what they have, behind what they are told here."""
        if player in self._guests.elsewhere:
            if not self._unpaid:
                asyncio.get_running_loop().call_soon(self._pay_all)
            self._unpaid.append(player)

    def _pay_all(self) -> None:
        unpaid, self._unpaid = self._unpaid, []
        for player in unpaid:
            self._pay(player)

    def _pay(self, player: str) -> None:
        self._guests.tell_balance(player, self._scene.player(player).currency)

    def _pay_elsewhere(self, own: Mapping[str, Own], public: Sequence[Stepped]) -> None:
        """Send balances: now to players who get no event here, later to everybody when a round has ended."""
        for player in own.keys() & self._guests.elsewhere:
            if not (public and player in self.audience):
                self._pay(player)
        if any(step.ends for step in public):
            asyncio.get_running_loop().call_later(BALANCES_MS / 1000, self._tell_balances, own)

    def _tell_balances(self, players: Iterable[str]) -> None:
        """Send balances once the table has told what they follow from; players elsewhere have theirs."""
        if self._entering:
            asyncio.get_running_loop().call_later(TOGETHER_MS / 1000, self._tell_balances, players)
            return
        here = [name for name in players if name in self.audience and name not in self._guests.elsewhere]
        held = {name: (self._scene.player(name).currency, self._held(name)) for name in here}
        self.audience.tell(partial(_balance, held))

    def _remember(self, step: Stepped, changed: set[str], ready: Ready) -> None:
        """What this step changed; `changed` also has the players whose own part of the table is another."""
        changed.update([end.player for end in step.ended])
        for effect in step.effects:
            if isinstance(effect, _OWN):
                changed.add(effect.player)
                if isinstance(effect, Notify) and isinstance(effect.what, BetAccepted):
                    self.places[effect.player].at_maximum = effect.what.at_maximum
        player = step.player
        if player and player not in changed and step.refused is None and step.hold is None:
            changed.add(player)
        if step.ends:
            self._ended(step, ready)
        if isinstance(step.given, RoundNamed):
            changed.update(self._cleared(step.before))
        elif isinstance(step.given, Corrected):
            changed.update(_undecided(step.before))

    def _ended(self, step: Stepped, ready: Ready) -> None:
        for end in step.ended:
            ahead = ready.get(end.player)
            self.places[end.player].past = ahead.past if ahead else self._past(step.before, end)

    def _cleared(self, before: State) -> Iterator[str]:
        """A new round: whoever had a bet in the last one has none now."""
        for name, player in before.players.items():
            if player.bet or player.made:
                self.places[name].at_maximum = ()
                yield name

    def _forget_who_left(self, now_ms: int) -> None:
        """Whoever has been away for long finds nothing here any more."""
        players = self._scene.state.players
        for name, place in tuple(self.places.items()):
            if name in self.audience or name in players or not place.seen_ms:
                place.seen_ms = now_ms
            elif now_ms - place.seen_ms > KEPT_MS:
                del self.places[name]

    # --- pulses and chat

    @staticmethod
    def _moving(state: State) -> tuple[int, int]:
        """What pulses tell, as far as it can be seen at a glance."""
        return len(state.players), id(state.window.chosen) if state.window else 0

    def _beat(self) -> None:
        if self._beating is None:
            loop = asyncio.get_running_loop()
            next_s = max(loop.time() + TOGETHER_MS / 1000, self._beat_s + PULSE_MS / 1000)
            self._beating = loop.call_at(next_s, self._pulse)

    def _pulse(self) -> None:
        self._beating = None
        self._beat_s = asyncio.get_running_loop().time()
        if self._moving(self._scene.state) == self._known:  # an event has told it meanwhile
            return
        self._known = self._moving(self._scene.state)
        self._pulses = Pulses(self._scene, self._pulses)
        self.audience.tell(self._pulses.told())

    def _notice(self, step: Stepped) -> None:
        """What the floor does is said in the chat too (003)."""
        for effect in step.effects:
            if isinstance(effect, Broadcast) and isinstance(effect.what, Notice):
                what, reason = effect.what.what, effect.what.reason
                args = {"number": step.before.number, "reason": reason}
                self.room.notice(
                    what, {name: value for name, value in args.items() if value}, step.after.now_ms
                )

    def _said(self, note: Note) -> None:
        match note:
            case Said(line):
                self.audience.tell(encode_message(ChatPosted(self.room.table, line)))
            case TakenAway(line):
                self.audience.tell(encode_message(ChatRemoved(self.room.table, (line,))))

"""One browser at one live table: its commands become inputs of the table, or lines of its chat."""

import secrets
from collections.abc import Callable
from functools import partial
from sys import intern

from croupier import clock
from croupier.accounts.identity import Player
from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import At
from croupier.protocol import wire
from croupier.protocol.connection import ClientConnection
from croupier.refusal import Refused
from croupier.runtime.live.input_queue import OnDone
from croupier.runtime.live.table import LiveTable
from croupier.runtime.play_limits import PlayLimits
from croupier.tables.live import inputs

Played = wire.PlaceBet | wire.Undo | wire.Decide | wire.Sit | wire.StandUp
Command = Played | wire.PostChat | wire.ReportChatLine
"""What is asked at a live table."""


class Visit:
    """`taken_over` is called when the player opens the table in another browser."""

    def __init__(
        self,
        table: LiveTable,
        player: Player,
        line: ClientConnection,
        limits: PlayLimits,
        taken_over: Callable[[], None],
    ) -> None:
        self.player = player.id
        self.send = line.send
        self.gather = line.gather
        self.taken_over = taken_over
        self._name = player.name
        self._table = table
        self._limits = limits
        self._device = secrets.token_hex(8)

    async def join(self, currency: str) -> None:
        """He is at the table, and has been told how it is.

        Who has bet in this round stays in its currency, also when he has taken all of it back: the books know
        his round in no other. Empty: the one he played in, or the table's first.
        """
        table, taken = self._table, self._table.table.limits
        if currency and currency not in taken:
            raise Refused("no_such_currency", currency=currency, allowed=", ".join(taken))
        if open_ := table.open_round(self.player):
            currency = open_.currency
        elif not currency and (known := table.state.players.get(self.player)):
            currency = known.currency
        currency = currency or next(iter(taken))
        table.register(self.player, self._name, currency)
        await table.feed(inputs.Joined(self.player, self._device, currency))
        table.broadcaster.subscribe(self)

    def leave(self) -> None:
        """He goes, unless the player is here with another browser already."""
        if self._table.broadcaster.unsubscribe(self):
            self._table.ask(inputs.Left(self.player))

    def gone(self) -> None:
        """His line is down."""
        self._table.broadcaster.unsubscribe(self)
        self._table.ask(inputs.Disconnected(self.player, self._device))

    def do(self, command: Command, answered: OnDone) -> None:
        """Hand in a command; `answered` once it is durable, or refused."""
        match command:
            case wire.PlaceBet() | wire.Undo() if self._limits.any:
                self._bet_within_limits(command, answered)
            case wire.PlaceBet() | wire.Undo() | wire.Decide():  # early, as the most frequent
                self._table.ask(self._input(command), answered, command.round)
            case wire.PostChat() | wire.ReportChatLine():
                self._speak(command, answered)
            case _:
                self._table.ask(self._input(command), answered)

    def _bet_within_limits(self, command: wire.PlaceBet | wire.Undo, answered: OnDone) -> None:
        """A bet may always be taken back."""
        undo = None
        try:
            if isinstance(command, wire.Undo) or command.stakes:
                undo = self._limits.bet_live(self._table.table.id, command.round, clock.now_ms())
        except Refused as refused:
            answered(refused)
        else:
            told = partial(_undone_if_refused, undo, answered) if undo else answered
            self._table.ask(self._input(command), told, command.round)

    def _input(self, command: Played) -> inputs.AnyInput:
        match command:
            case wire.PlaceBet(stakes=stakes):
                wagers = tuple([Wager(stake.box, intern(stake.bet), stake.stake_minor) for stake in stakes])
                return inputs.Placed(self.player, wagers)
            case wire.Undo():
                return inputs.Undone(self.player)
            case wire.Decide(box=box, hand=hand, action=action, stake_minor=stake_minor, turn=turn):
                return inputs.Decided(self.player, At(box, hand), action, stake_minor, turn)
            case wire.Sit(seat=seat):
                return inputs.SatDown(self.player, seat)
            case wire.StandUp(seat=seat):
                return inputs.StoodUp(self.player, seat)

    def _speak(self, command: wire.PostChat | wire.ReportChatLine, answered: OnDone) -> None:
        room, now_ms = self._table.room, clock.now_ms()
        try:
            if isinstance(command, wire.PostChat):
                room.say(self.player, self._name, command.text, now_ms)
            else:
                room.report(self.player, command.line, now_ms)
        except Refused as refused:
            answered(refused)
        else:
            answered(None)


def _undone_if_refused(undo: Callable[[], None], answered: OnDone, refused: Refused | None) -> None:
    if refused:
        undo()
    answered(refused)

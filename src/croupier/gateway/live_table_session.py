"""One browser at one live table: its commands become inputs of the table, or lines of its chat."""

import secrets
from sys import intern
from typing import Protocol

from croupier import clock
from croupier.accounts.identity import Player
from croupier.dealing.live.broadcast.subscribers import FramedConnection
from croupier.dealing.live.input_queue import OnDone
from croupier.dealing.live.table import LiveTable
from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import At
from croupier.players.play_limits import PlayLimits, bet_within_limits
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.tables.live import inputs

TableInputCommand = wire.PlaceBet | wire.Undo | wire.Decide | wire.Sit | wire.StandUp
"""Commands that become inputs of the table."""
ChatCommand = wire.PostChat | wire.ReportChatLine


class SessionHolder(Protocol):
    """Holds the session of a browser at a table."""

    def taken_over(self, table: str) -> None:
        """Note that the player has opened the table in another browser."""


class LiveTableSession:
    """A player of this node's live table. `limits`: when they may play."""

    __slots__ = (*("_device", "_holder", "_limits", "_name", "_table", "connection", "player"),)

    def __init__(
        self,
        table: LiveTable,
        player: Player,
        connection: FramedConnection,
        limits: PlayLimits,
        holder: SessionHolder,
    ) -> None:
        self.player = player.id
        self.connection = connection
        self._holder = holder
        self._name = player.name
        self._table = table
        self._limits = limits
        self._device = secrets.token_hex(8)

    async def join(self, currency: str) -> None:
        """Join the table; return when the snapshot is sent.

        A player with an open round keeps its currency, even if nothing is staked any more. An empty currency
        means the one they last played in, or the table's first.
        """
        table, allowed = self._table, self._table.table.limits
        if currency and currency not in allowed:
            raise Refused("no_such_currency", currency=currency, allowed=", ".join(allowed))
        if open_ := table.open_round(self.player):
            currency = open_.currency
        elif not currency and (known := table.state.players.get(self.player)):
            currency = known.currency
        currency = currency or next(iter(allowed))
        await table.register(self.player, self._name, currency)
        await table.execute(inputs.Joined(self.player, self._device, currency))
        table.broadcaster.subscribe(self)

    def leave(self) -> None:
        """Leave the table, unless another browser of the player has taken over."""
        if self._table.broadcaster.unsubscribe(self):
            self._table.submit(inputs.Left(self.player))

    def taken_over(self) -> None:
        self._holder.taken_over(self._table.table.id)

    def gone(self) -> None:
        """Note that the connection is lost."""
        self._table.broadcaster.unsubscribe(self)
        self._table.submit(inputs.Disconnected(self.player, self._device))

    def do(self, command: TableInputCommand | ChatCommand, on_done: OnDone) -> None:
        """Hand in a command; call `on_done` when it is durable or refused."""
        match command:
            case wire.PlaceBet() | wire.Undo() if self._limits.is_limited:
                self._bet_within_limits(command, on_done)
            case wire.PlaceBet() | wire.Undo() | wire.Decide():  # the most frequent first
                self._table.submit(self._input(command), on_done, command.round)
            case wire.PostChat() | wire.ReportChatLine():
                self._chat(command, on_done)
            case _:
                self._table.submit(self._input(command), on_done)

    def _bet_within_limits(self, command: wire.PlaceBet | wire.Undo, on_done: OnDone) -> None:
        """Hand in a bet that the player's limits allow."""
        if done := bet_within_limits(self._limits, command, clock.now_ms(), on_done):
            self._table.submit(self._input(command), done, command.round)

    def _input(self, command: TableInputCommand) -> inputs.AnyInput:
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

    def _chat(self, command: ChatCommand, on_done: OnDone) -> None:
        chat, now_ms = self._table.chat, clock.now_ms()
        try:
            if isinstance(command, wire.PostChat):
                chat.post(self.player, self._name, command.text, now_ms)
            else:
                chat.report(self.player, command.line, now_ms)
        except Refused as refused:
            on_done(refused)
        else:
            on_done(None)

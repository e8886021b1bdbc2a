"""Closing of accounts by staff, and the parts of their reopening and of adjustments that need it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from croupier.accounts.responsible_gaming import (
    AccountClosed,
    AccountReopened,
    PlayerRestrictions,
    RestrictionChange,
)
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import LedgerReader
from croupier.play.contract.amounts import Currency
from croupier.players.connected_players import ConnectedPlayers
from croupier.players.devices import DeviceService
from croupier.players.restrictions import RestrictionService
from croupier.players.sessions import PlayerSessions
from croupier.refusal import Refused

LEFT_KINDS = ("cash", "bonus", "withdrawing")
"""Kinds of balance that prevent closing. Stakes in play don't: their rounds are finished first."""


class AccountClosing:
    """Closes accounts.

    A closed account has no sessions, and none can begin. Its history is kept.
    """

    def __init__(
        self,
        gateway: LedgerGateway,
        ledger: LedgerReader,
        restrictions: RestrictionService,
        limits: PlayerLimits,
        players: ConnectedPlayers,
        sessions: PlayerSessions,
        devices: DeviceService,
        end_rounds: Callable[[str], Awaitable[None]],
        currencies: Mapping[str, Currency],
    ) -> None:
        self._gateway = gateway
        self._ledger = ledger
        self._restrictions = restrictions
        self._limits = limits
        self._players = players
        self._sessions = sessions
        self._devices = devices
        self._end_rounds = end_rounds
        self._currencies = currencies

    async def close(self, player: str, by: str, reason: str) -> None:
        """Close an account: end its sessions, and play its open rounds to their end.

        Refuse `account_closed` for a closed one, `balance_left` while money of value is left, and
        `deposit_open` while the payment provider may still confirm one.
        """

        held = await self._gateway.read(self._ledger.balances, player)

        def closed(current: PlayerRestrictions, _: int) -> RestrictionChange:
            if current.closed:
                raise Refused("account_closed")
            self._check_empty(held)
            self._limits.check_no_open_deposit(player)
            return AccountClosed(by, reason)

        async with self._restrictions.changing(player, closed) as notes:
            await self._gateway.post(notes)
        if connected := self._players.get(player):
            await self._sessions.end(connected, Refused("account_closed"))
        await self._devices.end_all(player)
        await self._end_rounds(player)

    @asynccontextmanager
    async def reopening(self, player: str) -> AsyncIterator[list[Entry]]:
        """Yield the note that reopens an account, to be posted; refuse `account_open`."""

        def reopened(current: PlayerRestrictions, _: int) -> RestrictionChange:
            if current.closed is None:
                raise Refused("account_open")
            return AccountReopened()

        async with self._restrictions.changing(player, reopened) as notes:
            yield notes

    @asynccontextmanager
    async def kept_open(self, player: str) -> AsyncIterator[list[Entry]]:
        """Refuse `account_closed`; inside the context nobody can close the account."""

        def unchanged(current: PlayerRestrictions, _: int) -> None:
            if current.closed:
                raise Refused("account_closed")

        async with self._restrictions.changing(player, unchanged) as notes:
            yield notes

    def _check_empty(self, balances: Mapping[str, Mapping[str, int]]) -> None:
        for currency, held in balances.items():
            left = sum(held.get(kind, 0) for kind in LEFT_KINDS)
            if left and not self._is_play_money(currency):
                raise Refused("balance_left", currency=currency, balance_minor=left)

    def _is_play_money(self, currency: str) -> bool:
        known = self._currencies.get(currency)
        return known is not None and known.play_money

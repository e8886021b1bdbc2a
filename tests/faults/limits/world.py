"""The server's services around one player, whose commands the test gives and whose clock it sets.

A method raises Refused as its service does, and otherwise has done its work.
"""

from collections.abc import Sequence
from functools import cache, partial
from itertools import count
from typing import Any, cast

import msgspec

from croupier import clock
from croupier.accounts.devices import NewSession, session_id
from croupier.accounts.identity import Identity, new_account_token
from croupier.accounts.payments import PaymentNews
from croupier.accounts.responsible_gaming import BreakReason, Measure
from croupier.app import clock_watch
from croupier.app.server import build_server
from croupier.dealing.live.money.bonus_money import BonusMoney
from croupier.dealing.live.money.coup_entries import round_id
from croupier.dealing.live.money.round_recording import RoundRecording
from croupier.dealing.live.money.table_money import TableMoney
from croupier.dealing.live.steps import TableStep
from croupier.games import published_tables
from croupier.ledger import entries
from croupier.ledger.entries import Share, Ticket
from croupier.players.accounts import BegunSession, Caller
from croupier.protocol import wire
from croupier.protocol.launch_token import launch_token
from croupier.protocol.wire.launches import LaunchLimit
from croupier.rounds.shoe_seal import Seal
from croupier.storage.stores import Stores
from croupier.tables import game_number
from croupier.tables.live.effects import Hold, Raise, Settle, Void
from croupier.tables.live.inputs import Ticked
from croupier.tables.live.setup import Setup
from croupier.tables.live.state import State, new_table
from tests.faults.limits.surroundings import (
    BONUS,
    BOOT,
    CONFIG,
    EUR,
    SECRET,
    Device,
    ListedPlayers,
)
from tests.support.clocks import FakeMachine

LIVE, PASSWORD = "live_baccarat", "argon"
CALLER = Caller("", "192.0.2.1", "")
SEAL = Seal(bytes(32))


@cache
def live_table() -> State:
    """Return the state of a live table, which the entries of its bets are made from."""
    return new_table(Setup(published_tables()[LIVE]))


class World:
    """One player of a server over `stores`. Call `start` first."""

    def __init__(self, stores: Stores, start_ms: int, *, launched: bool) -> None:
        self.machine = FakeMachine(start_ms)
        self.registry = ListedPlayers()
        self.player = ""
        self.devices: list[Device] = []
        self._stores = stores
        self._launched = launched
        self._boot = 0
        self._names = count()
        self._tokens: list[str] = []

    # --- the server

    async def start(self) -> None:
        """Start the server for the first time, with a new player."""
        await self.restart()
        if self._launched:
            await self.sign_in()
        else:
            await self._add_account()

    async def restart(self) -> None:
        """Begin a new process, whose clock is set as the server sets it; nobody is connected."""
        self.devices.clear()
        clock.CLOCK = self.machine.clock()
        BOOT["id"] = str(self._boot)
        await clock_watch.set_clock(self._stores.ledger, by=clock.CLOCK)
        self.server = server = build_server(self._stores, {}, SEAL, CONFIG)
        server.registry._registry = cast("Any", self.registry)
        server.limits.load()
        await server.payments.load()
        await server.bonuses.load()
        self._table = TableMoney(server.table_services, LIVE, lambda: None)
        self._bonus_money = BonusMoney(server.gateway, server.bonuses, LIVE)

    async def reboot(self, step_ms: int) -> None:
        """Restart the machine, whose system clock is set to another time."""
        self.machine.step_system_clock(step_ms)
        self.machine.elapsed_ns = 0
        self._boot += 1
        await self.restart()

    async def sweep(self) -> None:
        """Do what the server does every few seconds."""
        await self.server.restrictions.end_long_sessions()
        await self.server.bonuses.sweep()
        await self.server.sessions.mark_seen()
        self._forget_ended()

    def name(self) -> str:
        return f"n{next(self._names):05}"

    def round_id(self) -> str:
        return game_number.round_id(clock.now_ms(), next(self._names))

    # --- sessions

    async def _add_account(self) -> None:
        token = await self.server.sessions.add_guest()
        known = await self.server.sessions.signed_in(token)
        assert known is not None, "a guest just added is known"
        self.player, now = known.id, clock.now_ms()
        session = NewSession(self.player, new_account_token(), "")
        identity = Identity("account", self.player)
        await self.server.gateway.durable(self._stores.identities.add(identity, PASSWORD, session, now))
        self._tokens.append(session.token)

    async def sign_in(self, limits: Sequence[LaunchLimit] = ()) -> None:
        """Begin a session on another device; an operator's player brings limits along."""
        try:
            begun = await (self._launch(limits) if self._launched else self._signed_in())
        finally:
            self._forget_ended()
        self.player = begun.player
        self._tokens.append(begun.token)

    async def _signed_in(self) -> BegunSession:
        return await self.server.accounts.sign_in(CALLER, self.player, PASSWORD)

    async def _launch(self, limits: Sequence[LaunchLimit]) -> BegunSession:
        launch = wire.Launch(session=self.name(), player="p1", currency=EUR, limits=tuple(limits))
        token = launch_token(SECRET, launch, clock.now_ms() // 1000, 60)
        return await self.server.launches.begin(CALLER, token)

    async def connect(self, device: int) -> int:
        """Connect one of the player's devices; return when the visit began."""
        token = self._tokens[device % len(self._tokens)]
        known = await self.server.sessions.signed_in(token)
        assert known is not None, "a session of the player is known"
        arriving = Device(self.server.sessions, session_id(token))
        connected = await self.server.sessions.arrive(token, arriving)
        assert connected is not None, "a session of the player is known"
        arriving.player = connected
        self.devices.append(arriving)
        return connected.player.visit_ms

    def disconnect(self, device: int) -> None:
        gone = self.devices.pop(device % len(self.devices))
        self.server.sessions.leave(gone.player, gone)

    async def open_table(self) -> None:
        """Check that the player may open a table."""
        if self.devices:
            await self.server.access.check_may_open(self.devices[0].player, LIVE)
        else:
            self.server.limits.check_not_barred(self.player)

    def _forget_ended(self) -> None:
        """Forget the devices that the server has sent away."""
        self.devices = [device for device in self.devices if device in device.player.browsers]

    # --- play

    async def bet_own(self, round_: str, table: str, minor: int) -> None:
        """Start a round at an own table, as `PlayerTable.deal` does."""
        ticket, now = Ticket(round_, self.player, table, EUR), clock.now_ms()
        deal = entries.deal(ticket, self.name(), now, number="1", staked_minor=minor)
        await self.server.bonuses.post(self.player, [deal])

    async def raise_own(self, round_: str, table: str, minor: int) -> None:
        ticket = Ticket(round_, self.player, table, EUR)
        more = entries.answer(ticket, self.name(), clock.now_ms(), extra_minor=minor)
        await self.server.bonuses.post(self.player, [more])

    async def bet_live(self, round_: str, minor: int, effect: type[Hold | Raise] = Hold) -> None:
        """Place or raise a bet at the live table, by the table's own money service."""
        now, number = clock.now_ms(), next(self._names)
        of = self.player, EUR, round_, number, minor
        hold = Raise(*of) if effect is Raise else Hold(*of, minor)
        state = msgspec.structs.replace(live_table(), round=round_, opened_ms=now)
        step = TableStep(state, Ticked(), (hold,), state)
        answers = await self._table.post_moves([step], now, RoundRecording(LIVE))
        for refused in answers.values():
            if refused is not None:
                raise refused

    async def end_own(self, round_: str, table: str, staked: int, returned: int | None) -> None:
        """Settle a round, or void it if nothing is said about what it returns."""
        ticket, key, now = Ticket(round_, self.player, table, EUR), self.name(), clock.now_ms()
        if returned is None:
            end = entries.void(ticket, key, now, staked_minor=staked, reason="test")
        else:
            end = entries.settle(ticket, key, now, staked_minor=staked, returned_minor=returned)
        await self.server.bonuses.post(self.player, [end])

    async def end_live(self, round_: str, staked: int, returned: int | None) -> None:
        """Settle or cancel the round, with what the bonus gets back."""
        of, now, back = (self.player, EUR, round_), clock.now_ms(), staked if returned is None else returned
        shares = [Share(round_id(round_, self.player), self.player, staked, back)]
        if returned is None:
            entry = entries.call_off(self.name(), now, LIVE, EUR, shares, "test")
            end: Settle | Void = Void(*of, staked, "test")
        else:
            entry = entries.coup(self.name(), now, LIVE, EUR, shares, {})
            end = Settle(*of, staked, returned, (), (), ())
        ticket = Ticket(shares[0].round, self.player, LIVE, EUR)
        await self._bonus_money.post_end([entry], [end], {self.player: ticket}, now)

    # --- money

    async def deposit(self, minor: int) -> None:
        """Deposit play money, as the cashier's page does."""
        await self._ask_registry()
        request = wire.CashierRequest(self.name(), EUR, minor)
        known = await self._known()
        await self.server.cashier.deposit(known, request)

    async def begin_payment(self, minor: int) -> str:
        """Begin a deposit by the payment provider; return its id."""
        await self._ask_registry()
        known = await self._known()
        return (await self.server.payments.deposit(known, wire.CashierRequest(self.name(), EUR, minor))).id

    async def end_payment(self, payment: str, minor: int, *, paid: bool) -> None:
        """Let the provider report the end of a deposit."""
        found = await self.server.gateway.durable(self._stores.payments.find(payment))
        assert found is not None, "a payment that was begun is known"
        news = PaymentNews("paid", minor) if paid else PaymentNews("denied")
        await self.server.payments.driver.apply(found, news)

    async def withdraw(self, minor: int, forfeit_minor: int) -> None:
        request = wire.CashierRequest(self.name(), EUR, minor, forfeit_minor)
        await self.server.cashier.withdraw(await self._known(), request)

    async def grant_bonus(self) -> None:
        """Grant a bonus, as a manager does."""
        self.server.limits.check_not_barred(self.player)
        await self.server.bonuses.grant(self.player, BONUS.name, "test")

    async def _known(self) -> Any:
        known = await self.server.sessions.signed_in(self._tokens[0])
        assert known is not None, "a session of the player is known"
        return known

    async def _ask_registry(self) -> None:
        try:
            await self.server.registry.check(self.player, (await self._known()).identity, "deposit")
        finally:
            self._forget_ended()

    # --- restrictions

    async def set_limit(self, measure: Measure, maximum: int | None) -> None:
        await self.server.restrictions.set_limit(self.player, measure, maximum)

    async def take_break(self, why: BreakReason, until_ms: int) -> None:
        await self.server.restrictions.bar(self.player, why, until_ms)
        self._forget_ended()

    def limit(self, measure: Measure) -> int | None:
        """Return a limit as the player's page shows it."""
        return self.server.limits.of(self.player).limit_at(measure, clock.now_ms())

    async def used(self, measure: Measure) -> int:
        """Return how much of a limit is used, as the player's page shows it."""
        count = partial(self.server.limits.used, self.player, measure, clock.now_ms())
        return await self.server.gateway.when_read(count)

    @property
    def may_return(self) -> bool:
        """True unless an exclusion keeps the player from their open rounds."""
        return self.server.limits.of(self.player).may_return(clock.now_ms())

    @property
    def barred_until_ms(self) -> int:
        return self.server.limits.of(self.player).barred.until_ms

"""The house: its tables, its bank, and who is in it. One of them lives in a server's process."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping
from weakref import WeakValueDictionary

import msgspec

from croupier.accounts.identity import VISIT_ENDS_MS, NewGuest, Player
from croupier.accounts.responsible_gaming import SESSION, Care, Measure, Said, Why
from croupier.clock import now_ms
from croupier.config import DEFAULT_CONFIG, ServerConfig
from croupier.ledger.protocol import RoundRecord
from croupier.play.contract.game import Table
from croupier.protocol.wire import Balance, BalanceUpdate, ReminderAnswered, Settings, SettingsUpdate
from croupier.refusal import Refused
from croupier.runtime import round_entries
from croupier.runtime.advice.adviser import Adviser
from croupier.runtime.connected_player import Browser, Guest, check_settings, mark_seen
from croupier.runtime.guests import GuestExpiry, welcome
from croupier.runtime.ledger_gateway import Bank
from croupier.runtime.live.broadcast.idle_tasks import IdleTasks
from croupier.runtime.live.chat.store import ChatStore
from croupier.runtime.live.speculation.interface import Speculate
from croupier.runtime.live.speculation.round_end import speculating
from croupier.runtime.live.startup import CLOSES, start_table, void_left_open
from croupier.runtime.live.table import LiveTable
from croupier.runtime.own.player_table import Desk, Send
from croupier.runtime.play_limits import PlayLimits
from croupier.runtime.requests import RequestRegistry
from croupier.runtime.shoe_seal import Seal
from croupier.runtime.stores import Stores
from croupier.tables.limits import in_currencies
from croupier.tables.own import OwnRound

log = logging.getLogger(__name__)

MINUTE_MS = 60_000


class House:
    """`tables` by id, in the currencies that the server has; a desk for each player at each of them."""

    def __init__(
        self,
        stores: Stores,
        tables: Mapping[str, Table],
        seal: Seal,
        floor: ServerConfig = DEFAULT_CONFIG,
        speculate: Speculate | None = None,
    ) -> None:
        self.stores = stores
        self.bank = Bank(stores.ledger, seal, self._visit_began_ms, tuple(floor.currencies))
        self.tables = in_currencies(tables, floor.currencies)
        self.floor = floor
        self.profile = floor.profile
        self.live: dict[str, LiveTable] = {}
        """Empty until the house is open."""
        self.elsewhere: set[str] = set()
        """The players who see more than one table, or see it in more than one browser."""
        self.quiet = IdleTasks()
        self.adviser = Adviser()
        self._chat = ChatStore(self.bank, stores.chat)
        self._speculate = speculate or speculating()
        self._saying = asyncio.Lock()
        self._expiry = GuestExpiry(self.bank, stores.unused_guests, floor.inactivity.unused_guest_days)
        self._guests: dict[str, Guest] = {}
        self._desks: dict[tuple[str, str], Desk] = {}
        self._limits = WeakValueDictionary[str, PlayLimits]()
        """Of the players who are here or have an own table open."""
        self.requests = RequestRegistry(self._live_rounds)

    async def open(self) -> None:
        """Enters the rules of every table, and ends what was left unfinished and is not to be resumed."""
        self.bank.keeper.load()
        for table in self.tables.values():
            await self.bank.enter([round_entries.rules_note(table, now_ms())])
        left_open = self.bank.ledger.open_rounds()
        dealt_live = {table.id for table in self.tables.values() if table.dealing == "live"}
        for record in left_open:
            if record.table not in dealt_live:
                await self._resume_or_void(record)
        await self._end_unfinished()
        ended = await void_left_open(
            [record for record in left_open if record.table in dealt_live], self.bank
        )
        for table in (self.tables[name] for name in sorted(dealt_live)):
            self.live[table.id] = await start_table(
                table, self.floor, self.bank, self._chat, ended, self, self._speculate
            )

    async def close(self) -> None:
        """Live tables take nothing more; their open rounds are void, and every stake goes back."""
        for table in self.live.values():
            await table.close(CLOSES)
        await self._chat.flush()
        await self.adviser.close()

    async def _resume_or_void(self, record: RoundRecord) -> None:
        try:
            table = self.tables[record.table]
            played = round_entries.restored(self.bank.ledger, record, table, self.bank.seal)
        except (LookupError, ValueError) as error:
            log.exception("round %s can't be resumed and is void", record.id)
            await self.bank.enter([round_entries.void_entry(record, now_ms(), f"can't be resumed: {error}")])
            return
        self._desks[record.player, table.id] = self._desk(record.player, table, played.currency, played)

    # --- who is absent

    async def sweep(self) -> None:
        """Sessions end in which nothing is done, rounds that have waited long enough, and unused guests."""
        await self._end_idle_sessions()
        await self._end_long_sessions()
        await self._end_unfinished()
        self.requests.sweep(self._guests, now_ms())
        await self._expiry.sweep(self._guests, now_ms())
        await mark_seen(self.bank, self.stores.accounts, self._guests.values(), now_ms())

    async def _end_idle_sessions(self) -> None:
        minutes = self.floor.inactivity.idle_minutes
        until_ms = now_ms() - minutes * MINUTE_MS
        for guest in tuple(self._guests.values()) if minutes else ():
            if guest.browsers and guest.acted_ms <= until_ms:
                await self._end_session(guest, Refused("session_ended", minutes=minutes))

    async def _end_long_sessions(self) -> None:
        """Of those who have set themselves how long a visit may be."""
        for guest in tuple(self._guests.values()):
            name, now = guest.player.id, now_ms()
            most = self.bank.keeper.of(name).most(SESSION, now)
            if most is not None and now >= guest.player.visit_ms + most * MINUTE_MS:
                await self.bar(name, "session", now + VISIT_ENDS_MS)

    async def end_session(self, guest: Guest) -> None:
        """End a session at its player's wish: all of their browsers are told, and leave."""
        await self._end_session(guest, Refused("session_ended", minutes=0))

    async def _end_session(self, guest: Guest, why: Refused) -> None:
        for browser in tuple(guest.browsers):
            browser.sent_away(why)
        await self.bank.durable(self.stores.accounts.end_visits(guest.player.id))

    async def _end_unfinished(self) -> None:
        for at in tuple(self._desks):
            await self._end_waiting(at)

    async def _end_waiting(self, at: tuple[str, str]) -> None:
        """At an own table: what has waited long enough. Who has excluded himself doesn't come back to his."""
        absent, now, desk = self.floor.inactivity, now_ms(), self._desks.get(at)
        excluded = self.bank.keeper.of(at[0]).is_excluded(now)
        if desk is not None and (excluded or absent.resume_hours):
            until_ms = now if excluded else now - absent.resume_hours * 60 * MINUTE_MS
            await desk.end_unfinished(until_ms, "play" if excluded else absent.unfinished)
            self._put_away(at)

    # --- players

    async def add_guest(self) -> str:
        """A new guest with play money; the answer is the token of his session."""
        player, token, now = f"p_{secrets.token_hex(8)}", secrets.token_urlsafe(32), now_ms()
        grants = welcome(player, self.floor.currencies, now)
        guest = NewGuest(player, f"Guest {player[-4:]}", token)
        await self.bank.durable(self.stores.accounts.add_guests([guest], grants, now))
        return token

    async def limit(self, player: str, measure: Measure, most: int | None) -> None:
        """A player sets himself a limit, or takes it away: stricter counts at once, looser after a while."""
        cooling_off_ms = self.floor.responsible_gaming.cooling_off_hours * 60 * MINUTE_MS
        await self._says(player, lambda care, now: care.to_set(measure, most, now, cooling_off_ms))
        await self.reads_ahead(player)

    async def bar(self, player: str, why: Why, until_ms: int) -> None:
        """A player is kept from the tables until then. His sessions end at once.

        What he has at live tables is as if he were disconnected. Who excludes himself has nothing to come
        back to either: his rounds at own tables are played to their end.
        """
        await self._says(player, lambda care, _: care.to_bar(why, until_ms))
        barred = self.bank.keeper.of(player).barred
        if guest := self._guests.get(player):
            await self._end_session(guest, Refused("barred", why=barred.why, until_ms=barred.until_ms))
        for at in [at for at in self._desks if at[0] == player]:
            await self._end_waiting(at)

    async def _says(self, player: str, what: Callable[[Care, int], Said | None]) -> None:
        """What he says of himself stands in the books before it counts; nothing, where it is so already."""
        async with self._saying:
            keeper, now = self.bank.keeper, now_ms()
            if said := what(keeper.of(player), now):
                note = keeper.note(player, said, now)
                await self.bank.enter([note])
                keeper.stands(note)

    async def reads_ahead(self, player: str) -> None:
        """What his limits count of the time before this visit: once a visit, and nobody else waits for it."""
        if visit_ms := self._visit_began_ms(player):
            await asyncio.to_thread(self.bank.keeper.reads_ahead, player, visit_ms)

    async def signed_in(self, token: str) -> Player | None:
        """The player whose session this is, and who asks for something."""
        if not token:
            return None
        player = await self.bank.durable(self.stores.accounts.signed_in(token, now_ms()))
        if player is not None and player.id in self._guests:
            self._guests[player.id].acts()
        return player

    async def arrives(self, token: str, browser: Browser) -> Guest | None:
        """The guest whose session this is, who is here with this browser until it has `left`."""
        player = await self.bank.arrives(self.stores.accounts.arriving(token, now_ms()))
        if player is None:
            return None
        guest = self._guests.get(player.id)
        if guest is None:
            limits = self._limits_of(player.id)
            guest = Guest(player, self.profile, self.floor.currencies, limits)
            self._guests[player.id] = guest
        guest.browsers.add(browser)
        guest.acts()
        self.opens_tables(guest)
        if self.bank.keeper.of(player.id).limits:
            await self.reads_ahead(player.id)
        return guest

    def _visit_began_ms(self, player: str) -> int | None:
        guest = self._guests.get(player)
        return guest.player.visit_ms if guest else None

    @property
    def guests_here(self) -> int:
        return len(self._guests)

    def left(self, guest: Guest, browser: Browser) -> None:
        """A browser has gone; with the last one the guest has."""
        guest.browsers.discard(browser)
        self.opens_tables(guest)
        self.bank.purses.forget(guest.player.id)
        if not guest.browsers:
            self._guests.pop(guest.player.id, None)

    def balances(self, guest: Guest) -> tuple[Balance, ...]:
        """Return the player's balance in every currency that the server has."""
        return tuple(self.bank.purses.balance(guest.player.id, code) for code in self.floor.currencies)

    def currency(self, code: str) -> str:
        """Return a currency that the server has; Refused otherwise."""
        if code not in self.floor.currencies:
            raise Refused("no_such_currency", currency=code, allowed=", ".join(self.floor.currencies))
        return code

    async def save_settings(self, guest: Guest, settings: Settings) -> None:
        """Refuse what the profile or the server doesn't have, and another reminder while one is due."""
        check_settings(guest, settings, self.profile, now_ms())
        if settings.currency != guest.settings.currency:
            self.currency(settings.currency)
        text = msgspec.json.encode(settings).decode()
        await self.bank.durable(self.stores.accounts.save_settings(guest.player.id, text, now_ms()))
        guest.take(settings)
        guest.tell(SettingsUpdate(settings))

    async def answer_reminder(self, guest: Guest) -> None:
        """The player goes on after a reality check; nothing, where none is due."""
        limits, now = guest.limits, now_ms()
        if limits.reminder_due(now):
            await self.bank.note_reminder(guest.player.id, now, limits.reminder_minutes)
            limits.reminder_answered(now)
            guest.tell(ReminderAnswered(now))

    def tell_balance(self, player: str, currency: str) -> None:
        """What he has now, to every browser of his."""
        guest = self._guests.get(player)
        if guest is not None:
            guest.tell(BalanceUpdate(self.bank.purses.balance(player, currency)))

    def opens_tables(self, guest: Guest) -> None:
        """Has opened or left a table in one of his browsers, or a browser."""
        tables = sum(max(1, len(browser.tables)) for browser in guest.browsers)
        if tables > 1:
            self.elsewhere.add(guest.player.id)
        else:
            self.elsewhere.discard(guest.player.id)

    # --- tables

    def _live_rounds(self) -> set[str]:
        """Return the present rounds of the live tables."""
        return {table.state.round for table in self.live.values()}

    def desk(self, player: str, table_id: str) -> Desk:
        """This player's own table; Refused when the house has none of that name."""
        table = self.tables.get(table_id)
        if table is None:
            raise Refused("no_such_table", table=table_id)
        assert table.dealing == "own", f"{table_id} is dealt live"
        key = (player, table_id)
        if key not in self._desks:
            first = next(iter(table.limits))
            self._desks[key] = self._desk(player, table, first)
        return self._desks[key]

    def _desk(self, player: str, table: Table, currency: str, played: OwnRound | None = None) -> Desk:
        limits = self._limits_of(player)
        return Desk(self.bank, player, table, currency, self.tell_balance, limits, played)

    def _limits_of(self, player: str) -> PlayLimits:
        limits = self._limits.get(player)
        if limits is None:
            limits = self._limits[player] = PlayLimits(player, self.profile, self.bank)
        return limits

    def check_may_open(self, guest: Guest, table: str) -> None:
        """Refuse a table beyond the profile's number, and one that isn't played beside others.

        Tables count that are open in any browser of the player.
        """
        most, at = self.profile.tables_max, self._tables_of(guest)
        if table not in at and len(at) >= most:
            raise Refused("too_many_tables", most=most, table=table)
        beside = _open_in(guest.browsers) - {table}
        for name in (table, *sorted(beside)) if beside else ():
            if name in self.tables and not self.tables[name].multi_play:
                raise Refused("not_for_multi_play", table=table, title=self.tables[name].title)

    def _tables_of(self, guest: Guest) -> set[str]:
        """The tables that are open in a player's browsers, or where a round of theirs isn't over."""
        player = guest.player.id
        at = _open_in(guest.browsers)
        live = (name for name, table in self.live.items() if table.stakes_of(player))
        return at.union(self.open_tables(player), live)

    def leave(self, player: str, desk: Desk, send: Send) -> None:
        """A browser leaves a table; a desk that nobody is at and where nothing is open is put away."""
        desk.unfollow(send)
        self._put_away((player, desk.table.id))

    def _put_away(self, at: tuple[str, str]) -> None:
        desk = self._desks.get(at)
        if desk is not None and desk.idle:
            del self._desks[at]

    def open_tables(self, player: str) -> tuple[str, ...]:
        """Where a round of his is unfinished."""
        desks = ((table, self._desks.get((player, table))) for table in self.tables)
        return tuple(table for table, desk in desks if desk and desk.in_play)


def _open_in(browsers: Iterable[Browser]) -> set[str]:
    return {table for browser in browsers for table in browser.tables}

"""The players' bonuses: granted, staked, counted and ended.

A player without a bonus costs a dictionary lookup. Whatever moves a player's bonus money or counts their
stakes runs under the player's lock, from reading the balance until it is posted.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import reduce
from weakref import WeakValueDictionary

from croupier import clock
from croupier.accounts.bonus import OPEN, Bonus, BonusTemplate, granted, opted_in
from croupier.accounts.bonus_funding import EndedRound, end_of_round, voided, with_bonuses
from croupier.accounts.repository import PaymentRepository
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.ledger.bonus_entries import BONUS, ENDS, EVENTS, GRANTS, OPT_INS, bonus_grant
from croupier.ledger.entries import Entry
from croupier.ledger.protocol import LedgerReader
from croupier.play.contract.game import Table
from croupier.play.tables.wagering import contribution_minor
from croupier.players.connected_players import ConnectedPlayers
from croupier.protocol.wire import BonusUpdate, PlayerBonus
from croupier.refusal import Refused

BONUSES_SHOWN = 20
"""Maximum number of past bonuses shown to a player."""


class Bonuses:
    """The active bonuses, and ended ones whose money is still in play. Call `load` first.

    `templates` are the bonuses that may be granted, by name.
    """

    def __init__(
        self,
        ledger: LedgerReader,
        gateway: LedgerGateway,
        players: ConnectedPlayers,
        tables: Mapping[str, Table],
        templates: Mapping[str, BonusTemplate],
        repository: PaymentRepository,
    ) -> None:
        self.templates = templates
        self._repository = repository
        self._ledger = ledger
        self._gateway = gateway
        self._players = players
        self._percent = {table.id: contribution_minor(table.wagering, 100) for table in tables.values()}
        self._of: dict[str, dict[str, Bonus]] = {}
        """By player and id."""
        self._locks = WeakValueDictionary[str, asyncio.Lock]()

    async def load(self) -> None:
        """Read the bonuses from the journal, and end those that were due while the server was stopped."""
        for bonus in await asyncio.to_thread(self._read_all):
            self._put(bonus)
        await self.sweep()

    def _read_all(self) -> list[Bonus]:
        ended = {entry.body[BONUS] for entry in self._ledger.entries(ENDS)}
        playing = {record.player for record in self._ledger.open_rounds()}
        grants = self._ledger.entries(GRANTS)
        kept = [grant for grant in grants if grant.body[BONUS] not in ended or grant.player in playing]
        return [*map(self._read, kept), *self._read_opt_ins("")]

    async def reload(self, player: str) -> None:
        """Read a player's bonuses again, which another node has changed; send the active ones."""
        async with self._locks.setdefault(player, asyncio.Lock()):
            await self._read_again(player)

    async def _read_again(self, player: str) -> None:
        """Read a player's bonuses again, while nothing else changes them."""
        grants, opt_ins = await self._gateway.read(self._read_of, player)
        self._of.pop(player, None)
        for bonus in grants:
            self._put(bonus)
            if bonus.status == "active":
                self._send(bonus)
        for bonus in opt_ins:
            self._put(bonus)

    def _read_of(self, player: str) -> tuple[list[Bonus], list[Bonus]]:
        grants = [self._read(grant) for grant in self._ledger.entries(f"{GRANTS}{player}:")]
        return grants, self._read_opt_ins(f"{player}:")

    def _read_opt_ins(self, of: str) -> list[Bonus]:
        """Read the opt-ins that are neither granted nor cancelled; `of` is empty for those of all players."""
        over = {entry.body[BONUS] for kind in (GRANTS, ENDS) for entry in self._ledger.entries(f"{kind}{of}")}
        notes = self._ledger.entries(f"{OPT_INS}{of}")
        return [opted_in(note) for note in notes if note.body[BONUS] not in over]

    async def end_voided(self) -> None:
        """Take back the bonus money of rounds that were voided before the bonuses were loaded."""
        rounds = [
            (bonus, id_) for held in self._of.values() for bonus in held.values() for id_ in bonus.in_play
        ]
        for bonus, round_id in rounds:
            record = await self._gateway.read(self._ledger.round, round_id)
            if record is not None and record.status == "void":
                await self._post([*end_of_round(bonus, voided(record, record.ended_ms), 0)])

    def _read(self, grant: Entry) -> Bonus:
        bonus = granted(grant)
        end = self._ledger.entries(f"{ENDS}{grant.player}:{bonus.id}")
        return reduce(Bonus.after, [*self._ledger.entries(f"{EVENTS}{bonus.id}:"), *end], bonus)

    def _put(self, bonus: Bonus) -> None:
        held = self._of.setdefault(bonus.player, {})
        held[bonus.id] = bonus
        if bonus.status not in OPEN and not bonus.in_play:
            del held[bonus.id]
        if not held:
            del self._of[bonus.player]

    # --- queries

    def __contains__(self, player: object) -> bool:
        """Return whether the player may have an active bonus."""
        return player in self._of

    def among(self, players: Iterable[str]) -> frozenset[str]:
        """Return those of the players who may have a bonus or bonus money in play."""
        return frozenset(self._of.keys() & players) if self._of else frozenset()

    def of(self, player: str, currency: str) -> list[Bonus]:
        """Return the player's active bonus in this currency, and ended ones whose money is in play."""
        return [bonus for bonus in self._of.get(player, {}).values() if bonus.currency == currency]

    def active(self, player: str, currency: str) -> Bonus | None:
        """Return the player's usable bonus in this currency; there is one at most."""
        now = clock.now_ms()
        return next((bonus for bonus in self.of(player, currency) if bonus.is_usable(now)), None)

    def spendable_minor(self, player: str, currency: str, table: str) -> int:
        """Return the bonus money that the player can stake at a table."""
        bonus = self.active(player, currency) if player in self._of else None
        return bonus.spendable_minor(table, clock.now_ms()) if bonus else 0

    def opted_in(self, player: str) -> list[Bonus]:
        """Return the bonuses to be granted with the player's deposits."""
        return [bonus for bonus in self._of.get(player, {}).values() if bonus.status == "opted_in"]

    def waiting(self) -> list[str]:
        """Return the players who have opted in to a bonus."""
        return [player for player in self._of if self.opted_in(player)]

    def has_open(self, player: str, currency: str) -> bool:
        """Return whether a bonus in this currency is active or waits for a deposit."""
        return any(bonus.status in OPEN for bonus in self.of(player, currency))

    def views(self, player: str) -> tuple[PlayerBonus, ...]:
        """Return the player's active bonuses."""
        held = self._of.get(player, {}).values()
        return tuple(bonus_view(bonus) for bonus in held if bonus.status == "active")

    def history(self, player: str) -> tuple[PlayerBonus, ...]:
        """Return the player's bonuses, also ended ones, newest first; before them those they opted in to.

        One that they opted in to is shown once, also if a deposit has brought it or it was cancelled before.
        It is a query of the ledger.
        """
        grants = self._ledger.entries(f"{GRANTS}{player}:")
        granted_ = [self._read(grant) for grant in reversed(grants[-BONUSES_SHOWN:])]
        brought = {grant.body[BONUS] for grant in grants}
        notes = self._ledger.entries(f"{OPT_INS}{player}:")
        opt_ins = [self._opted_in(note) for note in reversed(notes) if note.body[BONUS] not in brought]
        return tuple(bonus_view(bonus) for bonus in (*opt_ins, *granted_))

    def _opted_in(self, note: Entry) -> Bonus:
        """Read a bonus that no deposit has brought."""
        ends = self._ledger.entries(f"{ENDS}{note.player}:{note.body[BONUS]}")
        return reduce(Bonus.after, ends, opted_in(note))

    # --- play

    async def post(self, player: str, posted: Sequence[Entry], gateway: LedgerGateway | None = None) -> None:
        """Post the entries of one round at an own table, with those of the player's bonuses."""
        gateway = gateway or self._gateway
        if player not in self._of:
            await gateway.post(posted)
            return
        async with self.changing([player]):
            currency = next((entry.moves[0].debit.currency for entry in posted if entry.moves), "")
            cash = await self.cash_minor(player, currency)
            percent = self._percent.get(posted[0].table, 0)
            entries = with_bonuses(posted, self.of(player, currency), cash, percent)
            await gateway.post(entries)
            self.apply(entries)

    async def cash_minor(self, player: str, currency: str) -> int:
        """Return the player's own cash, which is staked first."""
        held = await self._gateway.read(self._ledger.balances, player)
        return held.get(currency, {}).get("cash", 0)

    def ends_of(self, ended: Iterable[EndedRound]) -> list[Entry]:
        """Return the bonuses' entries for the ends of rounds, to be posted with them and then applied."""
        return [
            entry
            for end in ended
            for bonus in self.of(end.ticket.player, end.ticket.currency)
            for entry in end_of_round(bonus, end, self._percent.get(end.ticket.table, 0))
        ]

    def apply(self, entries: Iterable[Entry]) -> None:
        """Apply posted entries of bonuses; skip those of rounds."""
        for entry in entries:
            bonus = self._of.get(entry.player, {}).get(str(entry.body.get(BONUS, "")))
            if bonus is not None:
                self._put(after := bonus.after(entry))
                if after.status != bonus.status:  # the round that brought it about is shown first
                    asyncio.get_running_loop().call_soon(self._tell_end, after)

    def send(self, player: str, currency: str) -> None:
        """Send the player's active bonus in this currency to their browsers, if there is one."""
        for bonus in self._of[player].values() if player in self._of else ():
            if bonus.currency == currency and bonus.status == "active":
                self._send(bonus)

    # --- changes

    async def grant(self, player: str, name: str, reason: str) -> None:
        """Grant a bonus; refuse `no_such_bonus`, and what `PaymentRepository.add_bonus` refuses."""
        template = self.templates.get(name)
        if template is None or template.match_percent:
            raise Refused("no_such_bonus", bonus=name)
        async with self.changing([player]):
            if self.has_open(player, template.currency):
                raise Refused("bonus_active", currency=template.currency)
            now = clock.now_ms()
            of = f"b{now:012x}{secrets.token_hex(5)}", now, player, template.currency, template.amount_minor
            await self.add(bonus_grant(*of, template.terms(now).as_json(), reason))

    async def add(self, entry: Entry) -> None:
        """Post a grant, or the note of an opt-in; inside `changing`.

        If another node has posted it in the same moment, with its own time, that one counts.
        """
        try:
            await self._gateway.recorded(self._repository.add_bonus(entry))
        except Refused as refused:
            if refused.code not in ("key_reused", "bonus_active"):
                raise
            await self._read_again(entry.player)
            if refused.code == "bonus_active":
                raise
            return
        if entry.kind == "note":
            self._put(opted_in(entry))
            return
        self._put(bonus := granted(entry))
        self._send(bonus)

    def follow(self, entries: Iterable[Entry]) -> None:
        """Apply the entries of bonuses that were posted with a payment; inside `changing`."""
        for entry in entries:
            if entry.kind == "bonus_grant":
                self._put(bonus := granted(entry))
                self._send(bonus)
        self.apply(entry for entry in entries if entry.kind != "bonus_grant")

    async def cancel(self, player: str, bonus_id: str) -> None:
        """Cancel an active bonus; refuse `no_such_bonus`."""
        await self._cancel(player, bonus_id)

    async def give_up(self, player: str, bonus_id: str, agreed_minor: int) -> None:
        """Cancel an active bonus for its player, who agrees as in `withdrawing`; refuse `no_such_bonus`."""
        await self._cancel(player, bonus_id, agreed_minor)

    async def _cancel(self, player: str, bonus_id: str, agreed_minor: int | None = None) -> None:
        """End a bonus in the transaction that reads it: another node may have changed it."""
        async with self.changing([player]):
            now = clock.now_ms()
            ending = self._repository.end_bonus(player, bonus_id, "cancelled", now, agreed_minor)
            try:
                ended = await self._gateway.recorded(ending)
            except Refused:
                await self._read_again(player)
                raise
            known = self._of.get(player, {}).get(bonus_id)
            expected = [known.end_entry("cancelled", now)] if known else []
            await self._apply_ends([player], expected, ended.entries)

    async def _apply_ends(
        self, players: Iterable[str], expected: Sequence[Entry], ends: Sequence[Entry]
    ) -> None:
        """Apply the ends of bonuses; read them again if they had other money here than in the journal."""
        if [*ends] == expected:
            self.apply(ends)
            return
        for player in players:
            await self._read_again(player)
        for end in ends:
            for bonus in await self._gateway.read(self._read_granted, end.player, str(end.body[BONUS])):
                self._tell_end(bonus)

    def _read_granted(self, player: str, bonus_id: str) -> list[Bonus]:
        """Return the bonus with this id; nothing if the player has only opted in to it."""
        return [self._read(grant) for grant in self._ledger.entries(f"{GRANTS}{player}:{bonus_id}")]

    @asynccontextmanager
    async def withdrawing(self, withdrawal: Entry, agreed_minor: int) -> AsyncIterator[list[Entry]]:
        """Yield the entries to post with a withdrawal, which ends the player's bonus.

        Refuse `bonus_forfeit` unless the player agrees to lose exactly the bonus money that they have.
        """
        player = withdrawal.player
        if player not in self._of or await self._was_posted(withdrawal):
            yield []
            return
        async with self.changing([player]):
            if bonus := self.active(player, withdrawal.moves[0].debit.currency):
                _check_agreed(bonus, agreed_minor)
            ends = [bonus.end_entry("withdrawn", clock.now_ms())] if bonus else []
            yield ends
            self.apply(ends)

    async def _was_posted(self, entry: Entry) -> bool:
        return await self._gateway.read(self._ledger.entry, entry.key) is not None

    async def sweep(self) -> None:
        """End the bonuses that are due."""
        now = clock.now_ms()
        for player, held in tuple(self._of.items()):
            if any(bonus.due_end(now) for bonus in held.values()):
                async with self.changing([player]):
                    pass

    @asynccontextmanager
    async def changing(self, players: Iterable[str]) -> AsyncIterator[None]:
        """Hold the locks of the players' bonuses; end those that are due before and afterwards."""
        async with AsyncExitStack() as locks:
            for player in sorted(players):  # in the same order everywhere, so that no two wait for each other
                await locks.enter_async_context(self._locks.setdefault(player, asyncio.Lock()))
            await self._end_due(players)
            yield
            await self._end_due(players)

    async def _end_due(self, players: Iterable[str]) -> None:
        """End due bonuses in the transaction that reads them: another node may have changed them."""
        now = clock.now_ms()
        held = [bonus for player in players for bonus in self._of.get(player, {}).values()]
        expected = [bonus.end_entry(why, now) for bonus in held if (why := bonus.due_end(now))]
        if expected:
            due = [*dict.fromkeys(end.player for end in expected)]
            ended = await self._gateway.recorded(self._repository.end_due_bonuses(due, now))
            await self._apply_ends(due, expected, ended.entries)

    async def _post(self, entries: Sequence[Entry]) -> None:
        await self._gateway.post(entries)
        self.apply(entries)

    def _tell_end(self, bonus: Bonus) -> None:
        self._send(bonus)
        self._players.send_balance(bonus.player, bonus.currency)

    def _send(self, bonus: Bonus) -> None:
        if connected := self._players.get(bonus.player):
            connected.send(BonusUpdate(bonus_view(bonus)))


def _check_agreed(bonus: Bonus, agreed_minor: int) -> None:
    """Refuse `bonus_forfeit` unless the player agrees to lose exactly the bonus money that they have."""
    at_stake = bonus.balance_minor + bonus.in_play_minor
    if agreed_minor != at_stake:
        raise Refused("bonus_forfeit", currency=bonus.currency, amount_minor=at_stake)


def bonus_view(bonus: Bonus) -> PlayerBonus:
    """Return a bonus as its player sees it."""
    terms = bonus.terms
    return PlayerBonus(
        bonus=bonus.id,
        title=terms.title,
        currency=bonus.currency,
        status=bonus.status,
        granted_minor=bonus.granted_minor,
        balance_minor=bonus.balance_minor,
        in_play_minor=bonus.in_play_minor,
        required_minor=bonus.required_minor,
        left_minor=bonus.left_minor,
        granted_ms=bonus.granted_ms,
        expires_ms=terms.expires_ms,
        max_bet_minor=terms.max_bet_minor,
        excluded=terms.excluded,
        multiple=terms.multiple,
        days=terms.days,
        match_percent=terms.match_percent,
        match_max_minor=terms.match_max_minor,
    )

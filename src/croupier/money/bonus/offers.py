"""Bonuses that players accept in the cashier: at once, or to be granted with their first deposit.

The id of such a bonus comes from its player and its template, so the journal's keys allow it once.
"""

import logging
from typing import NamedTuple

from croupier import clock
from croupier.accounts.bonus import BonusTemplate, granted, offered_id
from croupier.accounts.identity import GUEST, Player
from croupier.accounts.payment_rules import is_allowed_in
from croupier.accounts.repository import PaymentRepository
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.config import ServerConfig
from croupier.ledger.bonus_entries import BONUS, GRANTS, OPT_INS, bonus_grant, bonus_opt_in
from croupier.ledger.protocol import LedgerReader
from croupier.money.bonus.service import Bonuses
from croupier.outside.due_work import DueWork
from croupier.players.queries import PlayerQueries
from croupier.protocol.wire import OfferedBonus
from croupier.refusal import Refused

log = logging.getLogger(__name__)
ALL = 2**31 - 1
RETRY_MS = 60_000
"""Time to the next attempt to grant the bonus of a player who is taking a break."""


class BonusPast(NamedTuple):
    """A player's past: the ids of bonuses, the templates of granted ones, currencies with deposits."""

    jurisdiction: str
    accepted: frozenset[str]
    granted: frozenset[str]
    deposited: frozenset[str]


class BonusOffers:
    """The bonuses that players may accept. Call `load` after that of the bonuses."""

    def __init__(
        self,
        gateway: LedgerGateway,
        ledger: LedgerReader,
        payments: PaymentRepository,
        limits: PlayerLimits,
        queries: PlayerQueries,
        bonuses: Bonuses,
        config: ServerConfig,
    ) -> None:
        self._gateway = gateway
        self._ledger = ledger
        self._payments = payments
        self._limits = limits
        self._queries = queries
        self._bonuses = bonuses
        self._templates = [each for each in config.bonuses.values() if each.offer != "staff"]
        self._jurisdiction = config.responsible_gaming.jurisdiction
        self._deposited = DueWork()
        """Players whose deposits may bring a bonus."""

    def load(self) -> None:
        """Look at the deposits of everybody who has opted in: a crash may have come before a grant."""
        for player in self._bonuses.waiting():
            self._deposited.put(player, 0)

    # --- players

    async def of(self, player: Player) -> list[OfferedBonus]:
        """Return the bonuses that a player may accept; none for guests, and during a break."""
        if player.identity == GUEST or self._limits.active_break(player.id):
            return []
        past = await self._past(player.id)
        return [_view(each) for each in self._templates if self._is_offered(player.id, each, past)]

    async def accept(self, player: Player, offer: str) -> None:
        """Grant an offered bonus, or note that its player has opted in; nothing if it was accepted before.

        Refuse `barred`, `account_needed` to a guest, `bonus_active` beside another bonus in its currency, and
        `no_such_bonus` for one that isn't offered under these terms.
        """
        self._limits.check_not_barred(player.id)
        if player.identity == GUEST:
            raise Refused("account_needed")
        template = next((each for each in self._templates if each.digest == offer), None)
        if template is None:
            raise Refused("no_such_bonus", bonus=offer)
        async with self._bonuses.changing([player.id]):
            bonus = offered_id(player.id, template.name)
            past = await self._past(player.id)
            if bonus not in past.accepted:
                await self._accept(player.id, bonus, template, past)

    async def _accept(self, player: str, bonus: str, template: BonusTemplate, past: BonusPast) -> None:
        currency = template.currency
        now = clock.now_ms()
        if self._bonuses.has_open(player, currency):
            raise Refused("bonus_active", currency=currency)
        if not self._is_offered(player, template, past):
            raise Refused("no_such_bonus", bonus=template.name)
        terms = template.terms(now).as_json()
        if template.match_percent:
            accepted = bonus_opt_in(bonus, now, player, currency, terms)
        else:
            reason = "accepted by the player"
            accepted = bonus_grant(bonus, now, player, currency, template.amount_minor, terms, reason)
        await self._bonuses.add(accepted)

    async def _past(self, player: str) -> BonusPast:
        return await self._gateway.read(self._read_past, player)

    def _read_past(self, player: str) -> BonusPast:
        grants = self._ledger.entries(f"{GRANTS}{player}:")
        opt_ins = self._ledger.entries(f"{OPT_INS}{player}:")
        return BonusPast(
            self._queries.jurisdiction(player) or self._jurisdiction,
            frozenset(str(entry.body[BONUS]) for entry in (*grants, *opt_ins)),
            frozenset(granted(grant).terms.template for grant in grants),
            frozenset(currency for currency, minor in self._ledger.deposited(player).items() if minor),
        )

    def _is_offered(self, player: str, template: BonusTemplate, past: BonusPast) -> bool:
        """Return whether a player may accept a bonus: once, unless staff have granted it."""
        return (
            is_allowed_in(past.jurisdiction, template.jurisdictions)
            and not self._bonuses.has_open(player, template.currency)
            and offered_id(player, template.name) not in past.accepted
            and template.name not in past.granted
            and not (template.match_percent and template.currency in past.deposited)
        )

    # --- first deposits

    def deposited(self, player: str) -> None:
        """Note that a deposit was confirmed: `run` grants what it brings."""
        self._deposited.put(player, 0)

    async def run(self) -> None:
        """Grant what deposits bring until the task is cancelled."""
        await self._deposited.run(self.work, "granting bonuses for deposits", log)

    async def work(self) -> None:
        """Grant what deposits have brought by now."""
        with self._deposited.claimed(self._deposited.due()) as players:
            for player in sorted(players):
                self._deposited.drop(player)
                await self._grant_to(player)

    async def _grant_to(self, player: str) -> None:
        """Grant what a player's deposits have brought; during a break, try again later.

        The deposit's own transaction has granted it already, unless the player was taking a break.
        """
        if not await self._gateway.read(self._ledger.entries, f"{OPT_INS}{player}:"):
            return
        await self._bonuses.reload(player)  # the player may have opted in on another node
        async with self._bonuses.changing([player]):
            if not self._bonuses.opted_in(player) or self._limits.of(player).closed:
                return
            if self._limits.active_break(player):
                self._deposited.put(player, clock.now_ms() + RETRY_MS)
                return
            due = await self._gateway.recorded(self._payments.grant_due(player, clock.now_ms()))
            self._bonuses.follow(due.entries)


def _view(template: BonusTemplate) -> OfferedBonus:
    return OfferedBonus(
        offer=template.digest,
        title=template.title,
        currency=template.currency,
        granted_minor=0 if template.match_percent else template.amount_minor,
        match_percent=template.match_percent,
        match_max_minor=template.amount_minor if template.match_percent else 0,
        multiple=template.multiple,
        days=template.days,
        max_bet_minor=template.max_bet_minor,
        excluded=template.excluded,
    )

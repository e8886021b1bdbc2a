"""Bonuses: granted money that becomes cash once enough has been staked.

Pure, and exact in integers: stakes are counted in hundredths of the smallest unit, as a class's percentage of
a whole amount is a whole number of them. The journal is the record; a bonus is the sum of its entries.
"""

from collections.abc import Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import Annotated, Literal, cast

from msgspec import Meta, Struct, convert, to_builtins
from msgspec.json import encode
from msgspec.structs import replace

from croupier.ledger import bonus_entries
from croupier.ledger.bonus_entries import BONUS
from croupier.ledger.entries import Entry, Json
from croupier.refusal import Refused

BonusEnd = Literal["converted", "spent", "expired", "withdrawn", "cancelled"]
BonusStatus = Literal["opted_in", "active", "converted", "spent", "expired", "withdrawn", "cancelled"]
"""`opted_in`: the player has agreed to its terms, and it is granted with their first deposit."""
OfferedTo = Literal["staff", "account", "first_deposit"]
OPEN: tuple[BonusStatus, ...] = "opted_in", "active"
"""States in which a bonus is the only one in its currency."""
DAY_MS = 24 * 3600 * 1000


class BonusTemplate(Struct, frozen=True):
    """A bonus of the configuration file; `max_bet_minor` 0: no maximum.

    `offer` says who gets it: players to whom staff grant it, those who accept it in the cashier, or those who
    opt in there and then deposit. The latter get `match_percent` of the deposit, up to `amount_minor`.
    """

    name: str
    title: str
    currency: str
    amount_minor: int
    multiple: int
    days: int
    max_bet_minor: int = 0
    excluded: tuple[str, ...] = ()
    offer: OfferedTo = "staff"
    match_percent: int = 0
    jurisdictions: tuple[str, ...] = ()

    def terms(self, now_ms: int) -> "BonusTerms":
        """Return the terms of a bonus granted now."""
        return BonusTerms(
            template=self.name,
            title=self.title,
            multiple=self.multiple,
            expires_ms=now_ms + self.days * DAY_MS,
            max_bet_minor=self.max_bet_minor,
            excluded=self.excluded,
            days=self.days,
            match_percent=self.match_percent,
            match_max_minor=self.amount_minor if self.match_percent else 0,
            jurisdictions=self.jurisdictions,
        )

    @property
    def digest(self) -> str:
        """A name of the template with these terms, so that nobody accepts others than they saw."""
        return sha256(encode(self)).hexdigest()[:32]


class BonusTerms(Struct, frozen=True):
    """The terms that a bonus was granted under; they don't change. `multiple` is that of the amount.

    One that a first deposit brings is `match_percent` of the deposit, up to `match_max_minor`.
    """

    template: str
    title: str
    multiple: Annotated[int, Meta(ge=0)]
    expires_ms: int
    max_bet_minor: int
    excluded: tuple[str, ...]
    days: int = 0
    match_percent: int = 0
    match_max_minor: int = 0
    jurisdictions: tuple[str, ...] = ()
    """Jurisdictions whose players may be granted it when they have accepted it; none: all."""

    def matched_minor(self, deposit_minor: int) -> int:
        """Return the bonus that a deposit brings, rounded down."""
        return min(self.match_max_minor, deposit_minor * self.match_percent // 100)

    def from_now(self, now_ms: int) -> "BonusTerms":
        """Return the terms of a bonus granted now to a player who agreed to these before."""
        return replace(self, expires_ms=now_ms + self.days * DAY_MS)

    def as_json(self) -> Mapping[str, Json]:
        return cast("Mapping[str, Json]", to_builtins(self))


class Bonus(Struct, frozen=True):
    """A bonus that a player has been granted, and how far it has been played through.

    `in_play`: the bonus money in each open round; `counted`: what was staked, in hundredths.
    """

    id: str
    player: str
    currency: str
    granted_ms: int
    granted_minor: int
    terms: BonusTerms
    balance_minor: int
    counted: int = 0
    in_play: Mapping[str, int] = MappingProxyType({})
    status: BonusStatus = "active"

    @property
    def in_play_minor(self) -> int:
        return sum(self.in_play.values())

    @property
    def required_minor(self) -> int:
        return self.granted_minor * self.terms.multiple

    @property
    def left_minor(self) -> int:
        """The counted amount that is still to be staked, rounded up."""
        return max(0, -((self.counted - self.required_minor * 100) // 100))

    def is_usable(self, now_ms: int) -> bool:
        """Return whether it can be staked and counts stakes."""
        return self.status == "active" and now_ms < self.terms.expires_ms

    def counts(self, table: str, now_ms: int) -> bool:
        """Return whether a stake that is settled at a table counts towards the requirement."""
        return self.is_usable(now_ms) and table not in self.terms.excluded

    def spendable_minor(self, table: str, now_ms: int) -> int:
        """Return the bonus money that can be staked at a table."""
        return self.balance_minor if self.counts(table, now_ms) else 0

    def check_bet(self, table: str, stake_minor: int) -> None:
        """Refuse a bet that the terms forbid: `bonus_table`, `over_bonus_bet`. Own cash counts too."""
        if table in self.terms.excluded:
            raise Refused("bonus_table", table=table)
        if 0 < self.terms.max_bet_minor < stake_minor:
            raise Refused("over_bonus_bet", staked_minor=stake_minor, max_minor=self.terms.max_bet_minor)

    def due_end(self, now_ms: int) -> BonusEnd | None:
        """Return how the bonus has to end now, if it does."""
        if self.status != "active":
            return None
        if self.counted >= self.required_minor * 100:
            return "converted"
        if now_ms >= self.terms.expires_ms:
            return "expired"
        return None if self.balance_minor or self.in_play else "spent"

    def end_entry(self, why: BonusEnd, now_ms: int) -> Entry:
        """Return the entry that ends the bonus. What is in play follows when its rounds end."""
        amount = self.balance_minor
        if why == "converted":
            return bonus_entries.bonus_convert(self.id, now_ms, self.player, self.currency, amount)
        return bonus_entries.bonus_forfeit(self.id, now_ms, self.player, self.currency, amount, why)

    def after(self, entry: Entry) -> "Bonus":
        """Return the bonus after one of its entries that follow the grant."""
        match entry.kind:
            case "bonus_stake":
                minor = entry.moved("bonus", "cash")
                in_play = {**self.in_play, entry.round: self.in_play.get(entry.round, 0) + minor}
                return replace(self, balance_minor=self.balance_minor - minor, in_play=in_play)
            case "bonus_release":
                minor = entry.moved("cash", "bonus")
                left = {**self.in_play, entry.round: self.in_play[entry.round] - minor}
                in_play = {round_: staked for round_, staked in left.items() if staked}
                return replace(self, balance_minor=self.balance_minor + minor, in_play=in_play)
            case "bonus_return":
                in_play = {round_: minor for round_, minor in self.in_play.items() if round_ != entry.round}
                balance = self.balance_minor + entry.moved("cash", "bonus")
                counted = self.counted + cast("int", entry.body["counted"])
                return replace(self, balance_minor=balance, in_play=in_play, counted=counted)
            case _:
                status = convert(entry.body["why"], BonusStatus)
                balance = self.balance_minor - entry.moved("bonus", "cash") - entry.moved("bonus", "grants")
                return replace(self, balance_minor=balance, status=status)


def granted(entry: Entry) -> Bonus:
    """Return the bonus of a grant."""
    ((_, account, minor),) = entry.moves
    terms = convert(entry.body["terms"], BonusTerms)
    id_ = str(entry.body[BONUS])
    return Bonus(id_, entry.player, account.currency, entry.at_ms, minor, terms, minor)


def opted_in(note: Entry) -> Bonus:
    """Return the bonus that a player has opted in to, before it is granted."""
    terms, id_, currency = (
        convert(note.body["terms"], BonusTerms),
        str(note.body[BONUS]),
        note.body["currency"],
    )
    return Bonus(id_, note.player, str(currency), note.at_ms, 0, terms, 0, status="opted_in")


def offered_id(player: str, template: str) -> str:
    """Return the id of a bonus that a player may accept once."""
    return f"b{sha256(f'{player}:{template}'.encode()).hexdigest()[:22]}"


def bonus_share(returned_minor: int, bonus_minor: int, staked_minor: int) -> int:
    """Return the bonus's part of what a round returned, rounded down: the rest is the player's cash."""
    return returned_minor * bonus_minor // staked_minor

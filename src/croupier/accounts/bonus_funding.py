"""The bonus's part in the entries of a round: which stakes it pays, and what it gets back.

A stake takes the player's own cash first, and bonus money for the rest. A stake that is taken back returns
bonus money first. What the round returns is divided in the proportion of the stakes.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import NamedTuple

from croupier.accounts.bonus import Bonus, bonus_share
from croupier.ledger.bonus_entries import bonus_forfeit, bonus_release, bonus_return, bonus_stake
from croupier.ledger.entries import Entry, Ticket
from croupier.ledger.protocol import RoundSummary


class StakeChange(NamedTuple):
    """A stake that the entry `key` holds, or takes back."""

    ticket: Ticket
    key: str
    at_ms: int
    amount_minor: int


class EndedRound(NamedTuple):
    """The end of a player's round; `settled`: it isn't void."""

    ticket: Ticket
    at_ms: int
    staked_minor: int
    returned_minor: int
    settled: bool


def voided(record: RoundSummary, at_ms: int) -> EndedRound:
    """Return the end of a round that is void."""
    return EndedRound(record.ticket, at_ms, record.staked_minor, record.staked_minor, settled=False)


def with_bonuses(
    posted: Sequence[Entry], bonuses: Iterable[Bonus], cash_minor: int, percent: int
) -> list[Entry]:
    """Return entries of a round at an own table, completed by those of the player's bonuses in its currency.

    `percent` of a settled stake counts towards the requirement.
    """
    stakes, ends = list[Entry](), list[Entry]()
    for bonus in bonuses:
        staked = [*staking(bonus, _stake(posted[0]), cash_minor)]
        stakes += staked
        if posted[-1].kind in ("settle", "void"):
            ends += end_of_round(reduce(Bonus.after, staked, bonus), _end(posted[-1]), percent)
    return [*stakes, *posted, *ends]


def staking(bonus: Bonus, stake: StakeChange, cash_minor: int) -> Iterator[Entry]:
    """Yield the entry that makes up for missing cash, if the bonus can; it precedes the stake's."""
    short = stake.amount_minor - cash_minor
    if 0 < short <= bonus.spendable_minor(stake.ticket.table, stake.at_ms):
        yield bonus_stake(bonus.id, stake.ticket, stake.key, stake.at_ms, short)


def taking_back(bonuses: Iterable[Bonus], stake: StakeChange) -> Iterator[Entry]:
    """Yield the entries that return bonus money, newest bonus first; they follow the stake's.

    That of a converted bonus is cash; after any other end it is taken back too.
    """
    left, paying = stake.amount_minor, [bonus for bonus in bonuses if bonus.status != "converted"]
    for bonus in sorted(paying, key=lambda bonus: bonus.granted_ms, reverse=True):
        minor = min(left, bonus.in_play.get(stake.ticket.round, 0))
        left -= minor
        if minor:
            yield bonus_release(bonus.id, stake.ticket, stake.key, stake.at_ms, minor)
            yield from _late(bonus, stake.at_ms, minor, stake.key)


def end_of_round(bonus: Bonus, end: EndedRound, percent: int) -> Iterator[Entry]:
    """Yield the bonus's entries for the end of a round, if it concerns the bonus; they follow the round's.

    After a conversion the whole return is cash; after any other end, the bonus's part is taken back too.
    """
    counts = end.settled and bonus.counts(end.ticket.table, end.at_ms)
    counted = end.staked_minor * percent if counts else 0
    part = bonus.in_play.get(end.ticket.round, 0)
    returned = part and bonus.status != "converted"
    share = bonus_share(end.returned_minor, part, end.staked_minor) if returned else 0
    if part or counted:
        yield bonus_return(bonus.id, end.ticket, end.at_ms, share, counted)
    if share:
        yield from _late(bonus, end.at_ms, share, end.ticket.round)


def _late(bonus: Bonus, at_ms: int, amount_minor: int, what: str) -> Iterator[Entry]:
    """Yield the entry that takes back what came back to a bonus after its end."""
    if bonus.status != "active":
        of = bonus.id, at_ms, bonus.player, bonus.currency
        yield bonus_forfeit(*of, amount_minor, bonus.status, late=what)


def _stake(entry: Entry) -> StakeChange:
    currency = entry.moves[0].debit.currency if entry.moves else ""
    ticket = Ticket(entry.round, entry.player, entry.table, currency)
    return StakeChange(ticket, entry.key, entry.at_ms, entry.moved("cash", "in_play"))


def _end(entry: Entry) -> EndedRound:
    ticket = Ticket(entry.round, entry.player, entry.table, entry.moves[0].debit.currency)
    staked = entry.moved("in_play", "table") + entry.moved("in_play", "cash")
    returned = entry.moved("table", "cash") + entry.moved("in_play", "cash")
    return EndedRound(ticket, entry.at_ms, staked, returned, entry.kind == "settle")

"""Journal entries of bonuses. A bonus's money is in its player's account `bonus`.

Each key names what can happen once only: a bonus is granted and ends once, and counts a round once.
"""

from collections.abc import Mapping

from croupier.ledger.entries import HOUSE, Account, Entry, Json, Kind, Move, Ticket, note

GRANTS, ENDS, EVENTS, OPT_INS = "bonus_grant:", "bonus_end:", "bonus:", "bonus_opt_in:"
"""Prefixes of the keys: of grants, ends and opt-ins by player, and of the other entries by bonus."""
BONUS = "bonus"
"""Field of every body: the id of the bonus."""


def bonus_grant(
    bonus: str,
    at_ms: int,
    player: str,
    currency: str,
    amount_minor: int,
    terms: Mapping[str, Json],
    reason: str,
) -> Entry:
    """A player is granted a bonus under these terms."""
    move = Move(Account(HOUSE, "grants", currency), Account(player, "bonus", currency), amount_minor)
    body: Mapping[str, Json] = {BONUS: bonus, "terms": terms, "reason": reason}
    return Entry(f"{GRANTS}{player}:{bonus}", "bonus_grant", at_ms, player, "", "", (move,), body)


def bonus_opt_in(bonus: str, at_ms: int, player: str, currency: str, terms: Mapping[str, Json]) -> Entry:
    """A player agrees to the terms of the bonus that their first deposit brings."""
    body: Mapping[str, Json] = {BONUS: bonus, "currency": currency, "terms": terms}
    return note(f"{OPT_INS}{player}:{bonus}", at_ms, body, player=player)


def bonus_stake(bonus: str, ticket: Ticket, key: str, at_ms: int, amount_minor: int) -> Entry:
    """Bonus money becomes cash for the stake that the entry `key` holds."""
    moves = (Move(ticket.account("bonus"), ticket.account("cash"), amount_minor),)
    return _of_round(bonus, ticket, f"{EVENTS}{bonus}:stake:{key}", "bonus_stake", at_ms, moves, {})


def bonus_release(bonus: str, ticket: Ticket, key: str, at_ms: int, amount_minor: int) -> Entry:
    """Cash becomes bonus money again: the entry `key` takes back a stake that it had paid."""
    moves = (Move(ticket.account("cash"), ticket.account("bonus"), amount_minor),)
    return _of_round(bonus, ticket, f"{EVENTS}{bonus}:release:{key}", "bonus_release", at_ms, moves, {})


def bonus_return(bonus: str, ticket: Ticket, at_ms: int, amount_minor: int, counted: int) -> Entry:
    """A round ends: the bonus's part of what it returned, and what its stake counts, in hundredths."""
    move = Move(ticket.account("cash"), ticket.account("bonus"), amount_minor)
    key, moves = f"{EVENTS}{bonus}:round:{ticket.round}", (move,) if amount_minor else ()
    return _of_round(bonus, ticket, key, "bonus_return", at_ms, moves, {"counted": counted})


def bonus_convert(bonus: str, at_ms: int, player: str, currency: str, amount_minor: int) -> Entry:
    """The requirement is met: what is left of the bonus becomes cash."""
    move = Move(Account(player, "bonus", currency), Account(player, "cash", currency), amount_minor)
    moves = (move,) if amount_minor else ()
    key, body = f"{ENDS}{player}:{bonus}", {BONUS: bonus, "currency": currency, "why": "converted"}
    return Entry(key, "bonus_convert", at_ms, player, "", "", moves, body)


def bonus_forfeit(
    bonus: str, at_ms: int, player: str, currency: str, amount_minor: int, why: str, *, late: str = ""
) -> Entry:
    """The bonus ends without conversion; or money comes back to an ended bonus.

    `late` names what brought it back: a round that has ended, or the entry that took back a stake.
    """
    move = Move(Account(player, "bonus", currency), Account(HOUSE, "grants", currency), amount_minor)
    key = f"{EVENTS}{bonus}:late:{late}" if late else f"{ENDS}{player}:{bonus}"
    moves, body = (move,) if amount_minor else (), {BONUS: bonus, "currency": currency, "why": why}
    return Entry(key, "bonus_forfeit", at_ms, player, "", "", moves, body)


def _of_round(
    bonus: str,
    ticket: Ticket,
    key: str,
    kind: Kind,
    at_ms: int,
    moves: tuple[Move, ...],
    body: Mapping[str, Json],
) -> Entry:
    return Entry(key, kind, at_ms, ticket.player, ticket.table, ticket.round, moves, {BONUS: bonus, **body})

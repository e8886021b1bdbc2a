"""Admission: whether a player may place a stake.

Pure, and asked where the money is held, whatever command it came with. A command's own checks only answer
sooner. The bets themselves, their limits and combinations are the table's rules: see `tables.limits`.
"""

from typing import NamedTuple

from croupier.accounts.bonus import Bonus
from croupier.accounts.responsible_gaming import MINUTE_MS, SESSION, Measure, PlayerRestrictions
from croupier.refusal import Refused


class StakeRequest(NamedTuple):
    """A stake that is about to be held. `entry`: the key of its entry, if it has one.

    `bets_minor` is the whole of the player's bets in the round with this stake; None for a stake that a
    decision costs, such as a double: it belongs to a round that was admitted before.
    """

    player: str
    currency: str
    table: str
    amount_minor: int
    bets_minor: int | None
    entry: str = ""


class OwnLimit(NamedTuple):
    """A limit that the player has set, and how much of it is left."""

    measure: Measure
    maximum: int
    left_minor: int

    def check(self, amount_minor: int) -> None:
        """Refuse `over_own_limit` for a larger amount than is left."""
        if amount_minor > self.left_minor:
            raise Refused(
                "over_own_limit",
                what=self.measure.what,
                period=self.measure.period,
                most_minor=self.maximum,
                left_minor=max(0, self.left_minor),
            )


class PlayConditions(NamedTuple):
    """Conditions of the player's bets. `bonus`: their usable one in the stake's currency.

    `unaccepted`: documents to accept first; `reminder_due`: the minutes of a reality check to answer first;
    `played_ms`: the time that a session limit counts; `break_ms`: the break that such a limit imposes.
    `owed_minor`: what the player owes in `currency` after a payment was reversed.
    """

    bonus: Bonus | None = None
    unaccepted: tuple[str, ...] = ()
    reminder_due: int = 0
    played_ms: int = 0
    break_ms: int = 0
    owed_minor: int = 0
    currency: str = ""

    def check(self) -> None:
        """Refuse a bet before the documents are accepted, during a debt, or while a reality check is due."""
        if self.owed_minor:
            raise Refused("in_debt", currency=self.currency, amount_minor=self.owed_minor)
        if self.unaccepted:
            raise Refused("documents_not_accepted", documents=", ".join(self.unaccepted))
        if self.reminder_due:
            raise Refused("reminder_due", minutes=self.reminder_due)


NO_CONDITIONS = PlayConditions()


class PlayerStanding(NamedTuple):
    """A player's restrictions, limits and conditions at the moment when a stake is held."""

    restrictions: PlayerRestrictions
    limits: tuple[OwnLimit, ...] = ()
    conditions: PlayConditions = NO_CONDITIONS


def admit(stake: StakeRequest, player: PlayerStanding, now_ms: int) -> Refused | None:
    """Return why a stake may not be placed; None if it may.

    Breaks and the player's own limits restrict every stake. The conditions of bets, those of a bonus among
    them, restrict the first bets of a round: what is dealt may be played to its end.
    """
    try:
        player.restrictions.check_not_barred(now_ms)
        if stake.bets_minor is not None:
            player.conditions.check()
            _check_session(player, now_ms)
            if player.conditions.bonus:
                player.conditions.bonus.check_bet(stake.table, stake.bets_minor)
        for limit in player.limits:
            limit.check(stake.amount_minor)
    except Refused as refused:
        return refused
    return None


def _check_session(player: PlayerStanding, now_ms: int) -> None:
    """Refuse a bet once the player's session limit is reached, before the break begins that it imposes."""
    minutes = player.restrictions.limit_at(SESSION, now_ms)
    conditions = player.conditions
    if minutes is not None and conditions.played_ms >= minutes * MINUTE_MS:
        raise Refused("barred", why="session", until_ms=now_ms + conditions.break_ms)

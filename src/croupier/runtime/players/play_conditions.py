"""Conditions of a player's bets, as the server knows them at this moment."""

from croupier import clock
from croupier.accounts.admission import PlayConditions
from croupier.runtime.players.bonuses import Bonuses
from croupier.runtime.players.play_limits import PlayLimitsRegistry


class CurrentConditions:
    """Finds the conditions of players; most have none, which costs two look-ups."""

    def __init__(self, bonuses: Bonuses, play_limits: PlayLimitsRegistry) -> None:
        self._bonuses = bonuses
        self._play_limits = play_limits

    def of(self, player: str, currency: str) -> PlayConditions | None:
        """Return the conditions of a player's bets in a currency; None if there are none."""
        bonus = self._bonuses.active(player, currency) if player in self._bonuses else None
        limits = self._play_limits.known(player)
        now_ms = clock.now_ms()
        conditions = limits.conditions(now_ms) if limits and limits.is_limited else None
        if bonus is None:
            return conditions
        return (conditions or PlayConditions())._replace(bonus=bonus)

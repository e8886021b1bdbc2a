"""Conditions of a player's bets, as the server knows them at this moment."""

from croupier import clock
from croupier.accounts.admission import NO_CONDITIONS, PlayConditions
from croupier.runtime.players.bonuses import Bonuses
from croupier.runtime.players.play_limits import PlayLimitsRegistry


class CurrentConditions:
    """Finds the conditions of players; most have none, which costs two look-ups."""

    def __init__(self, bonuses: Bonuses, play_limits: PlayLimitsRegistry) -> None:
        self._bonuses = bonuses
        self._play_limits = play_limits

    def restrict(self, player: str) -> bool:
        """Return whether a player's bets may have conditions."""
        if player in self._bonuses:
            return True
        limits = self._play_limits.known(player)
        return limits is not None and limits.is_limited

    def of(self, player: str, currency: str) -> PlayConditions:
        """Return the conditions of a player's bets in a currency."""
        limits = self._play_limits.known(player)
        conditions = limits.conditions(clock.now_ms()) if limits else NO_CONDITIONS
        return conditions._replace(bonus=self._bonuses.active(player, currency))

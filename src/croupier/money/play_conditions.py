"""Conditions of a player's bets, as the server knows them at this moment."""

from collections.abc import Callable, Mapping

from croupier import clock
from croupier.admission.conditions import NO_CONDITIONS, PlayConditions
from croupier.money.bonus.service import Bonuses
from croupier.players.play_limits import PlayLimitsRegistry


class CurrentConditions:
    """Finds the conditions of players; most have none, which costs three look-ups."""

    def __init__(
        self, bonuses: Bonuses, play_limits: PlayLimitsRegistry, owed: Callable[[str], Mapping[str, int]]
    ) -> None:
        """Take a function that returns what a player owes, by currency."""
        self._bonuses = bonuses
        self._play_limits = play_limits
        self._owed = owed

    def restrict(self, player: str) -> bool:
        """Return whether a player's bets may have conditions."""
        if player in self._bonuses:
            return True
        limits = self._play_limits.known(player)
        return bool(self._owed(player)) or (limits is not None and limits.is_limited)

    def of(self, player: str, currency: str) -> PlayConditions:
        """Return the conditions of a player's bets in a currency."""
        limits = self._play_limits.known(player)
        conditions = limits.conditions(clock.now_ms()) if limits else NO_CONDITIONS
        if owed_minor := self._owed(player).get(currency):
            conditions = conditions._replace(owed_minor=owed_minor, currency=currency)
        return conditions._replace(bonus=self._bonuses.active(player, currency))

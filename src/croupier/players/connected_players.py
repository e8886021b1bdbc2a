"""The registry of connected players."""

from collections.abc import Callable, Iterator

from croupier.admission.balances import BalanceCache
from croupier.idle_tasks import IdleTasks
from croupier.players.connected_player import Browser, ConnectedPlayer
from croupier.protocol.wire import BalanceUpdate


class ConnectedPlayers:
    """Players by id, from the arrival of their first browser until the last one has left."""

    def __init__(self, balances: BalanceCache) -> None:
        self.in_several_places: set[str] = set()
        """Players who have several tables or several browsers open."""
        self.idle_tasks = IdleTasks()
        """Idle tasks of the event loop, shared by all tables."""
        self._balances = balances
        self._players: dict[str, ConnectedPlayer] = {}
        self._watchers: list[Callable[[ConnectedPlayer], None]] = []

    def __len__(self) -> int:
        return len(self._players)

    def __contains__(self, player: object) -> bool:
        return player in self._players

    def __iter__(self) -> Iterator[ConnectedPlayer]:
        """Iterate over the players who are connected now; they may leave meanwhile."""
        return iter(tuple(self._players.values()))

    def get(self, player: str) -> ConnectedPlayer | None:
        return self._players.get(player)

    def watch(self, call: Callable[[ConnectedPlayer], None]) -> None:
        """`call` whenever a player has opened or closed a table or a browser."""
        self._watchers.append(call)

    def connect(self, player: ConnectedPlayer, browser: Browser) -> None:
        """Add one of the player's browsers. Their balances are in memory already, see `BalanceCache.keep`."""
        self._players[player.id] = player
        player.browsers += (browser,)
        self.tables_changed(player)

    def disconnect(self, player: ConnectedPlayer, browser: Browser) -> None:
        """Remove a browser; with the last one the player leaves."""
        player.browsers = tuple(other for other in player.browsers if other is not browser)
        self.tables_changed(player)
        self._balances.forget(player.id)
        if not player.browsers:
            self._players.pop(player.id, None)

    def tables_changed(self, player: ConnectedPlayer) -> None:
        """Note that the player has opened or closed a table or a browser."""
        tables = sum(max(1, len(browser.tables)) for browser in player.browsers)
        if tables > 1:
            self.in_several_places.add(player.id)
        else:
            self.in_several_places.discard(player.id)
        for call in self._watchers:
            call(player)

    def visit_began_ms(self, player: str) -> int | None:
        """Return the start of the player's present visit; None if they aren't connected."""
        known = self._players.get(player)
        return known.player.visit_ms if known else None

    def send_balance(self, player: str, currency: str) -> None:
        """Send the present balance to all browsers of a player."""
        known = self._players.get(player)
        if known is not None:
            known.send(BalanceUpdate(self._balances.balance(player, currency)))

"""Players in the hands of managers: searches, views and changes, all logged."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeVar

from croupier import clock
from croupier.accounts.identity import Identity, Player
from croupier.accounts.player_index import IndexedPlayer
from croupier.accounts.staff_members import Member
from croupier.action_log import Actor, log_action
from croupier.gateway.pages.history import history_line
from croupier.gateway.server import Server
from croupier.protocol.staff_players import (
    AcceptedDocument,
    CloseAccount,
    ClosedAccount,
    CurrencyBalances,
    EndPlayerSessions,
    FoundPlayer,
    FoundPlayers,
    OfficeCommand,
    PlayerFile,
    Search,
    ViewPlayer,
)
from croupier.refusal import Refused
from croupier.staff.rights import require_right

T = TypeVar("T")
LISTED = 50
"""Players on a page of a list."""


class OfficeLog:
    """Execution of commands of the back office: refused and forbidden ones are logged too."""

    def __init__(self, server: Server) -> None:
        self._gateway = server.gateway

    async def execute(
        self,
        member: Member,
        command: OfficeCommand,
        work: Callable[[], Awaitable[T]],
        record: OfficeCommand | None = None,
    ) -> T:
        """Do the work of a command that the member may execute; `record` is logged in its place."""

        async def allowed() -> T:
            require_right(member, command)
            return await work()

        return await log_action(self._gateway, Actor(member.name, member.role), record or command, allowed)


class StaffPlayers:
    """The server's players, as managers see and change them."""

    def __init__(self, server: Server, log: OfficeLog) -> None:
        self._server = server
        self._log = log

    async def newest(self, member: Member, before: str) -> FoundPlayers:
        """Return the players created before the player `before`, newest first; empty: all players."""
        return await self._log.execute(member, Search(), partial(self._newest, before))

    async def _newest(self, before: str) -> FoundPlayers:
        query = self._server.player_index.newest(before, LISTED + 1)
        found = await self._server.gateway.durable(query)
        return self._page(found)

    async def find(self, text: str) -> FoundPlayers:
        """Return the players whose id, name, identity or address begins with the text. The caller logs it."""
        query = self._server.player_index.search(text, LISTED + 1)
        found = await self._server.gateway.durable(query)
        return self._page(found)

    def _page(self, found: Sequence[IndexedPlayer]) -> FoundPlayers:
        return FoundPlayers(tuple(map(self._found, found[:LISTED])), more=len(found) > LISTED)

    async def file(self, member: Member, player: str) -> PlayerFile:
        """Return the head of a player's page."""
        record = await self._viewed(member, player, "")
        ledger = self._server.ledger
        tables = self._server.tables
        read = self._server.gateway.read
        return PlayerFile(
            self._found(record),
            tuple(await self._balances(record)),
            tuple(history_line(each, tables) for each in await read(ledger.open_rounds_of, player)),
            tuple(await read(self._accepted, player)),
            self._closed(player),
        )

    async def as_player(self, member: Member, player: str, part: str) -> Player:
        """Return a player for one of their own pages, which the member looks at."""
        record = await self._viewed(member, player, part)
        began_ms = self._server.players.visit_began_ms(player)
        visit_ms = clock.now_ms() if began_ms is None else began_ms
        return Player(record.id, record.name, "{}", visit_ms, Identity(record.kind, record.login))

    async def _viewed(self, member: Member, player: str, part: str) -> IndexedPlayer:
        return await self._log.execute(member, ViewPlayer(player, part), partial(self._known, player))

    async def _known(self, player: str) -> IndexedPlayer:
        record = await self._server.gateway.durable(self._server.player_index.find(player))
        if record is None:
            raise Refused("no_such_player", player=player)
        return record

    async def end_sessions(self, member: Member, command: EndPlayerSessions) -> None:
        """Sign out one of a player's devices, or all of them."""
        await self._log.execute(member, command, partial(self._end_sessions, command))

    async def _end_sessions(self, command: EndPlayerSessions) -> None:
        await self._known(command.player)
        if command.device:
            await self._server.devices.end(command.player, command.device)
        else:
            await self._server.devices.end_all(command.player)

    async def close(self, member: Member, command: CloseAccount) -> None:
        """Close a player's account."""
        await self._log.execute(member, command, partial(self._close, member, command))

    async def _close(self, member: Member, command: CloseAccount) -> None:
        await self._known(command.player)
        await self._server.closing.close(command.player, member.name, command.reason)

    def _found(self, record: IndexedPlayer) -> FoundPlayer:
        closed = self._server.limits.of(record.id).closed is not None
        return FoundPlayer(*record, connected=record.id in self._server.players, closed=closed)

    async def _balances(self, record: IndexedPlayer) -> list[CurrencyBalances]:
        in_wallet = await self._in_wallet(record)
        held = await self._server.gateway.read(self._server.ledger.balances, record.id)
        return [
            CurrencyBalances(
                currency,
                cash_minor=kinds.get("cash", 0),
                bonus_minor=kinds.get("bonus", 0),
                in_play_minor=kinds.get("in_play", 0),
                withdrawing_minor=kinds.get("withdrawing", 0),
                of_wallet=currency in in_wallet,
                wallet_minor=in_wallet.get(currency),
            )
            for currency in {**self._server.config.currencies, **held}
            for kinds in [held.get(currency, {})]
        ]

    async def _in_wallet(self, record: IndexedPlayer) -> dict[str, int | None]:
        """Return the balances of one of the operator's players in its wallet."""
        if record.kind != "operator":
            return {}
        asked = [(record.login, currency) for currency in sorted(self._server.config.wallet.currencies)]
        found = await self._server.wallet.current_minor(asked)
        return {currency: minor for (_, currency), minor in found.items()}

    def _accepted(self, player: str) -> list[AcceptedDocument]:
        documents = self._server.config.documents.documents
        return [
            AcceptedDocument(name, documents[name].title if name in documents else name, version)
            for name, version in self._server.queries.accepted_versions(player).items()
        ]

    def _closed(self, player: str) -> ClosedAccount | None:
        state = self._server.limits.of(player)
        return ClosedAccount(state.closed_ms, state.closed.by, state.closed.reason) if state.closed else None

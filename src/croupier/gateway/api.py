"""The players' HTTP API. Responses are types of `wire`."""

from typing import Annotated, Any

from litestar import Request, Response, Router, get, post
from litestar.connection import ASGIConnection
from litestar.datastructures import CacheControlHeader, State
from litestar.di import Provide
from litestar.exceptions import NotAuthorizedException
from litestar.params import Parameter
from msgspec import Struct
from msgspec.structs import replace

import croupier
from croupier.accounts.identity import Player
from croupier.clock import now_ms
from croupier.equipment.rng import RNG_DATE, RNG_VERSION
from croupier.gateway.advice import ADVICE_HANDLERS
from croupier.gateway.cookies import session_cookie, session_token
from croupier.gateway.forwarded import client_address
from croupier.gateway.origins import HeaderLookup, single_value
from croupier.gateway.pages import history as past
from croupier.gateway.pages import responsible_gaming
from croupier.gateway.pages.lobby import LiveStatusCache, LobbyTableCache
from croupier.gateway.pages.rules import html, markdown
from croupier.gateway.pages.table_data import table_data
from croupier.gateway.rate_limits import ApiLimiter
from croupier.gateway.sockets import PLAYER_COOKIE
from croupier.gateway.strict_bodies import strict_body
from croupier.play.contract.amounts import CURRENCIES
from croupier.play.contract.game import Table
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.runtime.live.money.results import KEPT
from croupier.runtime.players.cashier import PLAY_CURRENCIES
from croupier.runtime.server import Server

CASHIER = {"rate": "cashier"}
"""Rate limit of cashier routes; other routes of a player count as `history`."""
GUEST_COOKIE_AGE_S = 180 * 24 * 3600
HttpRequest = Request[Any, Any, State]
PageSize = Annotated[int, Parameter(ge=1, le=100)]
ResultCount = Annotated[int, Parameter(ge=1, le=KEPT)]
SequenceNumber = Annotated[int | None, Parameter(ge=0, le=2**53)]
TimestampMs = Annotated[int | None, Parameter(ge=0, le=2**53)]


def header_lookup(request: ASGIConnection[Any, Any, Any, Any]) -> HeaderLookup:
    return lambda name: single_value(request.headers.getall(name, []))


async def authenticated_player(request: HttpRequest, server: Server, limiter: ApiLimiter) -> Player:
    """Return the player whose session cookie the request has; status 401 without one, 429 above the rate."""
    scope = request.route_handler.opt.get("rate", "history")
    limiter.address(scope, client_address(request.scope))
    player = await server.sessions.signed_in(session_token(header_lookup(request), PLAYER_COOKIE))
    if player is None:
        raise NotAuthorizedException
    limiter.player(scope, player.id)
    return player


def _current_table(server: Server, table: Table) -> Table:
    """Return the table with its current limits, which the manager of a live table may have changed."""
    return server.live[table.id].table if table.id in server.live else table


@get("/tables/{table:str}", sync_to_thread=False)
def one_table(server: Server, table: str) -> wire.TableData:
    """Return a table's bets, paytables, limits, restrictions and returns as data."""
    if table not in server.tables:
        raise Refused("no_such_table", table=table)
    return table_data(_current_table(server, server.tables[table]))


@get("/tables/{table:str}/rules", sync_to_thread=False)
def rules(server: Server, table: str) -> wire.RulesPage:
    """Return the table's rules page as HTML, generated from its rules record."""
    if table not in server.tables:
        raise Refused("no_such_table", table=table)
    dealt, running = _current_table(server, server.tables[table]), server.config.live_table(table)
    if table in server.live:
        running = replace(running, dealer=server.live[table].dealer)
    page = markdown(dealt, running, server.config.profile, server.config.inactivity)
    return wire.RulesPage(table, dealt.title, html(page))


async def whose_results(
    request: HttpRequest, server: Server, limiter: ApiLimiter, table: str
) -> Player | None:
    """Return the player whose results are requested; None at a live table, whose results are public."""
    known = table in server.tables and table not in server.live
    return await authenticated_player(request, server, limiter) if known else None


@get(
    "/tables/{table:str}/results",
    sync_to_thread=False,
    dependencies={"whose": Provide(whose_results)},
)
def results(server: Server, table: str, whose: Player | None, n: ResultCount = KEPT) -> list[wire.PastResult]:
    """Return the results of a table's last rounds, oldest first.

    At an own table these are the player's rounds, which requires a session. Empty if the jurisdiction forbids
    past results.
    """
    if table not in server.tables:
        raise Refused("no_such_table", table=table)
    if not server.config.profile.results:
        return []
    return past.results(server.ledger, whose.id, table, n) if whose else server.live[table].results.last(n)


@post("/guest", status_code=200)
async def guest(request: HttpRequest, server: Server, limiter: ApiLimiter) -> Response[wire.Me]:
    """Sign in as a new guest with play money, and set the session cookie. A valid session is kept."""
    address = client_address(request.scope)
    limiter.address("history", address)
    token = session_token(header_lookup(request), PLAYER_COOKIE)
    known = await server.sessions.signed_in(token)
    if known is None:
        limiter.address("guests", address)
        token = await server.sessions.add_guest()
        known = await server.sessions.signed_in(token)
    assert known is not None, "a guest just added is known"
    cookie = session_cookie(PLAYER_COOKIE, token, request.scope["scheme"], GUEST_COOKIE_AGE_S)
    return Response(wire.Me(known.id, known.name), cookies=[cookie])


@get("/me", sync_to_thread=False)
def me(player: Player) -> wire.Me:
    """Return the signed-in player."""
    return wire.Me(player.id, player.name)


@get("/history", sync_to_thread=False)
def history(
    server: Server,
    player: Player,
    before: str | None = None,
    table: str | None = None,
    from_ms: TimestampMs = None,
    to_ms: TimestampMs = None,
    limit: PageSize = 25,
) -> wire.History:
    """Return a page of the player's rounds, newest first."""
    wanted = past.HistoryFilter(before, table, from_ms or 0, to_ms, limit)
    return past.history(server.ledger, server.tables, player.id, wanted)


@get("/rounds/{round_id:str}", sync_to_thread=False)
def one_round(server: Server, player: Player, round_id: str) -> wire.HistoryRound:
    """Return one of the player's rounds with all of its steps."""
    record = server.ledger.round(round_id)
    if record is None or record.player != player.id:
        raise Refused("no_such_round", round=round_id)
    return past.history_round(server.ledger, server.tables, record)


@get("/statement", sync_to_thread=False)
def statement(
    server: Server, player: Player, before: SequenceNumber = None, limit: PageSize = 50
) -> list[wire.StatementEntry]:
    """Return a page of the movements on the player's account, newest first."""
    found = server.ledger.statement(player.id, before=before, limit=limit)
    return [past.statement_line(movement) for movement in found]


@get("/care")
async def care(server: Server, player: Player) -> wire.ResponsibleGaming:
    """Return the player's limits and breaks, and their totals in the current periods."""
    return await responsible_gaming.page(server, player.id, player.visit_ms)


@post("/care/limit", status_code=200, guards=[strict_body(wire.LimitRequest)])
async def care_limit(server: Server, player: Player, data: wire.LimitRequest) -> wire.ResponsibleGaming:
    """Set a limit. A stricter one takes effect at once, a looser one after the cooling-off period."""
    await server.restrictions.set_limit(
        player.id, responsible_gaming.requested_measure(server.config, data), data.most
    )
    return await responsible_gaming.page(server, player.id, player.visit_ms)


@post("/care/bar", status_code=200, guards=[strict_body(wire.BreakRequest)])
async def care_bar(server: Server, player: Player, data: wire.BreakRequest) -> wire.ResponsibleGaming:
    """Start a break or a self-exclusion. It ends the player's sessions and can't be revoked."""
    await server.restrictions.bar(player.id, data.why, responsible_gaming.break_until_ms(server.config, data))
    return await responsible_gaming.page(server, player.id, player.visit_ms)


@post("/cashier/deposit", status_code=200, guards=[strict_body(wire.CashierRequest)], opt=CASHIER)
async def deposit(server: Server, player: Player, data: wire.CashierRequest) -> wire.Balance:
    """Deposit play money. Repeated requests with the same `req` are executed once."""
    return await server.cashier.deposit(player, data)


@post("/cashier/withdraw", status_code=200, guards=[strict_body(wire.CashierRequest)], opt=CASHIER)
async def withdraw(server: Server, player: Player, data: wire.CashierRequest) -> wire.Balance:
    """Withdraw play money. Repeated requests with the same `req` are executed once."""
    return await server.cashier.withdraw(player, data)


class SocketAddress(Struct, frozen=True):
    """Address of the WebSocket; an empty `url` means the same host at `port`."""

    url: str
    port: int


@get("/house", sync_to_thread=False)
def server_info(server: Server, at: SocketAddress) -> wire.ServerInfo:
    """Return the address of the WebSocket, versions, currencies and help with gambling."""
    care = server.config.responsible_gaming
    return wire.ServerInfo(
        server=croupier.__version__,
        server_date=croupier.__date__,
        rng=RNG_VERSION,
        rng_date=RNG_DATE,
        protocol=wire.PROTOCOL,
        socket=at.url,
        socket_port=at.port,
        currencies=tuple(
            wire.CurrencyView(code, CURRENCIES[code].name, CURRENCIES[code].decimals, code in PLAY_CURRENCIES)
            for code in server.config.currencies
        ),
        policy=care.policy,
        helplines=tuple(wire.Helpline(one.name, one.url, one.where, one.phone) for one in care.helplines),
    )


@get("/tables", sync_to_thread=False)
def tables(server: Server, lobby: LobbyTableCache) -> list[wire.LobbyTable]:
    """Return all tables in lobby order, with everything that a client needs to show and play them."""
    ranked = sorted(server.tables.values(), key=lambda table: table.game.rank)
    return [lobby.card(_current_table(server, table)) for table in ranked]


@get("/recent", sync_to_thread=False)
def recent(server: Server, player: Player) -> wire.RecentTables:
    """Return the player's most recent tables that the server still has, newest first."""
    return wire.RecentTables(past.recent_tables(server.ledger, server.tables, player.id))


@get("/floor", sync_to_thread=False, cache_control=CacheControlHeader(max_age=1))
def floor(board: LiveStatusCache) -> list[wire.LiveTableStatus]:
    """Return the current status of the live tables. A client may poll it every few seconds."""
    return board.lines(now_ms())


HANDLERS = (
    server_info,
    floor,
    tables,
    recent,
    one_table,
    rules,
    results,
    guest,
    me,
    history,
    one_round,
    statement,
    care,
    care_limit,
    care_bar,
    deposit,
    withdraw,
    *ADVICE_HANDLERS,
)


def api(server: Server, limiter: ApiLimiter, socket: str, socket_port: int) -> Router:
    """Return the routes under /api."""
    given = {
        "server": server,
        "limiter": limiter,
        "at": SocketAddress(socket, socket_port),
        "lobby": LobbyTableCache(),
        "board": LiveStatusCache(server.live, results=server.config.profile.results),
    }
    provided = {name: _provide(value) for name, value in given.items()}
    return Router(
        "/api", route_handlers=HANDLERS, dependencies={**provided, "player": Provide(authenticated_player)}
    )


def _provide(value: object) -> Provide:
    return Provide(lambda: value, sync_to_thread=False)

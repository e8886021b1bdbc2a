"""The HTTP API: what a page asks for once. Answers are the records of `wire`."""

from collections.abc import Callable
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
from croupier.ledger import entries
from croupier.ledger.entries import Entry
from croupier.play.contract.amounts import CURRENCIES
from croupier.play.contract.game import Table
from croupier.protocol import wire
from croupier.refusal import Refused
from croupier.runtime.house import House
from croupier.runtime.ledger_gateway import PLAY_MONEY
from croupier.runtime.live.money.results import KEPT
from croupier.runtime.requests import digest, request_key

CASHIER = {"rate": "cashier"}
"""What a player asks for counts as `history`, unless its route says otherwise."""
GUEST_COOKIE_AGE_S = 180 * 24 * 3600
HttpRequest = Request[Any, Any, State]
PageSize = Annotated[int, Parameter(ge=1, le=100)]
ResultCount = Annotated[int, Parameter(ge=1, le=KEPT)]
SequenceNumber = Annotated[int | None, Parameter(ge=0, le=2**53)]
TimestampMs = Annotated[int | None, Parameter(ge=0, le=2**53)]


def header_lookup(request: ASGIConnection[Any, Any, Any, Any]) -> HeaderLookup:
    return lambda name: single_value(request.headers.getall(name, []))


async def authenticated_player(request: HttpRequest, house: House, limiter: ApiLimiter) -> Player:
    """Whose session the request's cookie is; 401 for a stranger, 429 for who asks too often."""
    scope = request.route_handler.opt.get("rate", "history")
    limiter.address(scope, client_address(request.scope))
    player = await house.signed_in(session_token(header_lookup(request), PLAYER_COOKIE))
    if player is None:
        raise NotAuthorizedException
    limiter.player(scope, player.id)
    return player


def _as_dealt(house: House, table: Table) -> Table:
    """The manager of a live table may have changed its limits."""
    return house.live[table.id].table if table.id in house.live else table


@get("/tables/{table:str}", sync_to_thread=False)
def one_table(house: House, table: str) -> wire.TableData:
    """Return a table's bets, paytables, limits, restrictions and returns as data."""
    if table not in house.tables:
        raise Refused("no_such_table", table=table)
    return table_data(_as_dealt(house, house.tables[table]))


@get("/tables/{table:str}/rules", sync_to_thread=False)
def rules(house: House, table: str) -> wire.RulesPage:
    """Return the table's rules page as HTML, made from its rules record."""
    if table not in house.tables:
        raise Refused("no_such_table", table=table)
    dealt, running = _as_dealt(house, house.tables[table]), house.floor.live_table(table)
    if table in house.live:
        running = replace(running, dealer=house.live[table].dealer)
    page = markdown(dealt, running, house.profile, house.floor.inactivity)
    return wire.RulesPage(table, dealt.title, html(page))


async def whose_results(request: HttpRequest, house: House, limiter: ApiLimiter, table: str) -> Player | None:
    """What came up at an own table is its player's to know, 401 for a stranger; None: all may see it."""
    known = table in house.tables and table not in house.live
    return await authenticated_player(request, house, limiter) if known else None


@get(
    "/tables/{table:str}/results",
    sync_to_thread=False,
    dependencies={"whose": Provide(whose_results)},
)
def results(house: House, table: str, whose: Player | None, n: ResultCount = KEPT) -> list[wire.PastResult]:
    """Return the results of a table's last rounds, oldest first.

    At an own table these are the player's rounds, so it needs a session there. Empty where the server's
    jurisdiction forbids past results.
    """
    if table not in house.tables:
        raise Refused("no_such_table", table=table)
    if not house.profile.results:
        return []
    return past.results(house.bank.ledger, whose.id, table, n) if whose else house.live[table].results.last(n)


@post("/guest", status_code=200)
async def guest(request: HttpRequest, house: House, limiter: ApiLimiter) -> Response[wire.Me]:
    """Sign in as a new guest with play money, and set the session's cookie. A session that is valid stays."""
    address = client_address(request.scope)
    limiter.address("history", address)
    token = session_token(header_lookup(request), PLAYER_COOKIE)
    known = await house.signed_in(token)
    if known is None:
        limiter.address("guests", address)
        token = await house.add_guest()
        known = await house.signed_in(token)
    assert known is not None, "a guest just added is known"
    cookie = session_cookie(PLAYER_COOKIE, token, request.scope["scheme"], GUEST_COOKIE_AGE_S)
    return Response(wire.Me(known.id, known.name), cookies=[cookie])


@get("/me", sync_to_thread=False)
def me(player: Player) -> wire.Me:
    """Return the player whose session it is."""
    return wire.Me(player.id, player.name)


@get("/history", sync_to_thread=False)
def history(
    house: House,
    player: Player,
    before: str | None = None,
    table: str | None = None,
    from_ms: TimestampMs = None,
    to_ms: TimestampMs = None,
    limit: PageSize = 25,
) -> wire.History:
    """Return the player's rounds, newest first, page by page."""
    wanted = past.HistoryFilter(before, table, from_ms or 0, to_ms, limit)
    return past.history(house.bank.ledger, house.tables, player.id, wanted)


@get("/rounds/{round_id:str}", sync_to_thread=False)
def one_round(house: House, player: Player, round_id: str) -> wire.HistoryRound:
    """Return one of the player's rounds, step by step."""
    record = house.bank.ledger.round(round_id)
    if record is None or record.player != player.id:
        raise Refused("no_such_round", round=round_id)
    return past.history_round(house.bank.ledger, house.tables, record)


@get("/statement", sync_to_thread=False)
def statement(
    house: House, player: Player, before: SequenceNumber = None, limit: PageSize = 50
) -> list[wire.StatementEntry]:
    """Return the movements of the player's money, newest first, page by page."""
    found = house.bank.ledger.statement(player.id, before=before, limit=limit)
    return [past.statement_line(movement) for movement in found]


@get("/care")
async def care(house: House, player: Player) -> wire.ResponsibleGaming:
    """Return the player's own limits and breaks, and what they staked and won in the running periods."""
    return await responsible_gaming.page(house, player.id, player.visit_ms)


@post("/care/limit", status_code=200, guards=[strict_body(wire.LimitRequest)])
async def care_limit(house: House, player: Player, data: wire.LimitRequest) -> wire.ResponsibleGaming:
    """Set a limit. A stricter one holds at once, a looser one after the cooling-off period."""
    await house.limit(player.id, responsible_gaming.requested_measure(house, data), data.most)
    return await responsible_gaming.page(house, player.id, player.visit_ms)


@post("/care/bar", status_code=200, guards=[strict_body(wire.BreakRequest)])
async def care_bar(house: House, player: Player, data: wire.BreakRequest) -> wire.ResponsibleGaming:
    """Take a break or exclude oneself. It ends the player's sessions, and holds until its time is over."""
    await house.bar(player.id, data.why, responsible_gaming.break_until_ms(house, data))
    return await responsible_gaming.page(house, player.id, player.visit_ms)


@post("/cashier/deposit", status_code=200, guards=[strict_body(wire.CashierRequest)], opt=CASHIER)
async def deposit(house: House, player: Player, data: wire.CashierRequest) -> wire.Balance:
    """Deposit play money. An order sent again with the same `req` is carried out once."""
    return await _cashier(house, player, data, entries.deposit)


@post("/cashier/withdraw", status_code=200, guards=[strict_body(wire.CashierRequest)], opt=CASHIER)
async def withdraw(house: House, player: Player, data: wire.CashierRequest) -> wire.Balance:
    """Withdraw play money. An order sent again with the same `req` is carried out once."""
    return await _cashier(house, player, data, entries.withdrawal)


async def _cashier(
    house: House,
    player: Player,
    order: wire.CashierRequest,
    entry: Callable[[str, int, str, str, int], Entry],
) -> wire.Balance:
    """Carry out an order once. Its id is claimed with its direction, which the order itself doesn't say."""
    currency = house.currency(order.currency)
    content = digest(order) + entry.__name__.encode()
    house.requests.of(player.id).claim(order.req, content)
    try:
        key = request_key(player.id, order.req, order).key
        await house.bank.enter([entry(key, now_ms(), player.id, currency, order.amount_minor)])
    except Refused as refused:
        if refused.code == "key_reused":
            raise Refused("key_reused", req=order.req) from refused
        raise
    house.tell_balance(player.id, currency)
    balances = house.bank.balances(player.id, player.visit_ms)
    return next(balance for balance in balances if balance.currency == currency)


class SocketAddress(Struct, frozen=True):
    """Where the WebSocket is; `url` empty: on the same host, at `port`."""

    url: str
    port: int


@get("/house", sync_to_thread=False)
def the_house(house: House, at: SocketAddress) -> wire.ServerInfo:
    """Return the WebSocket's address, the versions, the currencies, and where help is found."""
    care = house.floor.responsible_gaming
    return wire.ServerInfo(
        server=croupier.__version__,
        server_date=croupier.__date__,
        rng=RNG_VERSION,
        rng_date=RNG_DATE,
        protocol=wire.PROTOCOL,
        socket=at.url,
        socket_port=at.port,
        currencies=tuple(
            wire.CurrencyView(code, CURRENCIES[code].name, CURRENCIES[code].decimals, code in PLAY_MONEY)
            for code in house.floor.currencies
        ),
        policy=care.policy,
        helplines=tuple(wire.Helpline(one.name, one.url, one.where, one.phone) for one in care.helplines),
    )


@get("/tables", sync_to_thread=False)
def tables(house: House, lobby: LobbyTableCache) -> list[wire.LobbyTable]:
    """Return all tables in the order of the lobby, with what a client needs to show and play them."""
    ranked = sorted(house.tables.values(), key=lambda table: table.game.rank)
    return [lobby.card(_as_dealt(house, table)) for table in ranked]


@get("/recent", sync_to_thread=False)
def recent(house: House, player: Player) -> wire.RecentTables:
    """Return the tables where the player played last, newest first, as far as the server still has them."""
    return wire.RecentTables(past.recent_tables(house.bank.ledger, house.tables, player.id))


@get("/floor", sync_to_thread=False, cache_control=CacheControlHeader(max_age=1))
def floor(board: LiveStatusCache) -> list[wire.LiveTableStatus]:
    """Return the live tables as they are now. A client may ask again every few seconds."""
    return board.lines(now_ms())


HANDLERS = (
    the_house,
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


def api(house: House, limiter: ApiLimiter, socket: str, socket_port: int) -> Router:
    """The routes under /api, of this house."""
    given = {
        "house": house,
        "limiter": limiter,
        "at": SocketAddress(socket, socket_port),
        "lobby": LobbyTableCache(),
        "board": LiveStatusCache(house.live, results=house.profile.results),
    }
    provided = {name: _provide(value) for name, value in given.items()}
    return Router(
        "/api", route_handlers=HANDLERS, dependencies={**provided, "player": Provide(authenticated_player)}
    )


def _provide(value: object) -> Provide:
    return Provide(lambda: value, sync_to_thread=False)

"""The players' HTTP API. Responses are types of `wire`."""

from typing import Annotated

from litestar import Response, Router, get, post
from litestar.datastructures import CacheControlHeader
from litestar.di import Provide
from litestar.params import Parameter
from msgspec import Struct
from msgspec.structs import replace

import croupier
from croupier.accounts.identity import ACCOUNT_PREFIX, Player, unknown_session
from croupier.build import current_build
from croupier.clock import now_ms
from croupier.dealing.live.money.results import KEPT, RecentResults
from croupier.equipment.rng import RNG_DATE, RNG_VERSION
from croupier.gateway.accounts import ACCOUNT_HANDLERS, me_of, session_response
from croupier.gateway.advice import ADVICE_HANDLERS
from croupier.gateway.cameras import CAMERA_HANDLERS
from croupier.gateway.confirmations import CONFIRMATION_HANDLERS
from croupier.gateway.cookies import session_token
from croupier.gateway.devices import DEVICE_HANDLERS
from croupier.gateway.documents import DOCUMENT_HANDLERS
from croupier.gateway.forwarded import client_address
from croupier.gateway.http_request import BARRED_TOO, WHILE_BARRED, HttpRequest, caller_of, header_lookup
from croupier.gateway.launches import LAUNCH_HANDLERS
from croupier.gateway.mail import MAIL_HANDLERS
from croupier.gateway.oidc import OIDC_HANDLERS
from croupier.gateway.origins import PublicOrigins
from croupier.gateway.pages import history as past
from croupier.gateway.pages import responsible_gaming
from croupier.gateway.pages.currencies import currency_views
from croupier.gateway.pages.exports import CsvExports
from croupier.gateway.pages.lobby import LiveStatusCache, LobbyTableCache
from croupier.gateway.pages.rules import html, markdown
from croupier.gateway.pages.shared_replay import SharedReplays
from croupier.gateway.pages.table_data import table_data
from croupier.gateway.passkeys import PASSKEY_HANDLERS
from croupier.gateway.past_rounds import HISTORY_HANDLERS
from croupier.gateway.payments import CASHIER, PAYMENT_HANDLERS
from croupier.gateway.player_help import HELP_HANDLERS
from croupier.gateway.rate_limits import ApiLimiter
from croupier.gateway.server import Server
from croupier.gateway.services import service
from croupier.gateway.sharing import SHARING_HANDLERS
from croupier.gateway.sockets import PLAYER_COOKIE
from croupier.gateway.streams import stream_address, stream_file
from croupier.gateway.strict_bodies import strict_body
from croupier.gateway.strict_queries import only_known_parameters
from croupier.protocol import wire
from croupier.refusal import Refused

ResultCount = Annotated[int, Parameter(ge=1, le=KEPT)]


async def authenticated_player(request: HttpRequest, server: Server, limiter: ApiLimiter) -> Player:
    """Return the player whose session cookie the request has; status 401 without one, 429 above the rate.

    A player who is barred may read everything, and send the few orders that are marked `WHILE_BARRED`.
    """
    scope = request.route_handler.opt.get("rate", "history")
    limiter.address(scope, client_address(request.scope))
    token = session_token(header_lookup(request), PLAYER_COOKIE)
    player = await server.sessions.signed_in(token)
    if player is None:
        raise unknown_session(token)
    limiter.player(scope, player.id)
    if request.method != "GET" and not request.route_handler.opt.get(WHILE_BARRED):
        server.limits.check_not_barred(player.id)
    return player


@get("/tables/{table:str}", sync_to_thread=False)
def one_table(server: Server, table: str) -> wire.TableData:
    """Return a table's bets, paytables, limits, restrictions and returns as data."""
    if table not in server.tables:
        raise Refused("no_such_table", table=table)
    return table_data(server.current.table(table))


@get("/tables/{table:str}/rules", sync_to_thread=False)
def rules(server: Server, table: str) -> wire.RulesPage:
    """Return the table's rules page as HTML, generated from its rules record."""
    if table not in server.tables:
        raise Refused("no_such_table", table=table)
    dealt, running = server.current.table(table), server.config.live_table(table)
    if dealer := server.current.dealer(table):
        running = replace(running, dealer=dealer)
    page = markdown(dealt, running, server.config.profile, server.config.inactivity, server.config.documents)
    return wire.RulesPage(table, dealt.title, html(page))


async def whose_results(
    request: HttpRequest, server: Server, limiter: ApiLimiter, table: str
) -> Player | None:
    """Return the player whose results are requested; None at a live table, whose results are public."""
    known = table in server.tables and table not in server.live_tables
    return await authenticated_player(request, server, limiter) if known else None


async def live_results(server: Server, table: str) -> RecentResults:
    """Return the results of a live table; those of another node's table are read from the ledger."""
    live = server.live.get(table)
    return live.results if live else await server.gateway.read(RecentResults, server.ledger, table)


@get("/tables/{table:str}/results", dependencies={"whose": Provide(whose_results)})
async def results(
    server: Server, table: str, whose: Player | None, n: ResultCount = KEPT
) -> list[wire.PastResult]:
    """Return the results of a table's last rounds, oldest first.

    At an own table these are the player's rounds, which requires a session. Empty if the jurisdiction forbids
    past results.
    """
    if table not in server.tables:
        raise Refused("no_such_table", table=table)
    if not server.config.profile.results:
        return []
    if whose is None:
        return (await live_results(server, table)).last(n)
    return await server.gateway.read(past.results, server.ledger, whose.id, table, n)


@post("/guest", status_code=200)
async def guest(request: HttpRequest, server: Server, limiter: ApiLimiter) -> Response[wire.Me]:
    """Sign in as a new guest with play money, and set the session cookie. A valid session is kept.

    A device that was signed out of an account is refused: it has to sign in again, or to sign out itself.
    """
    address = client_address(request.scope)
    limiter.address("history", address)
    caller = caller_of(request)
    token, known = caller.token, await server.sessions.signed_in(caller.token)
    if known is None and token.startswith(ACCOUNT_PREFIX):
        raise unknown_session(token)
    if known is None:
        limiter.address("guests", address)
        token = await server.sessions.add_guest(caller.device)
        known = await server.sessions.signed_in(token)
    assert known is not None, "a guest just added is known"
    return session_response(request, server, known, token)


@get("/me", sync_to_thread=False)
def me(server: Server, player: Player) -> wire.Me:
    """Return the signed-in player."""
    return me_of(server, player)


@get("/responsible-gaming")
async def responsible_gaming_page(server: Server, player: Player) -> wire.ResponsibleGaming:
    """Return the player's limits and breaks, and their totals in the current periods."""
    return await responsible_gaming.page(server, player.id)


@post("/responsible-gaming/limit", status_code=200, opt=BARRED_TOO)
async def set_limit(server: Server, player: Player, data: wire.LimitRequest) -> wire.ResponsibleGaming:
    """Set a limit. A stricter one takes effect at once, a looser one after the cooling-off period."""
    await server.restrictions.set_limit(
        player.id, responsible_gaming.requested_measure(server.config, data), data.most
    )
    return await responsible_gaming.page(server, player.id)


@post(
    "/responsible-gaming/deposit-limit",
    status_code=200,
    opt=BARRED_TOO,
)
async def answer_deposit_limit(
    server: Server, player: Player, data: wire.DepositLimitAnswer
) -> wire.ResponsibleGaming:
    """Answer the question for a deposit limit, which some jurisdictions ask before a deposit."""
    await server.deposit_questions.answer(player.id, data.answer)
    return await responsible_gaming.page(server, player.id)


@post("/responsible-gaming/break", status_code=200, opt=BARRED_TOO)
async def start_break(server: Server, player: Player, data: wire.BreakRequest) -> wire.ResponsibleGaming:
    """Start a break or a self-exclusion. It ends the player's sessions and can't be revoked."""
    await server.restrictions.bar(player.id, data.why, responsible_gaming.break_until_ms(server.config, data))
    return await responsible_gaming.page(server, player.id)


@get("/bonuses")
async def bonuses(server: Server, player: Player) -> list[wire.PlayerBonus]:
    """Return the player's last bonuses, also ended ones, newest first."""
    return list(await server.gateway.read(server.bonuses.history, player.id))


@get("/bonuses/offers")
async def bonus_offers(server: Server, player: Player) -> list[wire.OfferedBonus]:
    """Return the bonuses that the player may accept. Guests and barred players are offered none."""
    return await server.offers.of(player)


@post("/bonuses/accept", status_code=200)
async def accept_bonus(server: Server, player: Player, data: wire.BonusAcceptance) -> list[wire.PlayerBonus]:
    """Accept an offered bonus under its terms; return the player's bonuses.

    It is granted at once, or with the player's first deposit: the one that they begin after this. A repeated
    request changes nothing.
    """
    await server.offers.accept(player, data.offer)
    return list(await server.gateway.read(server.bonuses.history, player.id))


@post("/bonuses/cancel", status_code=200)
async def cancel_bonus(
    server: Server, player: Player, data: wire.BonusCancellation
) -> list[wire.PlayerBonus]:
    """Cancel the player's own bonus, which the request must agree to lose; return their bonuses.

    If the amount has changed meanwhile, the request is refused with the new amount (GLI-19 4.3.5(d)).
    """
    await server.bonuses.give_up(player.id, data.bonus, data.forfeit_minor)
    return list(await server.gateway.read(server.bonuses.history, player.id))


@post("/cashier/deposit", status_code=200, opt=CASHIER)
async def deposit(server: Server, player: Player, data: wire.CashierRequest) -> wire.Balance:
    """Deposit play money. Repeated requests with the same `req` are executed once."""
    await server.registry.check(player.id, player.identity, "deposit")
    return await server.cashier.deposit(player, data)


@post(
    "/cashier/withdraw",
    status_code=200,
    opt=CASHIER | BARRED_TOO,
)
async def withdraw(server: Server, player: Player, data: wire.CashierRequest) -> wire.Balance:
    """Withdraw play money. Repeated requests with the same `req` are executed once.

    It ends the player's bonus in the currency, which the request must agree to.
    """
    return await server.cashier.withdraw(player, data)


class SocketAddress(Struct, frozen=True):
    """Address of the WebSocket; an empty `url` means the same host at `port`."""

    url: str
    port: int


@get("/server", sync_to_thread=False)
def server_info(server: Server, at: SocketAddress) -> wire.ServerInfo:
    """Return the address of the WebSocket, versions and currencies."""
    build = current_build()
    return wire.ServerInfo(
        server=croupier.__version__,
        server_date=croupier.__date__,
        build=wire.BuildView(build.id, build.commit, build.committed, build.lock, build.state),
        rng=RNG_VERSION,
        rng_date=RNG_DATE,
        protocol=wire.PROTOCOL,
        socket=at.url,
        socket_port=at.port,
        currencies=currency_views(server.config.currencies),
        former_currencies=currency_views(
            {code: each for code, each in server.currencies.items() if code not in server.config.currencies}
        ),
        documents=bool(server.config.documents.documents),
        mail=server.outbox.offered,
        identity_server=server.oidc.label,
    )


@get("/tables", sync_to_thread=False)
def tables(server: Server, lobby: LobbyTableCache) -> list[wire.LobbyTable]:
    """Return all tables in lobby order, with everything that a client needs to show and play them."""
    ranked = sorted(server.tables.values(), key=lambda table: table.game.rank)
    return [lobby.card(server.current.table(table.id)) for table in ranked]


@get("/recent")
async def recent(server: Server, player: Player) -> wire.RecentTables:
    """Return the player's most recent tables that the server still has, newest first.

    Since the lobby makes this request, the server then also asks an operator's wallet for the balances.
    """
    if player.id in server.players:
        server.wallet.refresh(player)
    found = await server.gateway.read(past.recent_tables, server.ledger, server.tables, player.id)
    return wire.RecentTables(found)


@get("/live-tables", sync_to_thread=False, cache_control=CacheControlHeader(max_age=1))
def live_tables(statuses: LiveStatusCache) -> list[wire.LiveTableStatus]:
    """Return the current status of the live tables. A client may poll it every few seconds."""
    return statuses.lines(now_ms())


HANDLERS = (
    server_info,
    live_tables,
    tables,
    recent,
    one_table,
    rules,
    results,
    guest,
    me,
    responsible_gaming_page,
    set_limit,
    answer_deposit_limit,
    start_break,
    bonuses,
    bonus_offers,
    accept_bonus,
    cancel_bonus,
    deposit,
    withdraw,
    *ACCOUNT_HANDLERS,
    *DEVICE_HANDLERS,
    *MAIL_HANDLERS,
    *ADVICE_HANDLERS,
    *CAMERA_HANDLERS,
    *DOCUMENT_HANDLERS,
    *HELP_HANDLERS,
    *LAUNCH_HANDLERS,
    *OIDC_HANDLERS,
    *CONFIRMATION_HANDLERS,
    *PASSKEY_HANDLERS,
    *PAYMENT_HANDLERS,
    *HISTORY_HANDLERS,
    *SHARING_HANDLERS,
    stream_address,
)


def api_services(
    server: Server, limiter: ApiLimiter, origins: PublicOrigins, socket: str, socket_port: int
) -> dict[str, object]:
    """Return what the handlers use; `socket` and `socket_port` are the address of the WebSocket."""
    return {
        "server": server,
        "limiter": limiter,
        "origins": origins,
        "at": SocketAddress(socket, socket_port),
        "lobby": LobbyTableCache(),
        "exports": CsvExports(server.ledger, server.tables, server.currencies),
        "replays": SharedReplays(server.ledger, server.tables, server.sharing),
        "statuses": LiveStatusCache(
            server.live, results=server.config.profile.results, remote=server.remote_tables.statuses
        ),
    }


PROVIDED = ("server", "limiter", "origins", "at", "lobby", "exports", "replays", "statuses")


def api() -> Router:
    """Return the routes under /api."""
    return Router(
        "/api",
        route_handlers=(*HANDLERS, stream_file),
        guards=[only_known_parameters, strict_body],
        dependencies={**{name: service(name) for name in PROVIDED}, "player": Provide(authenticated_player)},
    )

"""Staff HTTP API of the back office: players, and changes that two members of staff decide."""

from typing import Annotated

from litestar import Router, get, post
from litestar.di import Provide
from litestar.params import Parameter
from msgspec.structs import replace

from croupier.accounts.identity import Player
from croupier.accounts.staff_members import Member
from croupier.gateway.api import responsible_gaming_page
from croupier.gateway.devices import devices
from croupier.gateway.documents import documents_due
from croupier.gateway.http_request import HttpRequest
from croupier.gateway.past_rounds import HISTORY_HANDLERS
from croupier.gateway.payments import payment_line
from croupier.gateway.server import Server
from croupier.protocol import staff_players, staff_wire, wire
from croupier.staff.service import StaffService

SearchText = Annotated[str, Parameter(min_length=1, max_length=254)]


@get("/players")
async def players(
    staff_service: StaffService, member: Member, before: str = ""
) -> staff_players.FoundPlayers:
    """Return all players, newest first: those created before the player `before`."""
    return await staff_service.players.newest(member, before)


@get("/search")
async def search(
    staff_service: StaffService, member: Member, text: SearchText
) -> staff_players.SearchResults:
    """Return the players, rounds, payments and calls to the operator's wallet that a text names."""
    return await staff_service.search.find(member, text.strip())


@get("/players/{player_id:str}")
async def player_file(
    staff_service: StaffService, member: Member, player_id: str
) -> staff_players.PlayerFile:
    """Return the head of a player's page."""
    return await staff_service.players.file(member, player_id)


@post("/players/end-sessions", status_code=204)
async def end_player_sessions(
    staff_service: StaffService, member: Member, data: staff_players.EndPlayerSessions
) -> None:
    """Sign out one of a player's devices, or all of them."""
    await staff_service.players.end_sessions(member, data)


@post("/players/close", status_code=204)
async def close_account(
    staff_service: StaffService, member: Member, data: staff_players.CloseAccount
) -> None:
    """Close a player's account. Its sessions end at once, and nobody can sign in to it."""
    await staff_service.players.close(member, data)


@get("/approvals")
async def approvals(staff_service: StaffService, member: Member) -> list[staff_players.ApprovalView]:
    """Return the last changes that need two members of staff: first those that wait, then the newest."""
    return await staff_service.approvals.last(member)


@post("/approvals/adjustment", status_code=200)
async def ask_adjustment(
    staff_service: StaffService, member: Member, data: staff_players.AskAdjustment
) -> staff_players.ApprovalView:
    """Ask for an adjustment of a player's balance. A repeated `req` asks once."""
    return await staff_service.approvals.ask(member, data)


@post("/approvals/reopening", status_code=200)
async def ask_reopening(
    staff_service: StaffService, member: Member, data: staff_players.AskReopening
) -> staff_players.ApprovalView:
    """Ask to reopen a closed account. A repeated `req` asks once."""
    return await staff_service.approvals.ask(member, data)


@post("/approvals/decide", status_code=200)
async def decide_approval(
    staff_service: StaffService, member: Member, data: staff_players.DecideApproval
) -> staff_players.ApprovalView:
    """Approve or reject a change that another manager asked for. An approved one is carried out at once."""
    return await staff_service.approvals.decide(member, data)


async def viewed_player(
    request: HttpRequest, staff_service: StaffService, member: Member, player_id: str
) -> Player:
    """Return the player whose page a manager looks at, which is logged."""
    part = request.url.path.partition(f"/{player_id}/")[2]
    return await staff_service.players.as_player(member, player_id, part)


@get("/payments")
async def payments(server: Server, player: Player) -> list[wire.PaymentLine]:
    """Return a player's last payments, without the addresses where the player pays."""
    found = await server.payments.of(player.id)
    return [replace(payment_line(each), redirect="") for each in found]


@get("/bonuses")
async def player_bonuses(staff_service: StaffService, player: Player) -> staff_wire.PlayerBonuses:
    """Return a player's last bonuses, newest first."""
    return await staff_service.bonuses.of(player.id)


PLAYER_PAGES = (*HISTORY_HANDLERS, devices, documents_due, payments, player_bonuses, responsible_gaming_page)
"""The player's own pages, which managers see as the player does."""


def player_pages() -> Router:
    """Return the routes of the player's own pages."""
    return Router(
        "/players/{player_id:str}",
        route_handlers=PLAYER_PAGES,
        dependencies={"player": Provide(viewed_player)},
    )


OFFICE_HANDLERS = (
    players,
    search,
    player_file,
    end_player_sessions,
    close_account,
    approvals,
    ask_adjustment,
    ask_reopening,
    decide_approval,
)

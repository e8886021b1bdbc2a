"""One browser of a member of staff: reads its commands, logs and does each, tells it what it looks at."""

import asyncio
import logging
from collections.abc import Callable

import msgspec

import croupier
from croupier.accounts.staff_members import Member
from croupier.clock import now_ms
from croupier.gateway.client_session import QUEUED_COMMANDS_MAX, start_hello_timeout
from croupier.gateway.malformed import MALFORMED
from croupier.ledger.protocol import LedgerBroken
from croupier.play.contract.amounts import CURRENCIES
from croupier.protocol import staff_wire
from croupier.protocol.connection import CLOSE_POLICY, CLOSE_TRY_LATER, ClientConnection, encode_message
from croupier.protocol.wire import CurrencyView
from croupier.refusal import Refused
from croupier.runtime.live.table import LiveTable
from croupier.runtime.requests import digest
from croupier.staff.rights import MANAGERS, require_role
from croupier.staff.service import StaffService
from croupier.staff.views import chat_state, dealer_table, table_summary

log = logging.getLogger(__name__)

OVERVIEW_INTERVAL_S = 0.2
"""What changes on the floor meanwhile is told together."""

_read = msgspec.json.Decoder(staff_wire.Command).decode


class StaffClientSession:
    """Commands are done one after the other; `token` is the session's, from the cookie."""

    def __init__(self, office: StaffService, line: ClientConnection, token: str) -> None:
        self.member: Member | None = None
        self.table = ""
        self._office = office
        self._line = line
        self._token = token
        self._live: tuple[LiveTable, ...] = ()
        self._ends: list[Callable[[], None]] = []
        self._chat_told: staff_wire.ChatState | None = None
        self._telling: asyncio.TimerHandle | None = None
        self._gone = False
        self._hello_due = start_hello_timeout(line)
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._work = asyncio.create_task(self._serve())

    # --- what the socket calls

    def received(self, frame: bytes) -> None:
        if self._waiting.qsize() >= QUEUED_COMMANDS_MAX:
            self._line.close(CLOSE_POLICY)
        else:
            self._waiting.put_nowait(frame)

    def gone(self) -> None:
        """What was received is still carried out."""
        self._gone = True
        self._hello_due.cancel()
        self._waiting.put_nowait(None)
        self._look_away()

    # --- what the office calls

    def floor_changed(self) -> None:
        """Tells it with all that changes meanwhile; a dealer is told of his table before he is answered."""
        if self._telling is None and self._live:
            soon_s = 0 if self.table else OVERVIEW_INTERVAL_S
            self._telling = asyncio.get_running_loop().call_later(soon_s, self._tell)

    def sign_out(self) -> None:
        self._send(staff_wire.SignedOut())
        self._line.close(CLOSE_POLICY)
        self._look_away()
        self.member = None

    # --- commands

    async def _serve(self) -> None:
        while (frame := await self._waiting.get()) is not None:
            try:
                command = _read(frame)
            except MALFORMED as error:
                self._send(staff_wire.No("", "malformed", {"why": str(error)}))
                continue
            match command:
                case staff_wire.Ping():
                    self._send(staff_wire.Pong(now_ms()))
                    self._check_signed_in()
                case staff_wire.Hello():
                    self._hello(command)
                case _:
                    await self._once(command)
                    self._check_signed_in()

    def _check_signed_in(self) -> None:
        """Commands keep him signed in, pings don't."""
        if self.member and self._office.sessions.of(self._token, now_ms()) is None:
            self.sign_out()

    def _hello(self, hello: staff_wire.Hello) -> None:
        if hello.protocol != staff_wire.PROTOCOL:
            self._send(staff_wire.Upgrade(staff_wire.PROTOCOL))
            return
        self._hello_due.cancel()
        session = self._office.sessions.of(self._token, now_ms())
        if session is None:
            self.sign_out()
            return
        self.member = session.member
        try:
            self._look(hello.table)
        except Refused as refused:
            self._send(staff_wire.No("", refused.code, refused.args_))

    def _look(self, table: str) -> None:
        """At one table, or at all of them, which is the manager's."""
        assert self.member is not None
        if not table:
            require_role(self.member, MANAGERS)
        live = (self._office.table(table),) if table else tuple(self._office.tables.values())
        self._look_away()
        self.table, self._live = table, live
        self._send(self._welcome(self.member))
        for each in live:
            self._ends += [each.watch(self.floor_changed), each.chat.watch(lambda _: self.floor_changed())]
        self._office.arrived(self)

    def _welcome(self, member: Member) -> staff_wire.Welcome:
        currencies = tuple(
            CurrencyView(code, currency.name, currency.decimals, play_money=True)
            for code, currency in CURRENCIES.items()
        )
        return staff_wire.Welcome(
            staff_wire.PROTOCOL, croupier.__version__, now_ms(), member.name, member.role, currencies
        )

    def _look_away(self) -> None:
        for end in self._ends:
            end()
        self._ends.clear()
        self._live, self._chat_told = (), None
        self._office.left(self)

    async def _once(self, action: staff_wire.Action) -> None:
        """Carry an action out, unless its id was used before."""
        if self.member is None:
            self._answered(action.req, Refused("stranger"))
            return
        requests = self._office.requests.of(self.member.name)
        if requests.begin(action.req, digest(action), self._answered):
            requests.done(action.req, await self._result(action))

    def _answered(self, req: str, refused: Refused | None) -> None:
        self._send(staff_wire.No(req, refused.code, refused.args_) if refused else staff_wire.Ok(req))

    async def _result(self, action: staff_wire.Action) -> Refused | None:
        try:
            await self._do(action)
        except Refused as refused:
            return refused
        except LedgerBroken:
            log.exception("the books are broken")
            self._line.close(CLOSE_TRY_LATER)
            return Refused("house_closed")
        except Exception:
            log.exception("staff's command %s failed", action.req)
            return Refused("malfunction")
        return None

    async def _do(self, action: staff_wire.Action) -> None:
        member = self._office.sessions.seen(self._token, now_ms())
        if member is None or self.member is None:
            raise Refused("stranger")
        live = self._office.table(action.table)
        if self.table not in ("", action.table):
            raise Refused("not_joined", table=action.table)
        await self._office.done(member, action, live)
        self.floor_changed()

    # --- telling

    def _tell(self) -> None:
        self._telling = None
        if not self._live:
            return
        if self.table:
            (live,) = self._live
            self._send(dealer_table(live))
            self._tell_chat(live)
        else:
            self._send(
                staff_wire.TablesOverview(
                    tuple(table_summary(live, self._office.dealers(live.table.id)) for live in self._live)
                )
            )

    def _tell_chat(self, live: LiveTable) -> None:
        assert self.member is not None
        chat = chat_state(live, reports=self.member.role == "manager")
        if chat != self._chat_told:
            self._send(chat)
            self._chat_told = chat

    def _send(self, message: staff_wire.Message) -> None:
        if not self._gone:
            self._line.queue(encode_message(message))

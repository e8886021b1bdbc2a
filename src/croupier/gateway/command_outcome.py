"""Execution of a client's command, with every failure turned into a refusal."""

import logging
from collections.abc import Awaitable

from croupier.gateway.command_spans import AnsweredCommand, command_span
from croupier.ledger.protocol import LedgerBroken
from croupier.protocol.connection import CLOSE_TRY_LATER, ClientConnection
from croupier.refusal import Refused

log = logging.getLogger(__name__)


async def command_outcome(
    work: Awaitable[None], command: AnsweredCommand, connection: ClientConnection
) -> Refused | None:
    """Await the work of a command; return its refusal, or None on success."""
    try:
        with command_span(command):
            await work
    except Refused as refused:
        return refused
    except LedgerBroken:
        log.exception("the ledger is broken")
        connection.close(CLOSE_TRY_LATER)
        return Refused("server_unavailable")
    except Exception:
        log.exception("command %s failed", command.req, extra={"request": command.req})
        return Refused("malfunction")
    return None

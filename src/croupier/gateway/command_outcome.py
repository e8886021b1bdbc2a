"""Execution of a client's command, with every failure turned into a refusal."""

import logging
from collections.abc import Awaitable

from croupier.ledger.protocol import LedgerBroken
from croupier.protocol.connection import CLOSE_TRY_LATER, ClientConnection
from croupier.refusal import Refused

log = logging.getLogger(__name__)


async def command_outcome(work: Awaitable[None], req: str, connection: ClientConnection) -> Refused | None:
    """Await the work of a command; return its refusal, or None on success."""
    try:
        await work
    except Refused as refused:
        return refused
    except LedgerBroken:
        log.exception("the ledger is broken")
        connection.close(CLOSE_TRY_LATER)
        return Refused("server_unavailable")
    except Exception:
        log.exception("command %s failed", req, extra={"request": req})
        return Refused("malfunction")
    return None

"""The alarm about a round that can't be settled: log, metric, and a line in the staff's event log.

The round stays open, and nobody sees it settled, until staff void it or its settlement succeeds.
"""

import logging
import secrets
from collections.abc import Mapping
from typing import Any

from croupier import clock
from croupier.action_log import ANSWERED, ASKED, Actor, LogLocation, first_id
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.ledger import entries
from croupier.measurements import TableMeasurements

log = logging.getLogger(__name__)

UNSETTLED = "unsettled"
SERVER = Actor("server", "server")
PLAYERS_MAX = 100
"""Players whose amounts the event log names."""


async def report_unsettled(
    gateway: LedgerGateway, measurements: TableMeasurements, at: LogLocation, details: Mapping[str, Any]
) -> None:
    """Raise the alarm; `details` say who would receive what."""
    error = str(details.get("error", ""))
    log.critical(
        "table %s: round %s can't be settled and stays open: %s",
        at.table,
        at.round,
        error,
        extra=at._asdict(),
    )
    measurements.unsettled[at.table] += 1
    action = f"{first_id(clock.now_ms())}.{secrets.token_hex(4)}"
    body = {**SERVER._asdict(), "what": UNSETTLED, "reason": "", "details": dict(details)}
    asked = entries.note(ASKED + action, clock.now_ms(), body, table=at.table, round_id=at.round)
    answered = entries.note(ANSWERED + action, clock.now_ms(), {"answer": UNSETTLED}, table=at.table)
    try:
        await gateway.post([asked, answered])
    except Exception:
        log.exception("table %s: the event log doesn't have the alarm", at.table, extra=at._asdict())


def describe(error: BaseException | None) -> str:
    """Return an error as a line of the event log."""
    return f"{type(error).__name__}: {error}"[:300]

"""Steps after a malfunction: a round is void, or its table waits for staff."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from msgspec.structs import replace

from croupier.action_log import LogLocation
from croupier.admission.ledger_gateway import LedgerGateway
from croupier.dealing.live.steps import TableStep, take_step
from croupier.dealing.unsettled import PLAYERS_MAX, describe, report_unsettled
from croupier.ledger.leases import LeaseLost
from croupier.ledger.protocol import LedgerBroken
from croupier.measurements import TableMeasurements
from croupier.tables.live import new_table
from croupier.tables.live.effects import Broadcast, Settle
from croupier.tables.live.inputs import Ticked, Voided
from croupier.tables.live.phases import ROUND_PHASES
from croupier.tables.live.state import State, phase_entered

MALFUNCTION = "malfunction"
UNSETTLED = "The round can't be settled yet, and staff have been told"
"""The reason of a table's pause."""


class SettlementFailed(Exception):
    """A settlement couldn't be posted. `before`: the steps before it, which are durable."""

    def __init__(self, step: TableStep, before: Sequence[TableStep]) -> None:
        super().__init__(step.before.round)
        self.step = step
        self.before = before


@contextmanager
def settling(step: TableStep, steps: Sequence[TableStep]) -> Iterator[None]:
    """Raise SettlementFailed if the settlement by `step`, one of `steps`, can't be posted."""
    try:
        yield
    except (LedgerBroken, LeaseLost):
        raise
    except Exception as error:
        if not step.settles:
            raise
        raise SettlementFailed(step, steps[: steps.index(step)]) from error


def void_or_close(state: State, at_ms: int) -> TableStep:
    """Void the round, whose stakes have been given back; outside a round, close the table."""
    if state.phase in ROUND_PHASES:
        step = take_step(state, Voided(MALFUNCTION), at_ms)
        return replace(step, after=replace(step.after, cancelled_holds={}))
    closed = replace(new_table(state.setup), v=state.v + 1, players=state.players)
    return TableStep(state, Ticked(), (Broadcast(closed.v, phase_entered(closed)),), closed)


async def report(gateway: LedgerGateway, measurements: TableMeasurements, failed: SettlementFailed) -> None:
    """Raise the alarm about a round that can't be settled: the event log says who would receive what."""
    before = failed.step.before
    settles = [end for end in failed.step.ended if isinstance(end, Settle)]
    returned = [f"{end.player} {end.currency} {end.staked_minor} {end.returned_minor}" for end in settles]
    details = {
        "error": describe(failed.__cause__),
        "players": str(len(settles)),
        "staked_returned": "; ".join(returned[:PLAYERS_MAX]),
    }
    await report_unsettled(gateway, measurements, LogLocation(before.setup.table.id, before.round), details)

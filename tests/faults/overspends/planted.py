"""Faults of balances, planted in a real server for the campaign of overspends to find."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from croupier.admission.ledger_gateway import LedgerGateway
from croupier.dealing.live.money.table_money import TableMoney
from croupier.ledger.entries import Entry, Posted
from croupier.money.bonus.service import Bonuses
from croupier.refusal import Refused
from tests.faults.planted import Patch


def play_without_cover() -> Patch:
    """A round at an own table is dealt although the ledger has refused its stake."""
    right = Bonuses.post

    async def post(bonuses: Bonuses, player: str, posted: Sequence[Entry]) -> None:
        try:
            await right(bonuses, player, posted)
        except Refused as refused:
            if refused.code != "not_covered":
                raise

    return Bonuses, "post", post


def place_refused_bets() -> Patch:
    """A bet at a live table stands although the ledger has refused its hold."""
    right = TableMoney._answer

    def answer(money: TableMoney, hold: Any, _refused: Refused | None) -> Any:
        return right(money, hold, None)

    return TableMoney, "_answer", answer


def hold_twice() -> Patch:
    """The holds of live tables are posted twice, under different keys."""
    right = LedgerGateway.post_each

    async def post_each(gateway: LedgerGateway, posted: Sequence[Entry]) -> tuple[Posted | Refused, ...]:
        again = [replace(entry, key=f"{entry.key}.again") for entry in posted if entry.kind == "stakes"]
        return (await right(gateway, [*posted, *again]))[: len(posted)]

    return LedgerGateway, "post_each", post_each


_PLANTED = (play_without_cover, place_refused_bets, hold_twice)
FAULTS: Mapping[str, Callable[[], Patch]] = {fault.__name__: fault for fault in _PLANTED}
_RUN = "from tests.faults.overspends.planted import FAULTS; from tests.faults.planted import run; run(FAULTS)"


def program(fault: str) -> tuple[str, ...]:
    """Return the command that starts a server with this fault."""
    return sys.executable, "-c", _RUN, fault

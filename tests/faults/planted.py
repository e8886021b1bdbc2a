"""Run a server with a planted fault, for the campaign to find."""

import asyncio
import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from unittest.mock import patch

from msgspec import Struct
from msgspec.structs import replace

from croupier.admission.ledger_gateway import LedgerGateway
from croupier.admission.player_limits import PlayerLimits
from croupier.cli.main import main
from croupier.games.blackjack.round import Round
from croupier.gateway import open_tables
from croupier.ledger.entries import Entry
from croupier.play.contract.wants import Answer, Choice, Want
from croupier.rounds import round_entries
from croupier.rounds.requests import RequestKey, digest
from croupier.tables.own import OwnRound

Patch = tuple[Any, str, object]


def acknowledge_before_commit() -> Patch:
    """A decision is acknowledged before its commit, which a kill may prevent."""
    committed = LedgerGateway.post

    async def post(gateway: LedgerGateway, posted: Sequence[Entry]) -> None:
        if posted[0].kind == "answer":
            asyncio.get_running_loop().call_later(0.001, gateway._ledger.post, posted)
        else:
            await committed(gateway, posted)

    return LedgerGateway, "post", post


def repeat_commands() -> Patch:
    """A command sent again counts as new, since its journal key differs."""

    def request_key(player: str, req: str, command: Struct) -> RequestKey:
        return RequestKey(f"{player}:{req}{secrets.token_hex(4)}", digest(command).hex())

    return open_tables, "request_key", request_key


def forget_a_step() -> Patch:
    """A round resumes one step too early."""
    whole = round_entries.restore_round
    return (
        round_entries,
        "restore_round",
        lambda ledger, record, *rest: whole(ledger, replace(record, steps=record.steps[:-1]), *rest),
    )


def void_unfinished_rounds() -> Patch:
    """No unfinished round is ever resumed."""

    def restore_round(*_: object) -> OwnRound:
        raise ValueError("planted")

    return round_entries, "restore_round", restore_round


def pay_one_unit_more() -> Patch:
    """The posted amount differs from the announced one."""
    exact = OwnRound.returned_minor.fget  # type: ignore[attr-defined]
    return OwnRound, "returned_minor", property(lambda played: exact(played) + (exact(played) > 0))


def raise_at_a_decision() -> Patch:
    """An error in the rules: a stand raises an unexpected exception."""
    right = Round.answer

    def answer(round_: Round, want: Want, answered: Answer) -> Round:
        if answered == Choice("stand"):
            raise RuntimeError("planted")
        return right(round_, want, answered)

    return Round, "answer", answer


def forget_limits() -> Patch:
    """Limits that players set apply only until the server stops."""
    return PlayerLimits, "load", lambda _limits: None


_PLANTED = (
    acknowledge_before_commit,
    repeat_commands,
    forget_a_step,
    void_unfinished_rounds,
    pay_one_unit_more,
    raise_at_a_decision,
    forget_limits,
)
FAULTS: dict[str, Callable[[], Patch]] = {fault.__name__: fault for fault in _PLANTED}


def program(fault: str) -> tuple[str, ...]:
    """Return the command that starts a server with this fault."""
    return sys.executable, "-c", "from tests.faults.planted import run; run()", fault


def run(faults: Mapping[str, Callable[[], Patch]] = FAULTS) -> None:
    """Run croupier with the fault that the first argument names."""
    with patch.object(*faults[sys.argv.pop(1)]()):
        main()

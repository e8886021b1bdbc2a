"""Currencies in the journal: noted at each start, and shown after their removal with the same decimals."""

from pathlib import Path

import pytest

from croupier import clock
from croupier.app.serve import open_ledger
from croupier.gateway.pages import history
from croupier.gateway.server import Server
from croupier.ledger import entries
from croupier.ledger.protocol import DatabaseUnusable
from croupier.money.currencies import KEYS, remembered_currencies
from croupier.play.contract.amounts import DEFAULT_CURRENCIES, Currency
from croupier.protocol import wire
from croupier.refusal import Refused
from tests.dealing.live.in_process import Guest, new_guest, running_server
from tests.dealing.live.player import req

pytestmark = pytest.mark.anyio

EUR, USD = "[currencies.EUR]\n", "[currencies.USD]\n"
KWD = '[currencies.KWD]\nname = "Kuwaiti dinar"\n'


def noted(server: Server) -> list[str]:
    return sorted(str(note.body["code"]) for note in server.ledger.notes(KEYS, limit=100))


async def test_each_currency_is_noted_once(tmp_path: Path) -> None:
    for _ in range(2):
        async with running_server(tmp_path) as server:
            assert noted(server) == sorted(DEFAULT_CURRENCIES)


async def test_a_changed_name_or_symbol_is_noted_and_remembered(tmp_path: Path) -> None:
    async with running_server(tmp_path, EUR) as server:
        await new_guest(server)
    async with running_server(tmp_path, f'{EUR}name = "Ecu"\nsymbol = "E"\n') as server:
        assert noted(server) == ["EUR", "EUR"]
        assert remembered_currencies(server.ledger) == {"EUR": Currency("EUR", "Ecu", 2, "E")}


@pytest.mark.parametrize("decimals", [0, 1, 3])
async def test_other_decimals_of_a_held_currency_are_refused(tmp_path: Path, decimals: int) -> None:
    async with running_server(tmp_path, f'{USD}{KWD}decimals = 2\ngrant = "1"\n') as server:
        await new_guest(server)
    why = (
        rf"croupier.toml: \[currencies.KWD\] decimals: the database has KWD with 2 decimals, and {decimals} "
        r"would change what they are worth; write decimals = 2, or use another code for the new currency"
    )
    with pytest.raises(DatabaseUnusable, match=why):
        async with running_server(tmp_path, f"{USD}{KWD}decimals = {decimals}\n"):
            pass
    async with running_server(tmp_path, f"{USD}{KWD}decimals = 2\n") as server:
        assert noted(server) == ["KWD", "USD"]


async def test_they_are_refused_after_a_start_without_the_currency_too(tmp_path: Path) -> None:
    async with running_server(tmp_path, f'{USD}{KWD}decimals = 2\ngrant = "1"\n') as server:
        await new_guest(server)
    async with running_server(tmp_path, USD):
        pass
    with pytest.raises(DatabaseUnusable, match="write decimals = 2"):
        async with running_server(tmp_path, f"{USD}{KWD}decimals = 3\n"):
            pass


async def test_decimals_of_a_currency_that_nobody_held_may_change(tmp_path: Path) -> None:
    for decimals in (2, 3):
        async with running_server(tmp_path, f"{USD}{KWD}decimals = {decimals}\n") as server:
            assert remembered_currencies(server.ledger)["KWD"].decimals == decimals


async def test_a_database_of_an_earlier_version_has_the_decimals_of_that_version(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path)
    ledger.post([entries.grant("grant", clock.now_ms(), "p_1", "EUR", 100, "welcome")]).result()
    assert remembered_currencies(ledger) == {"EUR": DEFAULT_CURRENCIES["EUR"]._replace(grant_minor=0)}
    ledger.close()
    async with running_server(tmp_path, USD) as server:
        assert noted(server) == ["EUR", "USD"]
    with pytest.raises(DatabaseUnusable, match="write decimals = 2"):
        async with running_server(tmp_path, f"{USD}{EUR}decimals = 3\n"):
            pass


async def test_amounts_in_a_former_currency_are_kept_and_shown_but_not_played(tmp_path: Path) -> None:
    async with running_server(tmp_path, f"{USD}{EUR}") as server:
        guest = await new_guest(server)
        player = await guest.connect()
        assert await player.join("infinite", "EUR") == ""
        signed_in = await server.sessions.signed_in(guest.token)
        assert signed_in
        who = signed_in.id
    async with running_server(tmp_path, USD) as server:
        assert (list(server.config.currencies), server.currencies["EUR"].symbol) == (["USD"], "€")
        assert server.ledger.balances(who)["EUR"]["cash"] == 1_000_00
        lines = [history.statement_line(each) for each in server.ledger.statement(who)]
        assert {each.currency: each.amount_minor for each in lines} == {"USD": 1_000_00, "EUR": 1_000_00}
        player = await Guest(server, guest.token).connect()
        assert player.welcome
        assert [each.currency for each in player.welcome.balances] == ["USD"]
        refused = await player.submit(wire.Join(req(), "infinite", "EUR"))
        assert isinstance(refused, wire.No)
        assert (refused.code, refused.args) == ("no_such_currency", {"currency": "EUR", "allowed": "USD"})
    async with running_server(tmp_path, f"{USD}{EUR}") as server:
        player = await Guest(server, guest.token).connect()
        assert player.welcome
        balances = {each.currency: each.balance_minor for each in player.welcome.balances}
        assert balances == {"USD": 1_000_00, "EUR": 1_000_00}


async def test_the_cashier_pays_play_money_only(tmp_path: Path) -> None:
    async with running_server(tmp_path, f"{USD}{EUR}play_money = false\n") as server:
        signed_in = await server.sessions.signed_in((await new_guest(server)).token)
        assert signed_in
        for pay in (server.cashier.deposit, server.cashier.withdraw):
            with pytest.raises(Refused, match="not_play_money"):
                await pay(signed_in, wire.CashierRequest(req(), "EUR", 100))
        paid = await server.cashier.deposit(signed_in, wire.CashierRequest(req(), "USD", 100))
        assert paid.balance_minor == 1_001_00
        assert "EUR" not in server.ledger.balances(signed_in.id)

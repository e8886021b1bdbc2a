"""The currencies of a server: those of its configuration, and no others."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.cli.serve import _limits as listed
from croupier.config import DEFAULT_CONFIG, read_config
from croupier.games import published_tables
from croupier.gateway.pages.lobby import lobby_table
from croupier.play.tables.toml_blocks import InvalidFile
from croupier.protocol import wire
from croupier.staff.views import table_summary
from croupier.tables.limits import in_currencies
from tests.runtime.live.in_process import SLOW, ManualServer, guest_of, server_in
from tests.runtime.live.player import INFINITE, Player, req
from tests.runtime.live.test_live_round import MAIN, arrived, played_out

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("speculate")]

TABLES = published_tables()
CLASSIC, PREMIUM, MULTIHAND = "classic", "premium", "multihand"
ALONE = {name: replace(TABLES[name], multi_play=name != PREMIUM) for name in TABLES}
CODE, TITLE = "not_for_multi_play", TABLES[PREMIUM].title


async def refusal(player: Player, table: str, currency: str) -> wire.No:
    said = await player.asked(wire.Join(req(), table, currency))
    assert isinstance(said, wire.No)
    return said


def test_the_default_server_has_every_currency_of_the_published_tables() -> None:
    assert set(DEFAULT_CONFIG.currencies) == {code for table in TABLES.values() for code in table.limits}


def test_the_configuration_names_the_currencies_and_the_start_balances() -> None:
    floor = read_config('[currencies]\nGC = "500"\nUSD = "0.50"\n', TABLES, "floor.toml")
    assert floor.currencies == {"GC": 500, "USD": 50}


@pytest.mark.parametrize(
    ("block", "says"),
    [
        ("", r"line 1: \[currencies\]: name at least one currency; there are: GC, SC, EUR"),
        ('DOGE = "1"', r"line 2: \[currencies\] DOGE: no such field; allowed are: GC, SC, EUR"),
        ('GC = "0.5"', r'line 2: \[currencies\] GC: no amount; allowed is: a text such as "100000"'),
        ("EUR = 10", r'line 2: \[currencies\] EUR: no amount; allowed is: a text such as "1000.00"'),
    ],
)
def test_a_wrong_currency_is_refused_with_its_place(block: str, says: str) -> None:
    with pytest.raises(InvalidFile, match=says):
        read_config(f"[currencies]\n{block}\n", TABLES, "floor.toml")


def test_tables_list_the_servers_currencies_only() -> None:
    found = in_currencies(TABLES, ("GC", "EUR"))
    assert set(found) == {name for name, table in TABLES.items() if table.limits.keys() & {"GC", "EUR"}}
    for table in found.values():
        every = (table.limits, table.side_limits, table.table_limits, *table.kind_limits.values())
        assert all(limits.keys() <= {"GC", "EUR"} for limits in every)
    assert found["american_roulette"].limits_in.keys() == {"GC"}
    assert INFINITE not in in_currencies(TABLES, ("GC", "SC"))
    assert in_currencies(TABLES, tuple(DEFAULT_CONFIG.currencies)) == TABLES


async def test_a_server_has_tables_balances_and_settings_in_its_currencies(tmp_path: Path) -> None:
    async with server_in(tmp_path, '[currencies]\nSC = "7"\n') as house:
        assert {code for table in house.tables.values() for code in table.limits} == {"SC"}
        assert house.live == {}
        player = await (await guest_of(house)).dial()
        assert player.welcome
        (held,) = player.welcome.balances
        assert (held.currency, held.balance_minor, player.welcome.settings.currency) == ("SC", 700, "SC")
        assert await player.ask(wire.SaveSettings(req(), wire.Settings(currency="GC"))) == "no_such_currency"
        assert await player.join(CLASSIC, "GC") == "no_such_currency"
        assert await player.join(CLASSIC, "SC") == ""


@pytest.mark.parametrize("code", ["DOGE", "GBP", "GC"])
async def test_join_refuses_another_currency_while_a_round_is_open(hands: ManualServer, code: str) -> None:
    _, player = await arrived(hands)
    assert await player.bet(MAIN) == ""
    refused = await refusal(player, INFINITE, code)
    assert (refused.code, refused.args["allowed"]) == ("no_such_currency", "EUR, USD")
    assert player.mine[INFINITE].currency == "EUR"
    await played_out(hands, player)


@pytest.mark.parametrize("name", ["live_baccarat", "live_roulette", INFINITE])
async def test_lobby_staff_and_command_line_show_the_same_limits(hands: ManualServer, name: str) -> None:
    card = {each.currency: (each.min_minor, each.max_minor) for each in lobby_table(TABLES[name]).limits}
    row = table_summary(hands.house.live[name], ())
    assert {each.currency: (each.span.min_minor, each.span.max_minor) for each in row.limits} == card
    in_words = {code: f"{code} {low / 100:,.2f}-{high / 100:,.2f}" for code, (low, high) in card.items()}
    assert list(listed(TABLES[name])) == list(in_words.values())
    assert card["EUR"][1] == 500_000


async def test_a_table_that_isnt_for_multi_play_is_refused_beside_others(tmp_path: Path) -> None:
    with patch("tests.runtime.live.in_process.published_tables", lambda: ALONE):
        async with server_in(tmp_path, SLOW) as house:
            assert lobby_table(house.tables[PREMIUM]).multi_play is False
            guest = await guest_of(house)
            desk, phone = await guest.dial(), await guest.dial()
            assert await desk.join(CLASSIC, "GC") == ""
            for device in (desk, phone):
                refused = await refusal(device, PREMIUM, "GC")
                assert (refused.code, refused.args) == (CODE, {"table": PREMIUM, "title": TITLE})
            await left(desk, CLASSIC)
            assert await desk.join(PREMIUM, "GC") == ""
            assert await desk.join(PREMIUM, "SC") == "", "the table itself isn't beside itself"
            refused = await refusal(phone, MULTIHAND, "GC")
            assert (refused.code, refused.args) == (CODE, {"table": MULTIHAND, "title": TITLE})
            await left(desk, PREMIUM)
            assert await phone.join(MULTIHAND, "GC") == ""


async def left(player: Player, table: str) -> None:
    assert await player.ask(wire.Leave(req(), table)) == ""

"""The currencies of a server: those of its configuration, and no others."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.cli.tables import _limits as listed
from croupier.config import DEFAULT_CONFIG, read_config, read_currencies
from croupier.games import published_tables
from croupier.gateway.pages.lobby import lobby_table
from croupier.gateway.pages.rules_limits import limit_lines
from croupier.gateway.pages.table_data import table_data
from croupier.play.contract.amounts import CURRENCIES, Currency, grants_minor
from croupier.play.tables.toml_blocks import InvalidFile
from croupier.protocol import wire
from croupier.staff.views import table_summary
from croupier.tables.limits import in_currencies
from tests.dealing.live.in_process import (
    MAIN_BET,
    SLOW,
    ManualServer,
    finish_round,
    join_table,
    new_guest,
    running_server,
)
from tests.dealing.live.player import INFINITE, Player, req

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("speculate")]

TABLES = published_tables()
CLASSIC, PREMIUM, MULTIHAND = "classic", "premium", "multihand"
ALONE = {name: replace(TABLES[name], multi_play=name != PREMIUM) for name in TABLES}
CODE, TITLE = "not_for_multi_play", TABLES[PREMIUM].title


async def refusal(player: Player, table: str, currency: str) -> wire.No:
    answer = await player.submit(wire.Join(req(), table, currency))
    assert isinstance(answer, wire.No)
    return answer


def test_the_default_server_has_every_currency_of_the_published_tables() -> None:
    assert set(DEFAULT_CONFIG.currencies) == {code for table in TABLES.values() for code in table.limits}


def test_the_configuration_names_the_currencies_and_the_start_balances() -> None:
    config = read_config(
        '[currencies]\nGC.grant = "500"\nUSD = { grant = "0.50" }\n', TABLES, "croupier.toml"
    )
    assert grants_minor(config.currencies) == {"GC": 500, "USD": 50}
    assert config.currencies["USD"] == CURRENCIES["USD"]._replace(grant_minor=50)


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (
            "[currencies.DOGE]\ndecimals = 2",
            r"line 3: \[currencies.DOGE\] name: Object missing required",
        ),
        (
            '[currencies.DOGE]\nname = "Doge"',
            r"line 3: \[currencies.DOGE\] decimals: Object missing requ",
        ),
        (
            "[currencies.EUR]\ndecimals = 9",
            r"line 4: \[currencies.EUR\] decimals: .* a whole number from 0 to 8",
        ),
        (
            "[currencies.EUR]\ndecimals = true",
            r"line 4: \[currencies.EUR\] decimals: Expected `int`, got `bool`",
        ),
        ("[currencies.EUR]\nplay_money = 1", r"line 4: \[currencies.EUR\] play_money: .*: true or false"),
        (
            '[currencies.EUR]\nsymbol = "too long a symbol"',
            r"line 4: \[currencies.EUR\] symbol: Expected `str`",
        ),
        ('[currencies.EUR]\nname = ""', r"line 4: \[currencies.EUR\] name: Expected `str` of length >= 1"),
        (
            '[currencies.EUR]\nsign = "E"',
            r"line 4: \[currencies.EUR\] sign: no such field; allowed are: name, dec",
        ),
        (
            '[currencies.SC]\ngrant = "0.005"',
            r"line 4: \[currencies.SC\] grant: '0.005' isn't a whole number of SC's",
        ),
        (
            '[currencies.EUR]\ngrant = "1,000"',
            r"line 4: \[currencies.EUR\] grant: '1,000' isn't an amount: write dig",
        ),
        (
            "[currencies.EUR]\ngrant = 10",
            r'line 4: \[currencies.EUR\] grant: .* allowed is: a text such as "1000.00"',
        ),
        (
            '[currencies.EUR]\nplay_money = false\ngrant = "1"',
            r'line 5: \[currencies.EUR\] grant: allowed is: "0" without play_money',
        ),
        ("[currencies.eur]", r"line 3: \[currencies.eur\]: a code has A-Z and 0-9 only, 2 to 8 characters"),
        ("[currencies.X]", r"line 3: \[currencies.X\]: a code has A-Z and 0-9 only, 2 to 8 characters"),
    ],
)
def test_a_wrong_field_is_refused_with_its_block_and_line(block: str, message: str) -> None:
    for read in (partial(read_config, tables=TABLES), read_currencies):
        with pytest.raises(InvalidFile, match="croupier.toml, " + message):
            read(f"[currencies.GC]\n\n{block}\n", file="croupier.toml")


def test_a_currency_may_have_any_code_and_keeps_the_defaults_of_a_known_one() -> None:
    text = """
        [currencies.EUR]
        symbol = "EUR"

        [currencies.GBP]
        play_money = false

        [currencies.KWD]
        name = "Kuwaiti dinar"
        decimals = 3
        grant = "1.5"
        """
    assert read_currencies(text, "croupier.toml") == {
        "EUR": Currency("EUR", "Euro", 2, "EUR", grant_minor=1_000_00),
        "GBP": Currency("GBP", "Pound sterling", 2, "£", play_money=False),
        "KWD": Currency("KWD", "Kuwaiti dinar", 3, grant_minor=1_500),
    }


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("", r"line 1: \[currencies\]: configure at least one currency, such as \[currencies.GC\], \[curr"),
        (
            'GC = "500"',
            r"line 2: \[currencies\] GC: a currency is a block: write \[currencies.GC\] above gra",
        ),
        (
            "EUR = 10",
            r"line 2: \[currencies\] EUR: a currency is a block: write \[currencies.EUR\] above gra",
        ),
    ],
)
def test_a_wrong_currency_is_refused_with_its_place(block: str, message: str) -> None:
    with pytest.raises(InvalidFile, match=message):
        read_config(f"[currencies]\n{block}\n", TABLES, "croupier.toml")


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
    async with running_server(tmp_path, '[currencies.SC]\ngrant = "7"\n') as server:
        assert {code for table in server.tables.values() for code in table.limits} == {"SC"}
        assert server.live == {}
        player = await (await new_guest(server)).connect()
        assert player.welcome
        (held,) = player.welcome.balances
        assert (held.currency, held.balance_minor, player.welcome.settings.currency) == ("SC", 700, "SC")
        assert await player.ask(wire.SaveSettings(req(), wire.Settings(currency="GC"))) == "no_such_currency"
        assert await player.join(CLASSIC, "GC") == "no_such_currency"
        assert await player.join(CLASSIC, "SC") == ""


@pytest.mark.parametrize("code", ["DOGE", "GBP", "GC"])
async def test_join_refuses_another_currency_while_a_round_is_open(manual: ManualServer, code: str) -> None:
    _, player = await join_table(manual)
    assert await player.bet(MAIN_BET) == ""
    refused = await refusal(player, INFINITE, code)
    assert (refused.code, refused.args["allowed"]) == ("no_such_currency", "EUR, USD")
    assert player.mine[INFINITE].currency == "EUR"
    await finish_round(manual, player)


@pytest.mark.parametrize("name", ["live_baccarat", "live_roulette", INFINITE])
async def test_lobby_staff_and_command_line_show_the_same_limits(manual: ManualServer, name: str) -> None:
    card = {each.currency: (each.min_minor, each.max_minor) for each in lobby_table(TABLES[name]).limits}
    row = table_summary(manual.server.live[name], ())
    terms = {bet.bet: bet for bet in table_data(TABLES[name]).bets if bet.main}
    for code, (low, high) in card.items():
        ranges = [each for bet in terms.values() for each in bet.limits if each.currency == code]
        assert (min(each.min_minor for each in ranges), max(each.max_minor for each in ranges)) == (low, high)
    assert {each.currency: (each.span.min_minor, each.span.max_minor) for each in row.limits} == card
    in_words = {code: f"{code} {low / 100:,.2f}-{high / 100:,.2f}" for code, (low, high) in card.items()}
    assert list(listed(TABLES[name])) == list(in_words.values())
    every = [text.split(" to ") for line in limit_lines(TABLES[name]) for text in line.texts]
    assert {f"{low / 100:,.2f}" for low, _ in card.values()} <= {least for least, _ in every}
    assert {f"{high / 100:,.2f}" for _, high in card.values()} <= {most for _, most in every}
    assert card["EUR"][1] == 500_000


async def test_a_table_without_multi_play_is_refused_beside_others(tmp_path: Path) -> None:
    with patch("tests.dealing.live.in_process.published_tables", lambda _: ALONE):
        async with running_server(tmp_path, SLOW) as server:
            assert lobby_table(server.tables[PREMIUM]).multi_play is False
            guest = await new_guest(server)
            desktop, phone = await guest.connect(), await guest.connect()
            assert await desktop.join(CLASSIC, "GC") == ""
            for device in (desktop, phone):
                refused = await refusal(device, PREMIUM, "GC")
                assert (refused.code, refused.args) == (CODE, {"table": PREMIUM, "title": TITLE})
            await left(desktop, CLASSIC)
            assert await desktop.join(PREMIUM, "GC") == ""
            assert await desktop.join(PREMIUM, "SC") == "", "a table doesn't count as beside itself"
            refused = await refusal(phone, MULTIHAND, "GC")
            assert (refused.code, refused.args) == (CODE, {"table": MULTIHAND, "title": TITLE})
            await left(desktop, PREMIUM)
            assert await phone.join(MULTIHAND, "GC") == ""


async def left(player: Player, table: str) -> None:
    assert await player.ask(wire.Leave(req(), table)) == ""

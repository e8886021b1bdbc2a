"""The configuration file: its settings are applied, and errors name line, field and remedy."""

import re
from pathlib import Path

import pytest

from croupier.config import (
    DEFAULT_CONFIG,
    AccountsConfig,
    CurrencyConfig,
    HelplineConfig,
    InactivityConfig,
    LiveTableConfig,
    RateLimitConfig,
    ResponsibleGamingConfig,
    ServerConfig,
    profiles,
    read_config,
    read_currencies,
)
from croupier.config.server import SIGN_IN_AGAIN_MIN
from croupier.games import published_tables
from croupier.play.tables.toml_blocks import InvalidFile
from croupier.protocol import wire
from croupier.tables.live import Setup
from croupier.tables.live.setup import TableProfile, Timings

TABLES = published_tables()
GUIDE = Path(__file__).parents[2] / "docs" / "guide"


def parse(text: str) -> ServerConfig:
    return read_config(text, TABLES, "croupier.toml")


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "[infinite]\n", "[server]\n", "[profile]\n", '[profile]\nlike = "all"\n']
)
def test_omitted_settings_have_defaults(text: str) -> None:
    for table in TABLES.values():
        assert parse(text).live_table(table.id) == LiveTableConfig()
        assert parse(text).setup(table) == Setup(table)
    assert parse(text).profile == DEFAULT_CONFIG.profile
    assert parse(text).inactivity == InactivityConfig(idle_minutes=30, resume_hours=24, unfinished="play")


def test_settings_are_applied() -> None:
    config = parse(
        """
        [infinite]
        dealer = "person"
        opened = false
        chat = false
        pace_ms = 1
        betting_ms = 20
        warning_ms = 10
        offer_ms = 30
        decision_ms = 40
        check_ms = 50
        pause_ms = 60

        [seven_seat]
        seats_each = 2

        [server]
        idle_minutes = 0
        resume_hours = 48
        unfinished = "refund"

        [responsible_gaming]
        cooling_off_hours = 48
        time_out_days = [2]
        exclusion_days = [365]
        policy = "https://example.org/care"
        helplines = [{ name = "Help", url = "https://example.org/help", where = "here", phone = "1" }]

        [profile]
        statistics = false
        results = false
        tables_max = 2
        round_min_ms = 5000
        reminder_minutes = [30]
        advice = "own_tables"
        """
    )
    infinite = config.live_table("infinite")
    assert (infinite.dealer, infinite.opened, infinite.chat, infinite.pace_ms) == ("person", False, False, 1)
    profile = TableProfile(statistics=False, tables_max=2, round_min_ms=5000)
    timings = Timings(20, 10, 30, 40, 50, 60)
    assert config.setup(TABLES["infinite"]) == Setup(TABLES["infinite"], timings, profile, 1)
    assert config.setup(TABLES["seven_seat"]) == Setup(TABLES["seven_seat"], Timings(), profile, 2)
    assert config.profile == wire.JurisdictionProfile(False, False, 2, 5000, (30,), "own_tables")
    assert config.inactivity == InactivityConfig(0, 48, "refund")
    helpline = HelplineConfig("Help", "https://example.org/help", "here", "1")
    assert config.responsible_gaming == ResponsibleGamingConfig(
        48, (2,), (365,), "https://example.org/care", (helpline,)
    )


def test_every_timing_of_a_table_can_be_set() -> None:
    assert set(Timings._fields) <= set(LiveTableConfig.__struct_fields__)
    LiveTableConfig().timings.check()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[infinite", "croupier.toml: not TOML:"),
        (
            "pace_ms = 3",
            (
                "croupier.toml, line 1: [pace_ms]: write [server], [responsible_gaming],"
                " [currencies], [accounts], [connections],"
            ),
        ),
        ("[house]\nidle_minutes = 3", "line 1: [house]: this block is now called [server]"),
        ("\n[care]", "croupier.toml, line 2: [care]: this block is now called [responsible_gaming]"),
        (
            "\n[classic]",
            "croupier.toml, line 2: [classic]: no block or live table of that name; there are [server],",
        ),
        (
            "[infinite]\npace = 3",
            "croupier.toml, line 2: [infinite] pace: no such field; allowed are: dealer,",
        ),
        (
            '[infinite]\ndealer = "robot"',
            "line 2: [infinite] dealer: Invalid enum value 'robot'; allowed is: 'au",
        ),
        (
            "[infinite]\ndecision_ms = 0",
            "line 2: [infinite] decision_ms: Expected `int` >= 1; allowed is: a whol",
        ),
        ("[infinite]\npause_ms = 600001", "[infinite] pause_ms: Expected `int` <= 600000; allowed is"),
        ("[infinite]\nchat = 1", "[infinite] chat: Expected `bool`, got `int`; allowed is: true or false"),
        ("[infinite]\nbetting_ms = 9", "[infinite] warning_ms: it is the end of betting_ms, so 9 at most"),
        (
            "[infinite]\nseats_each = 2",
            "line 2: [infinite] seats_each: allowed is: a whole number from 1 to 1",
        ),
        ("[seven_seat]\nseats_each = 8", "seats_each: allowed is: a whole number from 1 to 7 at this table"),
        (
            "[server]\nidle_minutes = -1",
            "line 2: [server] idle_minutes: Expected `int` >= 0; allowed is: a whole number from 0 to 1440",
        ),
        (
            '[server]\n\nunfinished = "keep"',
            "line 3: [server] unfinished: Invalid enum value 'keep'; allowed is: 'play', 'refund'",
        ),
        (
            "[server]\nresume_days = 1",
            (
                "line 2: [server] resume_days: no such field; allowed are: idle_minutes,"
                " resume_hours, unfinished"
            ),
        ),
        (
            "[infinite]\ninsurance_ms = 7000",
            "line 2: [infinite] insurance_ms: it is now called offer_ms",
        ),
        (
            "[responsible_gaming]\ncooling_off_hours = 0",
            (
                "line 2: [responsible_gaming] cooling_off_hours: Expected `int` >= 1; allowed is: a"
                " whole number from 1"
            ),
        ),
        (
            '[responsible_gaming]\npolicy = "our page"',
            (
                "line 2: [responsible_gaming] policy: Expected `str` of another form; allowed is: an"
                ' address such as "https'
            ),
        ),
        (
            '[responsible_gaming]\nhelplines = [{ name = "GamCare" }]',
            (
                "[responsible_gaming] helplines: Object missing required field `url`; allowed is: a"
                " list such as [{ name ="
            ),
        ),
        (
            '[responsible_gaming]\nregistry_url = "http://registry.example.org"',
            "line 2: [responsible_gaming] registry_url: Expected `str` of another form; allowed is: an",
        ),
        (
            '[responsible_gaming]\nregistry_url = "https://registry.example.org"',
            "[responsible_gaming] registry_key_file: registry_url needs a file with the key",
        ),
        (
            '[responsible_gaming]\nregistry_url = "https://x.example"\nregistry_key_file = "none.key"',
            "line 3: [responsible_gaming] registry_key_file: none.key can't be read: No such file",
        ),
        (
            '[responsible_gaming]\nregistry_url = "https://x.example"\nregistry_key_file = "/dev/null"',
            "line 3: [responsible_gaming] registry_key_file: /dev/null needs a key of 32 bytes or more",
        ),
        (
            "[responsible_gaming]\ntime_out_days = []",
            "[responsible_gaming] time_out_days: Expected `array` of length >= 1",
        ),
        (
            '[profile]\nlike = "none"',
            "line 2: [profile] like: no such profile; there are: all, no_statistics,",
        ),
        ("[profile]\nlike = []", "line 2: [profile] like: no such profile"),
        (
            "[profile]\nroulette = true",
            "[profile] roulette: no such field; allowed are: like, statistics, res",
        ),
        (
            "[profile]\ntables_max = 5",
            "[profile] tables_max: Expected `int` <= 4; allowed is: a whole number f",
        ),
        ("[profile]\nreminder_minutes = []", "[profile] reminder_minutes: Expected `array` of length >= 1"),
        ("[profile]\nreminder_minutes = [7]", "Invalid enum value 7; allowed is: a list of 0, 30, 60, 90"),
    ],
)
def test_an_invalid_file_is_refused_with_line_and_remedy(text: str, message: str) -> None:
    with pytest.raises(InvalidFile, match=re.escape(message)):
        parse(text)


# --- the named profiles


def test_a_grant_above_the_largest_balance_is_refused() -> None:
    text = '[currencies.MINE]\nname = "Mine"\ndecimals = 8\ngrant = "{}"\n'
    read_currencies(text.format("10000000"), "croupier.toml")
    with pytest.raises(InvalidFile) as refused:
        read_currencies(text.format("10000000.00000001"), "croupier.toml")
    assert str(refused.value) == (
        "croupier.toml, line 4: [currencies.MINE] grant: '10000000.00000001';"
        " allowed is: 10,000,000.00000000 at most"
    )


def test_the_first_profile_has_no_restrictions() -> None:
    assert DEFAULT_CONFIG.profile == wire.JurisdictionProfile(True, True, 4, 0, (0, 30, 60, 90), "play_money")


@pytest.mark.parametrize("name", profiles())
def test_a_configuration_may_extend_a_named_profile(name: str) -> None:
    extended = parse(f'[profile]\nlike = "{name}"').profile
    assert [getattr(extended, field) for field in extended.__struct_fields__] == [
        getattr(profiles()[name], field) for field in extended.__struct_fields__
    ]
    adjusted = parse(f'[profile]\nlike = "{name}"\ntables_max = 3').profile
    assert adjusted.tables_max == 3
    assert adjusted.statistics == extended.statistics


def test_profiles_have_the_restrictions_of_their_names() -> None:
    by_name = {name: parse(f'[profile]\nlike = "{name}"').profile for name in profiles()}
    assert not by_name["no_statistics"].statistics
    assert by_name["one_table"].tables_max == 1
    assert by_name["slow_rounds"].round_min_ms == 5000
    assert 0 not in by_name["always_reminded"].reminder_minutes
    assert by_name["strictest"] == wire.JurisdictionProfile(False, False, 1, 5000, (30, 60, 90), "none")


def test_the_guides_sample_is_a_valid_configuration() -> None:
    """It needs no secrets."""
    config = read_config((GUIDE / "croupier.toml").read_text(), TABLES, "docs/guide/croupier.toml")
    assert set(config.live_tables) == {name for name, table in TABLES.items() if table.dealing == "live"}
    assert "](croupier.toml)" in (GUIDE / "live-tables.md").read_text()


def test_a_time_until_the_next_sign_in_is_never_or_long_enough_to_be_kept() -> None:
    for minutes in (0, SIGN_IN_AGAIN_MIN, 1440):
        assert (
            parse(f"[accounts]\nsign_in_again_minutes = {minutes}").accounts.sign_in_again_minutes == minutes
        )
    for minutes in (1, SIGN_IN_AGAIN_MIN - 1, 1441, -1):
        with pytest.raises(InvalidFile, match=r"\[accounts\] sign_in_again_minutes: "):
            parse(f"[accounts]\nsign_in_again_minutes = {minutes}")


SERVER_SETTINGS = (
    *AccountsConfig.__struct_fields__,
    *InactivityConfig.__struct_fields__,
    *ResponsibleGamingConfig.__struct_fields__,
    *RateLimitConfig.__struct_fields__,
    *CurrencyConfig.__struct_fields__,
)


@pytest.mark.parametrize("field", SERVER_SETTINGS)
def test_the_guide_describes_every_server_setting(field: str) -> None:
    assert f"`{field}`" in (GUIDE.parent / "operations" / "configure.md").read_text()
    assert re.search(rf"^{field} = ", (GUIDE / "croupier.toml").read_text(), re.MULTILINE)


@pytest.mark.parametrize(
    "field", [*LiveTableConfig.__struct_fields__, *wire.JurisdictionProfile.__struct_fields__, *profiles()]
)
def test_the_guide_describes_every_field_and_profile(field: str) -> None:
    assert f"`{field}`" in (GUIDE / "live-tables.md").read_text()
    if field in wire.JurisdictionProfile.__struct_fields__ or field in LiveTableConfig.__struct_fields__:
        assert re.search(rf"^{field} = ", (GUIDE / "croupier.toml").read_text(), re.MULTILINE)

"""The lobby's live tables: current status, cached, and only what the profile allows."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.games import published_tables
from croupier.gateway.pages.lobby import FRESH_MS, LiveStatusCache, LobbyTableCache, lobby_table
from croupier.play.contract.amounts import StakeLimits
from croupier.protocol import wire
from croupier.tables.live import inputs
from tests.dealing.live.in_process import ManualServer, manual_server, new_guest
from tests.dealing.live.player import INFINITE, SEVEN, req

pytestmark = pytest.mark.anyio


@pytest.fixture
async def manual(tmp_path: Path) -> AsyncIterator[ManualServer]:
    """Start a server whose live tables advance only when the test advances them."""
    async with manual_server(tmp_path) as manual:
        yield manual


def lines(manual: ManualServer, *, results: bool = True) -> dict[str, wire.LiveTableStatus]:
    board = LiveStatusCache(manual.server.live, results=results)
    return {line.table: line for line in board.lines(manual.now_ms())}


async def test_every_live_table_has_a_line(manual: ManualServer) -> None:
    await manual.advance_to("betting")
    await manual.advance_to("betting", table=SEVEN)
    found = lines(manual)
    assert list(found) == list(manual.server.live)
    assert {table: found[table] for table in (INFINITE, SEVEN)} == {
        INFINITE: wire.LiveTableStatus(INFINITE, "betting", "green", "", 0, 0, "automatic", ()),
        SEVEN: wire.LiveTableStatus(SEVEN, "betting", "green", "", 0, 7, "automatic", ()),
    }


async def test_players_seats_and_manager_actions_are_shown(manual: ManualServer) -> None:
    player = await (await new_guest(manual.server)).connect()
    assert await player.join(SEVEN) == ""
    assert await player.ask(wire.Sit(req(), SEVEN, 3)) == ""
    await manual.execute(inputs.Paused("a card fell"), SEVEN)
    line = lines(manual)[SEVEN]
    assert (line.players, line.seats_free, line.light, line.paused) == (1, 6, "red", "a card fell")
    assert lines(manual)[INFINITE].players == 0


async def test_past_rounds_are_shown_if_the_profile_allows_it(manual: ManualServer) -> None:
    player = await (await new_guest(manual.server)).connect()
    await player.join()
    for _ in range(2):
        await manual.advance_to("betting")
        await player.until_phase("betting")
        number = manual.server.live[INFINITE].state.number
        assert await player.bet((0, "main", 1_000)) == ""
        await manual.advance_to("pause")
    newest, before = lines(manual)[INFINITE].last
    assert newest.number == number
    assert before.number != number
    assert newest.result.isdigit() or newest.result in ("blackjack", "bust")
    assert lines(manual, results=False)[INFINITE].last == ()


async def test_the_status_is_computed_at_most_twice_a_second(manual: ManualServer) -> None:
    board = LiveStatusCache(manual.server.live, results=True)
    now_ms = manual.now_ms()
    first = board.lines(now_ms)
    assert board.lines(now_ms + FRESH_MS - 1) is first
    later = board.lines(now_ms + FRESH_MS)
    assert later is not first
    assert board.lines(now_ms) is not later, "the clock was set back"


def test_a_cached_card_is_renewed_when_its_table_changes() -> None:
    lobby, table = LobbyTableCache(), published_tables()["live_roulette"]
    card = lobby.card(table)
    assert card == lobby_table(table)
    assert lobby.card(table) is card
    assert lobby.card(replace(table, title="The green table")).title == "The green table"
    assert lobby.card(table) == card


def test_a_card_has_every_limit_and_restriction() -> None:
    card = lobby_table(published_tables()["live_roulette"])
    euro = next(limits for limits in card.limits if limits.currency == "EUR")
    bets = {bet.bet: bet for bet in euro.bets}
    assert euro.table_max_minor == 1_000_000
    assert (bets["split_17_20"].kind, bets["split_17_20"].max_minor) == ("split", 40_000)
    assert (bets["straight_0"].kind, bets["straight_0"].max_minor) == ("straight", 20_000)
    assert euro.chips_minor[0] == 50
    assert max(euro.chips_minor) == max(bet.max_minor for bet in euro.bets) == 500_000
    assert card.restrictions == (
        "All your bets in a round may cover at most 92 % of the outcomes: 34 of 37.",
    )
    assert card.never_together == ()
    assert lobby_table(published_tables()["classic"]).limits[0].table_max_minor is None


def test_a_card_uses_the_labels_of_its_table() -> None:
    table = published_tables()["live_baccarat"]
    card = lobby_table(replace(table, label_overrides={"player": "Punto", "banker": "Banco"}))
    assert card.called == {"player": "Punto", "banker": "Banco"}
    assert {bet.title for bet in card.limits[0].bets if bet.main} >= {"Punto", "Banco"}
    assert card.never_together[0].named == "Punto and Banco"
    assert card.restrictions[0].startswith("Punto and Banco can't")
    classic = lobby_table(published_tables()["classic"])
    assert "Even Play 1:1" in classic.limits[0].bets[0].pays


def test_a_card_has_the_restrictions_as_data() -> None:
    tables = published_tables()
    covering = lobby_table(tables["live_roulette"]).covering
    assert covering is not None
    assert (covering.percent, covering.most, covering.outcomes) == (92, 34, 37)
    assert [len(covering.of[bet]) for bet in ("straight_0", "column_1", "red")] == [1, 12, 18]
    assert not set(covering.of["red"]) & set(covering.of["black"])
    baccarat = lobby_table(tables["live_baccarat"])
    assert baccarat.never_together == (wire.ExclusiveBets(("player", "banker"), "Player and Banker"),)
    assert baccarat.covering is None


async def test_the_lobby_shows_limits_changed_by_the_manager(manual: ManualServer) -> None:
    limits = {code: StakeLimits(300, 700) for code in manual.server.tables[INFINITE].limits}
    await manual.execute(inputs.LimitsSet(limits, {}))
    await manual.advance_to("warning")
    await manual.advance_to("betting")
    shown = lobby_table(manual.server.live[INFINITE].table).limits
    assert {bet.max_minor for limits in shown for bet in limits.bets if bet.main} == {700}


@pytest.mark.parametrize(
    ("table", "percent", "of"),
    [
        ("classic", "99.221", "the initial stake, with the best decisions"),
        ("baccarat", "98.942", "Banker"),
        ("roulette", "97.297", "every bet"),
        ("sic_bo", "97.222", "the best bets"),
    ],
)
def test_a_card_has_the_best_exact_return(table: str, percent: str, of: str) -> None:
    assert lobby_table(published_tables()[table]).exact_return == wire.ExactReturn(percent, of)


def test_every_published_table_has_its_return_on_its_card() -> None:
    without = [name for name, table in published_tables().items() if lobby_table(table).exact_return is None]
    assert without == []


def test_the_start_button_has_its_games_label() -> None:
    words = {name: lobby_table(table).start_word for name, table in published_tables().items()}
    assert (words["classic"], words["roulette"], words["sic_bo"]) == ("Deal", "Spin", "Roll")


def test_tables_whose_shoes_have_a_cut_card_say_where_it_is() -> None:
    found = {name: lobby_table(table).cut_card_percent for name, table in published_tables().items()}
    assert (found["live_baccarat"], found["seven_seat"]) == (98, 50)
    assert found["baccarat"] is found["live_roulette"] is None

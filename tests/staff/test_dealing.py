"""A table dealt by a person, with players, a manager and a hidden card."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import NamedTuple

import msgspec
import pytest

from croupier.protocol import staff_wire
from croupier.protocol import wire as players
from croupier.protocol.wire import OccupiedSeat
from tests.dealing.live.player import Player
from tests.staff.clients import StaffBrowser, staff_client
from tests.staff.conftest import Staffed
from tests.staff.player_client import player_at

pytestmark = pytest.mark.anyio
STAKE = 1_000
START_MINOR = 100_000


class OpenedTable(NamedTuple):
    """A table with open betting: Ada manages, Ben deals, Cleo plays."""

    ada: StaffBrowser
    ben: StaffBrowser
    cleo: Player
    table: str

    async def scan(self, what: str, ask: int) -> str:
        """Enter a result; return `ok`, or the code of the refusal."""
        return await self.ben.ask(staff_wire.EnterResult, self.table, what, ask)

    async def deal(self, *cards: str) -> None:
        """Enter each answer when it is requested."""
        for what in cards:
            now = await self.ben.until(lambda now: now.form != "")
            assert await self.scan(what, now.ask) == "ok", what
            await self.ben.until(partial(_answered, now.ask))

    async def bet(self, box: int = 0, stake: int = STAKE, bet: str = "main") -> None:
        """Bet in this round, or in the next one if it is too late."""
        for _ in range(5):
            await self.cleo.until_phase("betting", table=self.table)
            refused = await self.cleo.bet((box, bet, stake), table=self.table)
            if not refused:
                return
            assert refused in ("bets_closed", "round_ended"), refused
            await self.cleo.until_phase("no_more_bets", "opening", table=self.table)
        raise AssertionError("five rounds without a bet")

    async def result(self) -> players.PlayerResult:
        """Return the result of the first round that Cleo bet in."""
        await self.cleo.until(lambda: self.cleo.results)
        return next(iter(self.cleo.results.values()))

    def balance(self) -> int:
        return self.cleo.mine[self.table].balance_minor


def _answered(ask: int, now: staff_wire.DealerTableState) -> bool:
    return now.ask != ask or not now.wanted


@asynccontextmanager
async def open_table(at: Staffed, table: str = "infinite") -> AsyncIterator[OpenedTable]:
    async with (
        staff_client(at.address, "Ada", at.ada) as ada,
        staff_client(at.address, "Ben", at.ben, table) as ben,
        player_at(at.address, table) as cleo,
    ):
        assert await ada.ask(staff_wire.OpenTable, table) == "ok"
        for shoe in (await ben.until(lambda now: now.clock.phase != "closed")).shuffle:
            assert await ben.ask(staff_wire.ConfirmShuffle, table, shoe) in ("ok", "automatic_dealer")
        yield OpenedTable(ada, ben, cleo, table)


async def test_a_round_from_the_first_card_to_the_settlement(open_server: Staffed) -> None:
    async with open_table(open_server) as live:
        await live.bet()
        # player, dealer, player, dealer's face-down card
        await live.deal("TS", "9H", "9S", "down")
        await live.cleo.until_phase("decisions")
        assert live.cleo.turns() == [(0, 0, live.cleo.turns()[0][2])]
        assert await live.cleo.decide("stand") == ""
        await live.deal("TH")
        result = await live.result()
        assert (result.staked_minor, result.returned_minor) == (STAKE, STAKE), "19 against 19"
        assert live.balance() == START_MINOR
        lines = await live.ada.log(table="infinite")
        dealt = [line.details["what"] for line in reversed(lines) if line.what == "deal_card"]
        assert dealt[-5:] == ["TS", "9H", "9S", "down", "TH"]
        assert {line.name for line in lines if line.what == "deal_card"} == {"Ben"}


async def test_a_card_is_sent_to_the_players_of_its_hand(open_server: Staffed) -> None:
    async with open_table(open_server) as live, player_at(open_server.address) as dan:
        await live.bet()
        assert await dan.bet((0, "main", STAKE)) == ""
        await live.deal("TS", "9H", "2S", "down")
        await live.cleo.until_phase("decisions")
        await dan.until_phase("decisions")
        assert await live.cleo.decide("hit") == ""
        assert await dan.decide("stand") == ""
        await live.deal("7D")
        await live.cleo.until(lambda: "7D" in cards_received(live.cleo))
        await live.cleo.until_phase("decisions")
        assert await live.cleo.decide("stand") == ""
        await live.deal("TH")
        await dan.until(lambda: dan.results)
        await live.result()
        assert cards_received(live.cleo) == ["TS", "9H", "2S", "7D"]
        assert cards_received(dan) == ["TS", "9H", "2S"]


def cards_received(player: Player) -> list[str]:
    return [one.card for one in player.events("card")]


async def test_an_impossible_card_is_refused_and_a_scan_counts_once(open_server: Staffed) -> None:
    async with open_table(open_server, "one_deck") as live:
        await live.bet()
        now = await live.ben.until(lambda now: now.form == "card")
        assert now.wanted == "the player's first card"
        for what in ("KX", "down", "yes"):
            assert await live.scan(what, now.ask) == "not_wanted"
        assert await live.scan("AS", now.ask) == "ok"
        assert await live.scan("KS", now.ask) == "no_card_wanted", "the same scan again"
        now = await live.ben.until(lambda seen: seen.ask != now.ask)
        assert await live.scan("AS", now.ask) == "impossible_card"
        assert live.ben.no.args == {"card": "AS", "decks": 1}
        assert await live.scan("KS", now.ask) == "ok"
        assert (await live.ben.until(lambda seen: len(seen.dealt) > 1)).dealt == ("AS", "KS")


async def test_a_wrong_card_is_corrected_by_the_manager(open_server: Staffed) -> None:
    async with open_table(open_server) as live:
        await live.bet()
        await live.deal("TS", "9H", "9S", "down")
        await live.cleo.until_phase("decisions")
        played = (await live.ben.until(lambda now: "down" in now.dealt)).clock.round
        correction = ("9S", "2S", "the nine was a two")
        assert await live.ben.ask(staff_wire.CorrectCard, "infinite", played, 2, *correction) == "not_allowed"
        assert (
            await live.ada.ask(staff_wire.CorrectCard, "infinite", "another", 2, *correction) == "round_ended"
        )
        assert (
            await live.ada.ask(staff_wire.CorrectCard, "infinite", played, 1, *correction) == "decided_since"
        )
        assert await live.ada.ask(staff_wire.CorrectCard, "infinite", played, 2, *correction) == "ok"
        now = await live.ben.until(lambda now: "2S" in now.dealt)
        assert now.dealt == ("TS", "9H", "2S", "down")
        await live.cleo.until(lambda: live.cleo.events("corrected"))
        state = await live.cleo.until_phase("decisions")
        assert state.round is not None
        assert state.round.boxes[0].hands[0].cards == ("TS", "2S")
        assert await live.cleo.decide("stand") == ""
        await live.deal("TH")
        await live.result()
        assert live.balance() == START_MINOR - STAKE, "12 against 19"
        too_late = await live.ada.ask(staff_wire.CorrectCard, "infinite", played, 0, "TH", "2S", "too late")
        assert too_late in ("decided_since", "no_round", "round_ended")


async def test_a_void_round_returns_every_stake(open_server: Staffed) -> None:
    async with open_table(open_server) as live:
        await live.bet()
        await live.deal("TS", "9H", "9S", "down")
        await live.cleo.until_phase("decisions")
        assert await live.ben.ask(staff_wire.PauseTable, "infinite", "the shoe fell") == "ok"
        await live.cleo.until(lambda: live.cleo.events("paused"))
        assert await live.cleo.decide("stand") == "paused"
        played = (await live.ben.until(lambda now: "down" in now.dealt)).clock.round
        assert await live.ben.ask(staff_wire.VoidRound, "infinite", played, "mine") == "not_allowed"
        assert await live.ada.ask(staff_wire.VoidRound, "infinite", "another", "mistaken") == "round_ended"
        assert await live.ada.ask(staff_wire.VoidRound, "infinite", played, "the shoe fell") == "ok"
        await live.cleo.until(lambda: live.cleo.events("voided"))
        result = await live.result()
        assert (result.void, result.reason) == (True, "the shoe fell")
        assert live.balance() == START_MINOR


async def test_no_bet_reaches_a_dealer_before_the_close(open_server: Staffed) -> None:
    async with open_table(open_server) as live:
        odd = re.compile(rb"\b1237\b")  # the number by itself: times and ids may contain its digits
        await live.bet(stake=1_237)
        await live.ben.until(lambda now: now.wanted != "")
        assert odd.search(msgspec.json.encode(live.cleo.mine)), "the player gets their own stake"
        received = b"".join(msgspec.json.encode(one) for one in live.ben.received)
        assert not odd.search(received)
        assert rounds_while_bets_are_open(live.ben) == {None}
        await live.deal("TS", "9H", "9S", "down")
        received = b"".join(msgspec.json.encode(one) for one in live.ben.received)
        assert not odd.search(received), "in a shared deal not after the close either"
        assert live.cleo.welcome is not None
        assert live.cleo.welcome.player.encode() not in received


async def test_staff_cannot_deal_at_a_table_of_the_automatic_dealer(open_server: Staffed) -> None:
    async with open_table(open_server, "seven_seat") as live:
        assert await live.cleo.ask(players.Sit("s1", "seven_seat", 2)) == ""
        await live.bet(box=2)
        now = await live.ben.until(lambda now: now.wanted != "")
        for kind, rest in (
            (staff_wire.EnterResult, ("KS", now.ask)),
            (staff_wire.ReportCutCard, ()),
            (staff_wire.ConfirmShuffle, (0,)),
        ):
            assert await live.ben.ask(kind, "seven_seat", *rest) == "automatic_dealer"


async def test_seats_show_names_and_after_the_close_their_bets(open_server: Staffed) -> None:
    async with open_table(open_server, "seven_seat") as live:
        assert await live.cleo.ask(players.Sit("s1", "seven_seat", 2)) == ""
        await live.bet(box=2)
        assert live.cleo.welcome is not None
        now = await live.ben.until(lambda now: now.round is not None)
        assert rounds_while_bets_are_open(live.ben) == {None}
        assert now.seats_taken == (OccupiedSeat(2, live.cleo.welcome.name),)
        assert now.round is not None
        assert [(box.box, box.stake_minor) for box in now.round.boxes] == [(2, STAKE)]
        assert live.cleo.welcome.player.encode() not in b"".join(map(msgspec.json.encode, live.ben.received))


async def test_the_chat_of_dealer_manager_and_player(open_server: Staffed) -> None:
    async with open_table(open_server) as live:
        assert await live.ben.ask(staff_wire.PostDealerChat, "infinite", "Good evening") == "ok"
        await live.cleo.until(
            lambda: [one.text for one in live.cleo.chat["infinite"] if one.role == "dealer"]
        )
        assert await live.cleo.ask(players.PostChat("s1", "infinite", "<b>hello</b>")) == ""
        async with staff_client(live.ada.address, "Ada", open_server.ada, "infinite") as ada:
            line = await chat_line(ada, "<b>hello</b>")
            assert await ada.ask(staff_wire.MutePlayer, "infinite", line.player, 5, "markup") == "ok"
            assert await live.cleo.ask(players.PostChat("s2", "infinite", "again")) == "chat_muted"
            assert await ada.ask(staff_wire.MutePlayer, "infinite", line.player, 0) == "ok"
            assert await live.cleo.ask(players.PostChat("s3", "infinite", "once more")) == ""
            assert await ada.ask(staff_wire.RemoveChatLine, "infinite", line.line) == "ok"
            assert await ada.ask(staff_wire.RemoveChatLine, "infinite", line.line) == "no_such_line"


async def test_a_report_reaches_the_manager_and_no_dealer(open_server: Staffed) -> None:
    async with open_table(open_server) as live, player_at(open_server.address) as dan:
        assert await dan.ask(players.PostChat("d1", "infinite", "rude words")) == ""
        await live.cleo.until(lambda: any(one.text == "rude words" for one in live.cleo.chat["infinite"]))
        line = live.cleo.chat["infinite"][-1].line
        assert await live.cleo.ask(players.ReportChatLine("r1", "infinite", line)) == ""
        await live.ada.overview(lambda row: row.reports == 1, "infinite")
        async with staff_client(open_server.address, "Ada", open_server.ada, "infinite") as ada:
            while not (
                chats := [
                    one for one in ada.received if isinstance(one, staff_wire.ChatState) and one.reports
                ]
            ):
                await ada.next()
            assert [(each.line.text, each.times) for each in chats[-1].reports] == [("rude words", 1)]
            assert await ada.ask(staff_wire.DismissReport, "infinite", line) == "ok"
        await live.ada.overview(lambda row: row.reports == 0, "infinite")
        assert not any(isinstance(one, staff_wire.ChatState) and one.reports for one in live.ben.received)


def rounds_while_bets_are_open(client: StaffBrowser) -> set[players.RoundView | None]:
    tables = [one.now for one in client.received if isinstance(one, staff_wire.DealerTableUpdate)]
    return {now.round for now in tables if now.clock.light != "red"}


async def chat_line(client: StaffBrowser, text: str) -> players.ChatLine:
    while True:
        for one in client.received:
            if isinstance(one, staff_wire.ChatState):
                for line in one.lines:
                    if line.text == text:
                        return line
        await client.next()

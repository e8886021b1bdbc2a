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
from tests.runtime.live.player import Player
from tests.staff.at_work import StaffBrowser, at_work
from tests.staff.conftest import Staffed
from tests.staff.playing import player_at

pytestmark = pytest.mark.anyio
STAKE = 1_000
START_MINOR = 100_000


class Night(NamedTuple):
    """A table with open betting: Ada manages, Ben deals, Cleo plays."""

    ada: StaffBrowser
    ben: StaffBrowser
    cleo: Player
    table: str

    async def scan(self, what: str, ask: int) -> str:
        """`ok`, or the code of the refusal."""
        return await self.ben.ask(staff_wire.EnterResult, self.table, what, ask)

    async def deal(self, *cards: str) -> None:
        """Enter each answer when it is requested."""
        for what in cards:
            now = await self.ben.see(lambda now: now.form != "")
            assert await self.scan(what, now.ask) == "ok", what
            await self.ben.see(partial(_answered, now.ask))

    async def bet(self, box: int = 0, stake: int = STAKE, bet: str = "main") -> None:
        """Bet in this round, or in the next one if it is too late."""
        for _ in range(5):
            await self.cleo.phase("betting", table=self.table)
            refused = await self.cleo.bet((box, bet, stake), table=self.table)
            if not refused:
                return
            assert refused in ("bets_closed", "round_ended"), refused
            await self.cleo.phase("no_more_bets", "opening", table=self.table)
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
async def open_table(at: Staffed, table: str = "infinite") -> AsyncIterator[Night]:
    async with (
        at_work(at.address, "Ada", at.ada) as ada,
        at_work(at.address, "Ben", at.ben, table) as ben,
        player_at(at.address, table) as cleo,
    ):
        assert await ada.ask(staff_wire.OpenTable, table) == "ok"
        for shoe in (await ben.see(lambda now: now.clock.phase != "closed")).shuffle:
            assert await ben.ask(staff_wire.ConfirmShuffle, table, shoe) in ("ok", "automatic_dealer")
        yield Night(ada, ben, cleo, table)


async def test_a_round_from_the_first_card_to_the_settlement(floor: Staffed) -> None:
    async with open_table(floor) as night:
        await night.bet()
        # player, dealer, player, dealer's face-down card
        await night.deal("TS", "9H", "9S", "down")
        await night.cleo.phase("decisions")
        assert night.cleo.turns() == [(0, 0, night.cleo.turns()[0][2])]
        assert await night.cleo.decide("stand") == ""
        await night.deal("TH")
        result = await night.result()
        assert (result.staked_minor, result.returned_minor) == (STAKE, STAKE), "19 against 19"
        assert night.balance() == START_MINOR
        lines = await night.ada.log(table="infinite")
        dealt = [line.details["what"] for line in reversed(lines) if line.what == "deal_card"]
        assert dealt == ["TS", "9H", "9S", "down", "TH"]
        assert {line.name for line in lines if line.what == "deal_card"} == {"Ben"}


async def test_a_card_is_sent_to_the_players_of_its_hand(shop: Staffed) -> None:
    async with open_table(shop) as night, player_at(shop.address) as dan:
        await night.bet()
        assert await dan.bet((0, "main", STAKE)) == ""
        await night.deal("TS", "9H", "2S", "down")
        await night.cleo.phase("decisions")
        await dan.phase("decisions")
        assert await night.cleo.decide("hit") == ""
        assert await dan.decide("stand") == ""
        await night.deal("7D")
        await night.cleo.until(lambda: "7D" in cards_heard(night.cleo))
        await night.cleo.phase("decisions")
        assert await night.cleo.decide("stand") == ""
        await night.deal("TH")
        await dan.until(lambda: dan.results)
        await night.result()
        assert cards_heard(night.cleo) == ["TS", "9H", "2S", "7D"]
        assert cards_heard(dan) == ["TS", "9H", "2S"]


def cards_heard(player: Player) -> list[str]:
    return [one.card for one in player.heard("card")]


async def test_an_impossible_card_is_refused_and_a_scan_counts_once(shop: Staffed) -> None:
    async with open_table(shop, "one_deck") as night:
        await night.bet()
        now = await night.ben.see(lambda now: now.form == "card")
        assert now.wanted == "the player's first card"
        for what in ("KX", "down", "yes"):
            assert await night.scan(what, now.ask) == "not_wanted"
        assert await night.scan("AS", now.ask) == "ok"
        assert await night.scan("KS", now.ask) == "no_card_wanted", "the same scan again"
        now = await night.ben.see(lambda seen: seen.ask != now.ask)
        assert await night.scan("AS", now.ask) == "impossible_card"
        assert night.ben.no.args == {"card": "AS", "decks": 1}
        assert await night.scan("KS", now.ask) == "ok"
        assert (await night.ben.see(lambda seen: len(seen.dealt) > 1)).dealt == ("AS", "KS")


async def test_a_wrong_card_is_corrected_by_the_manager(shop: Staffed) -> None:
    async with open_table(shop) as night:
        await night.bet()
        await night.deal("TS", "9H", "9S", "down")
        await night.cleo.phase("decisions")
        played = (await night.ben.see(lambda now: "down" in now.dealt)).clock.round
        correction = ("9S", "2S", "the nine was a two")
        assert (
            await night.ben.ask(staff_wire.CorrectCard, "infinite", played, 2, *correction) == "not_allowed"
        )
        assert (
            await night.ada.ask(staff_wire.CorrectCard, "infinite", "another", 2, *correction)
            == "round_ended"
        )
        assert (
            await night.ada.ask(staff_wire.CorrectCard, "infinite", played, 1, *correction) == "decided_since"
        )
        assert await night.ada.ask(staff_wire.CorrectCard, "infinite", played, 2, *correction) == "ok"
        now = await night.ben.see(lambda now: "2S" in now.dealt)
        assert now.dealt == ("TS", "9H", "2S", "down")
        await night.cleo.until(lambda: night.cleo.heard("corrected"))
        state = await night.cleo.phase("decisions")
        assert state.round is not None
        assert state.round.boxes[0].hands[0].cards == ("TS", "2S")
        assert await night.cleo.decide("stand") == ""
        await night.deal("TH")
        await night.result()
        assert night.balance() == START_MINOR - STAKE, "12 against 19"
        too_late = await night.ada.ask(staff_wire.CorrectCard, "infinite", played, 0, "TH", "2S", "too late")
        assert too_late in ("decided_since", "no_round", "round_ended")


async def test_a_void_round_returns_every_stake(floor: Staffed) -> None:
    async with open_table(floor) as night:
        await night.bet()
        await night.deal("TS", "9H", "9S", "down")
        await night.cleo.phase("decisions")
        assert await night.ben.ask(staff_wire.PauseTable, "infinite", "the shoe fell") == "ok"
        await night.cleo.until(lambda: night.cleo.heard("paused"))
        assert await night.cleo.decide("stand") == "paused"
        played = (await night.ben.see(lambda now: "down" in now.dealt)).clock.round
        assert await night.ben.ask(staff_wire.VoidRound, "infinite", played, "mine") == "not_allowed"
        assert await night.ada.ask(staff_wire.VoidRound, "infinite", "another", "mistaken") == "round_ended"
        assert await night.ada.ask(staff_wire.VoidRound, "infinite", played, "the shoe fell") == "ok"
        await night.cleo.until(lambda: night.cleo.heard("voided"))
        result = await night.result()
        assert (result.void, result.reason) == (True, "the shoe fell")
        assert night.balance() == START_MINOR


async def test_no_bet_reaches_a_dealer_before_the_close(shop: Staffed) -> None:
    async with open_table(shop) as night:
        odd = re.compile(rb"\b1237\b")  # a number by itself: times and names of rounds may have it in them
        await night.bet(stake=1_237)
        await night.ben.see(lambda now: now.wanted != "")
        assert odd.search(msgspec.json.encode(night.cleo.mine)), "he who bet is told"
        told = b"".join(msgspec.json.encode(one) for one in night.ben.told)
        assert not odd.search(told)
        assert rounds_while_bets_are_open(night.ben) == {None}
        await night.deal("TS", "9H", "9S", "down")
        told = b"".join(msgspec.json.encode(one) for one in night.ben.told)
        assert not odd.search(told), "where all share one deal, not after it either"
        assert night.cleo.welcome is not None
        assert night.cleo.welcome.player.encode() not in told


async def test_nobody_deals_at_a_table_of_the_automatic_dealer(shop: Staffed) -> None:
    async with open_table(shop, "seven_seat") as night:
        assert await night.cleo.ask(players.Sit("s1", "seven_seat", 2)) == ""
        await night.bet(box=2)
        now = await night.ben.see(lambda now: now.wanted != "")
        for kind, rest in (
            (staff_wire.EnterResult, ("KS", now.ask)),
            (staff_wire.ReportCutCard, ()),
            (staff_wire.ConfirmShuffle, (0,)),
        ):
            assert await night.ben.ask(kind, "seven_seat", *rest) == "automatic_dealer"


async def test_seats_show_names_and_after_the_close_their_bets(shop: Staffed) -> None:
    async with open_table(shop, "seven_seat") as night:
        assert await night.cleo.ask(players.Sit("s1", "seven_seat", 2)) == ""
        await night.bet(box=2)
        assert night.cleo.welcome is not None
        now = await night.ben.see(lambda now: now.round is not None)
        assert rounds_while_bets_are_open(night.ben) == {None}
        assert now.seats_taken == (OccupiedSeat(2, night.cleo.welcome.name),)
        assert now.round is not None
        assert [(box.box, box.stake_minor) for box in now.round.boxes] == [(2, STAKE)]
        assert night.cleo.welcome.player.encode() not in b"".join(map(msgspec.json.encode, night.ben.told))


async def test_the_chat_of_dealer_manager_and_player(shop: Staffed) -> None:
    async with open_table(shop) as night:
        assert await night.ben.ask(staff_wire.PostDealerChat, "infinite", "Good evening") == "ok"
        await night.cleo.until(
            lambda: [one.text for one in night.cleo.chat["infinite"] if one.role == "dealer"]
        )
        assert await night.cleo.ask(players.PostChat("s1", "infinite", "<b>hello</b>")) == ""
        async with at_work(night.ada.address, "Ada", shop.ada, "infinite") as ada:
            line = await said(ada, "<b>hello</b>")
            assert await ada.ask(staff_wire.MutePlayer, "infinite", line.player, 5, "markup") == "ok"
            assert await night.cleo.ask(players.PostChat("s2", "infinite", "again")) == "chat_muted"
            assert await ada.ask(staff_wire.MutePlayer, "infinite", line.player, 0) == "ok"
            assert await night.cleo.ask(players.PostChat("s3", "infinite", "once more")) == ""
            assert await ada.ask(staff_wire.RemoveChatLine, "infinite", line.line) == "ok"
            assert await ada.ask(staff_wire.RemoveChatLine, "infinite", line.line) == "no_such_line"


async def test_a_report_reaches_the_manager_and_no_dealer(shop: Staffed) -> None:
    async with open_table(shop) as night, player_at(shop.address) as dan:
        assert await dan.ask(players.PostChat("d1", "infinite", "rude words")) == ""
        await night.cleo.until(lambda: any(one.text == "rude words" for one in night.cleo.chat["infinite"]))
        line = night.cleo.chat["infinite"][-1].line
        assert await night.cleo.ask(players.ReportChatLine("r1", "infinite", line)) == ""
        await night.ada.floor(lambda row: row.reports == 1, "infinite")
        async with at_work(shop.address, "Ada", shop.ada, "infinite") as ada:
            while not (
                chats := [one for one in ada.told if isinstance(one, staff_wire.ChatState) and one.reports]
            ):
                await ada.next()
            assert [(each.line.text, each.times) for each in chats[-1].reports] == [("rude words", 1)]
            assert await ada.ask(staff_wire.DismissReport, "infinite", line) == "ok"
        await night.ada.floor(lambda row: row.reports == 0, "infinite")
        assert not any(isinstance(one, staff_wire.ChatState) and one.reports for one in night.ben.told)


def rounds_while_bets_are_open(work: StaffBrowser) -> set[players.RoundView | None]:
    tables = [one.now for one in work.told if isinstance(one, staff_wire.DealerTableUpdate)]
    return {now.round for now in tables if now.clock.light != "red"}


async def said(work: StaffBrowser, text: str) -> players.ChatLine:
    while True:
        for one in work.told:
            if isinstance(one, staff_wire.ChatState):
                for line in one.lines:
                    if line.text == text:
                        return line
        await work.next()

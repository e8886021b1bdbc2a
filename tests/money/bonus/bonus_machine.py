"""Random steps of players with bonuses: grants, ends, rounds at own and live tables, crashes."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from functools import partial

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from croupier.accounts.bonus import DAY_MS
from croupier.ledger import entries
from croupier.ledger.entries import Entry, Share
from croupier.tables.live.effects import Hold, Release, Settle, Void
from tests.money.bonus.bonus_model import ModelRefusal, ModelRound
from tests.money.bonus.bonus_server import (
    CURRENCIES,
    LIVE,
    OWN,
    PLAYERS,
    TEMPLATES,
    BonusServer,
    ticket,
)

PLAYER, CURRENCY = st.sampled_from(PLAYERS), st.sampled_from(CURRENCIES)
PICK = st.integers(0, 5)
NAME = st.sampled_from(sorted(TEMPLATES))
PLAYERS_SOME = st.lists(PLAYER, min_size=1, max_size=2, unique=True)
ALL, VOID = 1_000_000, -1
OVER = st.sampled_from([-20, 1, 17, 30, 91, ALL])
"""Stakes beyond the player's cash."""
OUTCOMES = [0, 999, 1_001, 1_950, 36_000, VOID]
"""Returns of a round, in thousandths of its stake: most can't be divided evenly."""
OUTCOME = st.sampled_from([None, *OUTCOMES])


class BonusMachine(BonusServer):
    """A live table has one round at a time, in which each player has one currency."""

    @initialize(first=NAME)
    def open(self, first: str) -> None:
        self.start()
        for player in PLAYERS:
            self.grant(player, first)

    @rule()
    def restart(self) -> None:
        self.start_server()

    @rule(commits=st.integers(0, 3))
    def crash_soon(self, commits: int) -> None:
        """Kill the server after so many commits more."""
        self.commits_left = self.model.commits_left = commits

    @rule(hours=st.sampled_from([1, 1, 30, 24 * 31]), sweeps=st.booleans())
    def pass_time(self, hours: int, sweeps: bool) -> None:
        self.model.now_ms += hours * DAY_MS // 24
        if sweeps:
            self.same(self.bonuses.sweep(), lambda: self.model.sweep(PLAYERS))

    # --- grants and the cashier

    @rule(player=PLAYER, name=NAME)
    def grant(self, player: str, name: str) -> None:
        grant = self.bonuses.grant(player, name, "because")
        self.same(grant, lambda: self.model.grant(player, TEMPLATES[name]))

    @rule(player=PLAYER, currency=CURRENCY)
    def cancel(self, player: str, currency: str) -> None:
        active = [one.bonus for one in self.bonuses.views(player) if one.currency == currency]
        if active:
            work = self.bonuses.cancel(player, active[0])
            self.same(work, lambda: self.model.cancel(player, currency))

    @rule(player=PLAYER, currency=CURRENCY, minor=st.integers(1, 100), agrees=st.booleans())
    def withdraw(self, player: str, currency: str, minor: int, agrees: bool) -> None:
        entry = entries.withdrawal(self.name(), self.model.now_ms, player, currency, minor)
        bonus = self.model.active(player, currency)
        agreed = bonus.balance + sum(bonus.parts.values()) if bonus and agrees else 0
        predict = partial(self.model.withdraw, player, currency, minor, agrees=agrees)
        self.same(self.post_withdrawal(entry, agreed), predict)
        if self.ledger.entry(entry.key):
            self.commits_left = self.model.commits_left = None
            self.wait(self.post_withdrawal(entry, agreed))  # a repeated request changes nothing

    async def post_withdrawal(self, entry: Entry, agreed: int) -> None:
        async with self.bonuses.withdrawing(entry, agreed) as ends:
            await self.gateway.recorded(self.payments.withdraw_play_money(entry, ends))

    # --- own tables

    @rule(player=PLAYER, table=st.sampled_from(OWN), name=NAME, over=OVER, double=OVER, end=OUTCOME)
    def play(self, player: str, table: str, name: str, over: int, double: int, end: int | None) -> None:
        """Play a round with a bonus; leave it open if it is open already."""
        currency = self.with_bonus(player, name)
        minor = self.more_than_cash(player, currency, over)
        if self.own_round(player, table) or not self.may_bet(player, table, currency, minor):
            return
        round_ = ModelRound(self.name(), player, table, currency)
        key, now = self.name(), self.model.now_ms
        self.stake(round_, entries.deal(ticket(round_), key, now, number="1", staked_minor=minor))
        if round_ in self.own_rounds() and double % 2:
            more = self.more_than_cash(player, currency, double)
            self.stake(round_, entries.answer(ticket(round_), self.name(), now, extra_minor=more))
        if round_ in self.own_rounds() and end is not None:
            self.end_own(round_, end)

    @precondition(lambda self: self.own_rounds())
    @rule(pick=PICK, end=st.sampled_from(OUTCOMES))
    def end_open_round(self, pick: int, end: int) -> None:
        self.end_own(self.own_rounds()[pick % len(self.own_rounds())], end)

    @rule(player=PLAYER, name=NAME, restarts=st.booleans(), end=st.sampled_from(OUTCOMES))
    def cancel_in_play(self, player: str, name: str, restarts: bool, end: int) -> None:
        """Cancel a bonus while its money is in play, perhaps with a restart before the round ends."""
        self.play(player, "roulette", name, 30, 0, None)
        self.cancel(player, TEMPLATES[name].currency)
        if restarts:
            self.start_server()
        if round_ := self.own_round(player, "roulette"):
            self.end_own(round_, end)

    @precondition(lambda self: self.own_rounds())
    @rule(pick=PICK)
    def void_before_the_start(self, pick: int) -> None:
        """Void a round without the bonuses, as a start does whose key of the shoes is lost.

        What is in play of an ended bonus is taken back by a running server only.
        """
        round_ = self.own_rounds()[pick % len(self.own_rounds())]
        if not self.model.is_paid_by_an_ended_bonus(round_):
            self.wait(asyncio.wrap_future(self.ledger.post([self.end_entry(round_, VOID)]), loop=self.loop))
            self.model.commits_left = None
            self.model.end_due(round_.player)
            self.model.finish([(round_, None)])
            self.start_server()

    def stake(self, round_: ModelRound, entry: Entry) -> None:
        def predict() -> None:
            if not all(self.model.move([(round_, entry.moves[0].amount_minor)])):
                raise ModelRefusal("not_covered")

        self.same(self.bonuses.post(round_.player, [entry]), predict)

    def end_own(self, round_: ModelRound, end: int) -> None:
        """Void the round, or return so many thousandths of its stake."""
        work = self.bonuses.post(round_.player, [self.end_entry(round_, end)])
        returned = None if end == VOID else round_.staked * end // 1_000
        self.same(work, lambda: self.model.finish([(round_, returned)]))

    def end_entry(self, round_: ModelRound, end: int) -> Entry:
        of, key, now, staked = ticket(round_), f"end:{round_.id}", self.model.now_ms, round_.staked
        if end == VOID:
            return entries.void(of, key, now, staked_minor=staked, reason="fault")
        return entries.settle(of, key, now, staked_minor=staked, returned_minor=staked * end // 1_000)

    # --- a live table

    @rule(players=PLAYERS_SOME, name=NAME, over=OVER, back=st.integers(0, 5), end=OUTCOME)
    def play_live(self, players: Sequence[str], name: str, over: int, back: int, end: int | None) -> None:
        """Bet in one commit, take a part back (1: all of it), and end everyone's round."""
        self.live_round = self.live_round or self.name()
        rounds = [self.at_live(player, self.with_bonus(player, name)) for player in players]
        bets = [(one, self.more_than_cash(one.player, one.currency, over)) for one in rounds]
        self.move_live([bet for bet in bets if self.may_bet(bet[0].player, LIVE, bet[0].currency, bet[1])])
        if back and (placed := [one for one in self.live_rounds() if one.staked]):
            self.move_live([(placed[0], -max(1, placed[0].staked // back))])
        if end is not None and self.live_rounds():
            self.end_live(end)

    def end_live(self, end: int) -> None:
        """End everyone's round, also those without a stake."""
        rounds, void = self.live_rounds(), end == VOID
        returned = {one.id: one.staked if void else one.staked * end // 1_000 for one in rounds}
        ends = [
            Void(one.player, one.currency, self.live_round, one.staked, "fault")
            if void
            else Settle(one.player, one.currency, self.live_round, one.staked, returned[one.id], (), (), ())
            for one in rounds
            if one.staked
        ]
        posted = [
            entries.call_off(self.name(), self.model.now_ms, LIVE, currency, shares, "fault")
            if void
            else entries.coup(self.name(), self.model.now_ms, LIVE, currency, shares, {})
            for currency, shares in self.shares(rounds, returned).items()
        ]
        open_ = {one.player: ticket(one) for one in rounds}
        work = self.money.post_end(posted, ends, open_, self.model.now_ms)
        results = [(one, None if void or not one.staked else returned[one.id]) for one in rounds]
        self.same(work, lambda: self.model.finish(results))
        self.live_round = ""

    def shares(self, rounds: Sequence[ModelRound], returned: dict[str, int]) -> dict[str, list[Share]]:
        by_currency = defaultdict[str, list[Share]](list)
        for one in rounds:
            share = Share(one.id, one.player, one.staked, returned[one.id])
            by_currency[one.currency].append(share)
        return by_currency

    def move_live(self, moves: Sequence[tuple[ModelRound, int]]) -> None:
        if not moves:
            return
        of = [(one.player, one.currency, self.live_round, next(self.holds), minor) for one, minor in moves]
        effects = [Hold(*each, each[-1]) if each[-1] > 0 else Release(*each[:-1], -each[-1]) for each in of]
        predicted = list[bool]()
        work = self.money.post_moves(effects, "1", self.model.now_ms, ())
        done = self.same(work, lambda: predicted.extend(self.model.move(moves)))
        if done:
            assert [refused is None for refused in done[1].values()] == predicted

    # --- helpers

    def with_bonus(self, player: str, name: str) -> str:
        """Make sure that the player has a bonus in the currency of this one; return the currency."""
        currency = TEMPLATES[name].currency
        if not self.model.active(player, currency):
            self.grant(player, name)
        return currency

    def more_than_cash(self, player: str, currency: str, over: int) -> int:
        """Return a stake of so much more than a little cash; ALL: all of the bonus more."""
        self.set_cash(player, currency, cash := 21 + over % 17)
        bonus = self.model.active(player, currency)
        return cash + (bonus.balance if bonus and over == ALL else over)

"""Live rounds in the ledger: each player's record is their round, to the unit, whatever happens."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.audit.data_folder import audit
from croupier.games import published_tables
from croupier.gateway.pages.history import history_round, statement_line
from croupier.ledger.entries import Posted, Ticket
from croupier.ledger.protocol import RoundRecord
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import At
from croupier.protocol.wire import HistoryRound
from croupier.runtime import round_entries
from croupier.runtime.live.money import coup_entries
from croupier.runtime.live.money.round_recording import RoundRecording
from croupier.runtime.live.steps import take_step
from croupier.tables.live import inputs as i
from croupier.tables.live.effects import Effect, Hold, Raise, Release, Settle, Void
from croupier.tables.live.record import read_line, replay
from tests.ledger.sample_entries import give
from tests.tables.live.house import START_MINOR, House
from tests.tables.live.people import play_round

PLAYERS = ["ann", "bob", "cat", "dan", "eve"]
CURRENCIES = {"eve": "USD"}


class BookedHouse(House):
    """A table in memory that posts its money to the ledger as a running table does."""

    def __init__(self, ledger: SqliteLedger, table: str) -> None:
        super().__init__(table)
        self.ledger = ledger
        self.opened: dict[str, Ticket] = {}
        ledger.post([round_entries.rules_note(self.state.setup.table, 1)]).result()

    def join(self, player: str, balance_minor: int = START_MINOR, currency: str = "EUR") -> None:
        currency = CURRENCIES.get(player, currency)
        self.ledger.post([give(balance_minor, player, currency)]).result()
        super().join(player, balance_minor, currency)

    def _answer(self, hold: Hold | Raise, *, covered: bool) -> None:
        if covered:
            (posted,) = self._post(hold)
            (refused,) = posted.refused
            assert bool(refused) == (hold.amount_minor > self.balances[hold.player])
            if not refused:
                self.opened.setdefault(hold.player, coup_entries.ticket(hold, self.state.setup.table.id))
                assert posted.cash_minor == (self.balances[hold.player] - hold.amount_minor,)
        super()._answer(hold, covered=covered)

    def _post(self, move: Hold | Raise | Release) -> tuple[Posted, ...]:
        (stakes,) = coup_entries.stakes_entries(
            [move], self.state.setup.table.id, self.state.number, self.now_ms
        )
        return self.ledger.post([stakes.entry]).result()

    def _do(self, effect: Any) -> None:
        if isinstance(effect, Release):
            self._post(effect)
        super()._do(effect)

    def _step(self, given: i.AnyInput) -> tuple[Effect, ...]:
        before = self.state
        effects = super()._step(given)
        settles = [effect for effect in effects if isinstance(effect, Settle)]
        voids = [effect for effect in effects if isinstance(effect, Void)]
        if settles or voids:
            ended = {settle.player for settle in settles} | {void.player for void in voids}
            emptied = [ticket for player, ticket in self.opened.items() if player not in ended]
            entries = coup_entries.coup_entries(
                before, settles, voids, self.now_ms, emptied=emptied, reason=voids[0].reason if voids else ""
            )
            self.ledger.post(entries).result()
            self.opened.clear()
        return effects


@pytest.fixture
def books(tmp_path: Path) -> Path:
    return tmp_path / "books.db"


@pytest.fixture
def ledger(books: Path) -> Iterator[SqliteLedger]:
    opened = SqliteLedger.open(books, migrate=upgrade)
    yield opened
    opened.close()


def seated(ledger: SqliteLedger, table: str) -> BookedHouse:
    house = BookedHouse(ledger, table)
    for seat, player in enumerate(PLAYERS):
        if table == "seven_seat":
            house.sit(player, seat + 1)
        else:
            house.join(player)
    house.open()
    return house


def record_of(house: BookedHouse, player: str, round_: str = "r1") -> RoundRecord:
    record = house.ledger.round(coup_entries.round_id(round_, player))
    assert record is not None
    return record


def told(house: BookedHouse, player: str, round_: str = "r1") -> HistoryRound:
    return history_round(house.ledger, published_tables(), record_of(house, player, round_))


def check_books(house: BookedHouse, books: Path) -> None:
    """Compare the ledger with the table in memory; the audit replays every round."""
    for player, balance in house.balances.items():
        currency = CURRENCIES.get(player, "EUR")
        kept = house.ledger.balances(player)[currency]
        assert (kept["cash"], kept.get("in_play", 0)) == (balance, house.held[player])
    report = audit(books, books.with_name("no key"), lambda _done, _all: None)
    assert (report.bad, report.replayed) == (None, len(house.settles))


@pytest.mark.parametrize("table", ["infinite", "seven_seat"])
def test_random_rounds_match_the_ledger(ledger: SqliteLedger, books: Path, table: str) -> None:
    house, draw = seated(ledger, table), Random(11)
    for number in range(60):
        play_round(house, table, PLAYERS, draw)
        if number % 9 == 0:
            house.wait(1_000)
            for player in PLAYERS:
                house.main(player, 500, box=PLAYERS.index(player) + 1 if table == "seven_seat" else 0)
            house.feed(i.Voided("spilt coffee") if number % 2 else i.Undone(PLAYERS[0]))
    house.wait_for("betting")
    assert house.settles
    assert house.voids
    check_books(house, books)
    for settle in house.settles:
        record = record_of(house, settle.player, settle.round)
        assert (record.status, record.staked_minor) == ("settled", settle.staked_minor)
        assert record.returned_minor == settle.returned_minor
        assert round_entries.wagers_of(record) == house.bets[settle.player, settle.round]
        assert round_entries.steps_of(record) == settle.steps


def test_history_shows_the_round_and_which_decisions_the_table_made(ledger: SqliteLedger) -> None:
    house = seated(ledger, "infinite")
    house.main("ann", 500)
    house.main("bob", 500)
    house.wait(15_000)
    while house.state.phase in ("offer", "decisions"):
        for player in ("ann", "bob")[: 1 if house.state.phase == "decisions" else 2]:
            wants = house.state.play.decisions(player) if house.state.play else ()
            for want in wants:
                declined = house.state.phase == "offer"
                house.decide(player, want.options[-1 if declined else 0].action, want.to)
        house.wait(12_000)
    decided = [step.did for step in told(house, "bob").steps if step.did.what == "decided"]
    assert {(did.box, did.by) for did in decided if did.action in ("hit", "stand")} == {(0, "time_out")}
    mine = told(house, "ann")
    assert {step.did.by for step in mine.steps if step.did.what == "decided"} == {"player"}
    assert [stake.stake_minor for stake in mine.stakes] == [500]
    assert mine.steps[-1].view.ended
    assert mine.steps[-1].view.returned_minor == mine.line.returned_minor
    assert mine.versions.keys() == {"server", "rng", "rules", "rules_version"}


def test_a_round_at_seats_is_shown_whole_and_settled_by_the_own_box(ledger: SqliteLedger) -> None:
    house = seated(ledger, "seven_seat")
    for seat, player in enumerate(PLAYERS):
        house.main(player, 500 + 100 * seat, box=seat + 1)
    house.wait_for("pause")
    for seat, player in enumerate(PLAYERS):
        round_ = told(house, player)
        view = round_.steps[-1].view
        assert [stake.box for stake in round_.stakes] == [seat + 1]
        own = 500 + 100 * seat
        assert [box.stake_minor for box in view.boxes] == [own * (box == seat) for box in range(5)]
        returned = sum(hand.returned_minor or 0 for hand in view.boxes[seat].hands)
        assert returned == round_.line.returned_minor


@pytest.mark.parametrize("table", ["infinite", "seven_seat"])
def test_a_round_that_is_cancelled_shows_what_was_dealt(
    ledger: SqliteLedger, books: Path, table: str
) -> None:
    house = seated(ledger, table)
    for seat, player in enumerate(PLAYERS):
        house.main(player, 500, box=seat + 1 if table == "seven_seat" else 0)
    house.wait_for("decisions", "pause")
    house.feed(i.Voided("wrong shoe"))
    round_ = told(house, "ann")
    assert (round_.line.status, round_.line.returned_minor) == ("void", 500)
    assert [stake.stake_minor for stake in round_.stakes] == [500]
    assert len([step for step in round_.steps if step.did.what == "card"]) >= 3
    check_books(house, books)


def test_a_withdrawn_bets_round_ends_with_the_others(ledger: SqliteLedger, books: Path) -> None:
    house = seated(ledger, "infinite")
    house.main("ann", 500)
    house.main("bob", 700)
    house.feed(i.Undone("bob"))
    assert record_of(house, "bob").staked_minor == 0
    house.wait_for("pause")
    record = record_of(house, "bob")
    assert (record.status, record.staked_minor, record.returned_minor) == ("settled", 0, 0)
    assert (told(house, "bob").stakes, told(house, "bob").steps[-1:]) == ((), ())
    kinds = [statement_line(line).what for line in ledger.statement("bob")]
    assert kinds == ["taken_back", "stake", "grant"]
    house.wait_for("betting")
    house.main("bob", 700)
    check_books(house, books)


def test_rounds_left_open_by_a_crash_are_called_off(ledger: SqliteLedger, books: Path) -> None:
    house = seated(ledger, "infinite")
    for player in PLAYERS:
        house.main(player, 500)
    posted = coup_entries.call_offs(ledger.open_rounds(), 9, "the house was shut")
    assert [entry.shares and entry.shares.currency for entry in posted] == ["EUR", "USD"]
    ledger.post(posted).result()
    assert ledger.open_rounds() == ()
    (line,) = ledger.statement("eve", limit=1)
    assert (line.kind, line.amount_minor) == ("call_off", 500)
    round_ = told(house, "ann")
    assert (round_.line.status, round_.stakes, round_.steps, round_.versions) == ("void", (), (), {})
    assert audit(books, books.with_name("no key"), lambda _done, _all: None).bad is None


def test_the_recording_in_the_ledger_settles_a_dispute(ledger: SqliteLedger) -> None:
    """It is posted in parts: the last with the coup, the others during the round."""
    house, recording = seated(ledger, "infinite"), RoundRecording("infinite")
    for player in PLAYERS:
        house.main(player, 500)
    house.wait_for("pause")
    state = begun = house.first
    for text in house.lines:
        given, at_ms = read_line(text)
        step = take_step(state, given, at_ms)
        recording.add(step)
        ledger.post_each([*recording.next_part(step.after.round, at_ms, least=4), give(1)]).result()
        state, begun = step.after, state if isinstance(given, i.RoundNamed) else begun
    ledger.post(recording.next_part("r1", 9, least=1)).result()
    assert recording.next_part("r1", 9, least=1) == []
    parts = [note.body["record"] for note in reversed(ledger.notes("r1:record:"))]
    lines = [[str(each) for each in part] for part in parts if isinstance(part, list)]
    assert [len(part) for part in lines[:-1]] == [4] * (len(lines) - 1)
    assert replay(begun, (each for part in lines for each in part)) == house.state


def test_a_coup_has_each_path_and_bet_once(ledger: SqliteLedger) -> None:
    house = seated(ledger, "infinite")
    for player in PLAYERS:
        house.main(player, 500)
    house.wait_for("pause")
    coup = ledger.entry("r1:EUR")
    assert coup is not None
    assert coup.body["players"] == {"steps": [0] * 4, "bets": [0] * 4, "made": [0] * 4}
    assert (coup.body["bets"], coup.body["stakes"]) == ([[[0, "main"]]], [[500]] * 4)
    assert round_entries.deciders_of(record_of(house, "ann")) in ((), ((At(0), "time_out"),))
    assert round_entries.wagers_of(record_of(house, "eve")) == (Wager(0, "main", 500),)


def test_older_coups_in_rows_read_the_same(ledger: SqliteLedger) -> None:
    house = seated(ledger, "infinite")
    for number, player in enumerate(PLAYERS):
        house.bet(player, (0, "main", 500 + number), *[(0, "hot_3", 200)] * (number % 2))
    house.wait_for("pause")
    for player in PLAYERS:
        record = record_of(house, player)
        coup: Any = record.coup
        of_each = zip(coup["players"]["bets"], coup["stakes"], strict=True)
        each = [zip(coup["bets"][place], stakes, strict=True) for place, stakes in of_each]
        bets = [[[*bet, minor] for bet, minor in laid] for laid in each]
        columns = coup["players"]["steps"], range(len(bets)), coup["players"]["made"]
        rows = [list(row) for row in zip(*columns, strict=True)]
        older = {**coup, "bets": bets, "players": rows}
        del older["stakes"]
        before = replace(record, coup=older)
        for of in (round_entries.wagers_of, round_entries.steps_of, round_entries.deciders_of):
            assert of(before) == of(record)
        assert round_entries.wagers_of(record) == house.bets[player, "r1"]


def test_bets_prepared_at_the_close_make_the_same_coup(ledger: SqliteLedger) -> None:
    house = seated(ledger, "infinite")
    for player in PLAYERS:
        house.main(player, 500)
    house.wait_for("no_more_bets", "dealing", "offer", "decisions", "pause")
    ready = coup_entries.CoupBets(house.state)
    house.wait_for("offer", "decisions", "pause")
    before, effects = house.state, house.feed(i.Voided("spilt coffee"))
    voids = [effect for effect in effects if isinstance(effect, Void)]
    told = coup_entries.coup_entries(before, [], voids, 9, bets=ready, reason="spilt coffee")
    assert len(told) == 2
    assert told == coup_entries.coup_entries(before, [], voids, 9, reason="spilt coffee")

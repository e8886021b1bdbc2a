"""Live rounds in the ledger: each player's record matches their round to the unit."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.audit.data_folder import audit
from croupier.dealing.live.money import coup_entries
from croupier.dealing.live.money.round_recording import RoundRecording
from croupier.dealing.live.steps import take_step
from croupier.games import published_tables
from croupier.gateway.pages.history import history_round, statement_line
from croupier.ledger.entries import Posted, Ticket
from croupier.ledger.protocol import RoundRecord
from croupier.ledger.sqlite.migrations import upgrade
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.play.contract.bets import Wager
from croupier.play.contract.wants import At
from croupier.protocol.wire import HistoryRound
from croupier.rounds import round_entries
from croupier.tables.live import inputs as i
from croupier.tables.live.effects import Effect, Hold, Raise, Release, Settle, Void
from croupier.tables.live.record import read_line, replay
from tests.ledger.sample_entries import grant
from tests.tables.live.harness import FIRST_ROUND, START_MINOR, TableHarness
from tests.tables.live.random_players import play_round

PLAYERS = ["ann", "bob", "cat", "dan", "eve"]
CURRENCIES = {"eve": "USD"}


class LedgerHarness(TableHarness):
    """A table in memory that posts its entries to a ledger as a running table does."""

    def __init__(self, ledger: SqliteLedger, table: str) -> None:
        super().__init__(table)
        self.ledger = ledger
        self.tickets: dict[str, Ticket] = {}
        ledger.post([round_entries.rules_note(self.state.setup.table, 1)]).result()

    def join(self, player: str, balance_minor: int = START_MINOR, currency: str = "EUR") -> None:
        currency = CURRENCIES.get(player, currency)
        self.ledger.post([grant(balance_minor, player, currency)]).result()
        super().join(player, balance_minor, currency)

    def _answer_hold(self, hold: Hold | Raise, *, covered: bool) -> None:
        if covered:
            (posted,) = self._post(hold)
            (refused,) = posted.refused
            assert bool(refused) == (hold.amount_minor > self.balances[hold.player])
            if not refused:
                self.tickets.setdefault(hold.player, coup_entries.ticket(hold, self.state.setup.table.id))
                assert posted.cash_minor == (self.balances[hold.player] - hold.amount_minor,)
        super()._answer_hold(hold, covered=covered)

    def _post(self, move: Hold | Raise | Release) -> tuple[Posted, ...]:
        (stakes,) = coup_entries.stakes_entries(
            [move], self.state.setup.table.id, self.state.number, self.now_ms
        )
        return self.ledger.post([stakes.entry]).result()

    def _carry_out(self, effect: Any) -> None:
        if isinstance(effect, Release):
            self._post(effect)
        super()._carry_out(effect)

    def _step(self, given: i.AnyInput) -> tuple[Effect, ...]:
        before = self.state
        effects = super()._step(given)
        settles = [effect for effect in effects if isinstance(effect, Settle)]
        voids = [effect for effect in effects if isinstance(effect, Void)]
        if settles or voids:
            ended = {settle.player for settle in settles} | {void.player for void in voids}
            withdrawn = [ticket for player, ticket in self.tickets.items() if player not in ended]
            entries = coup_entries.coup_entries(
                before,
                settles,
                voids,
                self.now_ms,
                emptied=withdrawn,
                reason=voids[0].reason if voids else "",
            )
            self.ledger.post(entries).result()
            self.tickets.clear()
        return effects


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def ledger(database: Path) -> Iterator[SqliteLedger]:
    ledger = SqliteLedger.open(database, migrate=upgrade)
    yield ledger
    ledger.close()


def open_table(ledger: SqliteLedger, table: str) -> LedgerHarness:
    harness = LedgerHarness(ledger, table)
    for seat, player in enumerate(PLAYERS):
        if table == "seven_seat":
            harness.sit(player, seat + 1)
        else:
            harness.join(player)
    harness.open()
    return harness


def record_of(harness: LedgerHarness, player: str, round_: str = FIRST_ROUND) -> RoundRecord:
    record = harness.ledger.round(coup_entries.round_id(round_, player))
    assert record is not None
    return record


def history_of(harness: LedgerHarness, player: str, round_: str = FIRST_ROUND) -> HistoryRound:
    return history_round(harness.ledger, published_tables(), record_of(harness, player, round_))


def assert_ledger_matches(harness: LedgerHarness, database: Path) -> None:
    """Compare the ledger with the table in memory; the audit replays every round."""
    for player, balance in harness.balances.items():
        currency = CURRENCIES.get(player, "EUR")
        balances = harness.ledger.balances(player)[currency]
        assert (balances["cash"], balances.get("in_play", 0)) == (balance, harness.held[player])
    report = audit(database, database.with_name("no key"), lambda _done, _all: None)
    assert (report.bad, report.replayed) == (None, len(harness.settlements))


@pytest.mark.parametrize("table", ["infinite", "seven_seat"])
def test_random_rounds_match_the_ledger(ledger: SqliteLedger, database: Path, table: str) -> None:
    harness, rng = open_table(ledger, table), Random(11)
    for number in range(60):
        play_round(harness, table, PLAYERS, rng)
        if number % 9 == 0:
            harness.wait(1_000)
            for player in PLAYERS:
                harness.bet_main(player, 500, box=PLAYERS.index(player) + 1 if table == "seven_seat" else 0)
            harness.feed(i.Voided("spilt coffee") if number % 2 else i.Undone(PLAYERS[0]))
    harness.wait_for("betting")
    assert harness.settlements
    assert harness.voids
    assert_ledger_matches(harness, database)
    for settle in harness.settlements:
        record = record_of(harness, settle.player, settle.round)
        assert (record.status, record.staked_minor) == ("settled", settle.staked_minor)
        assert record.returned_minor == settle.returned_minor
        assert round_entries.wagers_of(record) == harness.bets[settle.player, settle.round]
        assert round_entries.steps_of(record) == settle.steps


def test_history_shows_the_round_and_who_made_each_decision(ledger: SqliteLedger) -> None:
    harness = open_table(ledger, "infinite")
    harness.bet_main("ann", 500)
    harness.bet_main("bob", 500)
    harness.wait(15_000)
    while harness.state.phase in ("offer", "decisions"):
        for player in ("ann", "bob")[: 1 if harness.state.phase == "decisions" else 2]:
            wants = harness.state.play.decisions(player) if harness.state.play else ()
            for want in wants:
                declined = harness.state.phase == "offer"
                harness.decide(player, want.options[-1 if declined else 0].action, want.to)
        harness.wait(12_000)
    decided = [step.did for step in history_of(harness, "bob").steps if step.did.what == "decided"]
    assert {(did.box, did.by) for did in decided if did.action in ("hit", "stand")} == {(0, "time_out")}
    history = history_of(harness, "ann")
    assert {step.did.by for step in history.steps if step.did.what == "decided"} == {"player"}
    assert [stake.stake_minor for stake in history.stakes] == [500]
    assert history.steps[-1].view.ended
    assert history.steps[-1].view.returned_minor == history.line.returned_minor
    assert history.versions.keys() == {"server", "rng", "rules", "rules_version"}


def test_a_round_at_seats_is_shown_whole_and_settled_for_the_players_own_box(ledger: SqliteLedger) -> None:
    harness = open_table(ledger, "seven_seat")
    for seat, player in enumerate(PLAYERS):
        harness.bet_main(player, 500 + 100 * seat, box=seat + 1)
    harness.wait_for("pause")
    for seat, player in enumerate(PLAYERS):
        round_ = history_of(harness, player)
        view = round_.steps[-1].view
        assert [stake.box for stake in round_.stakes] == [seat + 1]
        own = 500 + 100 * seat
        assert [box.stake_minor for box in view.boxes] == [own * (box == seat) for box in range(5)]
        returned = sum(hand.returned_minor or 0 for hand in view.boxes[seat].hands)
        assert returned == round_.line.returned_minor


@pytest.mark.parametrize("table", ["infinite", "seven_seat"])
def test_a_cancelled_round_shows_the_dealt_cards(ledger: SqliteLedger, database: Path, table: str) -> None:
    harness = open_table(ledger, table)
    for seat, player in enumerate(PLAYERS):
        harness.bet_main(player, 500, box=seat + 1 if table == "seven_seat" else 0)
    harness.wait_for("decisions", "pause")
    harness.feed(i.Voided("wrong shoe"))
    round_ = history_of(harness, "ann")
    assert (round_.line.status, round_.line.returned_minor) == ("void", 500)
    assert [stake.stake_minor for stake in round_.stakes] == [500]
    assert len([step for step in round_.steps if step.did.what == "card"]) >= 3
    assert_ledger_matches(harness, database)


def test_the_round_of_a_withdrawn_bet_ends_with_the_others(ledger: SqliteLedger, database: Path) -> None:
    harness = open_table(ledger, "infinite")
    harness.bet_main("ann", 500)
    harness.bet_main("bob", 700)
    harness.feed(i.Undone("bob"))
    assert record_of(harness, "bob").staked_minor == 0
    harness.wait_for("pause")
    record = record_of(harness, "bob")
    assert (record.status, record.staked_minor, record.returned_minor) == ("settled", 0, 0)
    assert (history_of(harness, "bob").stakes, history_of(harness, "bob").steps[-1:]) == ((), ())
    kinds = [statement_line(line).what for line in ledger.statement("bob")]
    assert kinds == ["taken_back", "stake", "grant"]
    harness.wait_for("betting")
    harness.bet_main("bob", 700)
    assert_ledger_matches(harness, database)


def test_rounds_left_open_by_a_crash_are_called_off(ledger: SqliteLedger, database: Path) -> None:
    harness = open_table(ledger, "infinite")
    for player in PLAYERS:
        harness.bet_main(player, 500)
    posted = coup_entries.call_offs(ledger.open_rounds(), 9, "the server stopped")
    assert [entry.shares and entry.shares.currency for entry in posted] == ["EUR", "USD"]
    ledger.post(posted).result()
    assert ledger.open_rounds() == ()
    (line,) = ledger.statement("eve", limit=1)
    assert (line.kind, line.amount_minor) == ("call_off", 500)
    round_ = history_of(harness, "ann")
    assert (round_.line.status, round_.stakes, round_.steps, round_.versions) == ("void", (), (), {})
    assert audit(database, database.with_name("no key"), lambda _done, _all: None).bad is None


def test_the_recording_in_the_ledger_replays_to_the_same_state(ledger: SqliteLedger) -> None:
    """It is posted in parts: the last one with the coup, the others during the round."""
    harness, recording = open_table(ledger, "infinite"), RoundRecording("infinite")
    for player in PLAYERS:
        harness.bet_main(player, 500)
    harness.wait_for("pause")
    state = first = harness.initial_state
    for text in harness.record:
        given, at_ms = read_line(text)
        step = take_step(state, given, at_ms)
        recording.add(step)
        ledger.post_each([*recording.next_part(step.after.round, at_ms, least=4), grant(1)]).result()
        state, first = step.after, state if isinstance(given, i.RoundNamed) else first
    ledger.post(recording.next_part(FIRST_ROUND, 9, least=1)).result()
    assert recording.next_part(FIRST_ROUND, 9, least=1) == []
    parts = [note.body["record"] for note in reversed(ledger.notes(f"{FIRST_ROUND}:record:"))]
    lines = [[str(line) for line in part] for part in parts if isinstance(part, list)]
    assert [len(part) for part in lines[:-1]] == [4] * (len(lines) - 1)
    assert replay(first, (line for part in lines for line in part)) == harness.state


def test_a_coup_stores_equal_steps_and_bets_once(ledger: SqliteLedger) -> None:
    harness = open_table(ledger, "infinite")
    for player in PLAYERS:
        harness.bet_main(player, 500)
    harness.wait_for("pause")
    coup = ledger.entry(f"{FIRST_ROUND}:EUR")
    assert coup is not None
    assert coup.body["players"] == {"steps": [0] * 4, "bets": [0] * 4, "made": [0] * 4}
    assert (coup.body["bets"], coup.body["stakes"]) == ([[[0, "main"]]], [[500]] * 4)
    assert round_entries.deciders_of(record_of(harness, "ann")) in ((), ((At(0), "time_out"),))
    assert round_entries.wagers_of(record_of(harness, "eve")) == (Wager(0, "main", 500),)


def test_coups_stored_in_the_older_row_format_read_the_same(ledger: SqliteLedger) -> None:
    harness = open_table(ledger, "infinite")
    for number, player in enumerate(PLAYERS):
        harness.bet(player, (0, "main", 500 + number), *[(0, "hot_3", 200)] * (number % 2))
    harness.wait_for("pause")
    for player in PLAYERS:
        record = record_of(harness, player)
        coup: Any = record.coup
        rows_of_bets = zip(coup["players"]["bets"], coup["stakes"], strict=True)
        pairs = [zip(coup["bets"][place], stakes, strict=True) for place, stakes in rows_of_bets]
        bets = [[[*bet, minor] for bet, minor in placed] for placed in pairs]
        columns = coup["players"]["steps"], range(len(bets)), coup["players"]["made"]
        rows = [list(row) for row in zip(*columns, strict=True)]
        older = {**coup, "bets": bets, "players": rows}
        del older["stakes"]
        older_record = replace(record, coup=older)
        for read in (round_entries.wagers_of, round_entries.steps_of, round_entries.deciders_of):
            assert read(older_record) == read(record)
        assert round_entries.wagers_of(record) == harness.bets[player, FIRST_ROUND]


def test_bets_prepared_at_the_close_make_the_same_coup(ledger: SqliteLedger) -> None:
    harness = open_table(ledger, "infinite")
    for player in PLAYERS:
        harness.bet_main(player, 500)
    harness.wait_for("no_more_bets", "dealing", "offer", "decisions", "pause")
    prepared = coup_entries.CoupBets(harness.state)
    harness.wait_for("offer", "decisions", "pause")
    before, effects = harness.state, harness.feed(i.Voided("spilt coffee"))
    voids = [effect for effect in effects if isinstance(effect, Void)]
    entries = coup_entries.coup_entries(before, [], voids, 9, bets=prepared, reason="spilt coffee")
    assert len(entries) == 2
    assert entries == coup_entries.coup_entries(before, [], voids, 9, reason="spilt coffee")

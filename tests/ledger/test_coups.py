"""A live table's rounds: stakes taken back, one entry that ends all rounds, many bets in one commit."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.ledger import cache
from croupier.ledger.entries import Entry, Posted
from croupier.ledger.protocol import CashMovement, StakeTotals
from croupier.ledger.sql import statements
from croupier.ledger.sql.connection import Connection
from croupier.ledger.sql.databases import Database
from croupier.ledger.sql.store import SqlLedger
from croupier.ledger.sql.verify import verify
from croupier.ledger.sqlite.store import SqliteLedger
from croupier.refusal import Refused
from tests.ledger.conftest import INTEGRITY_ERRORS
from tests.ledger.sample_entries import (
    answer,
    call_off,
    coup,
    deal,
    grant,
    release,
    settle,
    stakes,
    ticket_of,
    void,
    withdraw,
)
from tests.ledger.sqlite.connections import trace

pytestmark = pytest.mark.any_store

Post = Callable[..., list[int]]


@pytest.fixture
def bets(post: Post) -> None:
    """Ann and Bob have 100 each and have staked 10 and 20."""
    post(grant(100), grant(100, "bob"), deal(10, ticket_of("ann")), deal(20, ticket_of("bob")))


def refusal(post: Post, *sequence: Entry) -> tuple[str, dict[str, str | int]]:
    with pytest.raises(Refused) as caught:
        post(*sequence)
    return caught.value.code, caught.value.args_


# --- stakes taken back ------------------------------------------------------------------------


@pytest.mark.usefixtures("bets")
def test_a_release_leaves_the_round_open(ledger: SqlLedger, post: Post) -> None:
    post(release(4, ticket_of("ann")))
    assert ledger.balances("ann") == {"GC": {"cash": 94, "in_play": 6}}
    post(release(6, ticket_of("ann")))
    assert [(round_.id, round_.staked_minor) for round_ in ledger.open_rounds()] == [
        ("r.ann", 0),
        ("r.bob", 20),
    ]
    post(answer(8, ticket_of("ann")), settle(8, 16, ticket_of("ann")))
    assert ledger.balances("ann") == {"GC": {"cash": 108, "in_play": 0}}
    assert [line.kind for line in ledger.statement("ann")][:4] == ["settle", "answer", "release", "release"]


@pytest.mark.usefixtures("bets")
def test_a_release_above_the_stake_is_refused(ledger: SqlLedger, post: Post) -> None:
    post(deal(50, ticket_of("ann", table="premium", round_="q")))
    assert refusal(post, release(11, ticket_of("ann"))) == (
        "wrong_stake",
        {"round": "r.ann", "staked_minor": 10},
    )
    post(void(10, ticket_of("ann")))
    assert refusal(post, release(1, ticket_of("ann")))[0] == "round_ended"
    assert ledger.balances("ann")["GC"]["in_play"] == 50


# --- one entry for many stakes ---------------------------------------------------------


def test_one_entry_holds_many_stakes(ledger: SqlLedger, post: Post, database: Database) -> None:
    post(grant(100), grant(100, "bob"))
    first, more = stakes(("ann", 10), ("bob", 20)), stakes(("bob", 5), ("ann", -4))
    assert ledger.post_each([first, more]).result() == (
        Posted(3, False, (90, 80), (None, None)),
        Posted(4, False, (75, 94), (None, None)),
    )
    assert ledger.balances("ann") == {"GC": {"cash": 94, "in_play": 6}}
    ann, bob = ledger.rounds("ann")[0], ledger.rounds("bob")[0]
    assert (ann.id, ann.number, ann.started_ms, ann.staked_minor) == ("r.ann", "#10:00:00", 2_500, 6)
    assert (bob.id, bob.opened_seq, bob.place - ann.place, bob.stakes) == ("r.bob", 3, 1, "[3,4]")
    post(coup(("ann", 6, 12), ("bob", 25, 0)))
    assert ledger.balances("ann") == {"GC": {"cash": 106, "in_play": 0}}
    lines = [(line.seq, line.kind, line.amount_minor, line.balance_minor, line.round)
             for line in ledger.statement("ann")]  # fmt: skip
    assert lines == [
        (5, "coup", 12, 106, "r.ann"),
        (4, "stakes", 4, 94, "r.ann"),
        (3, "stakes", -10, 90, "r.ann"),
        (1, "grant", 100, 100, ""),
    ]
    record = ledger.round("r.bob")
    assert record is not None
    assert (record.status, record.staked_minor, record.deal, record.keys) == ("settled", 25, {}, ())
    assert verify(database).bad is None


@pytest.mark.usefixtures("bets")
def test_refused_shares_are_left_out_of_the_entry(ledger: SqlLedger, post: Post, database: Database) -> None:
    post(grant(5, "eve"), grant(9, "dan"), deal(3, ticket_of("dan", "q")))
    entry = stakes(("eve", 6), ("ann", 7), ("dan", 2), ("bob", -21))
    (posted,) = ledger.post_each([entry]).result()
    assert isinstance(posted, Posted)
    why = [(refused.code, refused.args_) if refused else None for refused in posted.refused]
    assert why == [
        ("not_covered", {"currency": "GC", "balance_minor": 5, "needed_minor": 6}),
        None,
        ("round_open", {"round": "q.dan"}),
        ("wrong_stake", {"round": "r.bob", "staked_minor": 20}),
    ]
    assert posted.cash_minor == (83,)
    kept = ledger.entry(entry.key)
    assert kept is not None
    assert kept.shares is not None
    assert [share.player for share in kept.shares.each] == ["ann"]
    assert ledger.rounds("eve") == ()
    assert verify(database).bad is None


def test_an_entry_whose_shares_are_all_refused_is_not_posted(ledger: SqlLedger, post: Post) -> None:
    post(grant(5))
    uncovered, covered = stakes(("ann", 6)), grant(1)
    posted, granted = ledger.post_each([uncovered, covered]).result()
    assert isinstance(posted, Posted)
    assert (posted.seq, [refused and refused.code for refused in posted.refused]) == (0, ["not_covered"])
    assert granted == Posted(2, False, (6,))
    assert ledger.entry(uncovered.key) is None


def test_stakes_posted_twice_are_held_once(ledger: SqlLedger, post: Post) -> None:
    post(grant(50))
    entry = stakes(("ann", 6))
    post(entry)
    assert ledger.post([replace(entry, at_ms=9)]).result() == (Posted(2, duplicate=True),)
    assert ledger.balances("ann") == {"GC": {"cash": 44, "in_play": 6}}


# --- one entry ends all rounds ------------------------------------------------------------------


@pytest.mark.usefixtures("bets")
def test_a_coup_settles_all_rounds(ledger: SqlLedger, post: Post, database: Database) -> None:
    entry = coup(("ann", 10, 25), ("bob", 20, 0))
    assert ledger.post([entry]).result() == (Posted(5, duplicate=False, cash_minor=(115, 80)),)
    assert ledger.balances("ann") == {"GC": {"cash": 115, "in_play": 0}}
    assert ledger.balances("bob") == {"GC": {"cash": 80, "in_play": 0}}
    assert ledger.balances("classic") == {"GC": {"table": 5}}
    ann, bob = ledger.round("r.ann"), ledger.round("r.bob")
    assert ann is not None
    assert bob is not None
    assert (ann.status, ann.staked_minor, ann.returned_minor, ann.ended_ms) == ("settled", 10, 25, 4_000)
    assert (bob.status, bob.staked_minor, bob.returned_minor, bob.ended_seq) == ("settled", 20, 0, 5)
    assert (ann.coup, ann.share, bob.share) == ({"cards": ["AS"]}, 0, 1)
    assert ledger.totals("ann") == {"GC": StakeTotals(10, 25)}
    assert ledger.entry(entry.key) == entry
    assert verify(database).bad is None


@pytest.mark.usefixtures("bets")
def test_a_coup_called_off_returns_all_stakes(ledger: SqlLedger, post: Post, database: Database) -> None:
    post(call_off(("ann", 10), ("bob", 20)))
    assert [ledger.balances(who)["GC"]["cash"] for who in ("ann", "bob")] == [100, 100]
    assert ledger.balances("classic") == {}
    round_ = ledger.round("r.ann")
    assert round_ is not None
    assert (round_.status, round_.returned_minor) == ("void", 10)
    assert verify(database).bad is None


@pytest.mark.usefixtures("bets")
def test_a_round_without_a_stake_left_ends_without_a_movement(ledger: SqlLedger, post: Post) -> None:
    post(release(10, ticket_of("ann")), coup(("ann", 0, 0), ("bob", 20, 0)))
    assert ledger.open_rounds() == ()
    post(deal(10, ticket_of("ann", "r2")))


@pytest.mark.parametrize(
    ("shares", "refused"),
    [
        ([("ann", 10, 0), ("bob", 19, 0)], ("wrong_stake", {"round": "r.bob", "staked_minor": 20})),
        ([("ann", 10, 0), ("eve", 20, 0)], ("round_unknown", {"round": "r.eve"})),
        ([("ann", 10, 0), ("dan", 20, 0)], ("round_ended", {"round": "r.dan"})),
    ],
)
@pytest.mark.usefixtures("bets")
def test_one_wrong_share_refuses_the_whole_coup(
    ledger: SqlLedger, post: Post, shares: list[tuple[str, int, int]], refused: tuple[str, dict[str, int]]
) -> None:
    post(grant(20, "dan"), deal(20, ticket_of("dan")), void(20, ticket_of("dan")))
    assert refusal(post, coup(*shares)) == refused
    assert ledger.balances("ann") == {"GC": {"cash": 90, "in_play": 10}}
    assert len(ledger.open_rounds()) == 2


@pytest.mark.usefixtures("bets")
def test_a_coup_is_of_one_table_and_currency(post: Post) -> None:
    strangers = coup(("ann", 10, 0), table="premium"), coup(("ann", 10, 0), currency="SC")
    foreign = coup(("ann", 10, 0))
    assert foreign.shares is not None
    (share,) = foreign.shares.each
    bobs = replace(foreign, shares=foreign.shares._replace(each=(share._replace(player="bob"),)))
    for stranger in (*strangers, bobs):
        assert refusal(post, stranger) == ("round_unknown", {"round": "r.ann"})


@pytest.mark.usefixtures("bets")
def test_two_currencies_are_settled_together_or_not_at_all(ledger: SqlLedger, post: Post) -> None:
    post(grant(100, "eve", "SC"), deal(30, ticket_of("eve", currency="SC")))
    here, there = coup(("ann", 10, 50), ("bob", 20, 0)), coup(("eve", 31, 0), currency="SC")
    assert refusal(post, here, there)[0] == "wrong_stake"
    assert len(ledger.open_rounds()) == 3
    assert ledger.balances("ann")["GC"] == {"cash": 90, "in_play": 10}
    post(here, coup(("eve", 30, 0), currency="SC"))
    assert ledger.balances("classic") == {"GC": {"table": -20}, "SC": {"table": 30}}


@pytest.mark.usefixtures("bets")
def test_a_coup_posted_twice_is_posted_once(ledger: SqlLedger, post: Post) -> None:
    entry = coup(("ann", 10, 25), ("bob", 20, 0))
    post(entry)
    assert ledger.post([replace(entry, at_ms=9)]).result() == (Posted(5, duplicate=True),)
    other = replace(coup(("ann", 10, 24), ("bob", 20, 0)), key=entry.key)
    assert refusal(post, other) == ("key_reused", {"key": entry.key})
    assert refusal(post, coup(("ann", 10, 25)))[0] == "round_ended"


@pytest.mark.usefixtures("bets")
def test_the_statement_has_coups_in_order(ledger: SqlLedger, post: Post) -> None:
    """A round may end after later rounds have ended."""
    post(deal(5, ticket_of("ann", "q", "premium")), coup(("ann", 10, 25), ("bob", 20, 0)), withdraw(7))
    post(coup(("ann", 5, 5), round_="q", table="premium"))
    lines = ledger.statement("ann")
    assert [(line.seq, line.kind, line.amount_minor, line.balance_minor) for line in lines] == [
        (8, "coup", 5, 108),
        (7, "withdrawal", -7, 103),
        (6, "coup", 25, 110),
        (5, "deal", -5, 85),
        (3, "deal", -10, 90),
        (1, "grant", 100, 100),
    ]
    assert lines[2] == CashMovement(6, 4_000, "coup", "GC", 25, 110, "classic", "r.ann")
    assert ledger.statement("ann", before=8, limit=2) == lines[1:3]
    assert [line.kind for line in ledger.statement("bob")] == ["deal", "grant"]


def test_many_players_are_settled_in_few_statements(ledger: SqliteLedger, post: Post, path: Path) -> None:
    """The number of statements doesn't depend on the number of players."""
    players = [f"p{number}" for number in range(700)]
    post(*(grant(100, player) for player in players), *(deal(10, ticket_of(player)) for player in players))
    statements: list[str] = []
    trace(ledger, statements.append).result()
    post(coup(*((player, 10, number % 3 * 10) for number, player in enumerate(players))))
    assert len([each for each in statements if not each.startswith("--")]) < 30
    assert ledger.balances("p2") == {"GC": {"cash": 110, "in_play": 0}}
    assert verify(path).bad is None


# --- many bets in one commit ------------------------------------------------------------------


def test_a_refused_entry_leaves_the_others_posted(ledger: SqlLedger, post: Post) -> None:
    post(grant(15))
    covered, uncovered, more = (
        deal(10, ticket_of("ann")),
        answer(10, ticket_of("ann")),
        answer(5, ticket_of("ann")),
    )
    first, refused, last = ledger.post_each([covered, uncovered, more]).result()
    assert (first, last) == (Posted(2, False, (5,)), Posted(3, False, (0,)))
    assert isinstance(refused, Refused)
    assert (refused.code, refused.args_["needed_minor"]) == ("not_covered", 10)
    assert ledger.balances("ann") == {"GC": {"cash": 0, "in_play": 15}}
    again = ledger.post_each([covered, more]).result()
    assert again == (Posted(2, duplicate=True), Posted(3, duplicate=True))


def test_a_repeated_key_is_posted_once(ledger: SqlLedger) -> None:
    entry = grant(5)
    assert ledger.post_each([entry, entry]).result() == (Posted(1, False, (5,)), Posted(1, duplicate=True))
    assert ledger.balances("ann") == {"GC": {"cash": 5}}


def test_a_player_without_cash_has_a_balance_of_zero(ledger: SqlLedger) -> None:
    (posted,) = ledger.post_each([stakes(("zoe", 6))]).result()
    assert isinstance(posted, Posted)
    (refused,) = posted.refused
    assert refused
    assert refused.args_ == {"currency": "GC", "balance_minor": 0, "needed_minor": 6}


def test_a_refused_share_refuses_its_group_and_no_other(ledger: SqlLedger, post: Post) -> None:
    post(grant(5), grant(20, "bob"))
    refused, posted = ledger.post_groups(
        [[grant(2), stakes(("ann", 8))], [stakes(("bob", 8)), grant(1)]]
    ).result()
    assert isinstance(refused, Refused)
    assert (refused.code, refused.args_["balance_minor"]) == ("not_covered", 7)
    assert posted == (Posted(3, False, (12,), (None,)), Posted(4, False, (6,)))
    assert ledger.balances("ann") == {"GC": {"cash": 6}}


# --- the writer's cache --------------------------------------------------------------------


def test_a_failed_write_leaves_the_rest_of_its_group_posted(
    ledger: SqlLedger, post: Post, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: a player's balance becomes negative when their account is opened."""
    post(grant(100), grant(100, "bob"))
    real = statements._open_accounts

    def faulty(
        db: Connection, cached: cache.LedgerCache, group: cache.AccountGroup, owners: list[str]
    ) -> None:
        if "bob" in owners:
            db.execute("UPDATE account SET balance_minor = -1 WHERE owner = 'bob'")
        real(db, cached, group, owners)

    monkeypatch.setattr(statements, "_open_accounts", faulty)
    go = threading.Event()
    ledger.run(lambda _db: go.wait(30))
    posts = [ledger.post([deal(10, ticket_of(player))]) for player in ("ann", "bob")]
    late = ledger.post([withdraw(90)])
    go.set()
    assert posts[0].result()[0].cash_minor == (90,)
    assert isinstance(posts[1].exception(), INTEGRITY_ERRORS)
    assert late.result()[0].cash_minor == (0,)
    monkeypatch.undo()
    post(deal(20, ticket_of("bob")))
    assert ledger.balances("bob") == {"GC": {"cash": 80, "in_play": 20}}
    assert verify(database).bad is None


def test_a_full_cache_is_reloaded(
    ledger: SqlLedger, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "ACCOUNTS_MAX", 0)
    for number in range(3):
        ledger.post([grant(100), deal(10, ticket_of("ann", f"r{number}"))]).result()
        ledger.post([coup(("ann", 10, 10), round_=f"r{number}")]).result()
    assert ledger.balances("ann") == {"GC": {"cash": 300, "in_play": 0}}
    assert verify(database).bad is None

"""The ledger's rules, one by one, on a real file."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from croupier.ledger import entries
from croupier.ledger.entries import DEBT, MOVE_MINOR_MAX, PLAYER_KINDS, Account, Entry, Posted, Ticket
from croupier.ledger.posting import UnitOfWork
from croupier.ledger.sql.databases import Database
from croupier.ledger.sql.store import SqlLedger
from croupier.ledger.stores import open_ledger
from croupier.play.contract.amounts import BALANCE_MINOR_MAX
from croupier.refusal import Refused
from tests.ledger.conftest import INTEGRITY_ERRORS
from tests.ledger.sample_entries import ROUND, answer, deal, deposit, grant, settle, void, withdraw

pytestmark = pytest.mark.any_store

Post = Callable[..., list[int]]
OTHER_TABLE = ROUND._replace(round="r2", table="premium")
SAME_TABLE = ROUND._replace(round="r2")
STRANGERS = (
    ROUND._replace(round="r9"),
    ROUND._replace(player="bob"),
    ROUND._replace(table="premium"),
    ROUND._replace(currency="SC"),
)


def refusal(post: Post, *sequence: Entry) -> Refused:
    with pytest.raises(Refused) as caught:
        post(*sequence)
    return caught.value


def cash(ledger: SqlLedger, player: str = "ann", currency: str = "GC") -> int:
    return ledger.balances(player)[currency]["cash"]


def test_grants_deposits_and_withdrawals(ledger: SqlLedger, post: Post) -> None:
    assert post(grant(100), deposit(50), withdraw(30)) == [1, 2, 3]
    assert ledger.balances("ann") == {"GC": {"cash": 120}}
    assert ledger.balances("house") == {"GC": {"grants": -100, "cashier": -20}}


def test_stakes_are_held_until_the_round_ends(ledger: SqlLedger, post: Post) -> None:
    post(grant(100), deal(20))
    assert ledger.balances("ann") == {"GC": {"cash": 80, "in_play": 20}}
    post(answer(20))
    assert ledger.balances("ann") == {"GC": {"cash": 60, "in_play": 40}}
    post(settle(40, 80))
    assert ledger.balances("ann") == {"GC": {"cash": 140, "in_play": 0}}
    assert ledger.balances("classic") == {"GC": {"table": -40}}


def test_a_lost_round_returns_nothing(ledger: SqlLedger, post: Post) -> None:
    post(grant(100), deal(20), settle(20, 0))
    assert ledger.balances("ann") == {"GC": {"cash": 80, "in_play": 0}}
    assert ledger.balances("classic") == {"GC": {"table": 20}}


def test_a_void_round_returns_the_stake(ledger: SqlLedger, post: Post) -> None:
    post(grant(100), deal(20), answer(20), void(40))
    assert ledger.balances("ann") == {"GC": {"cash": 100, "in_play": 0}}
    assert ledger.balances("classic") == {}


def test_currencies_are_separate(ledger: SqlLedger, post: Post) -> None:
    post(grant(100), grant(7, currency="SC"))
    refused = refusal(post, deal(8, ROUND._replace(currency="SC")))
    assert refused.args_ == {"currency": "SC", "balance_minor": 7, "needed_minor": 8}
    assert ledger.balances("ann") == {"GC": {"cash": 100}, "SC": {"cash": 7}}


# --- duplicates --------------------------------------------------------------------------------


def test_a_sequence_posted_twice_is_posted_once(ledger: SqlLedger, post: Post) -> None:
    sequence = [grant(100, key="granted"), deal(20, key="dealt")]
    post(*sequence)
    later = [replace(entry, at_ms=entry.at_ms + 9_999) for entry in sequence]
    assert ledger.post(later).result() == (Posted(1, duplicate=True), Posted(2, duplicate=True))
    assert cash(ledger) == 80


@pytest.mark.parametrize(
    "changed",
    [
        grant(101, key="granted"),
        grant(100, "bob", key="granted"),
        grant(100, currency="SC", key="granted"),
        entries.grant("granted", 1_000, "ann", "GC", 100, "another reason"),
        entries.deposit("granted", 1_000, "ann", "GC", 100),
    ],
)
def test_a_key_with_other_content_is_refused(ledger: SqlLedger, post: Post, changed: Entry) -> None:
    post(grant(100, key="granted"))
    refused = refusal(post, changed)
    assert (refused.code, refused.args_) == ("key_reused", {"key": "granted"})
    assert cash(ledger) == 100


@pytest.mark.parametrize("reverse", [False, True])
def test_a_partly_repeated_sequence_is_refused(ledger: SqlLedger, post: Post, reverse: bool) -> None:
    post(old := grant(100, key="old"))
    mixed = [grant(1, key="new"), old] if reverse else [old, grant(1, key="new")]
    assert refusal(post, *mixed).code == "key_reused"
    assert cash(ledger) == 100


def test_a_key_twice_in_a_sequence_is_refused(ledger: SqlLedger, post: Post) -> None:
    twice = grant(100, key="twice")
    assert refusal(post, twice, twice).args_ == {"key": "twice"}
    assert ledger.balances("ann") == {}


# --- balances -----------------------------------------------------------------


@pytest.mark.parametrize("spend", [withdraw(101), deal(101)])
def test_spending_more_than_the_balance_is_refused(ledger: SqlLedger, post: Post, spend: Entry) -> None:
    post(grant(100))
    refused = refusal(post, spend)
    assert refused.code == "not_covered"
    assert refused.args_ == {"currency": "GC", "balance_minor": 100, "needed_minor": 101}
    assert ledger.balances("ann") == {"GC": {"cash": 100}}


def test_every_entry_of_a_sequence_must_be_covered_in_order(ledger: SqlLedger, post: Post) -> None:
    assert refusal(post, withdraw(50), grant(100)).code == "not_covered"
    post(grant(100), withdraw(50))
    assert cash(ledger) == 50


def test_a_refusal_undoes_the_whole_sequence_alone(ledger: SqlLedger) -> None:
    first, refused, last = (
        ledger.post(sequence)
        for sequence in ([grant(100)], [grant(1_000), deal(10), withdraw(5_000)], [grant(10)])
    )
    assert isinstance(refused.exception(), Refused)
    assert first.result() + last.result() == (Posted(1, False, (100,)), Posted(2, False, (110,)))
    assert ledger.balances("ann") == {"GC": {"cash": 110}}
    assert ledger.round("r1") is None


def test_grants_have_a_maximum_balance_and_winnings_do_not(ledger: SqlLedger, post: Post) -> None:
    post(grant(BALANCE_MINOR_MAX))
    assert refusal(post, grant(1)).code == "over_maximum"
    post(deal(1), settle(1, MOVE_MINOR_MAX))
    assert cash(ledger) == BALANCE_MINOR_MAX - 1 + MOVE_MINOR_MAX


def test_no_round_is_started_with_a_balance_above_the_maximum(ledger: SqlLedger, post: Post) -> None:
    post(grant(BALANCE_MINOR_MAX))
    post(deal(1), settle(1, 3))
    assert refusal(post, deal(1, SAME_TABLE)).code == "balance_too_high"
    assert refusal(post, grant(1)).code == "over_maximum"
    post(withdraw(2))
    post(deal(1, SAME_TABLE))


@pytest.mark.parametrize(
    ("kind", "balance", "constraint"),
    [
        *((kind, -1, "account_never_negative") for kind in sorted(PLAYER_KINDS - {"suspense"})),
        ("suspense", -1, "suspense_never_negative"),
        (DEBT, 1, "debt_never_positive"),
    ],
)
def test_the_database_itself_forbids_a_balance_of_the_wrong_sign(
    ledger: SqlLedger, kind: str, balance: int, constraint: str
) -> None:
    insertion = ledger.run(
        lambda db: db.execute(
            "INSERT INTO account (id, owner, kind, currency, balance_minor) VALUES (1, 'ann', ?, 'GC', ?)",
            (kind, balance),
        )
    )
    with pytest.raises(INTEGRITY_ERRORS, match=constraint):
        insertion.result()


def test_unbalanced_postings_are_never_written(
    ledger: SqlLedger, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: every credit is one unit too high."""
    post(grant(100))
    real = UnitOfWork._post

    def generous(self: UnitOfWork, entry: Entry, account: Account, amount_minor: int) -> None:
        real(self, entry, account, amount_minor + (amount_minor > 0))

    monkeypatch.setattr(UnitOfWork, "_post", generous)
    error = ledger.post([withdraw(10)]).exception()
    assert isinstance(error, AssertionError)
    assert "don't sum to zero" in str(error)
    assert cash(ledger) == 100
    assert len(ledger.statement("ann")) == 1


# --- rounds -----------------------------------------------------------------------------------


def test_one_open_round_per_player_and_table(ledger: SqlLedger, post: Post) -> None:
    post(grant(100), deal(10))
    refused = refusal(post, deal(10, SAME_TABLE))
    assert (refused.code, refused.args_) == ("round_open", {"round": "r1"})
    post(deal(10, OTHER_TABLE))
    post(settle(10, 0), deal(10, ROUND._replace(round="r3")))
    assert [record.id for record in ledger.open_rounds()] == ["r2", "r3"]


def test_one_open_round_also_after_a_restart(database: Database) -> None:
    """Only the writer enforces it, from the open rounds it loads."""
    ledger = open_ledger(database)
    ledger.post([grant(100), deal(10)]).result()
    ledger.close()
    again = open_ledger(database)
    with pytest.raises(Refused, match="round_open"):
        again.post([deal(10, SAME_TABLE)]).result()
    again.close()


def test_the_open_round_must_end_earlier_in_the_sequence(post: Post) -> None:
    post(grant(100), deal(10))
    assert refusal(post, deal(10, SAME_TABLE), settle(10, 0)).code == "round_open"


def test_another_player_plays_at_the_same_table(ledger: SqlLedger, post: Post) -> None:
    bobs = ROUND._replace(round="r2", player="bob")
    post(grant(10), grant(10, "bob"), deal(10), deal(10, bobs))
    assert len(ledger.open_rounds()) == 2


@pytest.mark.parametrize("again", [settle(10, 0), settle(10, 20), void(10), answer(), answer(5)])
@pytest.mark.parametrize("end", [settle(10, 10), void(10)])
def test_a_round_ends_once(ledger: SqlLedger, post: Post, end: Entry, again: Entry) -> None:
    post(grant(100), deal(10), replace(end, key="end"))
    assert refusal(post, again).code == "round_ended"
    assert cash(ledger) == 100


def test_a_round_is_dealt_once(post: Post) -> None:
    post(grant(100), deal(10), settle(10, 0))
    assert refusal(post, deal(10)).code == "round_exists"


@pytest.mark.parametrize("stranger", STRANGERS)
@pytest.mark.parametrize("act", [lambda t: settle(10, 0, t), lambda t: void(10, t), lambda t: answer(1, t)])
def test_an_entry_must_match_the_whole_ticket(
    post: Post, act: Callable[[Ticket], Entry], stranger: Ticket
) -> None:
    post(*(grant(10, who, what) for who in ("ann", "bob") for what in ("GC", "SC")), deal(10))
    assert refusal(post, act(stranger)).code == "round_unknown"


@pytest.mark.parametrize("end", [settle(9, 0), settle(11, 20), void(9), void(11)])
def test_an_end_must_release_the_whole_stake(post: Post, end: Entry) -> None:
    post(grant(100), deal(10))
    refused = refusal(post, end)
    assert (refused.code, refused.args_) == ("wrong_stake", {"round": "r1", "staked_minor": 10})


def test_a_round_may_be_dealt_played_and_settled_in_one_sequence(ledger: SqlLedger, post: Post) -> None:
    post(grant(10), deal(5), answer(5), settle(10, 25), deal(20, SAME_TABLE))
    ended = ledger.round("r1")
    assert ended is not None
    assert (ended.status, ended.staked_minor, ended.returned_minor) == ("settled", 10, 25)
    assert [record.id for record in ledger.open_rounds()] == ["r2"]

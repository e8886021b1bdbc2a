"""A bonus's arithmetic, by hand: order of funds, shares, counting, and ends."""

from functools import reduce

import pytest

from croupier.accounts.bonus import DAY_MS, Bonus, BonusTemplate, bonus_share, granted
from croupier.accounts.bonus_funding import with_bonuses
from croupier.ledger import entries
from croupier.ledger.bonus_entries import bonus_grant
from croupier.ledger.entries import Entry, Ticket
from croupier.ledger.entry_checks import check
from croupier.refusal import Refused

ROUND = Ticket("r1", "p_ann", "roulette", "EUR")
TEMPLATE = BonusTemplate("hundred", "Hundred", "EUR", 100, 3, 2, 50, ("premium",))


def new_bonus() -> Bonus:
    terms = TEMPLATE.terms(0).as_json()
    return granted(bonus_grant("b1", 0, "p_ann", "EUR", TEMPLATE.amount_minor, terms, "because"))


def deal(staked: int, at_ms: int = 1, ticket: Ticket = ROUND) -> Entry:
    return entries.deal(ticket, f"deal:{ticket.round}", at_ms, number="1", staked_minor=staked)


def settle(staked: int, returned: int, at_ms: int = 1) -> Entry:
    return entries.settle(ROUND, "settle:r1", at_ms, staked_minor=staked, returned_minor=returned)


def void(staked: int) -> Entry:
    return entries.void(ROUND, "void:r1", 1, staked_minor=staked, reason="fault")


def played(bonus: Bonus, posted: list[Entry], cash: int = 0, percent: int = 10) -> tuple[Bonus, list[Entry]]:
    """Return the bonus after a step of a round, and the entries that it adds."""
    complete = with_bonuses(posted, [bonus], cash, percent)
    for entry in complete:
        check(entry)
    added = [entry for entry in complete if entry not in posted]
    return reduce(Bonus.after, added, bonus), added


def amounts(added: list[Entry]) -> list[tuple[str, int]]:
    return [(entry.kind, sum(move.amount_minor for move in entry.moves)) for entry in added]


def test_own_cash_is_staked_first() -> None:
    assert played(new_bonus(), [deal(30)], cash=30) == (new_bonus(), [])
    after, added = played(new_bonus(), [deal(30)], cash=12)
    assert amounts(added) == [("bonus_stake", 18)]
    assert (after.balance_minor, after.in_play) == (82, {"r1": 18})


def test_a_double_adds_to_the_bonus_money_in_the_round() -> None:
    bonus, _ = played(new_bonus(), [deal(30)], cash=12)
    bonus, added = played(bonus, [entries.answer(ROUND, "double", 1, extra_minor=30)], cash=5)
    assert amounts(added) == [("bonus_stake", 25)]
    assert bonus.in_play == {"r1": 43}


def test_what_the_bonus_cannot_cover_is_left_to_the_ledger_to_refuse() -> None:
    assert played(new_bonus(), [deal(113)], cash=12) == (new_bonus(), [])


def test_the_return_is_divided_by_the_stakes_and_rounded_for_the_players_cash() -> None:
    assert bonus_share(60, 18, 30) == 36
    assert bonus_share(61, 18, 30) == 36
    bonus, added = played(new_bonus(), [deal(30), settle(30, 61)], cash=12)
    assert amounts(added) == [("bonus_stake", 18), ("bonus_return", 36)]
    assert (bonus.balance_minor, bonus.in_play, bonus.counted) == (118, {}, 300)


def test_a_lost_round_counts_and_returns_nothing() -> None:
    bonus, added = played(new_bonus(), [deal(30), settle(30, 0)], cash=12)
    assert amounts(added) == [("bonus_stake", 18), ("bonus_return", 0)]
    assert (bonus.balance_minor, bonus.in_play, bonus.counted) == (82, {}, 300)


def test_a_void_round_returns_the_bonus_money_and_counts_nothing() -> None:
    bonus, _ = played(new_bonus(), [deal(30)], cash=12)
    assert played(bonus, [void(30)])[0] == new_bonus()
    assert played(new_bonus(), [void(30)]) == (new_bonus(), []), "a round of cash only"


@pytest.mark.parametrize("why", ["expired", "withdrawn", "cancelled"])
def test_bonus_money_in_play_is_taken_back_after_the_end(why: str) -> None:
    bonus, _ = played(new_bonus(), [deal(30)], cash=12)
    ended = bonus.after(bonus.end_entry(why, 1))  # type: ignore[arg-type]
    assert (ended.balance_minor, ended.status) == (0, why)
    after, added = played(ended, [settle(30, 60)])
    assert amounts(added) == [("bonus_return", 36), ("bonus_forfeit", 36)]
    assert (after.balance_minor, after.in_play, after.counted, after.status) == (0, {}, 0, why)


def test_after_a_conversion_all_of_the_return_is_cash() -> None:
    bonus, _ = played(new_bonus(), [deal(30)], cash=12)
    ended = bonus.after(bonus.end_entry("converted", 1))
    after, added = played(ended, [settle(30, 60)])
    assert amounts(added) == [("bonus_return", 0)]
    assert (after.in_play, after.status) == ({}, "converted")


def test_the_requirement_is_met_to_the_last_hundredth() -> None:
    """300 at 7 %: 4,285 staked count 299.95, and one more is enough."""
    bonus, _ = played(new_bonus(), [settle(4_285, 0)], percent=7)
    assert (bonus.counted, bonus.left_minor, bonus.due_end(1)) == (29_995, 1, None)
    bonus, _ = played(bonus, [settle(1, 0)], percent=7)
    assert (bonus.left_minor, bonus.due_end(1)) == (0, "converted")


def test_a_bonus_ends_when_it_is_spent_or_its_time_is_over() -> None:
    bonus, _ = played(new_bonus(), [deal(100)])
    assert bonus.due_end(1) is None, "it is still in play"
    lost, _ = played(bonus, [settle(100, 0)])
    assert lost.due_end(1) == "spent"
    assert new_bonus().due_end(2 * DAY_MS - 1) is None
    assert new_bonus().due_end(2 * DAY_MS) == "expired"


def test_an_expired_bonus_pays_and_counts_nothing() -> None:
    late = 2 * DAY_MS
    assert played(new_bonus(), [deal(30, late), settle(30, 0, late)], cash=12) == (new_bonus(), [])


def test_the_terms_restrict_bets() -> None:
    new_bonus().check_bet("roulette", 50)
    with pytest.raises(Refused, match="over_bonus_bet"):
        new_bonus().check_bet("roulette", 51)
    with pytest.raises(Refused, match="bonus_table"):
        new_bonus().check_bet("premium", 1)
    excluded = ROUND._replace(table="premium")
    assert played(new_bonus(), [deal(30, ticket=excluded)], cash=12) == (new_bonus(), [])

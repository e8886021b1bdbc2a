"""Entries move exactly what their kind moves, and malformed ones are rejected."""

import pytest
from msgspec.structs import replace

from croupier.ledger import entries
from croupier.ledger.entries import MOVE_MINOR_MAX, Account, Entry, Move
from croupier.ledger.entry_checks import check
from tests.ledger.sample_entries import (
    ROUND,
    answer,
    call_off,
    coup,
    deal,
    deposit,
    grant,
    release,
    settle,
    stakes,
    void,
    withdraw,
)

CASH = Account("ann", "cash", "GC")
IN_PLAY = Account("ann", "in_play", "GC")
CLASSIC = Account("classic", "table", "GC")
CASHIER = Account("house", "cashier", "GC")
GRANTS = Account("house", "grants", "GC")


@pytest.mark.parametrize(
    ("entry", "moves"),
    [
        (grant(5), [Move(GRANTS, CASH, 5)]),
        (deposit(5), [Move(CASHIER, CASH, 5)]),
        (withdraw(5), [Move(CASH, CASHIER, 5)]),
        (deal(5), [Move(CASH, IN_PLAY, 5)]),
        (answer(), []),
        (answer(5), [Move(CASH, IN_PLAY, 5)]),
        (settle(5, 0), [Move(IN_PLAY, CLASSIC, 5)]),
        (settle(5, 12), [Move(IN_PLAY, CLASSIC, 5), Move(CLASSIC, CASH, 12)]),
        (void(5), [Move(IN_PLAY, CASH, 5)]),
        (release(5), [Move(IN_PLAY, CASH, 5)]),
        (coup(("ann", 5, 9)), []),
        (call_off(("ann", 5)), []),
        (entries.note("n", 1, {"said": "hello"}), []),
    ],
    ids=lambda value: value.kind if isinstance(value, Entry) else "",
)
def test_each_kind_moves_its_money(entry: Entry, moves: list[Move]) -> None:
    check(entry)
    assert list(entry.moves) == moves


def test_a_deal_keeps_the_data_for_its_replay() -> None:
    opened = entries.deal(ROUND, "k", 1, number="#1", staked_minor=5, steps=["AS"], opened={"decks": 6})
    assert opened.body == {"decks": 6, "number": "#1", "steps": ["AS"]}


TO_BOB = Account("bob", "cash", "GC")
ANY = deal(5)
COUP = coup(("ann", 5, 9))
IN_SC = ROUND._replace(currency="SC")


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        (replace(ANY, key=""), "needs a key"),
        (replace(ANY, round=""), "with round ''"),
        (replace(grant(5), round="r1"), "with round 'r1'"),
        (replace(ANY, moves=()), "can't move"),
        (replace(grant(5), moves=()), "can't move"),
        (replace(ANY, moves=(Move(CASH, CASHIER, 5),)), "can't move"),
        (replace(ANY, moves=(Move(CASH, TO_BOB, 5),)), "can't move"),
        (replace(ANY, moves=(Move(TO_BOB, IN_PLAY, 5),)), "isn't an account of this entry"),
        (replace(settle(5, 9), table="premium"), "isn't an account of this entry"),
        (replace(grant(5), player=""), "isn't an account of this entry"),
        (replace(ANY, moves=(Move(CASH, Account("ann", "in_play", "SC"), 5),)), "can't become"),
        (replace(ANY, moves=ANY.moves * 2), "each flow once"),
        (replace(settle(5, 9), moves=(settle(5, 9).moves[0], settle(5, 9, IN_SC).moves[1])), "one currency"),
        (replace(ANY, moves=(Move(CASH, IN_PLAY, 0),)), "isn't an amount"),
        (replace(ANY, shares=COUP.shares), "a deal with shares"),
        (replace(COUP, shares=None), "a coup with shares None"),
        (replace(COUP, moves=ANY.moves), "can't move"),
        (replace(COUP, table=""), "needs a table"),
        (replace(COUP, player="ann"), "and no player"),
        (replace(COUP, round="r"), "with round 'r'"),
        (coup(("ann", 5, 9), currency=""), "needs a table and a currency"),
        (coup(), "at least one round"),
        (coup(("ann", 5, 9), ("ann", 5, 9)), "each once"),
        (coup(("", 5, 9)), "isn't a share"),
        (coup(("ann", 5, True)), "isn't a share"),
        (coup(("ann", -5, 0)), "impossible amounts"),
        (coup(("ann", 0, 9)), "impossible amounts"),
        (coup(("ann", 5, MOVE_MINOR_MAX + 1)), "impossible amounts"),
        (replace(coup(("ann", 5, 9)), kind="call_off"), "impossible amounts"),
        (stakes(("ann", 0)), "impossible amounts"),
        (replace(coup(("ann", 5, 5)), kind="stakes"), "impossible amounts"),
        (stakes(("ann", 5), ("ann", 6)), "each once"),
        (replace(ANY, moves=(Move(CASH, IN_PLAY, -1),)), "isn't an amount"),
        (replace(ANY, moves=(Move(CASH, IN_PLAY, True),)), "isn't an amount"),
        (replace(ANY, moves=(Move(CASH, IN_PLAY, MOVE_MINOR_MAX + 1),)), "isn't an amount"),
    ],
)
def test_a_malformed_entry_is_an_error_of_the_program(entry: Entry, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        check(entry)

"""A round keeps what it wants, which isn't part of its value."""

import pickle

from croupier.equipment.cards import card
from croupier.games import published_tables
from croupier.games.blackjack.round import Round
from croupier.play.contract.bets import Wager


def begun() -> Round:
    table = published_tables()["classic"]
    started: Round = table.game.start(table.rules, [Wager(0, next(iter(table.bets)), 100)])
    return started


def test_asking_a_round_does_not_change_it() -> None:
    asked = begun()
    asked.wants()
    assert (asked, hash(asked), repr(asked)) == (begun(), hash(begun()), repr(begun()))
    assert pickle.loads(pickle.dumps(asked)) == begun()


def test_the_next_round_has_wants_of_its_own() -> None:
    asked = begun()
    (want,) = asked.wants()
    (of_next,) = asked.answer(want, card("AS")).wants()
    assert of_next != want
    assert asked.wants() == (want,)

"""The largest return of a table: no round returns more, one does, and too large a one is refused."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.equipment.cards import DECK, Card, cards
from croupier.games import games, published_tables
from croupier.play.contract.amounts import CURRENCIES, RETURN_MINOR_MAX, Currency, StakeLimits
from croupier.play.contract.bets import Wager
from croupier.play.contract.game import Table
from croupier.play.contract.largest_return import LargestStakes
from croupier.play.contract.wants import Choice, DealCard, DealFaceDown, Decision, Peek, TurnCard
from croupier.play.driving.dealing import DealtRound
from croupier.play.driving.sources import fresh_source
from croupier.play.tables.files import InvalidTables, read_tables, with_rules
from croupier.play.tables.largest_return import excessive_return_minor, largest_return_minor
from croupier.refusal import Refused
from croupier.tables.limits import with_limits
from tests.equipment.random_sources import SeededRandomSource

SEEDS = st.integers(0, 2**32)
TABLES = published_tables()
COUPS = [name for name, table in TABLES.items() if table.game.figures is None]
ROULETTE = """
[mine]
game = "roulette"
title = "Mine"
limits = {{ MINE = "{limits}" }}
"""


def bound(table: Table, stakes: Mapping[str, int], total_minor: int | None = None) -> int:
    *_, last = table.game.largest_returns(table.rules, LargestStakes(stakes, total_minor))
    return last


def returned(table: Table, round_: Any) -> int:
    return sum(line.returned_minor for line in table.game.settle(round_))


def stakes_of(table: Table, minor: int) -> dict[str, int]:
    return dict.fromkeys(table.bets, minor)


# --- the bound is attained


@pytest.mark.parametrize(
    "name", ["roulette", "american_roulette", "sic_bo", "dragon_tiger", "football_studio"]
)
def test_the_largest_return_of_a_coup_is_that_of_its_best_end(name: str) -> None:
    table = TABLES[name]
    stakes = {bet: 20 + 20 * place for place, bet in enumerate(table.bets)}
    start = table.game.start(table.rules, [Wager(0, bet, minor) for bet, minor in stakes.items()])
    assert bound(table, stakes) == max(returned(table, end) for end in ends(start))


def ends(coup: Any) -> Iterator[Any]:
    """Yield the coup with every result: every pocket, every roll, every two cards of a deck."""
    if coup.ended:
        yield coup
        return
    (want,) = coup.wants()
    for text in answers(want):
        yield from ends(coup.answer(want, want.parse(text)))


def answers(want: Any) -> Iterator[str]:
    if isinstance(want, DealCard):
        return map(str, DECK)
    if hasattr(want, "pockets"):
        return iter(want.pockets)
    return ("-".join(map(str, faces)) for faces in product(range(1, 7), repeat=want.dice))


def test_the_largest_return_of_baccarat_has_a_pair_in_both_hands() -> None:
    table = TABLES["baccarat"]
    # A tie with a pair in both hands returns most: 9 + 1 + 1 + 12 + 12 stakes.
    assert bound(table, stakes_of(table, 20)) == 20 * (9 + 1 + 1 + 12 + 12)


SHOE = cards("8S 8S 6S 3S 3S TS TS TS TS")


@pytest.mark.parametrize("name", ["classic", "premium"])
def test_the_largest_return_of_blackjack_is_two_doubled_hands(name: str) -> None:
    table = TABLES[name]
    most = bound(table, {"main": 100})
    assert most == 800
    assert best_end(table, Counter(SHOE)) == most


@pytest.mark.parametrize(
    ("splits", "double_after_split", "blackjack_pays"),
    [("none", True, "3:2"), ("one_per_hand", False, "3:2"), ("one_per_hand", True, "9:1")],
)
def test_the_largest_return_of_blackjack_follows_the_rules(
    splits: str, double_after_split: bool, blackjack_pays: str
) -> None:
    changes = {"splits": splits, "double_after_split": double_after_split, "blackjack_pays": blackjack_pays}
    table = with_rules(TABLES["classic"], changes)
    found = max(best_end(table, Counter(SHOE)), best_end(table, Counter(cards("AS TS 8S TS TS TS"))))
    assert bound(table, {"main": 100}) == found


@pytest.mark.parametrize("peek", ["never", "ace"])
def test_the_largest_return_includes_insurance(peek: str) -> None:
    table = with_rules(TABLES["infinite"], {"insurance_pays": "30:1", "peek": peek, "bust_it": []})
    stakes = {bet: 100 if bet == "main" else 1 for bet in table.bets}
    # 50 of insurance return 1,550. The main stake is pushed by a blackjack, or hands of six cards win.
    assert 1_650 <= bound(table, stakes) <= 1_550 + 400 + 200


def best_end(table: Table, shoe: Counter[Card]) -> int:
    """Return the most that a stake of 100 returns, over all orders of these cards and all decisions."""

    @cache
    def best(round_: Any, left: tuple[Card, ...]) -> int:
        if round_.ended:
            return returned(table, round_)
        want = round_.wants()[0]
        nexts = []
        for answer, then in possible(want, left):
            try:
                nexts.append(best(round_.answer(want, answer), then))
            except Refused:
                continue
        return max(nexts, default=0)

    start = table.game.start(table.rules, [Wager(0, "main", 100)])
    return best(start, tuple(sorted(shoe.elements())))


def possible(want: Any, left: tuple[Card, ...]) -> Iterator[tuple[Any, tuple[Card, ...]]]:
    match want:
        case DealFaceDown():
            yield None, left
        case Peek():
            yield from ((answer, left) for answer in (False, True))
        case Decision():
            yield from ((Choice(option.action), left) for option in want.options)
        case DealCard() | TurnCard():
            for card in set(left):
                place = left.index(card)
                yield card, (*left[:place], *left[place + 1 :])


# --- the bound holds


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_round_returns_more_than_the_largest_return(data: st.DataObject) -> None:
    own = [name for name, table in TABLES.items() if table.dealing == "own"]
    table = TABLES[data.draw(st.sampled_from(own))]
    code = next(iter(table.limits))
    bets = data.draw(st.lists(st.sampled_from(sorted(table.bets)), unique=True, min_size=1, max_size=6))
    bets += [
        bet.name for bet in table.bets.values() if bet.main and len(table.bets) < 10 and bet.name not in bets
    ]
    boxes = range(data.draw(st.integers(1, table.game.boxes(table.rules))))
    limits = table.limits_in[code]
    wagers = [Wager(box, bet, limits[bet].max_minor) for box in boxes for bet in bets]
    start = table.game.start(table.rules, wagers)
    source = fresh_source(start.wants(), table.game.decks(table.rules), SeededRandomSource(data.draw(SEEDS)))
    played = DealtRound(start, source).deal()
    while not played.round.ended:
        want = played.round.wants()[0]
        played = played.decide(want.to, Choice(data.draw(st.sampled_from(want.options)).action))
    assert returned(table, played.round) <= unlimited(table.id, code)


@cache
def unlimited(name: str, code: str) -> int:
    return largest_return_minor(replace(TABLES[name], table_limits={}), code)


def test_a_tables_maximum_bounds_what_the_best_bets_return() -> None:
    table = TABLES["roulette"]
    stakes = stakes_of(table, 100)
    most = bound(table, stakes)
    assert bound(table, stakes, 100) == 3_600

    @given(st.integers(1, 10**6))
    def check(total_minor: int) -> None:
        assert bound(table, stakes, total_minor) <= min(36 * total_minor, most)

    check()


# --- amounts at the edge


def test_limits_whose_payout_cannot_be_settled_are_refused_with_figure_file_and_line() -> None:
    currencies = {**CURRENCIES, "MINE": Currency("MINE", "Mine", 8)}
    text = ROULETTE.format(limits="1-3000000")
    with pytest.raises(InvalidTables) as refused:
        read_tables(text, games(), "mine.toml", currencies)
    assert str(refused.value) == (
        "mine.toml, line 5: [mine] limits: MINE: a round may return 567,000,000.00000000;"
        " allowed are: limits for 10,000,000.00000000 at most"
    )


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_refused_from_the_smallest_unit_on(name: str) -> None:
    table = replace(TABLES[name], table_limits={}, side_limits={}, kind_limits={})
    code = next(iter(table.limits))
    per_unit = largest_return_minor(limited(table, code, 10**6), code) / 10**6
    most = int(RETURN_MINOR_MAX / per_unit)
    for step in (-1, 0, 1):
        minor = most + step * (most // 10**6)
        refused = excessive_return_minor(limited(table, code, minor), code)
        assert bool(refused) == (step > 0)


def limited(table: Table, code: str, minor: int) -> Table:
    limits = {code: StakeLimits(1, minor)}
    return replace(table, limits=limits, side_limits=limits)


def test_staff_cannot_set_limits_whose_payout_cannot_be_settled() -> None:
    table = TABLES["live_roulette"]
    limits = {code: StakeLimits(1, 10**13) for code in table.limits}
    with pytest.raises(Refused) as refused:
        with_limits(table, limits, {}, {}, {})
    assert refused.value.code == "return_too_large"
    assert int(refused.value.args_["returned_minor"]) > RETURN_MINOR_MAX
    assert refused.value.args_["max_minor"] == RETURN_MINOR_MAX

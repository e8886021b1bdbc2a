"""Operators' table files: a valid file adds a table without code; errors name the line and the field."""

import re

import pytest

from croupier.equipment.cards import cards
from croupier.equipment.shoe import Shoe
from croupier.games import games, published_tables
from croupier.games.blackjack.bets import SIDE_BETS
from croupier.play.contract.amounts import StakeLimits
from croupier.play.contract.bets import Settled, Wager
from croupier.play.contract.wants import At, Choice
from croupier.play.driving.dealing import DealtRound, replay
from croupier.play.driving.sources import ShoeSource
from croupier.play.tables.files import InvalidTables, read_tables
from tests.conformance.strategies import OPERATOR

VALID = OPERATOR.read_text(encoding="utf-8")
HIT_17 = "dealer_hits_soft_17 = true"

INVALID_LINES = [
    # the line to replace, its replacement, the field that the error names, and the error's text
    ("decks = 2", "decks = 9", "decks", "<= 8; allowed is: a whole number from 1 to 8"),
    ("decks = 2", "decks = 0", "decks", ">= 1; allowed is: a whole number from 1 to 8"),
    ("decks = 2", 'decks = "two"', "decks", "got `str`; allowed is: a whole number from 1 to 8"),
    ("decks = 2", "decks = 2.5", "decks", "got `float`; allowed is: a whole number"),
    ("boxes = 3", "boxes = 8", "boxes", "allowed is: a whole number from 1 to 7"),
    ("peek = ", 'peek = "sometimes"', "peek", "allowed is: 'never', 'ace', 'ace_or_ten'"),
    (HIT_17, 'dealer_hits_soft_17 = "yes"', "dealer_hits_soft_17", "allowed is: true or false"),
    (HIT_17, "dealer_hits_soft_18 = true", "dealer_hits_soft_18", "no such field; allowed are: game, title"),
    ("blackjack_pays = ", 'blackjack_pays = "6 to 5"', "blackjack_pays", 'allowed is: odds such as "3:2"'),
    ("blackjack_pays = ", 'blackjack_pays = "0:1"', "blackjack_pays", 'allowed is: odds such as "3:2"'),
    ("charlie_cards = ", "charlie_cards = 4", "charlie_cards", "allowed is: 0, 5, 6, 7"),
    (
        "double_low_totals = ",
        "double_low_totals = [21]",
        "double_low_totals",
        "a list of a whole number from 2 to 20",
    ),
    (
        "any_pair = ",
        'any_pair = ["suited_pair 25"]',
        "any_pair",
        'a list of a line such as "suited_pair 25:1"',
    ),
    (
        "any_pair = ",
        'any_pair = ["royal_pair 25:1"]',
        "any_pair",
        "no outcome 'royal_pair'; allowed are: suited_pair",
    ),
    (
        "any_pair = ",
        'any_pair = ["pair 8:1", "pair 9:1"]',
        "any_pair",
        "'pair' stands there twice; allowed is: once",
    ),
    ("game = ", 'game = "faro"', "game", f"allowed are: {', '.join(sorted(games()))}"),
    ("title = ", 'title = ""', "title", "length >= 1; allowed is: a text"),
    (
        "limits = ",
        'limits = { EUR = "500-0.50" }',
        "limits",
        'the smallest and the largest stake as "0.50-500"',
    ),
    ("limits = ", 'limits = { EUR = "0.505-500" }', "limits", "a whole number of EUR's smallest unit"),
    ("limits = ", 'limits = { EUR = "0-500" }', "limits", 'the smallest and the largest stake as "0.50-500"'),
    ("limits = ", 'limits = { DUCAT = "1-500" }', "limits", "no currency 'DUCAT'; allowed are: GC, SC, EUR"),
    ("limits = ", "limits = { }", "limits", "length >= 1; allowed is: limits such as"),
    ("limits = ", "limits = { EUR = 5 }", "limits", 'limits such as "0.50-500" for each currency'),
    ("side_limits = ", 'side_limits = { EUR = "ten" }', "side_limits", "EUR: "),
    ("decks = 2", 'decks = 2\nhole_card = "face_up"', "insurance", "both of the dealer's cards are seen"),
    ("decks = 2", "decks = 2\ncut_card_percent = 50", "cut_card_percent", "allowed is: 100"),
    ("decks = 2", "decks = 2\nshoes = 2", "shoes", "allowed is: 1"),
    ("decks = 2", 'decks = 2\nshuffle = "at_cut_card"', "shuffle", "allowed is: 'every_round'"),
    ("boxes = 3", 'boxes = 1\ndealing = "live"', "double_for_less", "all players share one box"),
    ("decks = 2", 'decks = 2\ndealing = "dreamt"', "dealing", "allowed is: 'own', 'live'"),
    ("decks = 2", 'decks = 2\ncalled = { main = "" }', "called", "allowed is: words of the table's own"),
    ("decks = 2", 'decks = 2\ncalled = { evens = "Even" }', "called", "no word for 'evens'; allowed are: "),
    (
        "decks = 2",
        'decks = 2\nrules_date = "yesterday"',
        "rules_date",
        'Expected `str` of another form; allowed is: a day such as "2026-11-21"',
    ),
    ("decks = 2", 'decks = 2\nrules_date = "2026-13-01"', "rules_date", "a day such as"),
    ("decks = 2", 'decks = 2\nrules_date = "2026-02-30"', "rules_date", "a day such as"),
    ("decks = 2", 'decks = 2\nrules_date = ""', "rules_date", "a day such as"),
]


def with_line(line_start: str, replacement: str) -> str:
    """Return the valid file with one line replaced."""
    found = [line for line in VALID.splitlines() if line.startswith(line_start)]
    assert len(found) == 1, line_start
    return VALID.replace(found[0], replacement)


@pytest.mark.parametrize(
    ("line_start", "replacement", "field", "expected"), INVALID_LINES, ids=[row[1] for row in INVALID_LINES]
)
def test_an_invalid_field_is_reported_with_its_line_and_the_allowed_values(
    line_start: str, replacement: str, field: str, expected: str
) -> None:
    text = with_line(line_start, replacement)
    with pytest.raises(InvalidTables) as error:
        read_tables(text, games(), "my-tables.toml")
    message = str(error.value)
    line = next(number for number, line in enumerate(text.splitlines(), 1) if line.startswith(f"{field} = "))
    assert message.startswith(f"my-tables.toml, line {line}: [corner_shop] {field}: "), message
    assert expected in message


@pytest.mark.parametrize("missing", ["decks = ", "title = ", "limits = "])
def test_a_missing_field_is_reported_with_the_line_of_its_table(missing: str) -> None:
    text, field = with_line(missing, ""), missing.removesuffix(" = ")
    with pytest.raises(
        InvalidTables, match=rf"^f\.toml, line 3: \[corner_shop\] {field}: .*missing required"
    ):
        read_tables(text, games(), "f.toml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[shop\n", "f.toml: not TOML: "),
        ("decks = 3\n", "f.toml, line 1: [decks]: a table is a block of its own"),
        ("\n[Corner]\n", "f.toml, line 2: [Corner]: a table's name has a-z, 0-9 and _ only"),
        ('["the shop"]\n', "f.toml, line 1: [the shop]: a table's name has a-z, 0-9 and _ only"),
        ("[shop]\n", f"f.toml, line 1: [shop] game: allowed are: {', '.join(sorted(games()))}"),
    ],
)
def test_a_file_that_does_not_describe_tables_is_refused(text: str, expected: str) -> None:
    with pytest.raises(InvalidTables, match=f"^{re.escape(expected)}"):
        read_tables(text, games(), "f.toml")


def test_an_error_in_the_second_table_names_its_line() -> None:
    text = VALID + VALID.replace("[corner_shop]", "[next_door]").replace("boxes = 3", "boxes = 30")
    line = text.splitlines().index("boxes = 30") + 1
    with pytest.raises(InvalidTables, match=rf"line {line}: \[next_door\] boxes: "):
        read_tables(text, games(), "f.toml")


@pytest.mark.parametrize("name", published_tables())
def test_published_tables_set_every_rule_but_side_bets_and_shoes(name: str) -> None:
    table = published_tables()[name]
    block = table.game.variants.split(f"[{name}]")[1].split("\n[")[0]
    named = set(re.findall(r"^(\w+) = ", block, re.MULTILINE))
    rules = table.rules
    assert set(type(rules).__struct_fields__) - named <= {"cut_card_percent", "shoes", *SIDE_BETS}


def test_a_round_is_played_at_an_operators_table() -> None:
    """Covers 6:5, declined even money, insurance at 3:1, a double for less, and a dealer who hits soft 17."""
    table = read_tables(VALID, games(), "my-tables.toml")["corner_shop"]
    assert table.limits == {"EUR": StakeLimits(50, 50_000)}
    assert table.side_limits == {"EUR": StakeLimits(10, 10_000)}
    wagers = [Wager(0, "main", 101), Wager(1, "main", 100), Wager(1, "hot_3", 10), Wager(2, "main", 100)]
    start = table.game.start(table.rules, wagers)
    shoe = cards("AH 5H 9H AD KH 6H TH 6C 8D KC")
    deal = DealtRound(start, ShoeSource(Shoe(shoe, 0, len(shoe)))).deal()
    deal = deal.decide(At(0), Choice("decline_even_money"))
    deal = deal.decide(At(2), Choice("insure")).decide(At(1), Choice("decline_insurance"))
    deal = deal.decide(At(1), Choice("double", 30)).decide(At(2), Choice("stand"))
    assert table.game.settle(deal.round) == (
        Settled(0, 0, "main", 101, 101 + 121, "blackjack"),
        Settled(1, 0, "main", 130, 260, "won"),
        Settled(1, 0, "hot_3", 10, 0, "lost"),
        Settled(2, 0, "main", 100, 200, "won"),
        Settled(2, 0, "insurance", 50, 0, "lost"),
    )
    assert replay(start, map(str, deal.steps)) == deal.round
    assert isinstance(deal.source, ShoeSource)
    assert not deal.source.shoe.remaining

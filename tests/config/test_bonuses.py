"""The blocks `bonuses`: their terms are read, and errors name the field and the remedy."""

import pytest

from croupier.accounts.bonus import BonusTemplate
from croupier.config import ServerConfig, read_config
from croupier.games import published_tables
from croupier.play.tables.toml_blocks import InvalidFile


def parse(text: str) -> ServerConfig:
    return read_config(text, published_tables(), "croupier.toml")


BONUS = """
[bonuses.welcome]
title = "Welcome bonus"
currency = "EUR"
amount = "20.00"
multiple = 30
"""


def test_bonuses_have_the_terms_of_the_file() -> None:
    assert parse("").bonuses == {}
    assert parse(BONUS).bonuses == {
        "welcome": BonusTemplate("welcome", "Welcome bonus", "EUR", 2_000, 30, 30)
    }
    more = 'days = 7\nmax_bet = "5"\nexcluded = ["classic", "infinite"]\n'
    (bonus,) = parse(BONUS + more).bonuses.values()
    assert (bonus.days, bonus.max_bet_minor, bonus.excluded) == (7, 500, ("classic", "infinite"))


FIRST_DEPOSIT = """
[bonuses.first]
title = "First deposit"
currency = "EUR"
multiple = 30
offer = "first_deposit"
match_percent = 50
match_max = "100.00"
jurisdictions = ["MT"]
"""
PAID = '[payments.currencies.EUR]\nprovider = "play_money"\n'


def test_a_bonus_may_come_with_the_first_deposit() -> None:
    assert parse(FIRST_DEPOSIT + PAID).bonuses["first"] == BonusTemplate(
        name="first",
        title="First deposit",
        currency="EUR",
        amount_minor=10_000,
        multiple=30,
        days=30,
        offer="first_deposit",
        match_percent=50,
        jurisdictions=("MT",),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (FIRST_DEPOSIT, r"\[bonuses.first\] offer: write \[payments.currencies.EUR\]"),
        (FIRST_DEPOSIT.replace("50", "1001") + PAID, r"match_percent: .* from 0 to 1000"),
        (FIRST_DEPOSIT.replace("100.00", "0") + PAID, r"match_max: a bonus is more than 0"),
        (FIRST_DEPOSIT.replace('match_max = "100.00"', "") + PAID, r'"first_deposit" needs match_max'),
        (FIRST_DEPOSIT.replace("match_percent = 50", "") + PAID, r'"first_deposit" needs match_percent'),
        (FIRST_DEPOSIT + 'amount = "5"\n' + PAID, r'"first_deposit" has no amount'),
        (FIRST_DEPOSIT.replace("first_deposit", "everybody"), r"offer: .*'staff', 'account'"),
        (BONUS + "match_percent = 5\n", r'"staff" has no match_percent'),
        (BONUS.replace('amount = "20.00"', 'offer = "account"'), r'"account" needs amount'),
        ("[bonuses]\nx = 1\n", r"line 2: \[bonuses\] x: a bonus is a block: write \[bonuses.x\]"),
        (BONUS.replace("30", "0"), r"line 6: \[bonuses.welcome\] multiple: .* from 1 to 1000"),
        (BONUS.replace("EUR", "JPY"), r"line 4: .* currency: allowed is: GC, SC, EUR, USD"),
        (BONUS.replace("20.00", "20.001"), r"line 5: .* amount: .* a whole number of EUR's smallest unit"),
        (BONUS.replace("20.00", "0"), r"line 5: .* amount: a bonus is more than 0"),
        (BONUS + 'excluded = ["nowhere"]\n', r"line 7: .* excluded: no such table: nowhere"),
        (BONUS + "forever = true\n", r"line 7: .* forever: no such field"),
        (BONUS.replace("welcome", "Big"), r"a bonus's name has a-z"),
    ],
)
def test_an_invalid_bonus_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidFile, match=message):
        parse(text)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ('amount = "10000000000000.01"', "amount: allowed is: 10,000,000,000,000.00 at most"),
        (
            'amount = "10000000000000"\nmultiple = 31',
            "amount: allowed is: 2,905,548,146,690.64 at most, so that 31 times it can be counted",
        ),
    ],
)
def test_a_bonus_whose_requirement_cannot_be_counted_is_refused(changed: str, why: str) -> None:
    text = '[bonuses.welcome]\ntitle = "Welcome bonus"\ncurrency = "EUR"\n'
    with pytest.raises(InvalidFile) as refused:
        parse(text + changed + ("" if "multiple" in changed else "\nmultiple = 1"))
    assert str(refused.value) == f"croupier.toml, line 4: [bonuses.welcome] {why}"

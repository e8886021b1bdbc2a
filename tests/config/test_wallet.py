"""The block `wallet`: its defaults, and what can't go together with it."""

from pathlib import Path

import pytest

from croupier.config import read_config
from croupier.games import published_tables
from croupier.play.tables.toml_blocks import InvalidFile

TABLES = published_tables()
EUR = '[operator]\nsecret_file = "secret"\n[currencies.EUR]\nplay_money = false\n'
MINE = '[currencies.MINE]\nname = "Mine"\ndecimals = 2\nplay_money = false\n'
WALLET = '[wallet]\nurl = "https://wallet.example"\ncurrencies = ["EUR"]\nsecret_file = "secret"\n'
PAYMENTS = '[payments.currencies.EUR]\nprovider = "play_money"\n'
OTHER = WALLET.replace('"EUR"', '"CHF"')
BOTH = WALLET.replace('"EUR"', '"EUR", "MINE"')
OPERATOR, _, CURRENCY = EUR.partition("[currencies")
INVALID = [
    ('[wallet]\nurl = "https://wallet.example"\n', "currencies: a wallet needs it"),
    (EUR + WALLET.replace("https:", "ftp:"), "an address with https, such as"),
    (EUR + OTHER, r"line 7: \[wallet\] currencies: CHF: the server has no such currency"),
    (f"[currencies{CURRENCY}{WALLET}", r"line 3: \[wallet\]: no player can use it"),
    (EUR + MINE + BOTH, r"line 11: \[wallet\] currencies: MINE: no table takes it"),
    (OPERATOR + WALLET, r"EUR: write play_money = false in \[currencies.EUR\]"),
    (EUR + WALLET + PAYMENTS, "payments and bonuses of this currency are the operator's"),
    (EUR + WALLET + "timeout_s = 60\n", "timeout_s"),
    (EUR + WALLET.replace("secret_file", "colour"), "colour"),
]


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "secret").write_text("a secret of the wallet")
    return str(tmp_path / "croupier.toml")


def test_the_wallet_of_a_file(file: str) -> None:
    wallet = read_config(EUR + WALLET, TABLES, file).wallet
    assert (wallet.currencies, wallet.config.timeout_s) == (("EUR",), 3)
    assert repr(wallet.secret) == "Secret(...)"


def test_a_file_without_a_wallet(file: str) -> None:
    wallet = read_config("", TABLES, file).wallet
    assert (wallet.currencies, wallet.secret) == ((), None)


@pytest.mark.parametrize(("text", "why"), INVALID)
def test_an_invalid_wallet_is_refused(file: str, text: str, why: str) -> None:
    with pytest.raises(InvalidFile, match=why):
        read_config(text, TABLES, file)

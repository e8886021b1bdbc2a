"""The block of payments: its services, its secrets, and errors that name the field and show no secret."""

import re
import textwrap
from pathlib import Path
from typing import Any, get_args

import pytest

from croupier.config import ServerConfig, read_config
from croupier.config.payments import NO_PAYMENTS, PaymentMethodConfig, PaymentsConfig
from croupier.games import published_tables
from croupier.integration.payment_provider.provider import Fault
from croupier.play.tables.toml_blocks import InvalidFile
from croupier.protocol.signatures import Secret

TABLES = published_tables()
SECRET = "sixteen characters or more"
URL = 'url = "https://payments.example/v1"\n'
GUIDE = (Path(__file__).parents[2] / "docs" / "guide" / "payments.md").read_text()
PROVIDER = f'{URL}secret_file = "payments.secret"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "payments.secret").write_text(f"{SECRET}\n")
    (tmp_path / "short.secret").write_text("short\n")
    return tmp_path


def parse(folder: Path, block: str) -> ServerConfig:
    return read_config(f"[payments]\n{block}", TABLES, str(folder / "croupier.toml"))


def test_no_currency_is_paid_without_the_block() -> None:
    assert read_config("", TABLES, "croupier.toml").payments == NO_PAYMENTS


def test_a_provider_is_read_with_its_secret(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KYC_SECRET", SECRET)
    text = PROVIDER + 'kyc_url = "https://identity.example"\nkyc_secret_env = "KYC_SECRET"\n'
    payments = parse(folder, text + "[payments.currencies.EUR]\nmin_minor = 100\n").payments
    assert payments.currencies == {"EUR": PaymentMethodConfig("http", 100, 10**9)}
    assert payments.secret is not None
    assert payments.kyc_secret is not None
    assert payments.secret.sign("1", b"") == payments.kyc_secret.sign("1", b"")
    assert SECRET not in repr(payments)


def test_play_money_needs_no_service(folder: Path) -> None:
    payments = parse(folder, '[payments.currencies.SC]\nprovider = "play_money"\n').payments
    assert (payments.secret, payments.currencies["SC"].provider) == (None, "play_money")


@pytest.mark.parametrize(
    ("block", "why"),
    [
        (URL, r"secret_file: name either a file or an environment variable"),
        (f'{PROVIDER}secret_env = "HOME"\n', r"secret_file: name either a file or an environment variable"),
        (f'{URL}secret_file = "missing"\n', r"secret_file: .*missing can't be read: No such file"),
        (f'{URL}secret_file = "short.secret"\n', r"secret_file: the secret is missing, or shorter than 16"),
        (f'{URL}secret_env = "NOT_SET_ANYWHERE"\n', r"secret_file: the secret is missing, or shorter"),
        ('url = "payments.example"\n', r"line 2: \[payments\] url: .*an address with https, such as"),
        ('kyc_url = "maybe"\n', r"line 2: \[payments\] kyc_url: .*or \"none\""),
        ("timeout_s = 0\n", r"timeout_s: .*from 1 to 15"),
        ("fee = 1\n", r"fee: no such field"),
        ("currencies = 1\n", r"currencies: write \[payments.currencies.EUR\]"),
        ("[payments.currencies.EUR]\n", r"url: a currency has the provider http, which needs an address"),
        (f"{PROVIDER}[payments.currencies.XYZ]\n", r"currencies.XYZ\]: the server has no such currency"),
        (
            f"{PROVIDER}[payments.currencies.EUR]\nmin_minor = 9\nmax_minor = 8\n",
            r"line 5: \[payments.currencies.EUR\] min_minor: it is at most max_minor, 8",
        ),
        (f'{PROVIDER}[payments.currencies.EUR]\nprovider = "bank"\n', r"provider: .*'http', 'play_money'"),
    ],
)
def test_an_invalid_block_is_refused(folder: Path, block: str, why: str) -> None:
    with pytest.raises(InvalidFile, match=why) as refused:
        parse(folder, block)
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize("field", [*PaymentsConfig.__struct_fields__, *PaymentMethodConfig.__struct_fields__])
def test_the_guide_describes_every_field(field: str) -> None:
    assert f"`{field}`" in GUIDE


def test_the_guides_example_of_a_signature_is_right() -> None:
    body = b'{"payment":"pay_1"}'
    signature = Secret(b"example-secret-0").sign("1800000000", body)
    assert f"Croupier-Timestamp: 1800000000\n    Croupier-Signature: {signature}\n" in GUIDE
    assert body.decode() in GUIDE
    sample = re.search(r"    import hashlib, hmac\n(.*?)\n\n###", GUIDE, re.DOTALL)
    assert sample is not None
    names: dict[str, Any] = {}
    exec(textwrap.dedent(sample[0].removesuffix("###")), names)
    assert names["signature"](b"example-secret-0", "1800000000", body) == signature


@pytest.mark.parametrize("fault", get_args(Fault))
def test_the_guide_names_every_fault(fault: str) -> None:
    assert f"`{fault}`" in GUIDE

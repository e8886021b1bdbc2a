"""Every block: an address in plain http on another host is refused, and every field says what it allows."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from msgspec import Struct

from croupier.config import (
    blocks,
    bonuses,
    currencies,
    documents,
    hls,
    jurisdictions,
    live_table,
    mail,
    media,
    oidc,
    operator,
    payments,
    read_config,
    reports,
    wallet,
)
from croupier.games import games, published_tables
from croupier.play.tables.files import TableFields
from croupier.play.tables.toml_blocks import InvalidFile, _describe, fields

MODULES = (
    blocks,
    bonuses,
    currencies,
    documents,
    hls,
    jurisdictions,
    live_table,
    mail,
    media,
    oidc,
    operator,
    payments,
    reports,
    wallet,
)
SECRET = 'secret_file = "secret"\n'
WALLET = f'[wallet]\n{SECRET}currencies = ["EUR"]\n[currencies.EUR]\nplay_money = false\n[operator]\n{SECRET}'
REGISTRY = '[responsible_gaming]\nregistry_key_file = "secret"\n'
MAIL = '[mail]\nsender = "play@example.org"\nsite = "https://example.org"\n'


def records() -> Iterator[type[Struct]]:
    for module in MODULES:
        for found in vars(module).values():
            if isinstance(found, type) and issubclass(found, Struct) and found.__module__ == module.__name__:
                yield found
    yield TableFields
    yield from (game.rules for game in games().values())


@pytest.mark.parametrize("record", sorted(records(), key=str), ids=lambda record: record.__name__)
def test_every_field_describes_what_it_allows(record: Any) -> None:
    hints = get_type_hints(record, include_extras=True)
    for field in fields(record):
        assert _describe(hints[field]), field


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        (WALLET.replace(SECRET, f'{SECRET}url = "http://wallet.example"\n', 1), 3, "[wallet] url"),
        (f'[payments]\nurl = "http://payments.example"\n{SECRET}', 2, "[payments] url"),
        ('[payments]\nkyc_url = "http://kyc.example"\nkyc_secret_file = "secret"\n', 2, "[payments] kyc_url"),
        ('[oidc]\nissuer = "http://id.example"\nclient_id = "x"\n', 2, "[oidc] issuer"),
        (f'{REGISTRY}registry_url = "http://r.example"\n', 3, "[responsible_gaming] registry_url"),
        (f'{MAIL}server = "smtp://mail.example"\nencrypt = false\n', 5, "[mail] encrypt"),
        (f'{MAIL.replace("https", "http")}folder = "mails"\n', 3, "[mail] site"),
    ],
)
def test_money_secrets_and_links_are_not_sent_in_plain_text(
    tmp_path: Path, text: str, line: int, field: str
) -> None:
    (tmp_path / "secret").write_text("thirty-two characters, or some more")
    file = str(tmp_path / "croupier.toml")
    with pytest.raises(InvalidFile) as refused:
        read_config(text, published_tables(), file)
    assert str(refused.value).startswith(f"{file}, line {line}: {field}: ")
    assert "allowed is: " in str(refused.value)
    for host in ("wallet", "payments", "kyc", "id", "r", "mail"):
        text = text.replace(f"http://{host}.example", "http://127.0.0.1:9000").replace(
            f"smtp://{host}.example", "smtp://127.0.0.1:9000"
        )
    text = text.replace("http://example.org", "http://localhost:8000")
    read_config(
        text.replace('client_id = "x"', f'client_id = "x"\nclient_{SECRET}'), published_tables(), file
    )

"""The block of the identity server: its fields and its secret, and errors that show no secret."""

from pathlib import Path

import pytest

from croupier.config import ServerConfig, read_config
from croupier.config.oidc import OidcConfig
from croupier.games import published_tables
from croupier.play.tables.toml_blocks import InvalidFile

TABLES = published_tables()
SECRET = "sixteen characters or more"
GUIDE = (Path(__file__).parents[2] / "docs" / "guide" / "own-players.md").read_text()
ISSUER = 'issuer = "https://id.example.org/realms/casino"\n'
CLIENT = 'client_id = "casino"\n'
FILE = 'client_secret_file = "oidc.secret"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "oidc.secret").write_text(f"{SECRET}\n")
    (tmp_path / "accented.secret").write_text("sixteen characters, à la carte\n")
    return tmp_path


def parse(folder: Path, block: str) -> ServerConfig:
    return read_config(f"[oidc]\n{block}", TABLES, str(folder / "croupier.toml"))


def test_there_is_no_identity_server_without_the_block() -> None:
    assert read_config("", TABLES, "croupier.toml").oidc is None


def test_an_identity_server_is_read_with_its_secret(folder: Path) -> None:
    oidc = parse(folder, ISSUER + CLIENT + FILE + 'scopes = ["openid", "profile"]\n').oidc
    assert oidc is not None
    assert oidc.secret.revealed() == SECRET
    assert (oidc.config.issuer, oidc.config.scopes) == (ISSUER[10:-2], ("openid", "profile"))
    assert SECRET not in repr(oidc)


@pytest.mark.parametrize("issuer", ["http://127.0.0.1:8080/casino", "http://[::1]", "http://localhost"])
def test_an_issuer_on_this_machine_needs_no_https(folder: Path, issuer: str) -> None:
    oidc = parse(folder, f'issuer = "{issuer}"\n{CLIENT}{FILE}').oidc
    assert oidc is not None
    assert oidc.config.issuer == issuer


@pytest.mark.parametrize(
    ("block", "why"),
    [
        (CLIENT + FILE, r"issuer: .*an address with https"),
        ('issuer = "http://id.example.org"\n', r"line 2: \[oidc\] issuer: .*an address with https"),
        ('issuer = "http://localhost.evil.example"\n', r"issuer: "),
        ('issuer = "https://id.example.org?x"\n', r"issuer: "),
        (ISSUER + FILE, r"client_id: "),
        (ISSUER + CLIENT, r"client_secret_file: name either a file or an environment variable"),
        (f'{ISSUER}{CLIENT}client_secret_file = "accented.secret"\n', r"client_secret_file: .*ASCII"),
        (f"{ISSUER}{CLIENT}{FILE}scopes = []\n", r'scopes: "openid" is needed'),
        (f'{ISSUER}{CLIENT}{FILE}scopes = ["openid", "a b"]\n', r"scopes: "),
        (f'{ISSUER}{CLIENT}{FILE}label = ""\n', r"label: "),
        (f"{ISSUER}{CLIENT}{FILE}timeout_s = 0\n", r"timeout_s: .*from 1 to 15"),
        (f"{ISSUER}{CLIENT}{FILE}required = true\n", r"required: no such field"),
        (
            f'{ISSUER}{CLIENT}{FILE}jurisdictions = ["MT"]\njurisdiction_claim = ""\n',
            r"jurisdiction_claim: jurisdictions needs the claim",
        ),
    ],
)
def test_an_invalid_block_of_an_identity_server_is_refused(folder: Path, block: str, why: str) -> None:
    with pytest.raises(InvalidFile, match=why) as refused:
        parse(folder, block)
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize("field", OidcConfig.__struct_fields__)
def test_the_guide_describes_every_field_of_an_identity_server(field: str) -> None:
    assert f"`{field}`" in GUIDE

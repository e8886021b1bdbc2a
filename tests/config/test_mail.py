"""The block `mail`: what is valid is read, and errors name the field and the remedy."""

import re
from pathlib import Path

import pytest

from croupier.config import read_config
from croupier.config.mail import MailConfig, MailServer, MailSettings
from croupier.games import published_tables
from croupier.play.tables.toml_blocks import InvalidFile

GUIDE = Path(__file__).parents[2] / "docs/operations/configure.md"
BASE = '[mail]\nsender = "Example Casino <play@example.org>"\nsite = "https://example.org"\n'


def read(lines: str, folder: Path = Path(), base: str = BASE) -> MailSettings:
    settings = read_config(base + lines, published_tables(), str(folder / "server.toml")).mail
    assert settings is not None
    return settings


def test_a_server_without_the_block_sends_no_mail() -> None:
    assert read_config("", published_tables(), "server.toml").mail is None


@pytest.mark.parametrize(
    ("lines", "server"),
    [
        ('server = "smtp://mail.example.org"', MailServer("mail.example.org", 587, "starttls")),
        ('server = "smtps://mail.example.org"', MailServer("mail.example.org", 465, "implicit")),
        ('server = "smtp://127.0.0.1:2525"\nencrypt = false', MailServer("127.0.0.1", 2525, "none")),
        ('server = "smtp://localhost"\nencrypt = false', MailServer("localhost", 25, "none")),
        ('server = "smtp://[::1]:25"', MailServer("::1", 25, "starttls")),
    ],
)
def test_the_address_of_a_server_tells_its_port_and_encryption(lines: str, server: MailServer) -> None:
    settings = read(lines)
    assert (settings.server, settings.folder) == (server, None)
    assert str(settings.sender) == "Example Casino <play@example.org>"


def test_a_folder_is_beside_the_configuration_file(tmp_path: Path) -> None:
    assert read('folder = "mails"', tmp_path).folder == tmp_path / "mails"


def test_the_password_is_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "mail.password").write_text("secret word\n")
    lines = 'server = "smtp://mail.example.org"\nuser = "croupier"\npassword_file = "mail.password"'
    server = read(lines, tmp_path).server
    assert server is not None
    assert (server.user, server.password) == ("croupier", "secret word")
    assert "secret word" not in repr(read(lines, tmp_path))


def test_the_password_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAIL_PASSWORD", "secret word")
    server = read(
        'server = "smtp://mail.example.org"\nuser = "croupier"\npassword_variable = "MAIL_PASSWORD"'
    ).server
    assert server is not None
    assert server.password == "secret word"


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("", "[mail] server: name either a server or a folder"),
        ('server = "smtp://a.example"\nfolder = "mails"', "[mail] server: name either a server or a folder"),
        ('server = "mail.example.org"', "[mail] server: allowed is: an address such as"),
        ('server = "smtp://a.example:99999"', "[mail] server: allowed is: an address such as"),
        ('server = "smtp://a.example:0"', "[mail] server: allowed is: an address such as"),
        ('server = "smtp://a.example/path"', "[mail] server: allowed is: an address such as"),
        ('server = "smtp://a.example"\nuser = "croupier"', "[mail] user: a user needs a password"),
        ('server = "smtp://a.example"\npassword_file = "none"', "[mail] password_file: "),
        ('server = "smtp://a.example"\npassword_variable = "NOT_SET"', "[mail] password_variable: "),
        ('folder = "mails"\npassword = "x"', "[mail] password: no such field"),
    ],
)
def test_an_invalid_block_is_refused_by_its_field(tmp_path: Path, lines: str, problem: str) -> None:
    with pytest.raises(InvalidFile, match=re.escape(problem)):
        read(lines, tmp_path)


@pytest.mark.parametrize("field", MailConfig.__struct_fields__)
def test_the_guide_describes_every_field(field: str) -> None:
    assert f"| `{field}` |" in GUIDE.read_text()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("sender", "nobody"),
        ("sender", ""),
        ("sender", "a@b@c"),
        ("site", "example.org"),
        ("site", "https://example.org/casino"),
        ("site", "ftp://example.org"),
    ],
)
def test_sender_and_site_are_addresses(field: str, value: str) -> None:
    base = re.sub(rf'{field} = "[^"]*"', f'{field} = "{value}"', BASE)
    with pytest.raises(InvalidFile, match=rf"\[mail\] {field}: "):
        read('folder = "mails"', base=base)

"""The block `mail` of the configuration file: how the server sends mail. Without it, it sends none."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.headerregistry import Address
from email.utils import parseaddr
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from croupier.play.tables.toml_blocks import InvalidField, check_known, convert, fields

Tls = Literal["starttls", "implicit", "none"]
PORTS: Mapping[Tls, int] = {"starttls": 587, "implicit": 465, "none": 25}
PORT_MAX = 65_535
THIS_MACHINE = ("127.0.0.1", "localhost", "[::1]")
_SERVER = 'an address such as "smtp://mail.example.org" or "smtps://mail.example.org:465"'
_SENDER = 'an address such as "Example Casino <play@example.org>"'
_SITE = 'the address of the pages with https, such as "https://example.org", or with http on this machine'
HERE = r"http://(127\.0\.0\.1|localhost|\[::1\])(:\d+)?"

_read_server = re.compile(r"(smtps?)://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?").fullmatch


class MailConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of the block. Either `server` or `folder` is needed."""

    sender: Annotated[str, Meta(min_length=1, max_length=320, description=_SENDER)]
    site: Annotated[str, Meta(pattern=rf"^(https://[^/\s]+|{HERE})$", description=_SITE)]
    """Start of the links; never taken from a request, whose `Host` anybody can choose."""
    server: Annotated[str, Meta(description=_SERVER)] = ""
    encrypt: bool = True
    """Refuse `smtp://` without STARTTLS; `smtps://` is always encrypted."""
    user: str = ""
    password_file: str = ""
    """File with the password, relative to the configuration file."""
    password_variable: str = ""
    """Environment variable with the password."""
    folder: str = ""
    """Folder for messages as .eml files, relative to the configuration file, for development."""


@dataclass(frozen=True, slots=True)
class MailServer:
    """An SMTP server, and the credentials that it needs; empty: none."""

    host: str
    port: int
    tls: Tls
    user: str = ""
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class MailSettings:
    """Messages go to a server, or into a folder. `site` has no slash at its end."""

    sender: Address
    site: str
    server: MailServer | None = None
    folder: Path | None = None


def read_mail(block: Mapping[str, Any], beside: Path) -> MailSettings:
    """Return the settings of the block; `beside` is the configuration's folder.

    Raise InvalidField for an invalid block.
    """
    check_known(block, fields(MailConfig))
    config = convert(block, MailConfig)
    if bool(config.server) == bool(config.folder):
        raise InvalidField("server", "name either a server or a folder")
    sender = _sender(config.sender)
    if config.folder:
        return MailSettings(sender, config.site, folder=beside / config.folder)
    return MailSettings(sender, config.site, _mail_server(config, beside))


def _mail_server(config: MailConfig, beside: Path) -> MailServer:
    found = _read_server(config.server)
    if not found or int(found[3] or 1) not in range(1, PORT_MAX + 1):
        raise InvalidField("server", f"allowed is: {_SERVER}")
    tls: Tls = "implicit" if found[1] == "smtps" else "starttls" if config.encrypt else "none"
    if tls == "none" and found[2] not in THIS_MACHINE:
        raise InvalidField("encrypt", f"allowed is: true, since {found[2]} isn't this machine")
    password = _password(config, beside)
    if bool(config.user) != bool(password):
        raise InvalidField("user", "a user needs a password, and a password a user")
    return MailServer(found[2].strip("[]"), int(found[3] or PORTS[tls]), tls, config.user, password)


def _password(config: MailConfig, beside: Path) -> str:
    if config.password_file and config.password_variable:
        raise InvalidField("password_file", "name either a file or a variable")
    if config.password_variable:
        return _variable(config.password_variable)
    return _first_line(beside / config.password_file) if config.password_file else ""


def _variable(name: str) -> str:
    if not (password := os.environ.get(name, "")):
        raise InvalidField("password_variable", f"the environment has no variable {name}, or it is empty")
    return password


def _first_line(path: Path) -> str:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidField("password_file", f"{path} can't be read: {type(error).__name__}") from None
    if not lines or not lines[0]:
        raise InvalidField("password_file", f"{path} is empty")
    return lines[0]


def _sender(text: str) -> Address:
    name, address = parseaddr(text)
    try:
        sender = Address(name, addr_spec=address)
    except (ValueError, IndexError):
        sender = Address()
    if not sender.username or not sender.domain or not address.isascii():
        raise InvalidField("sender", f"allowed is: {_SENDER}")
    return sender

"""Options of the message bus between servers."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple
from urllib.parse import urlsplit

import typer

from croupier.cli.output import refuse
from croupier.extras import require

if TYPE_CHECKING:
    from croupier.app.nodes import BusOptions
    from croupier.protocol.signatures import Secret

KEY_VARIABLE = "CROUPIER_CLUSTER_KEY"
KEY_CHARACTERS_MIN = 32
TLS = "tls"
MAKE_KEY = "openssl rand -hex 32 makes one"

BusCredentials = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        envvar="CROUPIER_BUS_CREDENTIALS",
        help="The NATS credentials file, in place of USER:PASSWORD in --bus.",
    ),
]
BusCa = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        envvar="CROUPIER_BUS_CA",
        help="The certificates that the NATS server's must descend from.  [default: the system's]",
    ),
]
ClusterKey = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        envvar="CROUPIER_CLUSTER_KEY_FILE",
        help="The file of the key that seals the messages between servers; or CROUPIER_CLUSTER_KEY.",
    ),
]
InsecureBus = Annotated[
    bool,
    typer.Option(
        "--insecure-bus", help="Use --bus without credentials or without a key: for trials on one machine."
    ),
]


class BusFlags(NamedTuple):
    """The options as given; `url` is empty for a server by itself."""

    url: str
    credentials: Path | None = None
    ca: Path | None = None
    key_file: Path | None = None
    insecure: bool = False


def bus_options(flags: BusFlags, *, several: bool) -> "BusOptions | None":
    """Return how to reach the bus; exit if servers can't share their database safely like this.

    `several`: the database is one that several servers can use.
    """
    from croupier.app.nodes import BusOptions

    if not flags.url:
        return None
    if not several:
        refuse("--bus needs --database: one server at a time can use an SQLite database")
    try:
        require("nodes")
    except ModuleNotFoundError as missing:
        refuse(f"--bus: {missing}")
    _check_files(flags)
    key = _cluster_key(flags.key_file)
    if not flags.insecure:
        _check_secure(flags, has_key=key is not None)
    return BusOptions(flags.url, key, flags.credentials, flags.ca)


def _check_files(flags: BusFlags) -> None:
    for option, file in (("--bus-credentials", flags.credentials), ("--bus-ca", flags.ca)):
        if file and not file.is_file():
            refuse(f"{option} {file}: there is no such file")
    if flags.ca and not all(url.startswith(f"{TLS}:") for url in flags.url.split(",")):
        refuse("--bus-ca needs tls://HOST:4222 in --bus: otherwise the connection may be without TLS")


def _check_secure(flags: BusFlags, *, has_key: bool) -> None:
    """Exit unless only this cluster's servers can read and send its messages."""
    without = "or --insecure-bus to do without on a machine of your own"
    if not has_key:
        refuse(
            f"--bus needs the key of the cluster: --cluster-key FILE or {KEY_VARIABLE}, the same for all"
            f" servers ({MAKE_KEY}); {without}"
        )
    if not flags.credentials and not all(urlsplit(url).username for url in flags.url.split(",")):
        refuse(
            "--bus needs credentials of the NATS server: tls://USER:PASSWORD@HOST:4222, or --bus-credentials"
            f" FILE; {without}"
        )


def _cluster_key(file: Path | None) -> "Secret | None":
    """Return the key of the cluster, if there is one; exit at one that can't be used."""
    from croupier.config.secrets import read_secret
    from croupier.play.tables.toml_blocks import InvalidField

    variable = KEY_VARIABLE if os.environ.get(KEY_VARIABLE) else ""
    if not file and not variable:
        return None
    if file and variable:
        refuse(f"--cluster-key: {KEY_VARIABLE} is set too; keep one of them")
    try:
        key = read_secret(str(file or ""), variable, Path(), "key")
    except InvalidField as error:
        refuse(f"--cluster-key: {error}")
    if not key.has_length(KEY_CHARACTERS_MIN):
        refuse(f"--cluster-key: the key has fewer than {KEY_CHARACTERS_MIN} characters; {MAKE_KEY}")
    return key

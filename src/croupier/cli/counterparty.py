"""Options and functions of the commands that speak with signed messages to a server."""

import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.output import refuse
from croupier.play.tables.toml_blocks import InvalidField
from croupier.protocol.signatures import Secret

if TYPE_CHECKING:
    from litestar import Litestar

SecretFile = Annotated[
    Path,
    typer.Option("--secret-file", exists=True, dir_okay=False, help="The file with the shared secret."),
]
HostOption = Annotated[str, typer.Option(help="The address to listen on.")]


def shared_secret(file: Path) -> Secret:
    """Read a secret; exit if it is too short."""
    from croupier.config.secrets import read_secret

    try:
        return read_secret(str(file), "", Path(), "--secret-file")
    except InvalidField as wrong:
        refuse(str(wrong))


def listen(site: "Litestar", name: str, host: str, port: int) -> None:
    """Run a reference server until it is stopped, and print its address first; port 0: any free one."""
    import uvicorn

    with socket.create_server((host, port)) as listening:
        typer.echo(f"The reference {name} listens on http://{host}:{listening.getsockname()[1]}/")
        config = uvicorn.Config(site, log_level="warning", lifespan="off", timeout_graceful_shutdown=1)
        uvicorn.Server(config).run(sockets=[listening])

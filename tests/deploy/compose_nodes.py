"""The nodes of deploy/compose.nodes.yaml, and their options as processes of one machine."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.guide.pages import HOST

ROOT = Path(__file__).parents[2]
FILE = ROOT / "deploy" / "compose.nodes.yaml"


@cache
def compose() -> Any:
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))


def commands() -> dict[str, list[str]]:
    """Return the arguments of each node's program, by the names of the services."""
    services = compose()["services"].items()
    return {name: service["command"] for name, service in services if service["image"] == "croupier"}


def options_of(node: str) -> dict[str, str]:
    """Return the options of a node, which have a value each."""
    return dict(word.removeprefix("--").split("=", 1) for word in commands()[node][1:])


def roles() -> dict[str, str]:
    return {name: options_of(name)["roles"] for name in commands()}


def local_options(port: int = 0) -> dict[str, tuple[str, ...]]:
    """Return what nodes on one machine need of their options; `port`: that of nginx, or none."""
    return {name: (f"--roles={role}", *_behind_nginx(name, port)) for name, role in roles().items()}


def _behind_nginx(node: str, port: int) -> tuple[str, ...]:
    if not port:
        return ()
    socket = options_of(node)["public-socket"].replace(HOST, f"localhost:{port}")
    return ("--proxy=127.0.0.1", f"--public-socket={socket}")


def nginx_sample() -> str:
    """Return the configuration that nginx has in the compose file."""
    volumes: list[str] = compose()["services"]["nginx"]["volumes"]
    (sample,) = (FILE.parent / each.partition(":")[0] for each in volumes if "default.conf" in each)
    return sample.read_text(encoding="utf-8")

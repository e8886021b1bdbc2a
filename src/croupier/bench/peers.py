"""Other servers for comparison, installed into a folder of their own and never part of croupier."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, NamedTuple

from croupier.bench.process import Placements, ProcessFailed, StatusCallback, run_module, server

PROGRAMS = Path(str(files("croupier.bench") / "programs"))
NPM = {"@colyseus/core": "0.18.17", "@colyseus/ws-transport": "0.18.4", "ws": "8.23.0"}
PYPI = {
    "httptools": "0.9.0",
    "starlette": "1.10.0",
    "uvicorn": "0.54.0",
    "uvloop": "0.23.0",
    "websockets": "17.4",
}
INSTALL_TIMEOUT_S = 180


class Peer(NamedTuple):
    """A comparison server; `program` is a file of PROGRAMS."""

    name: str
    program: str
    runs: Literal["npm", "pypi", "here"]


PEERS = (
    Peer("bare sockets", "bare.py", "here"),
    Peer(f"Node ws {NPM['ws']}", "ws.mjs", "npm"),
    Peer(f"Colyseus {NPM['@colyseus/core']}", "colyseus.mjs", "npm"),
    Peer(f"Starlette {PYPI['starlette']}", "starlette_peer.py", "pypi"),
)
"""The first is the lower bound: the same work on this machine without a server framework."""


class PeerUnavailable(Exception):
    """A peer can't be measured here; the text says why."""


def folder() -> Path:
    """Return the folder in which peers stay installed, below XDG_CACHE_HOME."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "croupier" / "bench"


def measured(
    work: Mapping[str, Any], places: Placements, status: StatusCallback
) -> Iterator[tuple[Peer, Any]]:
    """Yield the results of each peer; for one that can't be installed or run, the reason as a string."""
    for peer in PEERS:
        status(f"{peer.name}: installing")
        try:
            yield peer, _measure(peer, work, places, status)
        except (PeerUnavailable, ProcessFailed) as why:
            yield peer, str(why)


def _measure(peer: Peer, work: Mapping[str, Any], places: Placements, status: StatusCallback) -> Any:
    command = _installed(peer, folder())
    if peer.program == "colyseus.mjs":
        command += (str(work["players"]),)
    with server(command, folder() / f"{peer.program}.log", places.server) as (process, address):
        plan = {**work, **address, "process": process, "colyseus": peer.program == "colyseus.mjs"}
        return run_module("echo", plan, lambda doing: status(f"{peer.name}: {doing}"), places.clients)


def _installed(peer: Peer, folder_: Path) -> tuple[str, ...]:
    """Install a peer if necessary, and return the command that runs it."""
    folder_.mkdir(parents=True, exist_ok=True)
    shutil.copy(PROGRAMS / peer.program, folder_)
    return RUNS[peer.runs](folder_), str(folder_ / peer.program)


def _node(folder_: Path) -> str:
    node, npm = _tool("node"), _tool("npm")
    listing_text = json.dumps({"private": True, "type": "module", "dependencies": NPM}, indent=1)
    (folder_ / "package.json").write_text(listing_text)
    if not _is_installed(folder_ / "package.json"):
        quiet = ("--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=0", "--ignore-scripts")
        _install(folder_ / "package.json", npm, "install", *quiet, "--prefix", str(folder_))
    # `node` may be a wrapper script; measure the server's own process.
    path = subprocess.run([node, "-p", "process.execPath"], check=True, capture_output=True, text=True)  # noqa: S603
    return path.stdout.strip()


def _python(folder_: Path) -> str:
    python = str(folder_ / "venv" / "bin" / "python")
    listing_text = "".join(f"{name}=={version}\n" for name, version in PYPI.items())
    listing = folder_ / "requirements.txt"
    listing.write_text(listing_text)
    if not _is_installed(listing):
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder_ / "venv"], check=True)  # noqa: S603
        quiet = ("--quiet", "--disable-pip-version-check", "--retries=0")
        _install(listing, python, "-m", "pip", "install", *quiet, "--requirement", str(listing))
    return python


def _this(_kept: Path) -> str:
    return sys.executable


RUNS: Mapping[str, Callable[[Path], str]] = {"npm": _node, "pypi": _python, "here": _this}
"""Functions that install a program's interpreter and packages into a folder and return the interpreter."""


def _tool(name: str) -> str:
    """Find a program among croupier's build tools, or else on the PATH."""
    found = shutil.which(name, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if found is None:
        raise PeerUnavailable(f"{name} isn't installed")
    return found


def _stamp(listing: Path) -> Path:
    """Return the path of a copy of a listing; it exists once everything listed is installed."""
    return listing.with_suffix(".installed")


def _is_installed(listing: Path) -> bool:
    return _stamp(listing).exists() and _stamp(listing).read_text() == listing.read_text()


def _install(listing: Path, *command: str) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    try:
        subprocess.run(  # noqa: S603
            command,
            check=True,
            capture_output=True,
            text=True,
            timeout=INSTALL_TIMEOUT_S,
            env={**os.environ, "PATH": path},
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as failed:
        output = str(getattr(failed, "stderr", "") or failed).strip().splitlines()
        raise PeerUnavailable(f"not installed (offline?): {output[-1]}") from failed
    shutil.copy(listing, _stamp(listing))

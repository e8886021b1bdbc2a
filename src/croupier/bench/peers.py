"""Other servers doing the like: installed into a folder of their own, never part of croupier."""

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
INSTALLS_WITHIN_S = 180


class Peer(NamedTuple):
    """`program` of PROGRAMS, and where what runs it is had from."""

    name: str
    program: str
    runs: Literal["npm", "pypi", "here"]


PEERS = (
    Peer("bare sockets", "bare.py", "here"),
    Peer(f"Node ws {NPM['ws']}", "ws.mjs", "npm"),
    Peer(f"Colyseus {NPM['@colyseus/core']}", "colyseus.mjs", "npm"),
    Peer(f"Starlette {PYPI['starlette']}", "starlette_peer.py", "pypi"),
)
"""The first is the floor: what the same work takes on this machine without a server around it."""


class PeerUnavailable(Exception):
    """A peer can't be measured here; the text says why."""


def folder() -> Path:
    """Where peers are kept from one run to the next; XDG_CACHE_HOME as everywhere."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "croupier" / "bench"


def measured(work: Mapping[str, Any], places: Placements, say: StatusCallback) -> Iterator[tuple[Peer, Any]]:
    """What the crowd finds at each peer; of one that can't be had, the reason as a text."""
    for peer in PEERS:
        say(f"{peer.name}: is installed")
        try:
            yield peer, _measure(peer, work, places, say)
        except (PeerUnavailable, ProcessFailed) as why:
            yield peer, str(why)


def _measure(peer: Peer, work: Mapping[str, Any], places: Placements, say: StatusCallback) -> Any:
    command = _installed(peer, folder())
    if peer.program == "colyseus.mjs":
        command += (str(work["players"]),)
    with server(command, folder() / f"{peer.program}.log", places.server) as (process, told):
        plan = {**work, **told, "process": process, "colyseus": peer.program == "colyseus.mjs"}
        return run_module("echo", plan, lambda doing: say(f"{peer.name}: {doing}"), places.clients)


def _installed(peer: Peer, kept: Path) -> tuple[str, ...]:
    """The command that runs a peer, which is installed where it isn't yet."""
    kept.mkdir(parents=True, exist_ok=True)
    shutil.copy(PROGRAMS / peer.program, kept)
    return RUNS[peer.runs](kept), str(kept / peer.program)


def _node(kept: Path) -> str:
    node, npm = _tool("node"), _tool("npm")
    wanted = json.dumps({"private": True, "type": "module", "dependencies": NPM}, indent=1)
    (kept / "package.json").write_text(wanted)
    if not _is_there(kept / "package.json"):
        quiet = ("--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=0", "--ignore-scripts")
        _install(kept / "package.json", npm, "install", *quiet, "--prefix", str(kept))
    # What is called node may be a script that starts it; figures are to be of the server's own process.
    pending = subprocess.run([node, "-p", "process.execPath"], check=True, capture_output=True, text=True)  # noqa: S603
    return pending.stdout.strip()


def _python(kept: Path) -> str:
    python = str(kept / "venv" / "bin" / "python")
    wanted = "".join(f"{name}=={version}\n" for name, version in PYPI.items())
    listing = kept / "requirements.txt"
    listing.write_text(wanted)
    if not _is_there(listing):
        subprocess.run([sys.executable, "-m", "venv", "--clear", kept / "venv"], check=True)  # noqa: S603
        quiet = ("--quiet", "--disable-pip-version-check", "--retries=0")
        _install(listing, python, "-m", "pip", "install", *quiet, "--requirement", str(listing))
    return python


def _this(_kept: Path) -> str:
    return sys.executable


RUNS: Mapping[str, Callable[[Path], str]] = {"npm": _node, "pypi": _python, "here": _this}
"""What runs a program, installed into a folder where it isn't yet."""


def _tool(name: str) -> str:
    """Node's programs come with croupier's build tools; else they are the system's."""
    found = shutil.which(name, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if found is None:
        raise PeerUnavailable(f"there is no {name} here")
    return found


def _stamp(listing: Path) -> Path:
    """A copy of a listing; it says that what it lists was installed."""
    return listing.with_suffix(".installed")


def _is_there(listing: Path) -> bool:
    return _stamp(listing).exists() and _stamp(listing).read_text() == listing.read_text()


def _install(listing: Path, *command: str) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    try:
        subprocess.run(  # noqa: S603
            command,
            check=True,
            capture_output=True,
            text=True,
            timeout=INSTALLS_WITHIN_S,
            env={**os.environ, "PATH": path},
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as failed:
        said = str(getattr(failed, "stderr", "") or failed).strip().splitlines()
        raise PeerUnavailable(f"not installed (offline?): {said[-1]}") from failed
    shutil.copy(listing, _stamp(listing))

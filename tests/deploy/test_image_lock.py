"""The image's lock file has all packages of the server, in the versions that the tests run with."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
IMAGE_EXTRAS = ("nodes", "postgresql", "tracing")
"""The extras that a server may need, as the Makefile's target `lock` names them."""
PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[^]]*\])?==(?P<version>\S+)", re.MULTILINE)


def pins(name: str) -> dict[str, str]:
    text = (ROOT / f"requirements-{name}.lock").read_text(encoding="utf-8")
    return {canonicalize_name(found["name"]): found["version"] for found in PINNED.finditer(text)}


def test_the_lock_has_what_the_server_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *(each for extra in IMAGE_EXTRAS for each in extras[extra])]
    assert {canonicalize_name(Requirement(each).name) for each in needed} <= pins("image").keys()


def test_the_lock_has_the_tested_versions() -> None:
    tested = pins("dev")
    assert {name: version for name, version in pins("image").items() if tested.get(name) != version} == {}

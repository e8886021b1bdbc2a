"""The operator's handbook: its commands parse and run, and the messages that it explains exist."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from croupier.app.serve import open_ledger
from croupier.cli.main import app

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "operations"
SAMPLE = ROOT / "docs" / "guide" / "croupier.toml"
COMMAND = re.compile(r"^ {4,}(?:\S*/|docker exec croupier )?croupier (?P<words>.+)$", re.MULTILINE)
PAGE_NAMES = [
    "install",
    "configure",
    "postgresql",
    "monitor",
    "back-up",
    "restore",
    "upgrade",
    "metrics",
    "traces",
]
MESSAGE = re.compile(r"`([^`]*)`")
VARIABLE = re.compile(r"…|, line 2: \[server\] idle_minutes: ")
FRAGMENT_MIN = 10


def commands() -> Iterator[list[str]]:
    """Yield the commands of all pages, in the order in which an operator needs them."""
    for page in PAGE_NAMES:
        text = (PAGES / f"{page}.md").read_text(encoding="utf-8").replace("\\\n", "")
        for found in COMMAND.finditer(text):
            yield shlex.split(found["words"], comments=True)


@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_commands_of_the_handbook_parse(words: list[str]) -> None:
    group = get_command(app)
    with group.make_context("croupier", words, resilient_parsing=False) as context:
        name, command, rest = group.resolve_command(context, words)  # type: ignore[attr-defined]
        while hasattr(command, "commands"):
            name, command, rest = command.resolve_command(context, rest)
        command.make_context(name, rest, parent=context)


def test_commands_that_need_no_server_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The operator's folders are in a temporary one. `serve`, anchors and PostgreSQL are left out."""
    monkeypatch.chdir(tmp_path)
    open_ledger(tmp_path / "var/lib/croupier").close()
    (tmp_path / "etc/croupier").mkdir(parents=True)
    for sample in (tmp_path / "etc/croupier/croupier.toml", tmp_path / "croupier.toml"):
        sample.write_text(SAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    ran = list[str]()
    for words in dict.fromkeys(map(tuple, commands())):
        if words[0] in ("serve", "anchor-key") or {"--anchor", "--receipt"} & {*words}:
            continue
        if any("postgresql://" in word for word in words):
            continue
        done = CliRunner().invoke(app, [word.removeprefix("/") for word in words])
        assert done.exit_code == 0, (words, done.output)
        ran.append(words[0])
    assert {*ran} >= {"backup", "restore", "verify", "config", "staff"}


def messages() -> Iterator[str]:
    """Yield the messages in the first columns of the page's tables."""
    for line in (PAGES / "troubleshoot.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("| "):
            yield from (text for text in MESSAGE.findall(line.split(" | ")[0]) if " " in text)


def sources() -> str:
    """Return all sources, with the parts of each text joined."""
    files = sorted((ROOT / "src" / "croupier").rglob("*.py"))
    return re.sub(r'"\s*\n\s*f?"', "", "".join(file.read_text(encoding="utf-8") for file in files))


def test_the_server_has_the_messages_that_are_explained() -> None:
    text, found = sources(), list(messages())
    assert len(found) > 15
    for message in found:
        fragments = [part for part in VARIABLE.split(message) if len(part) >= FRAGMENT_MIN]
        missing = [part for part in fragments if part not in text and part != "Address already in use "]
        assert not missing, (message, missing)

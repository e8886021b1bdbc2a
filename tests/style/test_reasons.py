"""A control of the client that can be disabled says why, to a pointer and to a screen reader."""

import re
from collections.abc import Iterator
from pathlib import Path

CLIENT = Path("web/src")
CONTROL = re.compile(r"<(?:button|Button|input|select)\b")
REASONS = ("because(", "title=")


def tags(text: str) -> Iterator[str]:
    """The opening tags of controls; `>` within braces ends none."""
    for found in CONTROL.finditer(text):
        depth = 0
        for end in range(found.start(), len(text)):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            if text[end] == ">" and depth == 0:
                yield text[found.start() : end]
                break


def silent(text: str) -> list[str]:
    """The controls that can be disabled without a reason."""
    return [tag for tag in tags(text) if "disabled={" in tag and not any(why in tag for why in REASONS)]


def test_every_control_that_can_be_disabled_says_why() -> None:
    files = [*CLIENT.rglob("*.svelte")]
    assert files
    assert {str(file): found for file in files if (found := silent(file.read_text(encoding="utf-8")))} == {}


def test_a_silent_control_is_found() -> None:
    assert silent("<button disabled={!on} onclick={() => on > 1 && go()}>Go</button>")
    assert not silent("<button disabled={!on} title={why} onclick={() => go()}>Go</button>")

"""Every control of the client that can be disabled states the reason, on screen and to screen readers."""

import re
from collections.abc import Iterator
from pathlib import Path

CLIENT = Path("web/src")
CONTROL = re.compile(r"<(?:button|Button|input|select)\b")
REASONS = ("because(", "title=")


def tags(text: str) -> Iterator[str]:
    """Yield the opening tags of controls; a `>` within braces doesn't end a tag."""
    for found in CONTROL.finditer(text):
        depth = 0
        for end in range(found.start(), len(text)):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            if text[end] == ">" and depth == 0:
                yield text[found.start() : end]
                break


def without_reason(text: str) -> list[str]:
    """Return the controls that can be disabled without a reason."""
    return [
        tag
        for tag in tags(text)
        if "disabled={" in tag and not any(attribute in tag for attribute in REASONS)
    ]


def test_every_control_that_can_be_disabled_states_the_reason() -> None:
    files = [*CLIENT.rglob("*.svelte")]
    assert files
    assert {
        str(file): found for file in files if (found := without_reason(file.read_text(encoding="utf-8")))
    } == {}


def test_a_control_without_a_reason_is_detected() -> None:
    assert without_reason("<button disabled={!on} onclick={() => on > 1 && go()}>Go</button>")
    assert not without_reason("<button disabled={!on} title={why} onclick={() => go()}>Go</button>")

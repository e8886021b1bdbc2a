"""Generate the compliance page of the documentation from `compliance.toml`.

python -m tools.compliance            # writes docs/compliance.md
python -m tools.compliance --check    # exit status 1 when the committed page is out of date
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

ROOT = Path(__file__).parents[1]
DATA, PAGE = ROOT / "tools/compliance.toml", ROOT / "docs/compliance.md"
STATUSES = ("proven", "partly", "open", "doesn't apply")
TEST = re.compile(r"^(?:async )?def (test_\w+)|^(Test\w+)(?:: \w+)? =", re.MULTILINE)
INTRODUCTION = """\
<!-- Made by `python -m tools.compliance` from tools/compliance.toml. -->

# Compliance

This page lists the requirements that regulators and test laboratories place on a system like this one, in our
words, each with the tests that prove it. It is a guide for a laboratory or an operator's compliance officer,
not a certificate: nobody has certified croupier, and an operator's own duties (licences, staff, banking,
marketing, premises) aren't listed.

Sources: **GLI-19** *Interactive Gaming Systems* 3.0 (2020), with its appendices A to C; **RTS**, the remote
technical standards of the UK Gambling Commission; **CFR**, 25 CFR 547.14 on random numbers.

A requirement is *proven* if the tests named with it, which run in CI, prove it; *partly* proven if the part
named with it is missing; *open* if it isn't implemented; or it *doesn't apply*, for the reason given.
"""


class Requirement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A requirement; `tests` are names, or `file::name` where several files have the name."""

    sources: str
    text: str
    tests: tuple[str, ...] = ()
    missing: str = ""
    does_not_apply: str = ""

    @property
    def status(self) -> str:
        if self.does_not_apply:
            return "doesn't apply"
        if self.missing:
            return "partly" if self.tests else "open"
        return "proven"


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A section of the page."""

    title: str
    requirements: tuple[Requirement, ...]


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `compliance.toml`."""

    sections: tuple[Section, ...]


class FoundTest(NamedTuple):
    """A test and its file, relative to the root."""

    file: str
    name: str


def read(file: Path = DATA) -> tuple[Section, ...]:
    return msgspec.toml.decode(file.read_bytes(), type=Data).sections


@cache
def known_tests() -> Mapping[str, tuple[FoundTest, ...]]:
    """Return all tests of the project by name."""
    found = defaultdict[str, list[FoundTest]](list)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for function, machine in TEST.findall(path.read_text()):
            name = function or machine
            found[name].append(FoundTest(path.relative_to(ROOT).as_posix(), name))
    return {name: tuple(tests) for name, tests in found.items()}


def find_test(reference: str) -> FoundTest:
    """Return the test that a requirement names; raise ValueError unless there is exactly one."""
    file, _, name = reference.rpartition("::")
    found = [test for test in known_tests().get(name, ()) if file in ("", test.file)]
    if len(found) != 1:
        raise ValueError(f"{reference}: {len(found)} tests have this name")
    return found[0]


def page(sections: tuple[Section, ...]) -> str:
    """Return the page's Markdown; numbers run through all sections."""
    every = [each for section in sections for each in section.requirements]
    counts = {status: sum(each.status == status for each in every) for status in STATUSES}
    summary = ", ".join(f"{count} {status}" for status, count in counts.items())
    lines = [INTRODUCTION, f"Of {len(every)} requirements: {summary}.", ""]
    number = 0
    for section in sections:
        lines += [f"## {section.title}", ""]
        for requirement in section.requirements:
            number += 1
            lines += [*_lines(number, requirement), ""]
    return "\n".join(lines).rstrip() + "\n"


def _lines(number: int, requirement: Requirement) -> Iterator[str]:
    yield f"**{number}.** {requirement.text} *({requirement.sources})*"
    yield ""
    yield f"- Status: {requirement.status}"
    if requirement.missing:
        yield f"- Missing: {requirement.missing}"
    if requirement.does_not_apply:
        yield f"- Reason: {requirement.does_not_apply}"
    for test in map(find_test, requirement.tests):
        yield f"- `{test.file}`: `{test.name}`"


def main() -> None:
    """Write the page; with `--check`, compare it to the committed one."""
    text = page(read())
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text)
    elif PAGE.read_text() != text:
        sys.exit(f"{PAGE} is out of date: run `python -m tools.compliance`")


if __name__ == "__main__":
    main()

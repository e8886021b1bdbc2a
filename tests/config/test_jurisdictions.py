"""The blocks of the jurisdictions: helplines, policy and minimum age, completed from the server's."""

import re

import pytest

from croupier.config import ServerConfig, read_config
from croupier.play.tables.toml_blocks import InvalidFile

HELPLINES = """
[responsible_gaming]
jurisdiction = "MT"
minimum_age = 18
policy = "https://example.org/policy"
helplines = [{ name = "Any", url = "https://example.org/any" }]

[jurisdictions.GB]
minimum_age = 19
policy = "https://example.org/gb"

[[jurisdictions.GB.helplines]]
name = "First"
url = "https://example.org/first"
phone = "+44 20 7946 0000"
hours = "24 hours a day"
languages = "English, Welsh"

[[jurisdictions.GB.helplines]]
name = "Second"
url = "https://example.org/second"

[jurisdictions.MT]
minimum_age = 25

[jurisdictions.US-NJ]
helplines = []
"""


def parse(text: str) -> ServerConfig:
    return read_config(text, {}, "croupier.toml")


@pytest.mark.parametrize(
    ("jurisdiction", "age", "policy", "names"),
    [
        ("GB", 19, "https://example.org/gb", ["First", "Second"]),
        ("MT", 25, "https://example.org/policy", ["Any"]),
        ("US-NJ", 18, "https://example.org/policy", []),
        ("", 25, "https://example.org/policy", ["Any"]),
        ("FR", 25, "https://example.org/policy", ["Any"]),
    ],
)
def test_what_a_jurisdiction_omits_is_the_servers(
    jurisdiction: str, age: int, policy: str, names: list[str]
) -> None:
    found = parse(HELPLINES).help_in(jurisdiction)
    assert (found.minimum_age, found.policy, [one.name for one in found.helplines]) == (age, policy, names)


def test_a_helpline_has_a_phone_hours_and_languages() -> None:
    first = parse(HELPLINES).help_in("GB").helplines[0]
    assert (first.phone, first.hours) == ("+44 20 7946 0000", "24 hours a day")
    assert first.languages == "English, Welsh"


def test_without_jurisdictions_there_is_help() -> None:
    found = parse("").help_in("GB")
    assert (found.minimum_age, found.policy) == (18, "")
    assert "Gambling Therapy" in [one.name for one in found.helplines]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('jurisdictions = ["GB"]', "[jurisdictions]"),
        ('[jurisdictions]\nGB = "18"', "line 2: [jurisdictions] GB: a jurisdiction is a block"),
        ("[jurisdictions.gb]\n", "line 1: [jurisdictions.gb]: a code is a country such as"),
        (
            "[jurisdictions.GB]\nage = 18",
            "line 2: [jurisdictions.GB] age: no such field; allowed are: minimum",
        ),
        ("[jurisdictions.GB]\nminimum_age = 8", "[jurisdictions.GB] minimum_age: Expected `int` >= 16"),
        (
            '[[jurisdictions.GB.helplines]]\nname = "Help"',
            "[jurisdictions.GB] helplines: Object missing required field `url`",
        ),
        ('[responsible_gaming]\njurisdiction = "GB"', "jurisdiction: add a block [jurisdictions.GB]"),
    ],
)
def test_an_invalid_jurisdiction_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidFile, match=re.escape(message)):
        parse(text)

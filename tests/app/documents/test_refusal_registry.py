"""The registry has all refusals of the sources, and the client a sentence for each."""

import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from croupier.gateway.problems import CODE_BY_STATUS
from croupier.protocol.refusals import codes_for, refusal_codes
from tests.app.documents.raised import RaisedRefusal, raised

WEB = Path(__file__).parents[3] / "web" / "src"
BY_THE_FRAMEWORK = {*CODE_BY_STATUS.values(), "malformed", "malfunction"}
IN_THE_CLIENT_ALONE = {"amount_unclear", "offline", "cut_off", "passkey_known", "passkey_unused"}
"""Codes of the client alone: an ambiguous amount, a lost connection, and a passkey that wasn't used."""


@cache
def raised_by_code() -> dict[str, list[RaisedRefusal]]:
    """Return the refusals of the sources; reading these while tests are collected would delay all workers."""
    by_code: dict[str, list[RaisedRefusal]] = defaultdict(list)
    for found in raised():
        by_code[found.code].append(found)
    return by_code


def test_every_code_of_the_sources_is_registered() -> None:
    missing = {code: found for code, found in raised_by_code().items() if code not in refusal_codes()}
    assert missing == {}, "add them to protocol/refusals.toml"


def test_no_registered_code_is_stale() -> None:
    assert set(refusal_codes()) - set(raised_by_code()) - BY_THE_FRAMEWORK == set()


@pytest.mark.parametrize("code", refusal_codes())
def test_the_arguments_are_those_of_the_sources(code: str) -> None:
    written_out = [found.args for found in raised_by_code().get(code, ()) if found.args is not None]
    known = refusal_codes()[code]
    assert all(args <= set(known.args) for args in written_out), written_out
    assert all(set(known.required) <= args for args in written_out), "an optional argument's type ends in ?"
    if written_out and code not in BY_THE_FRAMEWORK:
        assert set().union(*written_out) >= set(known.args), "stale arguments"


def _sentences(file: Path) -> set[str]:
    """Return the codes for which a file has a sentence."""
    block = re.search(r"const REFUSALS\b.*?= \{\n(.*?)\n\};", file.read_text(), re.DOTALL)
    assert block is not None
    return set(re.findall(r"^  (\w+):", block[1], re.MULTILINE))


PLAYERS_WORDS = _sentences(WEB / "state" / "refusal_words.ts")
STAFF_WORDS = _sentences(WEB / "staff" / "words.ts")


@pytest.mark.parametrize("code", codes_for("player"))
def test_the_client_has_a_sentence_for_a_player(code: str) -> None:
    assert code in PLAYERS_WORDS


@pytest.mark.parametrize("code", codes_for("staff"))
def test_the_client_has_a_sentence_for_staff(code: str) -> None:
    """The staff page falls back on the players' sentences."""
    assert code in PLAYERS_WORDS | STAFF_WORDS


def test_the_client_has_no_sentence_for_unknown_codes() -> None:
    assert (PLAYERS_WORDS | STAFF_WORDS) - set(refusal_codes()) == IN_THE_CLIENT_ALONE

"""Devices: their names from the browser's header, and ids that don't reveal their tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.accounts.devices import BROWSERS, ID_LENGTH, SYSTEMS, described, session_id
from croupier.accounts.identity import new_account_token, new_token, unknown_session

WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("user_agent", "description"),
    [
        (f"Mozilla/5.0 (X11; Linux x86_64) {WEBKIT} Chrome/140.0.0.0 Safari/537.36", "Chrome on Linux"),
        (f"Mozilla/5.0 (Linux; Android 14) {WEBKIT} Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"),
        (f"Mozilla/5.0 (Windows NT 10.0) {WEBKIT} Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        (f"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) {WEBKIT} Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 15.0; rv:140.0) Firefox/140.0", "Firefox on macOS"),
        ("curl/8.5.0", ""),
        ("", ""),
    ],
)
def test_browser_and_system_are_named(user_agent: str, description: str) -> None:
    assert described(user_agent) == description


@given(st.text())
def test_a_description_has_known_names_only_whatever_a_client_sends(user_agent: str) -> None:
    known = {"", *(name for name, _ in (*BROWSERS, *SYSTEMS))}
    assert set(described(user_agent).split(" on ")) <= known


def test_the_id_of_a_session_is_no_part_of_its_token() -> None:
    token = new_account_token()
    assert len(session_id(token)) == ID_LENGTH
    assert session_id(token) not in token
    assert session_id(token) == session_id(token) != session_id(new_account_token())


def test_only_an_accounts_device_has_to_sign_in_again() -> None:
    assert unknown_session(new_account_token()).args_ == {"why": "ended"}
    for token in ("", new_token()):
        assert unknown_session(token).code == "not_signed_in"

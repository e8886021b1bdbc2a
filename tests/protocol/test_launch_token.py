"""Launch tokens are accepted unchanged, in time, and with the server's secret only."""

import base64

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey
from msgspec import json, to_builtins

from croupier.protocol.launch_token import AUDIENCE, PURPOSE, launch_token, read_launch
from croupier.protocol.signatures import Secret
from croupier.protocol.wire import Launch, LaunchLimit
from croupier.refusal import Refused

SECRET = Secret(b"a secret of some length")
NOW_S, LIFETIME_S = 1_800_000_000, 60
LAUNCH = Launch("s-1", "ann", "EUR", "de-AT", "AT", (LaunchLimit("loss", "day", 5_000),), "classic")
TOKEN = launch_token(SECRET, LAUNCH, NOW_S, LIFETIME_S)


def part(content: object) -> str:
    return base64.urlsafe_b64encode(json.encode(content)).rstrip(b"=").decode()


def signed(claims: dict[str, object], key: bytes = SECRET.derived(PURPOSE), alg: str = "HS256") -> str:
    return jwt.encode({"alg": alg}, claims, OctKey.import_key(key), algorithms=[alg])


def claims(**changed: object) -> dict[str, object]:
    usual = {"aud": AUDIENCE, "iat": NOW_S, "exp": NOW_S + LIFETIME_S, "launch": to_builtins(LAUNCH)}
    return {name: value for name, value in {**usual, **changed}.items() if value is not None}


def refused(token: str, secret: Secret = SECRET, now_s: int = NOW_S) -> bool:
    try:
        read_launch(secret, token, now_s)
    except Refused as why:
        assert why.code == "wrong_launch"
        return True
    return False


@pytest.mark.parametrize("later_s", [0, LIFETIME_S - 1])
def test_a_token_is_read_as_it_was_written(later_s: int) -> None:
    assert read_launch(SECRET, TOKEN, NOW_S + later_s) == LAUNCH


def test_a_token_of_another_secret_or_time_is_refused() -> None:
    assert refused(TOKEN, Secret(b"another secret of some length"))
    assert refused(TOKEN, now_s=NOW_S + LIFETIME_S + 1)


def test_every_changed_character_is_noticed() -> None:
    for place, character in enumerate(TOKEN):
        other = "A" if character != "A" else "B"
        changed = f"{TOKEN[:place]}{other}{TOKEN[place + 1 :]}"
        try:
            assert read_launch(SECRET, changed, NOW_S) == LAUNCH, "the last character has unused bits"
        except Refused as why:
            assert why.code == "wrong_launch"
        else:
            assert place == len(TOKEN) - 1


@pytest.mark.parametrize(
    "token",
    [
        "",
        "...",
        "a.b.c",
        TOKEN.rpartition(".")[0] + ".",
        f"{part({'alg': 'none'})}.{TOKEN.split('.')[1]}.",
        signed(claims(), alg="HS512"),
        signed(claims(), b"a secret of some length and more"),
        signed(claims(aud="another")),
        signed(claims(aud=None)),
        signed(claims(exp=None)),
        signed(claims(launch=None)),
        signed(claims(launch={"player": "ann"})),
        signed(claims(launch={**to_builtins(LAUNCH), "balance": 10**9})),
        signed(claims(launch={**to_builtins(LAUNCH), "player": "<script>"})),
    ],
)
def test_forged_and_malformed_tokens_are_refused(token: str) -> None:
    assert refused(token)

"""ICE servers of browsers: expiring credentials, as a real coturn accepts them, and none for others."""

import hmac
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from croupier import clock
from croupier.config.ice import ConfiguredIce
from croupier.protocol.signatures import Secret
from croupier.protocol.wire import IceServer
from croupier.video.ice import IceServers
from tests.support.turn import SECRET, TurnServer, needs_coturn
from tests.support.turn_client import TurnClient, turn_client
from tools.janus import own_address

TURN = ConfiguredIce(("stun:a.example", "turn:a.example"), Secret(SECRET.encode()), 12)
HOUR_S = 3600
UNAUTHORIZED, FORBIDDEN = 401, 403


def relays(ice: IceServers, user: str) -> IceServer:
    (found,) = (each for each in ice.of(user) if each.credential)
    return found


def test_there_are_no_servers_without_configuration() -> None:
    assert IceServers(ConfiguredIce()).of("ann") == ()
    assert IceServers(ConfiguredIce(("stun:a.example",))).of("ann") == (IceServer(("stun:a.example",)),)


def test_a_user_name_has_its_expiry_and_hides_the_player() -> None:
    ice = IceServers(TURN)
    stun, turn = ice.of("ann")
    assert (stun, turn.urls) == (IceServer(("stun:a.example",)), ("turn:a.example",))
    expires_s, _, whose = turn.username.partition(":")
    assert 0 <= clock.now_ms() // 1000 + 12 * HOUR_S - int(expires_s) < 60
    assert turn.credential == b64encode(hmac.digest(SECRET.encode(), turn.username.encode(), "sha1")).decode()
    assert "ann" not in whose
    assert relays(ice, "ann").username.endswith(f":{whose}")
    assert not relays(ice, "bob").username.endswith(f":{whose}")


@contextmanager
def client_of(turn: TurnServer, given: IceServer) -> Iterator[TurnClient]:
    """Connect a client with a user name and its password."""
    with turn_client(turn.address, turn.port, given.username, given.credential) as client:
        yield client


@needs_coturn
def test_coturn_relays_to_the_media_server_for_current_credentials_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = TurnServer(tmp_path / "coturn", peer=own_address())
    ice, wrong = IceServers(TURN), IceServers(TURN._replace(turn_secret=Secret(b"another secret")))
    with turn.running():
        with client_of(turn, relays(ice, "ann")) as client:
            assert client.allocate() == 0
            assert client.permit(turn.address) == 0
            assert client.permit("127.0.0.1") == FORBIDDEN
            assert client.permit("198.51.100.7") == FORBIDDEN
        with client_of(turn, relays(wrong, "ann")) as client:
            assert client.allocate() == UNAUTHORIZED
        monkeypatch.setattr(clock, "now_ms", partial(int, clock.now_ms() - 13 * HOUR_S * 1000))
        with client_of(turn, relays(ice, "ann")) as client:
            assert client.allocate() == UNAUTHORIZED
    assert SECRET not in turn.log

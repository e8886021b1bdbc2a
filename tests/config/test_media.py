"""The block of the media server, and `--media`: its secret, its tables, and errors that show no secret."""

from pathlib import Path

import pytest

from croupier.config import read_config
from croupier.config.media import SECRET_VARIABLE, ConfiguredMedia, ConfiguredRecording, media_at
from croupier.games import published_tables
from croupier.play.tables.toml_blocks import InvalidField, InvalidFile

SECRET = "sixteen characters or more"
URL = "janus://127.0.0.1:8188"
FILE = f'url = "{URL}"\nsecret_file = "media.secret"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "media.secret").write_text(f"{SECRET}\n")
    return tmp_path


def parse(folder: Path, block: str) -> ConfiguredMedia:
    media = read_config(f"[media]\n{block}", published_tables(), str(folder / "croupier.toml")).media
    assert media is not None
    return media


def test_no_table_has_a_camera_without_the_block() -> None:
    assert read_config("", published_tables(), "croupier.toml").media is None


def test_the_block_is_read_with_its_secret(folder: Path) -> None:
    media = parse(folder, FILE + 'tables = ["infinite"]\nrecording_folder = "/srv/recordings"')
    assert media.recording == ConfiguredRecording(Path("/srv/recordings"), 30)
    assert (media.host, media.port, media.tables) == ("127.0.0.1", 8188, ("infinite",))
    assert media.secret.revealed() == SECRET
    assert SECRET not in repr(media)


def test_ice_servers_are_read_with_the_secret_of_the_relays(folder: Path) -> None:
    urls = ("stun:turn.example:3478", "turns:[2001:db8::7]:443?transport=tcp")
    block = f'ice_servers = ["{urls[0]}", "{urls[1]}"]\nturn_secret_file = "turn.secret"\nturn_hours = 2'
    (folder / "turn.secret").write_text(SECRET)
    ice = parse(folder, f"{FILE}\n{block}").ice
    assert (ice.urls, ice.turn_hours) == (urls, 2)
    assert ice.turn_secret is not None
    assert ice.turn_secret.revealed() == SECRET
    assert SECRET not in repr(ice)


@pytest.mark.parametrize(
    ("block", "why"),
    [
        (FILE + 'tables = ["classic"]', "no live table is called classic"),
        (FILE.replace("127.0.0.1", "192.0.2.7"), "loopback"),
        (FILE.replace(":8188", ":99999"), "allowed is: an address"),
        (f'url = "{URL}"', "the secret is missing"),
        (FILE.replace("media.secret", "absent.secret"), "can't be read"),
        (FILE + 'recording_folder = "recordings"', "an absolute path"),
        (FILE + 'ice_servers = ["turn:turn.example"]', "TURN servers need a secret"),
        (FILE + 'turn_secret_file = "media.secret"', "TURN servers need a secret"),
        (FILE + 'ice_servers = ["http://turn.example"]', "isn't an address such as"),
        (FILE + 'ice_servers = ["stun:turn.example?transport=udp"]', "isn't an address such as"),
    ],
)
def test_an_invalid_block_is_refused(folder: Path, block: str, why: str) -> None:
    with pytest.raises(InvalidFile, match=why):
        parse(folder, block)


HLS = FILE + '[media.hls]\nfolder = "/run/hls"\n'


def test_streams_by_hls_are_read_with_the_secret_of_their_addresses(folder: Path) -> None:
    assert parse(folder, FILE).hls is None
    own = parse(folder, HLS).hls
    assert own is not None
    assert (own.folder, own.secret, own.origin) == (Path("/run/hls"), None, "")
    assert (own.config.webrtc_viewers_max, own.config.video_delay_ms) == (150, 0)
    url = 'url = "https://streams.example:8443/hls/"\nsecret_file = "media.secret"'
    elsewhere = parse(folder, HLS + url).hls
    assert elsewhere is not None
    assert elsewhere.secret is not None
    assert elsewhere.secret.revealed() == SECRET
    assert elsewhere.origin == "https://streams.example:8443"


@pytest.mark.parametrize(
    ("block", "why"),
    [
        (FILE + 'hls = "/run/hls"', r"write \[media.hls\]"),
        (FILE + "[media.hls]", "folder"),
        (FILE + '[media.hls]\nfolder = "hls"', r"\[media.hls\] folder: an absolute path"),
        (HLS + 'url = "streams.example"', "allowed is: an address"),
        (HLS + 'url = "https://streams.example/hls"', "secret_file: the secret is missing"),
        (HLS + "video_delay_ms = -1", "from 0 to 10000"),
        (HLS + "codec = 1", "no such field"),
    ],
)
def test_invalid_streams_are_refused(folder: Path, block: str, why: str) -> None:
    with pytest.raises(InvalidFile, match=why):
        parse(folder, block)


def test_the_option_has_the_secret_of_the_environment_or_of_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured = parse(folder, FILE + 'tables = ["infinite"]')
    elsewhere = media_at("janus://[::1]:7000", configured)
    assert (elsewhere.host, elsewhere.port, elsewhere.tables) == ("::1", 7000, ("infinite",))
    with pytest.raises(InvalidField, match=SECRET_VARIABLE):
        media_at(URL, None)
    monkeypatch.setenv(SECRET_VARIABLE, SECRET)
    assert media_at(URL, None).secret.revealed() == SECRET

"""Runs Debian's Janus for a trial of the dealer's camera, as docs/guide/dealer-video.md describes.

    python -m tools.janus --install --secret-file media.secret     # runs until Ctrl-C

It writes a configuration of its own into a temporary folder: one plugin, the API on loopback only, and media
ports that browsers reach at `--address`. `--install` first installs Debian's Janus, its tools and ffmpeg
where they are missing, and switches the package's own service off, which has no secret.
"""

import argparse
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

API_PORT = 8188
PING_S, PONG_TIMEOUT_S = 2, 5
"""Janus ends the pictures of a server that hangs for longer: no server could end them while it hangs."""
MEDIA_PORTS = "20000-20999"
NICENESS = 5
SECRET_BYTES = 32
UNUSED = (
    "audiobridge",
    "duktape",
    "echotest",
    "lua",
    "nosip",
    "recordplay",
    "sip",
    "streaming",
    "textroom",
    "videocall",
    "voicemail",
)
"""All plugins but `videoroom`."""
UNUSED_TRANSPORTS = ("http", "mqtt", "nanomsg", "pfunix", "rabbitmq")
INSTALL = "Janus isn't installed; run: sudo apt-get install --no-install-recommends janus"
PACKAGES = {"janus": "janus", "janus-pp-rec": "janus-tools", "ffmpeg": "ffmpeg"}
"""Debian's packages, by the programs that they bring."""
OFFLINE_ADDRESS = ("192.0.2.1", 9)
"""An address of documentation networks: connecting a UDP socket to it sends nothing."""


def find_janus() -> str | None:
    """Return the program's path; None if Janus isn't installed."""
    return shutil.which("janus")


def install() -> None:
    """Install what isn't there. A new service of Janus is switched off."""
    missing = [package for program, package in PACKAGES.items() if not shutil.which(program)]
    if missing:
        _as_root("apt-get", "install", "--no-install-recommends", *missing)
    if "janus" in missing and shutil.which("systemctl"):
        _as_root("systemctl", "disable", "--now", "janus")


def _as_root(*words: str) -> None:
    prefix = () if os.getuid() == 0 else ("sudo",)
    subprocess.run([*prefix, *words], check=True)


def own_address() -> str:
    """Return this machine's address towards the network; empty if it has only loopback.

    Janus never offers loopback addresses.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(OFFLINE_ADDRESS)
        except OSError:
            return ""
        address = str(probe.getsockname()[0])
    return "" if address.startswith("127.") else address


def write_configuration(
    folder: Path,
    secret: str,
    address: str,
    port: int = API_PORT,
    media_ports: str = MEDIA_PORTS,
    public_address: str = "",
    config_folder: Path | None = None,
) -> None:
    """Write the configuration files of Janus into a folder, readable by this user only.

    `public_address` is offered instead of `address`; `config_folder` is where Janus finds the files later.
    """
    offered = f'ice_enforce_list = "{address}"'
    if public_address:
        offered = f'nat_1_1_mapping = "{public_address}"'
    files = {
        "janus.jcfg": f"""
general: {{
  configs_folder = "{config_folder or folder}"
  api_secret = "{secret}"
  session_timeout = 60
  event_loops = 2
  debug_level = 3
  hide_dependencies = true
}}
media: {{ rtp_port_range = "{media_ports}" }}
nat: {{ {offered}, ignore_mdns = true }}
plugins: {{ disable = "{_libraries(UNUSED)}" }}
transports: {{ disable = "{_libraries(UNUSED_TRANSPORTS)}" }}
""",
        "janus.transport.websockets.jcfg": f"""
general: {{
  ws = true
  ws_ip = "127.0.0.1"
  ws_port = {port}
  pingpong_trigger = {PING_S}
  pingpong_timeout = {PONG_TIMEOUT_S}
}}
""",
        "janus.plugin.videoroom.jcfg": f"""
general: {{ admin_key = "{secret}", lock_rtp_forward = true }}
""",
    }
    for name, text in files.items():
        file = folder / name
        file.touch(0o600)
        file.write_text(text)


def _libraries(names: tuple[str, ...]) -> str:
    return ",".join(f"libjanus_{name}.so" for name in names)


def command(folder: Path, niceness: int = NICENESS) -> list[str]:
    """Return the command that runs Janus with the configuration of a folder; bets come before pictures."""
    return [
        *("nice", "-n", str(niceness)),
        find_janus() or "janus",
        "--configs-folder",
        str(folder),
        "--disable-colors",
    ]


def main() -> None:
    """Run Janus until Ctrl-C."""
    options = argparse.ArgumentParser(prog="python -m tools.janus", description=__doc__)
    options.add_argument("--secret-file", type=Path, required=True, help="made if it doesn't exist")
    options.add_argument("--address", default=own_address(), help="where browsers reach this machine")
    options.add_argument("--public-address", default="", help="the same, behind a translation of addresses")
    options.add_argument("--media-ports", default=MEDIA_PORTS, help="a range of UDP ports")
    options.add_argument("--port", type=int, default=API_PORT, help="of the API, on 127.0.0.1")
    options.add_argument("--write", type=Path, metavar="FOLDER", help="write the configuration, run nothing")
    options.add_argument("--config-folder", type=Path, help="where Janus finds what --write wrote")
    options.add_argument("--install", action="store_true", help="install Debian's packages first, by sudo")
    given = options.parse_args()
    if given.install:
        install()
    if not find_janus() and not given.write:
        sys.exit(INSTALL)
    if not (given.address or given.public_address):
        sys.exit("This machine has only a loopback address, which Janus never offers; name one by --address")
    if not given.secret_file.exists():
        given.secret_file.touch(0o600)
        given.secret_file.write_text(secrets.token_hex(SECRET_BYTES))
    configure = partial(
        write_configuration,
        secret=given.secret_file.read_text().strip(),
        address=given.address,
        port=given.port,
        media_ports=given.media_ports,
        public_address=given.public_address,
        config_folder=given.config_folder,
    )
    if given.write:
        configure(given.write)
        return
    with tempfile.TemporaryDirectory(prefix="croupier-janus-") as folder:
        configure(Path(folder))
        media = f"{given.public_address or given.address}:{given.media_ports}/udp"
        print(f"Janus listens on janus://127.0.0.1:{given.port}, media at {media}")
        try:
            subprocess.run(command(Path(folder)), check=False)
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()

"""A11: the guide's samples for proxies run unchanged except for ports and certificates."""

import getpass
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect

from croupier.protocol import wire
from tests.guide.pages import GUIDE, HOST
from tests.support.browser_connection import new_req
from tests.support.server_process import ServerProcess
from tests.support.servers import assert_clean_stop

pytestmark = pytest.mark.anyio
START_TIMEOUT_S = 20.0
LIMITS = """
[rate_limits]
guests_per_hour = 2
sign_ins_per_minute = 0
cashier_per_minute = 0
history_per_minute = 0
"""
PLAIN = """
server {
    listen 443;
    location / { proxy_pass http://127.0.0.1:8000; }
    location /ws {
        proxy_pass http://127.0.0.1:8001;
        proxy_http_version 1.1;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection upgrade;
    }
}
"""
"""nginx without headers about the browser: `Host` is the server's own address."""
CHANGES = "/api/cashier/deposit"


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        return int(listening.getsockname()[1])


class Certificate(NamedTuple):
    pem: Path
    key: Path


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return new_certificate(tmp_path_factory.mktemp("certificate"))


def new_certificate(folder: Path) -> Certificate:
    """Return a new certificate of this machine."""
    made = Certificate(folder / "tables.pem", folder / "tables.key")
    new = ("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    to = ("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1")
    subprocess.run([*new, *to, "-keyout", made.key, "-out", made.pem], check=True, capture_output=True)
    return made


class Ports(NamedTuple):
    public: int
    pages: int
    socket: int

    def apply(self, sample: str) -> str:
        """Return the sample with these ports."""
        return (
            sample.replace("listen 443", f"listen 127.0.0.1:{self.public}")
            .replace("127.0.0.1:8000", f"127.0.0.1:{self.pages}")
            .replace("127.0.0.1:8001", f"127.0.0.1:{self.socket}")
        )


def nginx(folder: Path, sample: str, certificate: Certificate, host: str = HOST) -> list[str]:
    """Write the sample for a host and return the command that runs it as this user, who need not be root."""
    sample = sample.replace("/etc/ssl/tables.example.pem", str(certificate.pem))
    sample = sample.replace("/etc/ssl/tables.example.key", str(certificate.key))
    sample = sample.replace(HOST, host)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    user = f"user {getpass.getuser()};"
    main = f"{user} daemon off; pid {folder}/pid; error_log {folder}/error.log;\nevents {{}}\n"
    file = folder / "nginx.conf"
    file.write_text(f"{main}http {{\n{temporary}access_log off;\n{sample}\n}}\n")
    return ["nginx", "-c", str(file), "-p", str(folder), "-e", str(folder / "error.log")]


def caddy(folder: Path, sample: str, certificate: Certificate) -> list[str]:
    """Write the sample, with the certificate, and return the command that runs it."""
    options = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n"
    own = f"\n\ttls {certificate.pem} {certificate.key}\n"
    file = folder / "Caddyfile"
    file.write_text(options + sample.replace("{\n", "{" + own, 1))
    return ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]


@contextmanager
def running(command: list[str], port: int, folder: Path) -> Iterator[None]:
    """Run a proxy that listens on that port."""
    environment = {"HOME": str(folder), "PATH": "/usr/sbin:/usr/bin:/bin:/usr/local/bin"}
    with (folder / "proxy.log").open("wb") as log:
        proxy = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
    try:
        _wait_until_it_listens(proxy, port, folder)
        yield
    finally:
        proxy.terminate()
        proxy.wait(timeout=10)


def _wait_until_it_listens(proxy: "subprocess.Popen[bytes]", port: int, folder: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline and proxy.poll() is None:
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port)).close()
            return
        time.sleep(0.05)
    raise AssertionError((folder / "proxy.log").read_text())


def client(public: str, source: str = "127.0.0.1") -> httpx.AsyncClient:
    """Return a browser at that address of this machine, with the origin of its page."""
    at = httpx.AsyncHTTPTransport(verify=False, local_address=source)
    headers = {"Origin": public, "Sec-Fetch-Site": "same-origin"}
    return httpx.AsyncClient(base_url=public, transport=at, headers=headers)


async def play(public: str) -> httpx.Response:
    """Make a deposit as a new guest and open the socket, as the client does; return the guest's response."""
    unchecked = ssl.create_default_context()
    unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE
    async with client(public) as http:
        made = await http.post("/api/guest")
        assert made.status_code == 200, made.text
        order = msgspec.json.encode(wire.CashierRequest(new_req(), "EUR", 100))
        assert (await http.post(CHANGES, content=order)).status_code == 200
        address = msgspec.json.decode((await http.get("/api/server")).content, type=wire.ServerInfo).socket
        sent = {"Cookie": "; ".join(f"{name}={value}" for name, value in http.cookies.items())}
        secure = {"ssl": unchecked} if address.startswith("wss") else {}
        async with connect(address, origin=public, additional_headers=sent, **secure) as connection:  # type: ignore[arg-type]
            await connection.send(msgspec.json.encode(wire.Hello(wire.PROTOCOL)).decode())
            assert msgspec.json.decode(await connection.recv())["t"] == "welcome"
        evil = await http.post(CHANGES, content=order, headers={"Origin": "https://evil.example"})
        assert evil.status_code == 403
    return made


Proxied = Callable[..., str]


@pytest.fixture
def proxied(tmp_path: Path, certificate: Certificate) -> Iterator[Proxied]:
    """Start a server behind a proxy that runs a sample; the value returned is its public origin."""
    with ExitStack() as running_now:

        def opened(
            command: Callable[[Path, str, Certificate], list[str]], sample: str, scheme: str, *words: str
        ) -> str:
            ports = Ports(free_port(), free_port(), free_port())
            public = f"{scheme}://127.0.0.1:{ports.public}"
            (tmp_path / "croupier.toml").write_text(LIMITS)
            words += ("--public-socket", f"{public.replace('http', 'ws')}/ws")
            words += ("--config", str(tmp_path / "croupier.toml"))
            server = ServerProcess(
                tmp_path / "data", ports=(ports.pages, ports.socket), options=words
            ).start()
            running_now.callback(assert_clean_stop, server)
            sample = ports.apply(sample).replace("tables.example {", f"{public} {{")
            running_now.enter_context(running(command(tmp_path, sample, certificate), ports.public, tmp_path))
            return public

        yield opened


needs_nginx = pytest.mark.skipif(not shutil.which("nginx"), reason="nginx isn't installed")
needs_caddy = pytest.mark.skipif(not shutil.which("caddy"), reason="Caddy isn't installed")


@needs_nginx
async def test_the_nginx_sample_works_and_limits_each_client(proxied: Proxied) -> None:
    public = proxied(nginx, (GUIDE / "nginx.conf").read_text(), "https", "--proxy", "127.0.0.1")
    made = await play(public)
    assert made.headers["set-cookie"].startswith("__Host-croupier_session=")
    await check_that_each_client_is_limited(public)


@needs_caddy
async def test_the_caddy_sample_works_and_limits_each_client(proxied: Proxied) -> None:
    public = proxied(caddy, (GUIDE / "Caddyfile").read_text(), "https", "--proxy", "127.0.0.1")
    made = await play(public)
    assert made.headers["set-cookie"].startswith("__Host-croupier_session=")
    await check_that_each_client_is_limited(public)


@needs_nginx
async def test_nginx_may_rewrite_the_host_without_forwarding_headers(proxied: Proxied) -> None:
    """Every change was refused with 403: the origin was compared with the server's own address."""
    public = proxied(nginx, PLAIN, "http")
    made = await play(public)
    assert made.headers["set-cookie"].startswith("croupier_session=")


async def check_that_each_client_is_limited(public: str) -> None:
    """Check the limit of each client; every address of this machine is one, whatever it forwards."""
    for source in ("127.0.0.2", "127.0.0.3"):
        codes = []
        async with client(public, source) as http:
            for number in range(3):
                http.cookies.clear()
                forged = {"X-Forwarded-For": f"192.0.2.{number}"}
                codes.append((await http.post("/api/guest", headers=forged)).status_code)
        assert (source, codes) == (source, [200, 200, 429])

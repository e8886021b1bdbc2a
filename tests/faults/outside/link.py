"""A link between the server and a system outside that loses, delays, repeats, contradicts and holds calls."""

import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Literal, Self
from urllib.parse import urlsplit

import httpx

OutsideFault = Literal["drop", "delay", "duplicate", "contradict", "silence"]
FAULTS: tuple[OutsideFault, ...] = ("drop", "delay", "duplicate", "contradict", "silence")
"""`drop`: the call is lost before it arrives. `delay`: its answer comes late, but in time. `duplicate`: it
arrives twice. `contradict`: it is carried out, and answered with something else. `silence`: it is carried
out, and never answered."""
DELAY_S = 0.5
SILENT_S = 20.0
PASSED_ON = ("Content-Type", "Authorization", "Accept")


class Link(ThreadingHTTPServer):
    """Passes HTTP calls on to `target`, within a `with` block. `contradictions`: other answers, by path.

    `host` is how the server knows it: an identity server needs a host of its own.
    """

    daemon_threads = True

    def __init__(self, contradictions: Mapping[str, bytes], host: str = "127.0.0.1") -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.url = f"http://{host}:{self.server_port}"
        self.target = ""
        self.contradictions = contradictions
        self.faults: dict[str, OutsideFault] = {}
        """By path."""
        self.met: list[tuple[str, OutsideFault]] = []
        self.healed = Event()

    def heal(self) -> None:
        """Have no faults, and end the calls that are held."""
        self.faults = {}
        self.healed.set()
        self.healed = Event()

    def handle_error(self, *_: object) -> None:
        """Print nothing: a server that is killed or out of patience closes its connections."""

    def __enter__(self) -> Self:
        Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.heal()
        self.shutdown()
        self.server_close()


class _Passing(BaseHTTPRequestHandler):
    server: Link

    def do_GET(self) -> None:
        self._handle(b"")

    def do_POST(self) -> None:
        self._handle(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def _handle(self, body: bytes) -> None:
        path = urlsplit(self.path).path
        fault = self.server.faults.get(path)
        if fault:
            self.server.met.append((path, fault))
        if fault == "drop":
            self.close_connection = True
            return
        answer = self._passed_on(body)
        match fault:
            case "delay":
                time.sleep(DELAY_S)
            case "duplicate":
                answer = self._passed_on(body)
            case "silence":
                self.server.healed.wait(SILENT_S)
                self.close_connection = True
                return
        contradiction = self.server.contradictions[path] if fault == "contradict" else None
        self._answer(answer, contradiction)

    def _passed_on(self, body: bytes) -> httpx.Response:
        names = [name for name in self.headers if name in PASSED_ON or name.lower().startswith("croupier-")]
        headers = {name: self.headers[name] for name in names}
        url = self.server.target + self.path
        return httpx.request(self.command, url, content=body, headers=headers, timeout=SILENT_S)

    def _answer(self, answer: httpx.Response, contradiction: bytes | None) -> None:
        content = answer.content if contradiction is None else contradiction
        self.send_response(answer.status_code if contradiction is None else 200)
        if "location" in answer.headers:
            self.send_header("Location", answer.headers["location"])
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Print nothing."""

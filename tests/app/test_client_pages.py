"""The addresses of the client: those it knows are served with status 200, others with 404."""

import re
from pathlib import Path

import httpx
import pytest

from croupier.app.site import PAGES
from tests.support.server_process import ServerProcess

CLIENT = Path(__file__).parents[2] / "web" / "src"


def client_pages() -> set[str]:
    """Return the first segments of the paths that the client's router and its start know."""
    router = (CLIENT / "state" / "router.svelte.ts").read_text()
    patterns: list[str] = re.findall(r"path: /\^\\/(?:\(\?:|\()?([\w|-]*)", router)
    start: list[str] = re.findall(r"if \(.*?/(\w+)", (CLIENT / "main.ts").read_text())
    return {segment for pattern in patterns for segment in pattern.split("|")} | set(start)


def test_every_page_of_the_client_is_served() -> None:
    assert client_pages() == PAGES


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/table/classic", 200),
        ("/history/r1.p_2", 200),
        ("/safer-play/policy", 200),
        ("/nowhere", 404),
        ("/tables", 404),
    ],
)
def test_an_unknown_address_shows_the_page_with_status_404(
    http_server: ServerProcess, path: str, status: int
) -> None:
    answer = httpx.get(http_server.address + path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "text/html; charset=utf-8")

"""The nodes of deploy/compose.nodes.yaml behind nginx, as processes of this machine, with a new database.

Run as a command until Ctrl-C: `python -m tests.deploy.local_nodes --port 8443`.
"""

import argparse
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.deploy.compose_nodes import local_options, nginx_sample, options_of
from tests.faults.gateways import Site, running_site
from tests.guide.pages import HOST
from tests.guide.test_node_proxy import with_addresses
from tests.guide.test_proxies import Certificate, free_port, new_certificate, nginx, running


class PublicSite(NamedTuple):
    """Nodes, and the address of nginx in front of them."""

    site: Site
    address: str


@contextmanager
def site_behind_nginx(
    folder: Path, certificate: Certificate, config: str = "", port: int = 0
) -> Iterator[PublicSite]:
    """Start the nodes and nginx, which listens on `port`, or on one that is free."""
    port = port or free_port()
    with running_site(folder, config=config, nodes=local_options(port)) as site:
        sample = nginx_sample().replace("listen 443", f"listen 127.0.0.1:{port}")
        for name, node in site.cluster.named.items():
            sample = with_addresses(sample, f"{name}.internal", node)
        proxy = nginx(folder, sample, certificate, host="localhost")
        with running(proxy, port, folder):
            yield PublicSite(site, f"https://localhost:{port}")


def main() -> None:
    """Start the nodes, print their addresses, and stop them on Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8443)
    port = parser.parse_args().port
    signals = {signal.SIGINT, signal.SIGTERM}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with site_behind_nginx(folder, new_certificate(folder), port=port) as (site, address):
            signal.pthread_sigmask(signal.SIG_BLOCK, signals)
            print(f"players: {address}/", flush=True)
            for node, process in site.cluster.named.items():
                print(f"{node}: data {process.data}, metrics {process.admin}metrics", flush=True)
                if options_of(node)["roles"] == "tables":
                    host = options_of(node)["public-socket"].split("/")[2].replace(HOST, f"localhost:{port}")
                    print(f"{node}: staff https://{host}/staff", flush=True)
            signal.sigwait(signals)


if __name__ == "__main__":
    main()

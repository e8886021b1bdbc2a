"""The compose file of several nodes fits together, and with the files that nginx and Prometheus mount."""

import re
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

import pytest
import yaml
from typer.main import get_command

from croupier.cli.main import app
from tests.deploy.compose_nodes import FILE, commands, compose, local_options, nginx_sample, options_of, roles
from tests.guide.pages import HOST

NODES = {"gateway-a": "gateway", "gateway-b": "gateway", "owner-a": "tables", "owner-b": "tables"}
OTHERS = {"postgres", "nats", "nginx", "prometheus", "grafana"}
KEYS = [
    "./secrets/shoes.key:/var/lib/croupier/shoes.key:ro",
    "./secrets/cluster.key:/var/lib/croupier/cluster.key:ro",
    "./secrets/nats.pem:/etc/croupier/nats.pem:ro",
]
BUS_VARIABLES = {"CROUPIER_BUS", "CROUPIER_BUS_CA", "CROUPIER_CLUSTER_KEY_FILE"}
SERVER = re.compile(r"server (\S+)\.internal:(\d+)")


def test_there_are_two_gateways_two_owners_and_what_they_need() -> None:
    assert roles() == NODES
    assert compose()["services"].keys() == NODES.keys() | OTHERS


def test_nodes_are_told_the_database_the_bus_and_its_key_by_variables() -> None:
    serve = get_command(app).commands["serve"]  # type: ignore[attr-defined]
    known = {option.envvar for option in serve.params}
    for node, role in NODES.items():
        given = compose()["services"][node]["environment"]
        assert given.keys() - {"PGPASSWORD"} == BUS_VARIABLES | {"CROUPIER_DATABASE"} <= known
        assert urlsplit(given["CROUPIER_DATABASE"]).hostname == "postgres"
        assert given["CROUPIER_BUS"].startswith(f"tls://{role}:${{")
        assert given["CROUPIER_BUS"].endswith("@nats:4222")
        mounted = {volume.split(":")[1] for volume in compose()["services"][node]["volumes"]}
        assert {given["CROUPIER_BUS_CA"], given["CROUPIER_CLUSTER_KEY_FILE"]} <= mounted


@pytest.mark.parametrize("node", NODES)
def test_a_node_has_a_folder_of_its_own_and_the_common_key(node: str) -> None:
    service = compose()["services"][node]
    assert service["volumes"] == [f"{node}:{options_of(node)['data']}", *KEYS]
    assert node in compose()["volumes"]
    drain_s = int(options_of(node)["drain-seconds"])
    assert int(service["stop_grace_period"].removesuffix("s")) > drain_s


def test_nodes_keep_their_addresses_and_trust_the_network_of_nginx() -> None:
    (network,) = compose()["networks"]["default"]["ipam"]["config"]
    given = [compose()["services"][node]["networks"]["default"] for node in NODES]
    addresses = {ip_address(each["ipv4_address"]) for each in given}
    assert len(addresses) == len(NODES)
    assert all(each in ip_network(network["subnet"]) for each in addresses)
    assert not any(each in ip_network(network["ip_range"]) for each in addresses)
    assert {options_of(node)["proxy"] for node in NODES} == {network["subnet"]}


def test_nginx_reaches_the_nodes_and_has_their_hosts() -> None:
    aliases = {
        alias: node
        for node in NODES
        for alias in compose()["services"][node]["networks"]["default"]["aliases"]
    }
    servers = sorted(SERVER.findall(nginx_sample()))
    assert servers == [(node, port) for node in sorted(NODES) for port in ("8000", "8001")]
    assert aliases == {f"{node}.internal": node for node in NODES}
    hosts = {
        node: options_of(node)["public-socket"].removeprefix("wss://").removesuffix("/ws") for node in NODES
    }
    assert hosts == {node: HOST if role == "gateway" else f"{node}.{HOST}" for node, role in NODES.items()}
    (names,) = re.findall(r"server_name (.*);", nginx_sample())
    assert {*names.split()} == {*hosts.values()}
    mapped = dict(re.findall(rf"^    (\S+\.{re.escape(HOST)}) (\w+);", nginx_sample(), re.MULTILINE))
    assert mapped == {hosts[node]: node.replace("-", "_") for node, role in NODES.items() if role == "tables"}


def test_prometheus_asks_every_node() -> None:
    mounted = [word for word in compose()["services"]["prometheus"]["command"] if "config.file" in word]
    file = FILE.parent / "prometheus" / mounted[0].rpartition("/")[2]
    (job,) = yaml.safe_load(file.read_text())["scrape_configs"]
    (static,) = job["static_configs"]
    assert static["targets"] == [f"{node}:{options_of(node)['admin-port']}" for node in NODES]


def test_on_one_machine_nodes_have_their_roles_and_the_hosts_of_nginx() -> None:
    assert local_options() == {node: (f"--roles={role}",) for node, role in NODES.items()}
    assert commands().keys() == NODES.keys()
    assert local_options(8443)["owner-a"] == (
        "--roles=tables",
        "--proxy=127.0.0.1",
        "--public-socket=wss://owner-a.localhost:8443/ws",
    )

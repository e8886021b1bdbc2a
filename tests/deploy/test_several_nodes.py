"""The manifests of several nodes fit together: names, labels, ports, options and times."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from croupier.cli.main import app
from croupier.cluster.roles import BOTH_ROLES
from croupier.config import read_config
from croupier.games import published_tables

FOLDER = Path(__file__).parents[2] / "deploy" / "kubernetes-nodes"
MANIFESTS: dict[str, Any] = {file.stem: yaml.safe_load(file.read_text()) for file in FOLDER.glob("*.yaml")}
SETS = ("gateways", "tables")
POD_NAME = "statefulset.kubernetes.io/pod-name"
"""A label that Kubernetes adds to the pods of a StatefulSet."""


def of_kind(kind: str) -> list[Any]:
    return [manifest for manifest in MANIFESTS.values() if manifest["kind"] == kind]


def pod(name: str) -> Any:
    return MANIFESTS[name]["spec"]["template"]["spec"]


def server(name: str) -> Any:
    (only,) = pod(name)["containers"]
    return only


def options_of(name: str) -> dict[str, str]:
    return dict(word.removeprefix("--").split("=", 1) for word in server(name)["args"][1:])


def pods() -> list[dict[str, str]]:
    """Return the labels of all pods."""
    sets = [MANIFESTS[name] for name in SETS]
    return [
        each["spec"]["template"]["metadata"]["labels"] | {POD_NAME: f"{each['metadata']['name']}-{number}"}
        for each in sets
        for number in range(each["spec"]["replicas"])
    ]


def selected(labels: dict[str, str]) -> list[str]:
    """Return the names of the pods with these labels."""
    return [each[POD_NAME] for each in pods() if labels.items() <= each.items()]


def serve_parameters() -> list[Any]:
    parameters: list[Any] = get_command(app).commands["serve"].params  # type: ignore[attr-defined]
    return parameters


@pytest.mark.parametrize("name", SETS)
def test_nodes_start_with_real_options_and_the_role_of_their_name(name: str) -> None:
    known = {name for option in serve_parameters() for name in option.opts}
    assert server(name)["args"][0] == "serve"
    assert {f"--{option}" for option in options_of(name)} <= known
    role = MANIFESTS[name]["spec"]["template"]["metadata"]["labels"]["app.kubernetes.io/component"]
    assert options_of(name)["roles"] == role
    assert role in BOTH_ROLES


def test_nodes_are_told_the_database_the_bus_and_its_key_by_variables() -> None:
    known = {option.envvar for option in serve_parameters()}
    (told,) = (
        each["literals"] for each in MANIFESTS["kustomization"]["configMapGenerator"] if "literals" in each
    )
    names = {line.partition("=")[0] for line in told}
    assert names == {"CROUPIER_DATABASE", "CROUPIER_BUS_CA", "CROUPIER_CLUSTER_KEY_FILE"} <= known
    for name in SETS:
        assert server(name)["envFrom"] == [{"configMapRef": {"name": "croupier-nodes"}}]
        own = {each["name"]: each.get("value", "") for each in server(name)["env"]}
        assert {"PGPASSWORD", "BUS_PASSWORD"} <= own.keys()
        assert own["CROUPIER_BUS"].startswith(f"tls://{options_of(name)['roles']}:$(BUS_PASSWORD)@")
    mounted = {line.partition("=")[2] for line in told if "_CA=" in line or "_FILE=" in line}
    for name in SETS:
        places = {each["mountPath"] for each in server(name)["volumeMounts"]}
        assert all(any(file.startswith(place) for place in places) for file in mounted)


@pytest.mark.parametrize("name", SETS)
def test_nodes_share_the_key_of_the_shoes_and_survive_the_loss_of_a_machine(name: str) -> None:
    mounts = {each["mountPath"]: each["name"] for each in server(name)["volumeMounts"]}
    assert mounts["/var/lib/croupier/shoes.key"] == "keys"
    volumes = {each["name"]: each for each in pod(name)["volumes"]}
    assert volumes["keys"]["secret"]["secretName"] == "croupier-keys"
    spread = pod(name)["topologySpreadConstraints"][0]
    assert len(selected(spread["labelSelector"]["matchLabels"])) == MANIFESTS[name]["spec"]["replicas"] > 1


@pytest.mark.parametrize("name", SETS)
def test_probes_and_the_end_of_a_pod(name: str) -> None:
    ports = {port["name"]: port["containerPort"] for port in server(name)["ports"]}
    assert ports == {"pages": 8000, "socket": 8001, "admin": int(options_of(name)["admin-port"])}
    paths = {"startupProbe": "/readyz", "readinessProbe": "/readyz", "livenessProbe": "/livez"}
    assert {probe: server(name)[probe]["httpGet"]["path"] for probe in paths} == paths
    before = server(name)["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert pod(name)["terminationGracePeriodSeconds"] > int(options_of(name)["drain-seconds"]) + before


def test_sets_services_and_budgets_select_their_own_pods() -> None:
    for name in SETS:
        spec = MANIFESTS[name]["spec"]
        found = selected(spec["selector"]["matchLabels"])
        assert found == [f"{MANIFESTS[name]['metadata']['name']}-{n}" for n in range(spec["replicas"])]
        assert spec["serviceName"] in {each["metadata"]["name"] for each in of_kind("Service")}
    for budget in of_kind("PodDisruptionBudget"):
        assert budget["spec"]["maxUnavailable"] < len(selected(budget["spec"]["selector"]["matchLabels"]))
    for policy in of_kind("NetworkPolicy"):
        assert len(selected(policy["spec"]["podSelector"]["matchLabels"])) == len(pods())


def test_players_come_to_gateways_and_staff_to_the_owner_of_their_tables() -> None:
    services = {each["metadata"]["name"]: selected(each["spec"]["selector"]) for each in of_kind("Service")}
    hosts = dict[str, list[str]]()
    for rule in MANIFESTS["ingress"]["spec"]["rules"]:
        backends = {path["path"]: path["backend"]["service"] for path in rule["http"]["paths"]}
        assert {path: each["port"]["name"] for path, each in backends.items()} == {
            "/ws": "socket",
            "/": "pages",
        }
        (name,) = {each["name"] for each in backends.values()}
        hosts[rule["host"]] = services[name]
    gateways, owners = selected_by_role("gateway"), selected_by_role("tables")
    public = options_of("gateways")["public-socket"].split("/")[2]
    staff = options_of("tables")["public-socket"].split("/")[2]
    assert hosts == {public: gateways} | {staff.replace("$(POD)", each): [each] for each in owners}
    assert {*MANIFESTS["ingress"]["spec"]["tls"][0]["hosts"]} == {*hosts}


def selected_by_role(role: str) -> list[str]:
    return selected({"app.kubernetes.io/component": role})


def test_the_sample_configuration_is_valid() -> None:
    file = FOLDER / "croupier.toml"
    read_config(file.read_text(encoding="utf-8"), published_tables(), str(file))

"""The samples for containers: valid by their schemas, with options and ports that the server has."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import yaml
from typer.main import get_command

from croupier.cli.main import app
from croupier.config import read_config
from croupier.config.media import SECRET_VARIABLE, ConfiguredMedia, media_at
from croupier.games import published_tables
from croupier.protocol.signatures import Secret
from tests.deploy import compose_nodes
from tools.janus import write_configuration

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
COMPOSE = DEPLOY / "compose.yaml"
NODES = compose_nodes.FILE
JANUS = DEPLOY / "compose.janus.yaml"
COMPOSE_FILES = pytest.mark.parametrize("file", [COMPOSE, NODES, JANUS], ids=lambda file: file.name)
SECRETS = "./secrets/"
"""Of the operator; deploy/compose.nodes.yaml says how to make them."""
KUBERNETES = sorted(DEPLOY.glob("kubernetes*/*.yaml"))
KUBERNETES_VERSION = "1.37"
SCHEMAS = files("check_jsonschema.builtin_schemas.vendor")


def read(file: Path) -> Any:
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def manifest(name: str) -> Any:
    return read(DEPLOY / "kubernetes" / f"{name}.yaml")


def container() -> Any:
    (only,) = manifest("statefulset")["spec"]["template"]["spec"]["containers"]
    return only


def server_options() -> dict[str, str]:
    """Return the options of the pod's server, which have a value each."""
    return dict(word.removeprefix("--").split("=", 1) for word in container()["args"][1:])


def image_command() -> list[str]:
    """Return the arguments that the image runs without others."""
    (command,) = re.findall(r"^CMD (\[(?:.|\n)*?\])$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    words: list[str] = json.loads(command.replace("\\\n", ""))
    return words


@COMPOSE_FILES
def test_compose_files_follow_the_specification(file: Path) -> None:
    jsonschema.validate(read(file), json.loads((SCHEMAS / "compose-spec.json").read_text()))


def test_a_wrong_compose_file_is_found() -> None:
    schema = json.loads((SCHEMAS / "compose-spec.json").read_text())
    wrong = read(COMPOSE)
    wrong["services"]["croupier"]["read_onyl"] = True
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, schema)


@COMPOSE_FILES
def test_files_that_a_compose_file_mounts_exist(file: Path) -> None:
    for service in read(file)["services"].values():
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            known = not source.startswith(".") or source.startswith(SECRETS) or (DEPLOY / source).exists()
            assert known, source


@pytest.mark.parametrize(
    "file", sorted((DEPLOY / "prometheus").glob("[!a]*.yml")), ids=lambda file: file.stem
)
def test_prometheus_finds_its_rules_and_the_servers(file: Path) -> None:
    config = read(file)
    assert all((file.parent / rules).exists() for rules in config["rule_files"])
    (job,) = config["scrape_configs"]
    targets = [target for each in job["static_configs"] for target in each["targets"]]
    services = {*read(COMPOSE)["services"], *read(NODES)["services"], "127.0.0.1"}
    assert {target.partition(":")[0] for target in targets} <= services
    assert {target.partition(":")[2] for target in targets} == {"9464"}


def test_alerts_have_names_of_their_own_a_severity_and_a_summary() -> None:
    (group,) = read(DEPLOY / "prometheus" / "alerts.yml")["groups"]
    names = [rule["alert"] for rule in group["rules"]]
    assert sorted(set(names)) == sorted(names)
    assert "CroupierDatabaseWaiting" in names
    for rule in group["rules"]:
        assert rule.keys() - {"for"} == {"alert", "expr", "labels", "annotations"}
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert set(rule["annotations"]) == {"summary"}
        assert rule["expr"].count("(") == rule["expr"].count(")")


@pytest.mark.parametrize("file", KUBERNETES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_kubernetes_manifests_follow_their_schemas(file: Path) -> None:
    found = read(file)
    if found["kind"] == "Kustomization":  # kustomize's own, not in the schemas of Kubernetes
        others = {each.name for each in file.parent.glob("*.yaml") if each != file}
        assert {*found["resources"]} == others
        return
    kubernetes_validate.validate(found, KUBERNETES_VERSION, strict=True)


def test_a_wrong_manifest_is_found() -> None:
    wrong = manifest("statefulset")
    wrong["spec"]["template"]["spec"]["securityContext"]["runAsNonRot"] = True
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, KUBERNETES_VERSION, strict=True)


@pytest.mark.parametrize(
    "words",
    [
        image_command(),
        read(COMPOSE)["services"]["croupier"]["command"],
        *compose_nodes.commands().values(),
        container()["args"],
    ],
)
def test_servers_start_with_real_options(words: list[str]) -> None:
    known = {name for option in get_command(app).commands["serve"].params for name in option.opts}  # type: ignore[attr-defined]
    assert words[0] == "serve"
    assert {word.partition("=")[0] for word in words if word.startswith("--")} <= known


def test_the_media_server_shares_the_network_and_ports_of_the_game_server(tmp_path: Path) -> None:
    services = read(JANUS)["services"]
    server, janus = services["croupier"], services["janus"]
    assert set(server["environment"]) == {SECRET_VARIABLE, *environment_of("media")}
    media = media_at(server["environment"]["CROUPIER_MEDIA"], ConfiguredMedia("", 0, Secret(b"")))
    assert (media.host, janus["network_mode"]) == ("127.0.0.1", "service:croupier")
    ((published, inside, _),) = (re.split("[:/]", port) for port in server["ports"])
    assert published == inside
    assert f"--media-ports {inside} " in JANUS.read_text()
    write_configuration(tmp_path, "a secret", "", media.port, inside, "203.0.113.9")
    assert f'rtp_port_range = "{inside}"' in (tmp_path / "janus.jcfg").read_text()
    dockerfile = (DEPLOY / janus["build"] / "Dockerfile").read_text()
    (folder,) = (volume.split(":")[1] for volume in janus["volumes"])
    assert folder in dockerfile
    (user,) = re.findall(r"^USER (\d+:\d+)$", dockerfile, re.MULTILINE)
    assert f"chown -R {user} " in JANUS.read_text()


def environment_of(option: str) -> set[str]:
    """Return the environment variables of an option of the server."""
    options: list[Any] = get_command(app).commands["serve"].params  # type: ignore[attr-defined]
    return {each.envvar for each in options if each.name == option}


def test_kubernetes_asks_the_ports_that_the_server_listens_on() -> None:
    options = server_options()
    ports = {port["name"]: port["containerPort"] for port in container()["ports"]}
    assert ports == {"pages": 8000, "socket": 8001, "admin": int(options["admin-port"])}
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        assert container()[probe]["httpGet"]["port"] == "admin"
    paths = manifest("ingress")["spec"]["rules"][0]["http"]["paths"]
    backends = {path["path"]: path["backend"]["service"]["port"]["name"] for path in paths}
    assert backends == {"/ws": "socket", "/": "pages"}
    assert {port["targetPort"] for port in manifest("service")["spec"]["ports"]} == {"pages", "socket"}


def test_the_grace_period_exceeds_the_drain() -> None:
    options = server_options()
    pod = manifest("statefulset")["spec"]["template"]["spec"]
    before = container()["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert pod["terminationGracePeriodSeconds"] > int(options["drain-seconds"]) + before
    compose = read(COMPOSE)["services"]["croupier"]
    assert int(compose["stop_grace_period"].removesuffix("s")) > int(options["drain-seconds"])


def test_the_sample_configuration_is_valid() -> None:
    file = DEPLOY / "kubernetes" / "croupier.toml"
    read_config(file.read_text(encoding="utf-8"), published_tables(), str(file))


def test_pod_and_image_run_as_the_same_user() -> None:
    (user,) = re.findall(r"^USER (\d+):\d+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert (
        manifest("statefulset")["spec"]["template"]["spec"]["securityContext"]["runAsUser"] == int(user) > 0
    )

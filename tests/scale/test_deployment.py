"""The files in `deploy/` speak of commands, settings and figures that there are."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from recollect import Memory
from recollect.home import PREFIX
from recollect.settings import MEANINGS
from recollect.surfaces.catalogue.routes import ALIVE, READY
from recollect.surfaces.cli.parsing import Request, parse
from recollect.surfaces.http.metrics import Metrics
from recollect.surfaces.server import supervisor
from recollect.surfaces.server.lifespan import PORT
from tests.support import pgvector

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def read(name: str) -> Any:
    return yaml.safe_load((DEPLOY / name).read_text())


def test_compose_starts_commands_that_there_are_with_settings_that_there_are() -> None:
    services = read("compose.yaml")["services"]
    assert set(services) == {"db", "cache", "api", "worker"}
    for name in ("api", "worker"):
        program, *words = services[name]["command"]
        assert program == "recollect"
        command = parse(words).command
        assert command is not None and command.spelled == {"api": "serve", "worker": "worker"}[name]
        variables = {each.removeprefix(PREFIX).lower() for each in services[name]["environment"]}
        assert variables <= set(MEANINGS)
        # A home for each container, where the image says it is, since one server holds it; the models are for all.
        assert services[name]["volumes"] == ["/var/lib/recollect", "models:/var/lib/recollect/models"]
        assert services[name]["deploy"]["replicas"] == 2
    made = "install -d -o recollect /var/lib/recollect/models"
    assert made in (DEPLOY / "Dockerfile").read_text()  # or the volume belongs to root
    mounted = [each.split(":")[0] for each in services["db"]["volumes"] if each.startswith("./")]
    assert all((DEPLOY / each).is_file() for each in mounted)


def test_the_server_of_compose_is_reached_by_the_names_it_has_and_finishes_what_it_does() -> None:
    compose = read("compose.yaml")
    api = compose["services"]["api"]
    asked = parse(api["command"][1:])
    assert isinstance(asked, Request) and "api" in asked.arguments["allow_hosts"]
    [(_, ports, inner)] = (each.split(":") for each in api["ports"])
    first, last = map(int, ports.split("-"))
    assert (first, inner) == (PORT, str(PORT)) and last - first + 1 == api["deploy"]["replicas"]  # each takes one
    [told] = re.findall(r"exec api recollect (.+)", (DEPLOY / "compose.yaml").read_text())
    assert isinstance(parse(told.split()), Request)  # how the first token is made
    assert int(api["stop_grace_period"].removesuffix("s")) > supervisor._ENDING
    assert {"memory", "models"} == set(compose["volumes"])


def test_the_image_has_the_versions_that_were_tested_and_every_client() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    assert "-c versions.txt" in text and "constraints.txt > versions.txt" in text
    extras = set(re.search(r"'\.\[(.+)\]'", text)[1].split(","))  # type: ignore[index]
    offered = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert extras == set(offered) - {"keyring"}  # there is none in a container


def test_a_machine_whose_wheel_has_no_extension_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pgvector, "_installed", lambda: tmp_path)
    assert "has none" in pgvector.problem()


def test_the_image_is_small_not_root_and_asked_whether_it_is_ready() -> None:
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    assert lines.index("USER recollect") > max(n for n, line in enumerate(lines) if line.startswith("FROM"))
    assert any(READY in line for line in lines) and any(line.startswith("HEALTHCHECK") for line in lines)
    copied = [
        part for line in lines if line.startswith("COPY ") and "--from" not in line for part in line.split()[1:-1]
    ]
    assert all((ROOT / each).exists() for each in copied)


def test_alerts_ask_for_figures_that_are_documented() -> None:
    documented = (ROOT / "docs" / "serving.md").read_text()
    for rule in read("alerts.yaml")["groups"][0]["rules"]:
        assert rule["annotations"]["summary"]
        for figure in re.findall(r"recollect_\w+", rule["expr"]):
            assert re.sub("_bucket$", "", figure) in documented, figure


def manifests() -> dict[tuple[str, str], Any]:
    """Every object for Kubernetes, by its kind and name; the list of files is whole."""
    folder = DEPLOY / "kubernetes"
    listed = yaml.safe_load((folder / "kustomization.yaml").read_text())["resources"]
    assert {*listed, "kustomization.yaml"} == {each.name for each in folder.iterdir()}
    found = [each for name in listed for each in yaml.safe_load_all((folder / name).read_text())]
    named = {(each["kind"], each["metadata"]["name"]): each for each in found}
    assert len(named) == len(found) and all(each["apiVersion"] for each in found)
    return named


def pods() -> dict[str, Any]:
    return {
        name: each["spec"]["template"] for (kind, name), each in manifests().items() if kind in ("Deployment", "Job")
    }


def test_pods_start_commands_that_there_are_with_settings_that_there_are() -> None:
    named = manifests()
    for (kind, _), each in named.items():
        if kind in ("Secret", "ConfigMap"):
            variables = each.get("data") or each["stringData"]
            assert {name.removeprefix(PREFIX).lower() for name in variables} <= set(MEANINGS)
    for name, pod in pods().items():
        [container] = pod["spec"]["containers"]
        program, *words = container["command"]
        asked = parse(words)
        assert program == "recollect" and isinstance(asked, Request), name
        for source in container["envFrom"]:
            [(kind, where)] = source.items()
            assert ({"configMapRef": "ConfigMap", "secretRef": "Secret"}[kind], where["name"]) in named
    # Only the migration has the address of the owner of the tables.
    owners = [name for name, pod in pods().items() if "recollect-owner" in str(pod)]
    assert owners == ["recollect-migration"]


def test_pods_have_no_rights_and_are_given_time_to_finish() -> None:
    for pod in pods().values():
        spec, [container] = pod["spec"], pod["spec"]["containers"]
        assert spec["securityContext"]["runAsNonRoot"] and not spec["automountServiceAccountToken"]
        closed = container["securityContext"]
        assert closed["readOnlyRootFilesystem"] and closed["capabilities"] == {"drop": ["ALL"]}
        assert {each["mountPath"] for each in container["volumeMounts"]} == {"/var/lib/recollect", "/tmp"}
        if spec.get("restartPolicy") != "OnFailure":
            assert spec["terminationGracePeriodSeconds"] > supervisor._ENDING


def test_the_servers_of_kubernetes_are_watched_reached_and_never_all_away() -> None:
    named = manifests()
    api = named["Deployment", "recollect-api"]["spec"]
    [container] = api["template"]["spec"]["containers"]
    asked = parse(container["command"][1:])
    assert isinstance(asked, Request)
    for probe, path in (("startupProbe", READY), ("readinessProbe", READY), ("livenessProbe", ALIVE)):
        asks = container[probe]["httpGet"]
        assert asks["path"] == path and asks["httpHeaders"][0]["value"] in asked.arguments["allow_hosts"]
    assert container["ports"][0]["containerPort"] == PORT
    labels = api["template"]["metadata"]["labels"]
    selectors = [
        api["selector"]["matchLabels"],
        named["Service", "recollect"]["spec"]["selector"],
        named["PodDisruptionBudget", "recollect-api"]["spec"]["selector"]["matchLabels"],
        named["NetworkPolicy", "recollect-api"]["spec"]["podSelector"]["matchLabels"],
    ]
    assert all(selector.items() <= labels.items() for selector in selectors)
    for pod in pods().values():
        everybody = named["NetworkPolicy", "recollect"]["spec"]["podSelector"]["matchLabels"]
        assert everybody.items() <= pod["metadata"]["labels"].items()
    scaled = named["HorizontalPodAutoscaler", "recollect-api"]["spec"]
    assert ("Deployment", scaled["scaleTargetRef"]["name"]) in named
    assert scaled["minReplicas"] > named["PodDisruptionBudget", "recollect-api"]["spec"]["minAvailable"]


def test_the_dashboard_asks_for_figures_that_a_server_gives(memory_page: str) -> None:
    given = {line.split()[2] for line in memory_page.splitlines() if line.startswith("# TYPE")}
    board = json.loads((DEPLOY / "grafana.json").read_text())
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    asked = set()
    for panel in board["panels"]:
        for target in panel["targets"]:
            assert target["expr"].count("(") == target["expr"].count(")")
            asked |= set(re.findall(r"\b(?:recollect|process)_\w+", target["expr"]))
    assert {re.sub("_bucket$", "", each) for each in asked} <= given | {"recollect_redis_up"}
    # And whatever a server gives is shown somewhere.
    assert {each for each in given if each.startswith("recollect_")} <= {re.sub("_bucket$", "", each) for each in asked}


@pytest.fixture
def memory_page(tmp_path: Path) -> str:
    """The figures of a real server over a store in a file, as Prometheus reads them."""
    with Memory(home=tmp_path) as memory:
        memory.save("Alice drinks tea")
        streams = SimpleNamespace(readers=0, dropped=0, bus=None)
        load = SimpleNamespace(under_way=0, waiting=0, expected_wait=lambda: 0.0)
        page = Metrics(memory.measuring, load, streams).page().decode()  # type: ignore[arg-type]
    # Families are named without the ending that counters have on the page.
    return re.sub(r"# TYPE (\w+?)(?:_total)? counter", r"# TYPE \1_total counter", page)

"""The files in `deploy/` speak of commands, settings and figures that there are."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from recollect.home import PREFIX
from recollect.settings import MEANINGS
from recollect.surfaces.catalogue.routes import READY
from recollect.surfaces.cli.parsing import Request, parse
from recollect.surfaces.resident.process import FIRST_TOKEN
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
        assert "home:/var/lib/recollect" in services[name]["volumes"]  # as the image says where it is
    assert services["worker"]["deploy"]["replicas"] == 2
    mounted = [each.split(":")[0] for each in services["db"]["volumes"] if each.startswith("./")]
    assert all((DEPLOY / each).is_file() for each in mounted)


def test_the_server_of_compose_is_reached_by_the_names_it_has_and_finishes_what_it_does() -> None:
    compose = read("compose.yaml")
    api = compose["services"]["api"]
    asked = parse(api["command"][1:])
    assert isinstance(asked, Request) and "api" in asked.arguments["allow_hosts"]
    assert [each.rpartition(":")[2] for each in api["ports"]] == [str(PORT)]
    assert f"/{FIRST_TOKEN}" in (DEPLOY / "compose.yaml").read_text()  # where the first token is found
    assert "deploy" not in api  # a home is held by one server
    assert int(api["stop_grace_period"].removesuffix("s")) > supervisor._ENDING
    assert {"memory", "home"} == set(compose["volumes"])


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

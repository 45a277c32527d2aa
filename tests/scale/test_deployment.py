"""The files in `deploy/` speak of commands, settings and figures that there are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from recollect.home import PREFIX
from recollect.settings import MEANINGS
from recollect.surfaces.catalogue.routes import READY
from recollect.surfaces.cli.parsing import parse

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
        assert services[name]["deploy"]["replicas"] == 2
    mounted = [each.split(":")[0] for each in services["db"]["volumes"] if each.startswith("./")]
    assert all((DEPLOY / each).is_file() for each in mounted)


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

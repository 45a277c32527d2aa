"""The built wheel in an empty environment, without and with its extras: init, an agent's handshake, doctor."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.project import ROOT
from tests.surfaces.mcp.speaking import over_stdio
from tests.surfaces.shell import Shell

HERE = Path(sysconfig.get_paths()["purelib"])
pytestmark = pytest.mark.xdist_group("installed")  # one environment for all

CORE = ("apsw",)  # all that the wheel needs by itself


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    return next(folder.glob("recollect-*.whl"))


class Environment:
    """An environment that holds the wheel and what it needs by itself."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        venv.create(folder, with_pip=False, symlinks=True)
        self.python = folder / "bin" / "python"
        pip = [sys.executable, "-m", "pip", "--python", str(self.python), "install", "-q", "--no-index", "--no-deps"]
        subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
        found = subprocess.run(
            [self.python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        packages = Path(found.stdout.strip())
        for name in CORE:
            (packages / name).symlink_to(HERE / name)
        self._extras = packages / "extras.pth"

    def with_extras(self) -> None:
        """Everything that the extras name can be imported, but not the source tree."""
        self._extras.write_text(f"{HERE}\n")

    def without_extras(self) -> None:
        self._extras.unlink(missing_ok=True)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Environment:
    return Environment(tmp_path_factory.mktemp("installed") / "env", wheel)


class Installed(Shell):
    """A shell in which the wheel is installed, and a user of Claude Code at home."""

    def __init__(self, folder: Path, bytecode: Path, environment: Environment) -> None:
        super().__init__(folder, bytecode)
        self.program = str(environment.python.with_name("recollect"))
        self.environment = {**self.environment, "PATH": os.defpath}
        (folder / ".claude").mkdir()
        (folder / ".claude.json").write_text('{"numStartups": 3}\n')

    def settings(self) -> dict[str, bytes]:
        paths = [self.folder / ".claude.json", *(self.folder / ".claude").rglob("*")]
        return {str(path): path.read_bytes() for path in paths if path.is_file()}


@pytest.fixture
def installed(tmp_path: Path, bytecode: Path, environment: Environment) -> Iterator[Installed]:
    shell = Installed(tmp_path, bytecode, environment)
    yield shell
    shell.run("serve", "--stop")
    environment.without_extras()


def test_the_wheel_alone_remembers_and_finds(installed: Installed) -> None:
    installed.ok("save", "We deploy with make release")
    assert installed.ok("search", "how do we deploy")["hits"][0]["note"]["text"] == "We deploy with make release"
    assert installed.ok("doctor")["healthy"]


def test_the_wheel_says_where_the_benchmarks_are(installed: Installed) -> None:
    refused = installed.run("bench", "--sets", "speed")
    assert refused.code == 2
    assert "not installed with the package" in refused.err
    assert "make bench" in refused.err


def test_without_the_extra_init_says_what_to_install_and_changes_nothing(installed: Installed) -> None:
    before = installed.settings()
    for option in ("--yes", "--print"):
        error = installed.run("init", option, "--json").error
        assert error["code"] == "extra_missing"
        assert "pip install 'recollect[server]'" in error["hint"]
    assert installed.settings() == before
    checks = {each["name"]: each for each in installed.ok("doctor")["checks"]}
    assert checks["Claude Code"]["detail"] == "is here and not connected"
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    told = json.loads(installed.run("mcp", stdin=json.dumps(asked).encode() + b"\n").out)["error"]
    assert told["data"]["code"] == "extra_missing"
    assert "pip install 'recollect[server]'" in told["message"]


def test_with_the_extra_an_agent_is_connected_and_the_doctor_starts_what_it_starts(
    installed: Installed, environment: Environment
) -> None:
    before = installed.settings()
    environment.with_extras()
    installed.ok("init", "--yes")
    entry = json.loads((installed.folder / ".claude.json").read_text())["mcpServers"]["recollect"]
    with over_stdio(entry["command"], *entry["args"], environment=installed.environment) as agent:
        assert "search" in {tool.name for tool in agent.tools()}
    installed.run("serve", "--stop")

    checks = {each["name"]: each for each in installed.ok("doctor")["checks"]}
    assert checks["MCP"]["ok"]
    assert checks["MCP"]["detail"].endswith("mcp --home " + str(installed.home) + "` answers")
    assert installed.run("serve", "--status").code != 0  # a server that only the doctor needed is gone

    environment.without_extras()
    ended = installed.run("doctor", "--json")
    checks = {each["name"]: each for each in ended.json["checks"]}
    assert ended.code == 1
    assert not checks["MCP"]["ok"]
    assert "packages that are not installed" in checks["MCP"]["detail"]

    installed.ok("init", "--undo", "--yes")
    assert installed.settings() == before

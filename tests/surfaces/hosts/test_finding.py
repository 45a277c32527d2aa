"""Looking around: which agents are here, and who has the store open."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from recollect.settings import load_settings
from recollect.surfaces.cli.init import _openers
from recollect.surfaces.hosts.known import Ground
from recollect.surfaces.hosts.presence import found_hosts, holders


def test_an_agent_is_found_by_its_folder_or_by_its_program(tmp_path: Path) -> None:
    assert found_hosts(Ground(tmp_path)) == []
    (tmp_path / ".cursor").mkdir()
    program = tmp_path / "bin" / "codex"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    found = found_hosts(Ground(tmp_path, {"PATH": str(program.parent)}))
    assert [host.name for host in found] == ["codex", "cursor"]


def test_a_folder_that_a_variable_names_is_where_it_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    ground = Ground(tmp_path, {"CODEX_HOME": str(tmp_path / "elsewhere")})
    assert [host.name for host in found_hosts(ground)] == ["codex"]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux tells")
def test_another_process_that_has_a_file_open_is_named(tmp_path: Path) -> None:
    file = tmp_path / "recollect.db"
    file.touch()
    assert holders(str(file)) == []
    program = "import sys; held = open(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", program, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        [(pid, words)] = holders(str(file))
        assert pid == child.pid
        assert words.endswith(str(file))
        child.communicate(timeout=240)
    assert holders(str(file)) == []


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux tells")
@pytest.mark.parametrize("address", ["~/recollect.db", "sqlite:///~/recollect.db"])
def test_the_doctor_names_who_has_a_store_below_home_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    file = tmp_path / "recollect.db"
    file.touch()
    program = "import sys; held = open(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", program, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        [check] = _openers(load_settings({"store": address})[0])
        assert f"process {child.pid}" in check.detail
        child.communicate(timeout=240)

"""`recollect project` says which project a folder is, and `--project .` means just that."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect.surfaces.cli import local
from recollect.surfaces.cli.main import main
from tests.support.repositories import made_repository
from tests.surfaces.shell import Shell


def test_the_answer_is_explained_for_people_and_for_programs(shell: Shell) -> None:
    shop = made_repository(shell.folder / "shop", origin="git@github.com:acme/shop.git")

    told = shell.run("project", cwd=shop)
    plain = shell.ok("project", str(shop))

    assert told.code == 0 and "github.com/acme/shop" in told.out and "remote" in told.out
    assert (plain["name"], plain["rule"]) == ("github.com/acme/shop", "remote")
    assert [each["rule"] for each in plain["findings"]] == ["marker", "remote", "repository", "folder"]


def test_a_folder_may_stand_for_its_project(shell: Shell) -> None:
    shop = made_repository(shell.folder / "shop", origin="git@github.com:acme/shop.git")

    saved = shell.ok("save", "We deploy with make release", "--project", ".", cwd=shop)

    assert saved["scope"]["project"] == "github.com/acme/shop"
    assert shell.run("save", "x", "--project", "./missing", "--json").error["code"] == "folder_not_found"


def test_a_folder_is_looked_up_once_for_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def named(verb: str, arguments: dict[str, object]) -> None:
        asked.append((verb, arguments["project"]))

    monkeypatch.setattr(local, "name_projects", named)
    assert main(["save", "Tea is in the tin", "--project", "kitchen", f"--home={tmp_path}"]) == 0
    assert asked == [("save", "kitchen")]

"""Folders, repositories, worktrees and parts of them, on a real disk with real repositories."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from recollect.domain.errors import NotFound
from recollect.domain.projects import MARKER, ProjectRule
from recollect.workspace.projects import project_of
from tests.support.repositories import git, made_repository


@pytest.fixture
def home(tmp_path: Path) -> Path:
    place = tmp_path / "home"
    place.mkdir()
    return place


def test_a_repository_is_known_by_its_origin_from_every_folder_in_it(home: Path) -> None:
    shop = made_repository(home / "work" / "my-shop", origin="https://alice:s3cret@github.com/Acme/Shop.git")
    (shop / "src" / "deep").mkdir(parents=True)

    found = project_of(shop / "src" / "deep", home=home)

    assert (found.name, found.rule, found.root) == ("github.com/acme/shop", ProjectRule.REMOTE, str(shop))
    assert found.branch == "main"
    assert "s3cret" not in repr(found)


def test_a_worktree_is_the_same_project_as_its_repository(home: Path) -> None:
    shop = made_repository(home / "shop", origin="git@github.com:acme/shop.git")
    git(shop, "worktree", "add", "-q", "-b", "fix", str(home / "elsewhere"))

    found = project_of(home / "elsewhere", home=home)

    assert (found.name, found.root, found.branch) == ("github.com/acme/shop", str(home / "elsewhere"), "fix")


def test_a_worktree_without_an_origin_is_called_as_its_repository(home: Path) -> None:
    shop = made_repository(home / "shop")
    git(shop, "worktree", "add", "-q", "-b", "fix", str(home / "elsewhere"))

    assert project_of(home / "elsewhere", home=home).name == project_of(shop, home=home).name == "shop"


def test_a_submodule_is_a_project_of_its_own(home: Path) -> None:
    library = made_repository(home / "library")
    shop = made_repository(home / "shop", origin="git@github.com:acme/shop.git")
    git(shop, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "vendor/library")
    git(shop / "vendor" / "library", "remote", "set-url", "origin", "git@github.com:acme/library.git")

    assert project_of(shop / "vendor" / "library", home=home).name == "github.com/acme/library"


def test_an_empty_marker_makes_a_part_of_a_repository_a_project(home: Path) -> None:
    shop = made_repository(home / "shop", origin="git@github.com:acme/shop.git")
    (shop / "packages" / "api" / "src").mkdir(parents=True)
    (shop / "packages" / "api" / MARKER).write_text("# a part of the shop\n")

    assert project_of(shop / "packages" / "api" / "src", home=home).name == "github.com/acme/shop/packages/api"
    assert project_of(shop / "packages", home=home).name == "github.com/acme/shop"


def test_a_marker_with_a_name_settles_it(home: Path) -> None:
    (home / "work" / "one").mkdir(parents=True)
    (home / "work" / MARKER).write_text("The Works\n")

    found = project_of(home / "work" / "one", home=home)

    assert (found.name, found.rule, found.root) == ("The Works", ProjectRule.MARKER, str(home / "work"))


def test_neither_a_marker_nor_a_repository_in_the_home_claims_everything(home: Path) -> None:
    made_repository(home, origin="git@github.com:alice/dotfiles.git")
    (home / MARKER).write_text("everything\n")
    (home / "notes").mkdir()

    assert project_of(home / "notes", home=home).name == "notes"
    assert project_of(home, home=home).name == "github.com/alice/dotfiles"


def test_an_address_that_is_abbreviated_is_spelled_out(home: Path) -> None:
    shop = made_repository(home / "shop", origin="gh:acme/shop")
    git(shop, "config", "url.git@github.com:.insteadOf", "gh:")

    assert project_of(shop, home=home).name == "github.com/acme/shop"


@pytest.mark.parametrize("written", ["gitdir: /nowhere/at/all\n", "nonsense", "", "\0\0"])
def test_a_broken_repository_is_no_repository(home: Path, written: str) -> None:
    (home / "odd").mkdir()
    (home / "odd" / ".git").write_text(written)

    assert project_of(home / "odd", home=home).name == "odd"


def test_no_process_is_started_to_know_a_project(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shop = made_repository(home / "shop", origin="git@github.com:acme/shop.git")
    monkeypatch.setattr(subprocess, "Popen", None)

    assert project_of(shop, home=home).name == "github.com/acme/shop"


def test_a_folder_that_is_not_there_is_said_so(home: Path) -> None:
    with pytest.raises(NotFound) as caught:
        project_of(home / "missing", home=home)
    assert caught.value.code == "folder_not_found"

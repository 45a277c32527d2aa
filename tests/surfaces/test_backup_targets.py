"""Backups elsewhere, from a command line and over HTTP: words for people, fields for programs, and no way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory
from recollect.surfaces.cli.main import main
from recollect.surfaces.cli.screens import copies
from tests.surfaces.http.client import served
from tests.surfaces.shell import Shell


def test_a_backup_goes_to_a_folder_and_comes_back(shell: Shell) -> None:
    shell.ok("save", "Tea is in the tin")
    made = shell.ok("backup", "--to", "./stick", "--keep", "3")
    shell.ok("save", "Written later")

    held = shell.ok("backups", "--at", "./stick")
    restored = shell.ok("restore", "--from", "./stick", "--backup", made["stored"]["name"], "--yes")

    assert held["backups"] == [{**made, "stored": {**made["stored"], "removed": []}}]
    assert restored["sha256"] == made["sha256"]
    assert [note["text"] for note in shell.ok("list")["items"]] == ["Tea is in the tin"]


def test_a_person_is_told_which_space_was_restored(shell: Shell) -> None:
    shell.ok("save", "Tea is in the tin", "--space", "alice")
    shell.ok("backup", "--space", "alice", "alice.db")
    told = shell.run("restore", "--space", "alice", "alice.db", "--yes")
    assert told.out.startswith("The space `alice` is again what it was in this backup:")


def test_a_person_sees_how_far_a_backup_has_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(copies, "_SILENCE", -1.0)
    monkeypatch.setattr(copies, "_PACE", -1.0)
    monkeypatch.setattr(copies, "is_screen", lambda _: True)
    home, stick = f"--home={tmp_path / 'home'}", str(tmp_path / "stick")
    assert main(["save", "Tea is in the tin", home]) == 0
    for command in (["backup", "--to", stick], ["restore", "--from", stick, "--yes"]):
        capsys.readouterr()
        assert main([*command, home]) == 0
        assert "100 % …" in capsys.readouterr().err


def test_people_see_what_is_there_and_are_asked_before_it_is_restored(shell: Shell) -> None:
    shell.ok("save", "Tea is in the tin")
    assert "There is no folder" in shell.run("backups", "--at", "./stick").err
    name = shell.ok("backup", "--to", "./stick")["stored"]["name"]

    listed = shell.on_screen("backups", "--at", "./stick", columns=200, NO_COLOR="1").out
    assert listed.splitlines()[0].split() == ["made", "machine", "notes", "size", "name"]
    assert name in listed
    asked = shell.on_screen("restore", "--from", "./stick", typed=b"n\n", columns=200)
    assert "Memory becomes what it was in the newest backup at ./stick" in asked.out
    assert "Nothing was changed." in asked.out


def test_a_damaged_backup_ends_the_list_with_a_code_of_its_own(shell: Shell) -> None:
    shell.ok("save", "Tea is in the tin")
    name = shell.ok("backup", "--to", "./stick")["stored"]["name"]
    (shell.folder / "stick" / f"{name}.db.gz").write_bytes(b"")

    ended = shell.run("backups", "--at", "./stick")
    assert (ended.code, "is damaged" in ended.out) == (1, True)
    refused = shell.run("restore", "--from", "./stick", "--yes", "--json")
    assert refused.error["code"] == "backup_damaged"


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        (["backup"], "usage"),
        (["backup", "copy.db", "--to", "./stick"], "usage"),
        (["backup", "--to", "stick"], "target_not_configured"),
        (["backup", "--to", "ftp://host/x"], "unknown_target"),
        (["backup", "--to", "./stick", "--keep", "0"], "invalid_input"),
        (["backups"], "usage"),
        (["restore", "--from", "./stick"], "confirmation_needed"),
        (["restore", "--yes", "--from", "./stick", "--dry-run"], "unsupported"),
    ],
)
def test_what_cannot_be_meant_is_said_before_anything_is_done(shell: Shell, typed: list[str], code: str) -> None:
    assert shell.run(*typed, "--json").error["code"] == code
    assert not (shell.folder / "stick").exists()


def test_targets_have_names_in_the_settings_and_no_passwords_on_the_screen(shell: Shell) -> None:
    shell.home.mkdir()
    (shell.home / "recollect.toml").write_text(
        f'[targets]\nnightly = "{shell.folder}/nightly"\nfar = "git+https://me:s3cr3t@example.org/memory.git"\n'
    )
    shell.ok("save", "Tea is in the tin")
    shell.ok("backup", "--to", "nightly")

    assert len(shell.ok("backups", "--at", "nightly")["backups"]) == 1
    for ended in (shell.run("config"), shell.run("config", "--json")):
        assert "nightly=" in ended.out
        assert "s3cr3t" not in ended.out + ended.err


@pytest.mark.parametrize("wrong", ['targets = "x"', "[targets]\nx = 3", '[targets]\n"a b" = "/x"', 'targets = ["/x"]'])
def test_targets_that_are_none_are_a_setting_that_is_wrong(shell: Shell, wrong: str) -> None:
    shell.home.mkdir()
    (shell.home / "recollect.toml").write_text(wrong)
    assert shell.run("status", "--json").error["code"] == "misconfigured"


def test_over_http_a_target_can_only_be_named(tmp_path: Path) -> None:
    targets = {"nightly": str(tmp_path / "nightly")}
    with Memory(home=tmp_path / "home", targets=targets) as memory, served(memory) as anybody:
        memory.save("Tea is in the tin")
        admin = anybody.with_token(memory.access.issue(scope="admin").secret)

        for address in (f"{tmp_path}/elsewhere", "s3://bucket?endpoint=http://169.254.169.254", "git+ssh://host/x"):
            for verb in ("backup", "backups", "restore"):
                answer = admin.post(f"/v1/{verb}", {"target": address})
                assert (answer.status, answer.json["code"]) == (400, "target_not_configured")
        assert not (tmp_path / "elsewhere").exists()

        made = admin.post("/v1/backup", {"target": "nightly", "keep": 1})
        assert made.status == 200
        assert admin.post("/v1/backups", {"target": "nightly"}).json["backups"][0]["sha256"] == made.json["sha256"]
        assert admin.post("/v1/restore", {"target": "nightly"}).status == 200


@pytest.mark.parametrize("verb", ["backup", "backups", "restore"])
def test_over_http_only_an_administrator_of_everything_reaches_targets(tmp_path: Path, verb: str) -> None:
    targets = {"nightly": str(tmp_path / "nightly")}
    with Memory(home=tmp_path / "home", targets=targets) as memory, served(memory) as anybody:
        memory.save("Tea is in the tin", space="alice")
        writer = anybody.with_token(memory.access.issue(scope="write").secret)
        bound = anybody.with_token(memory.access.issue(scope="admin", space="alice").secret)
        assert writer.post(f"/v1/{verb}", {"target": "nightly"}).json["code"] == "scope_too_small"
        assert bound.post(f"/v1/{verb}", {"target": "nightly"}).json["code"] == "token_bound"
    assert not (tmp_path / "nightly").exists()

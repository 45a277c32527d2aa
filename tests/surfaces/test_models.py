"""`recollect models`: which there are, obtaining one, checking it; machine-local, and nothing is left half done."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from recollect.inference.models import ARCTIC, DEFAULT, JUDGE, MINILM, MODELS, POTION, RERANKER, is_installed
from recollect.surfaces.cli.main import main
from tests.inference.making import FILES, a_folder, a_model, a_wheel, installed_models
from tests.surfaces.shell import Shell

TINY = a_model()
WRONG = {**FILES, "vocab.txt": b"of somebody else"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, on a machine where there is one more model: a tiny one."""
    monkeypatch.setitem(MODELS, TINY.name, TINY)
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "home"))
    for name in ("RECOLLECT_MODELS", "RECOLLECT_EMBEDDING"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "home"


def test_the_list_says_which_models_there_are_and_which_are_installed(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["folder"] == str(home / "models")
    assert told["embedding"] == "auto"
    assert {each["name"]: each["installed"] for each in told["items"]} == {
        DEFAULT: False,
        ARCTIC.name: False,
        POTION.name: False,
        MINILM.name: False,
        JUDGE.name: False,
        RERANKER.name: False,
        TINY.name: False,
    }
    assert [each["name"] for each in told["items"] if each["default"]] == [
        DEFAULT,
        JUDGE.name,
        RERANKER.name,
    ]

    main(["models", "install", TINY.name, "--from", str(a_folder(tmp_path / "given"))])
    capsys.readouterr()
    assert main(["models", "list"]) == 0
    shown = capsys.readouterr().out
    assert f"\n{DEFAULT:<14}  no         Apache-2.0  " in shown
    assert f"\n{TINY.name}            yes        Apache-2.0  a model for tests\n" in shown
    assert str(home / "models") in shown


@pytest.mark.parametrize("given", [a_folder, a_wheel])
def test_the_right_files_are_accepted(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], given: type
) -> None:
    source = given(tmp_path / "given")
    assert main(["models", "install", TINY.name, "--from", str(source)]) == 0
    told = capsys.readouterr()
    assert told.out == f"The model tiny was checked and installed: {home / 'models' / 'tiny'}\n"
    assert told.err == f"tiny: trying {source} …\n"

    assert main(["models", "install", TINY.name, "--json"]) == 0
    again = capsys.readouterr()
    assert [each["installed"] for each in json.loads(again.out)["items"]] == [True]
    assert again.err == ""
    assert main(["models", "verify", TINY.name]) == 0
    assert capsys.readouterr().out == f"The model tiny is what it must be: {home / 'models' / 'tiny'}\n"


def test_wrong_files_are_refused_and_nothing_is_left_behind(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = a_folder(tmp_path / "given", WRONG)
    assert main(["models", "install", TINY.name, "--from", str(source), "--json"]) == 5
    told = capsys.readouterr()

    assert told.out == ""
    assert json.loads(told.err)["error"]["code"] == "model_unobtainable"
    assert not list(home.rglob("*"))


def test_a_model_that_has_changed_since_does_not_pass(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["models", "install", TINY.name, "--from", str(a_folder(tmp_path / "given"))])
    assert main(["models", "verify", "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert [each["name"] for each in told["items"]] == [TINY.name]

    (home / "models" / "tiny" / "vocab.txt").write_bytes(WRONG["vocab.txt"])
    for typed in (["verify"], ["verify", TINY.name]):
        assert main(["models", *typed, "--json"]) == 6
        assert json.loads(capsys.readouterr().err)["error"]["code"] == "model_damaged"


def test_a_model_that_has_changed_since_is_installed_again(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["models", "install", TINY.name, "--from", str(a_folder(tmp_path / "given"))]
    assert main(given) == 0
    (home / "models" / "tiny" / "vocab.txt").write_bytes(WRONG["vocab.txt"])
    capsys.readouterr()

    assert main(given) == 0
    told = capsys.readouterr()
    assert "is replaced" in told.err and "was checked and installed" in told.out
    assert main(given) == 0
    assert "is installed already, and sound" in capsys.readouterr().out
    assert main(["models", "verify", TINY.name]) == 0


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        (["verify"], "model_not_installed"),
        (["verify", DEFAULT], "model_not_installed"),
        (["verify", "no-such-model"], "model_not_found"),
        (["install", "no-such-model"], "model_not_found"),
        (["install", "--from", "nowhere"], "file_not_found"),
    ],
)
def test_what_is_not_there_is_said_not_to_be(shell: Shell, typed: list[str], code: str) -> None:
    ended = shell.run("models", *typed, "--json")

    assert (ended.code, ended.error["code"]) == (3, code)
    assert not shell.home.exists()


def test_models_belong_to_the_machine_and_open_no_store(shell: Shell) -> None:
    shell.run("models")
    shell.run("models", "verify")

    assert not shell.home.exists()


def test_without_its_packages_it_is_said_what_to_install(shell: Shell) -> None:
    # Python runs this file when it starts: a machine on which these were never installed.
    (shell.folder / "sitecustomize.py").write_text(
        "import sys\nsys.modules['numpy'] = None\nsys.modules['onnxruntime'] = None\n"
    )
    path = os.pathsep.join([str(shell.folder), os.environ.get("PYTHONPATH", "")])

    listed = shell.run("models", PYTHONPATH=path)
    assert listed.code == 0
    assert "`numpy` and `onnxruntime` are not installed" in listed.err
    assert "pip install 'recollect[local]'" in listed.err
    assert shell.ok("models", PYTHONPATH=path)["missing_packages"] == ["numpy", "onnxruntime"]
    assert shell.ok("models")["missing_packages"] == []

    a_folder(shell.home / "models" / DEFAULT)
    assert shell.ok("save", "words do the work", PYTHONPATH=path)
    named = shell.run("list", "--json", PYTHONPATH=path, RECOLLECT_EMBEDDING=DEFAULT)
    assert (named.code, named.error["code"]) == (7, "extra_missing")


def test_a_model_that_is_asked_for_must_be_there(shell: Shell) -> None:
    missing = shell.run("list", "--json", RECOLLECT_EMBEDDING=DEFAULT)
    assert (missing.code, missing.error["code"]) == (3, "model_not_installed")

    unknown = shell.run("list", "--json", RECOLLECT_EMBEDDING="no-such-model")
    assert (unknown.code, unknown.error["code"]) == (2, "misconfigured")


def test_with_the_real_model_what_shares_no_word_is_found(shell: Shell) -> None:
    real = installed_models() / DEFAULT
    told = shell.ok("models", "install", "--from", str(real))
    assert [(each["name"], each["installed"]) for each in told["items"]] == [(DEFAULT, True)]
    assert is_installed(MODELS[DEFAULT], shell.home / "models")
    assert shell.run("models", "verify").code == 0

    for text in ("Priya is allergic to peanuts", "The cellar is damp"):
        shell.ok("save", text)
    found = shell.run("search", "what should nobody serve her for dinner")
    assert found.out.startswith("1  Priya is allergic to peanuts\n")
    assert shell.ok("search", "what should nobody serve her for dinner", RECOLLECT_EMBEDDING="off")["hits"] == []

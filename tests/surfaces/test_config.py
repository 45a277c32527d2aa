"""`recollect config`: which value, from where; arguments before variables before the file before defaults."""

from __future__ import annotations

from typing import Any

import pytest

from tests.surfaces.shell import Shell


def settings(shell: Shell, *argv: str, **environment: Any) -> dict[str, tuple[str, str]]:
    """Value and source of each setting."""
    return {each["name"]: (each["value"], each["source"]) for each in shell.ok("config", *argv, **environment)}


def test_each_source_goes_before_the_next(shell: Shell) -> None:
    file = shell.home / "recollect.toml"
    assert settings(shell)["space"] == ("default", "default")

    shell.home.mkdir()
    file.write_text('space = "from-file"\nbusy_timeout = 3')
    assert settings(shell)["space"] == ("from-file", str(file))
    assert settings(shell)["busy_timeout"] == ("3.0", str(file))

    assert settings(shell, RECOLLECT_SPACE="from-variable")["space"] == ("from-variable", "RECOLLECT_SPACE")
    assert settings(shell, "--space", "typed", RECOLLECT_SPACE="from-variable")["space"] == ("typed", "argument")


def test_what_is_shown_is_what_is_used(shell: Shell) -> None:
    shell.ok("save", "x", RECOLLECT_SPACE="from-variable")
    shell.ok("save", "y", "--space", "typed", RECOLLECT_SPACE="from-variable")

    assert [space["name"] for space in shell.ok("spaces")["items"]] == ["from-variable", "typed"]
    assert shell.ok("status")["location"] == settings(shell)["store"][0]


def test_arguments_choose_home_and_store(shell: Shell) -> None:
    told = settings(shell, "--home", "elsewhere", "--store", "mine.db")

    assert told["home"] == (str(shell.folder / "elsewhere"), "argument")
    assert told["store"] == ("mine.db", "argument")


def test_a_file_in_the_working_directory_is_not_looked_at(shell: Shell) -> None:
    usual = settings(shell)
    cloned = shell.folder / "cloned"
    below = cloned / "src"
    below.mkdir(parents=True)
    for name in ("recollect.toml", ".env", "pyproject.toml"):
        (cloned / name).write_text(
            'store = "postgresql://thief@example.org/all"\nRECOLLECT_STORE=postgresql://thief@x/y'
        )

    for folder in (cloned, below):
        assert settings(shell, cwd=folder) == usual
        shell.ok("save", "mine", cwd=folder)
    assert shell.ok("status", cwd=cloned)["location"] == usual["store"][0]


def test_passwords_are_not_shown(shell: Shell) -> None:
    address = "postgresql://alice:secret@example.org/memory"
    for ended in (
        shell.run("config", "--store", address),
        shell.run("config", "--json", RECOLLECT_STORE=address),
        shell.on_screen("config", RECOLLECT_STORE=address),
    ):
        assert "secret" not in ended.out + ended.err
        assert "alice:***@example.org" in ended.out


def test_people_see_where_each_value_comes_from(shell: Shell) -> None:
    ended = shell.run("config")

    assert ended.out.splitlines()[0].split() == ["setting", "comes", "from", "value"]
    assert "principal          RECOLLECT_PRINCIPAL  tester" in ended.out
    assert str(shell.home / "recollect.toml") in ended.err


@pytest.mark.parametrize(
    ("content", "says"), [("space = ", "cannot be read"), ('sapce = "x"', "`sapce`"), ('store = ""', "`store`")]
)
def test_a_wrong_file_is_named(shell: Shell, content: str, says: str) -> None:
    shell.home.mkdir()
    (shell.home / "recollect.toml").write_text(content)
    ended = shell.run("list", "--json")

    assert ended.code == 2
    assert ended.error["code"] == "misconfigured"
    assert says in ended.error["message"]

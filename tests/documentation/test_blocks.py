"""Every code block of every page says what it is, and is what it says."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

from recollect.surfaces.cli.parsing import parse
from tests.documentation.pages import Block, Command, blocks, commands_in
from tests.support.project import ROOT

LANGUAGES = {"python", "sh", "console", "json", "toml", "sql", "http", "markdown", "text"}
COMMANDS = [command for block in blocks("sh", "console") for command in commands_in(block)]


def _of(*programs: str) -> list[Command]:
    return [command for command in COMMANDS if command.words[0] in programs]


def _place(thing: Block | Command) -> str:
    return thing.place


@pytest.mark.parametrize("block", blocks(), ids=_place)
def test_every_block_names_its_language(block: Block) -> None:
    """Without one nobody knows whether it can be run, and nothing tests it."""
    assert block.language in LANGUAGES


@pytest.mark.parametrize("block", blocks("json"), ids=_place)
def test_json_in_a_page_can_be_read(block: Block) -> None:
    json.loads(block.text)


@pytest.mark.parametrize("block", blocks("toml"), ids=_place)
def test_settings_in_a_page_can_be_read(block: Block) -> None:
    from recollect.settings import Settings

    assert set(tomllib.loads(block.text)) <= set(Settings.__slots__)


@pytest.mark.parametrize("command", _of("recollect"), ids=_place)
def test_every_command_in_a_page_is_one(command: Command) -> None:
    """The words, options and arguments are those of the program; values of placeholders are not looked at."""
    parse(command.words[1:])


@pytest.mark.parametrize("command", _of("make"), ids=_place)
def test_every_target_of_make_in_a_page_exists(command: Command) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {word for word in command.words[1:] if "=" not in word} <= targets


def test_what_a_page_installs_exists() -> None:
    """`pip install 'recollect[extra]'` names extras that there are."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = {
        extra.strip()
        for command in _of("pip")
        for word in command.words
        for extra in ",".join(re.findall(r"^recollect\[(.+)\]$", word)).split(",")
        if extra
    }
    assert named
    assert named <= set(extras)


def test_other_programs_in_pages_are_known() -> None:
    """A program that is named here for the first time gets a check of its own, or a place in this list."""
    checked = {"recollect", "make", "pip", "curl"}
    of_others = {
        "claude",
        "codex",
        "gemini",
        "export",
        "python",
        "peers/chroma/bin/pip",
        "pytest",
        "RECOLLECT_CHAOS=full",
        "RECOLLECT_DAMAGES=full",
    }
    of_others |= {"peers/langgraph/bin/pip", "peers/mem0/bin/pip"}
    assert {command.words[0] for command in COMMANDS} <= checked | of_others

"""What can be typed is derived from the verbs, and what was typed is understood or explained."""

from __future__ import annotations

import re
from typing import Any

import pytest

from recollect import InvalidInput, Memory
from recollect.operations import Effect, Shape, operations_of
from recollect.surfaces.catalogue.parameters import parameters_of
from recollect.surfaces.catalogue.wording import PARAMETERS
from recollect.surfaces.cli.commands import _HINTS, _MEANT, SPACE, all_commands, all_words, command_for
from recollect.surfaces.cli.derivation import derived_commands
from recollect.surfaces.cli.parsing import Help, Request, parse

ID = "01J9ZZZZZZZZZZZZZZZZZZZZZZ"


@pytest.mark.parametrize("name", operations_of(Memory))
def test_every_verb_is_a_command_that_takes_everything_the_verb_takes(name: str) -> None:
    operation = operations_of(Memory)[name]
    command = command_for(tuple(name.split(".")))
    typed = {argument.name for argument in command.arguments}
    apart = {"export": {"cursor", "limit"}, "import": {"lines", "first_line"}, "provider-keys.set": {"secret"}}
    untyped = apart.get(name, set())

    own = {each.name for each in parameters_of(getattr(Memory, operation.method))}
    assert own - untyped <= typed
    assert {"json", "store", "home"} <= typed
    assert ("dry_run" in typed) == (operation.effect is not Effect.READ or "dry_run" in own)


def test_a_bundle_of_parameters_is_spread_out_with_its_words() -> None:
    found = {each.name: each for each in parameters_of(Memory.save)}

    assert found["text"].required
    assert found["tags"].shape is Shape.TEXTS
    assert found["valid_from"].shape is Shape.MOMENT
    assert found["confidence"].shape is Shape.NUMBER
    assert found["metadata"].shape is Shape.OBJECT
    assert found["pinned"].default is False
    assert "procedural" in found["kind"].choices
    assert all(each.meaning == PARAMETERS[each.name] for each in found.values())


def test_a_type_that_a_door_cannot_spell_is_noticed() -> None:
    def verb(self: Any, text: bytes) -> None: ...

    with pytest.raises(TypeError, match="not every door can spell"):
        parameters_of(verb)


@pytest.mark.parametrize(
    ("typed", "understood"),
    [
        (["save", "x", "--tag", "a", "--tag", "b"], {"text": "x", "tags": ["a", "b"]}),
        (["save", "x", "--pinned"], {"text": "x", "pinned": True}),
        (["save", "--", "--x"], {"text": "--x"}),
        (["save", "-"], {"text": "-"}),
        (["save", "-5 degrees outside"], {"text": "-5 degrees outside"}),
        (["save", "--force is dangerous"], {"text": "--force is dangerous"}),
        (["save", "x", "--title", "-y", "--value=--z", "--source="], {
            "text": "x",
            "title": "-y",
            "value": "--z",
            "source": "",
        }),
        (["save", "x", "--metadata", '{"a": [1]}'], {"text": "x", "metadata": {"a": [1]}}),
        (["save", "x", "--confidence", "0.5"], {"text": "x", "confidence": 0.5}),
        (["save", "x", "--derived-from", ID, "--derived-from", ID], {"text": "x", "derived_from": [ID, ID]}),
        (["supersede", ID, "--value", "v", "text after an option"], {
            "note_id": ID,
            "text": "text after an option",
            "value": "v",
        }),
        (["update", ID, "--clear", "title", "--clear", "tags"], {"note_id": ID, "clear": ["title", "tags"]}),
        (["list"], {}),
        (["list", "--pinned"], {"pinned": True}),
        (["list", "--no-pinned", "--limit=5"], {"pinned": False, "limit": 5}),
        (["--space", "alice", "list"], {"space": "alice"}),
        (["--space=alice", "list", "--space", "bob"], {"space": "bob"}),
        (["spaces"], {}),
        (["spaces", "list"], {}),
        (["spaces", "--json", "describe", "alice"], {"name": "alice"}),
        (["status", "--"], {}),
        (["import"], {}),
        (["import", "all.jsonl"], {"file": "all.jsonl"}),
        (["export", "--output", "all.jsonl"], {"output": "all.jsonl"}),
        (["add", "I moved", "--no-extract"], {"messages": "I moved", "extract": False}),
        (["add", "-"], {"messages": "-"}),
        (["add", ' [{"role": "user", "content": "x"}]'], {"messages": [{"role": "user", "content": "x"}]}),
        (["add", "[]"], {"messages": []}),
        (["add", "[sic] I moved"], {"messages": "[sic] I moved"}),
        (["add", "[1, 2]"], {"messages": "[1, 2]"}),
        (["add", "[" * 100_000], {"messages": "[" * 100_000}),
        (["learn", "user", "location", "Rome", "--no-many"], {
            "subject": "user",
            "attribute": "location",
            "value": "Rome",
            "many": False,
        }),
        (["ingest", "docs", "--ignore", "*.log", "--ignore=tmp/"], {"path": "docs", "ignore": ["*.log", "tmp/"]}),
        (["history", ID], {"note_id": ID}),
        (["history", "--subject", "user", "--attribute", "location"], {"subject": "user", "attribute": "location"}),
        (["profile"], {}),
        (["profile", "person:ana"], {"subject": "person:ana"}),
        (["models"], {}),
        (["models", "list"], {}),
        (["models", "install", "--from", "here"], {"given": "here"}),
        (["models", "verify", "arctic-embed-s"], {"name": "arctic-embed-s"}),
    ],
)  # fmt: skip
def test_what_was_typed_is_understood(typed: list[str], understood: dict[str, Any]) -> None:
    request = parse(typed)

    assert isinstance(request, Request)
    assert request.arguments == understood


def test_shared_options_stand_before_the_command_or_after_it() -> None:
    before = parse(["--json", "--home", "h", "--store", "s", "--dry-run", "--yes", "forget", ID])
    after = parse(["forget", ID, "--json", "--home", "h", "--store", "s", "--dry-run", "--yes"])

    assert before == after
    assert isinstance(before, Request)
    assert (before.json, before.dry_run, before.yes, before.home, before.store) == (True, True, True, "h", "s")


@pytest.mark.parametrize(
    ("typed", "code", "says", "hints"),
    [
        (["lst"], "unknown_command", "no command `lst`", "recollect list"),
        (["spaces", "remove"], "unknown_command", "no command `spaces remove`", ""),
        (["--json"], "usage", "No command", "recollect help all"),
        (["save"], "usage", "needs TEXT", "save --help"),
        (["supersede", ID], "usage", "needs TEXT", "supersede --help"),
        (["save", "one", "two"], "usage", "`two`", "quotes"),
        (["list", "--tagg", "x"], "usage", "no option `--tagg`", "`--tag`"),
        (["list", "--limit"], "usage", "`--limit` needs a value", "list --help"),
        (["list", "--limit", "--json"], "usage", "`--limit` needs a value", ""),
        (["list", "--json=yes"], "usage", "`--json` takes no value", ""),
        (["list", "--lim", "3"], "usage", "no option `--lim`", "`--limit`"),
        (["list", "--limit", "ten"], "invalid_number", "`--limit` is `ten`", ""),
        (["save", "x", "--confidence", "high"], "invalid_number", "`--confidence` is `high`", ""),
        (["save", "x", "--metadata", "[1]"], "invalid_metadata", "not a JSON object", "single quotes"),
        (["save", "x", "--metadata", "{"], "invalid_metadata", "not a JSON object", ""),
        (["status", "--space", "alice"], "usage", "no option `--space`", "not about one space"),
        (["list", "--dry-run"], "usage", "no option `--dry-run`", ""),
        (["demo", "--store", "mine.db"], "usage", "no option `--store`", ""),
        (["add"], "usage", "needs TEXT", "add --help"),
        (["learn", "user", "location"], "usage", "needs VALUE", "learn --help"),
        (["history", ID, ID], "usage", f"`{ID}`", ""),
        (["models", "delete"], "unknown_command", "no command `models delete`", ""),
        (["models", "install", "--store", "mine.db"], "usage", "no option `--store`", ""),
        (["export", "all.jsonl"], "usage", "`all.jsonl`", "`recollect export --help`"),
        (["eval"], "usage", "`recollect eval` goes on", "eval run"),
    ],
)
def test_what_is_not_understood_is_explained(typed: list[str], code: str, says: str, hints: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse(typed)

    assert caught.value.code == code
    assert says in caught.value.message
    assert hints in caught.value.hint


def test_the_catalogue_says_what_the_verbs_say() -> None:
    assert derived_commands() == all_commands(), "run `python -m recollect.surfaces.cli.derivation`"


def test_the_option_of_every_command_has_the_words_of_its_parameter() -> None:
    assert SPACE.meaning == PARAMETERS["space"]


@pytest.mark.parametrize(
    ("typed", "verbs"),
    [
        ("remember", ["save", "add"]),
        ("rm", ["retract", "supersede", "forget"]),
        ("remove", ["retract", "supersede", "forget"]),
        ("delete", ["retract", "supersede", "forget"]),
        ("delet", ["retract", "supersede", "forget"]),
        ("find", ["search"]),
        ("query", ["search"]),
        ("ask", ["answer"]),
        ("ls", ["list"]),
        ("cat", ["get"]),
        ("edit", ["update", "supersede"]),
        ("undo", ["retract"]),
        ("setup", ["init"]),
        ("serch", ["search"]),
        ("LIST", ["list"]),
        ("nothing-like-it", ["help all"]),
    ],
)
def test_a_word_of_another_program_is_answered_with_the_verbs_that_are_meant(typed: str, verbs: list[str]) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse([typed, ID])

    assert caught.value.code == "unknown_command"
    assert [verb for verb in verbs if f"`recollect {verb}" not in caught.value.hint] == []


def test_every_synonym_leads_to_a_command_that_there_is_and_hides_none() -> None:
    known = {" ".join(words) for words in all_words()}
    assert known.isdisjoint(_MEANT), "a synonym of the same name as a command is never looked at"
    for hint in _HINTS:
        for typed in re.findall(r"`recollect ([a-z ]*[a-z])", hint):
            assert typed in known | {"help all"}, hint


@pytest.mark.parametrize("typed", [["save", "--help"], ["--help", "save"], ["help", "save"], ["save", "x", "-h"]])
def test_help_is_asked_for_in_any_place(typed: list[str]) -> None:
    asked = parse(typed)

    assert isinstance(asked, Help)
    assert asked.command is not None
    assert asked.command.spelled == "save"


@pytest.mark.parametrize("typed", [[], ["--help"], ["-h"], ["help"]])
def test_help_about_nothing_in_particular_lists_everything(typed: list[str]) -> None:
    assert parse(typed) == Help(None)


def test_no_two_commands_have_the_same_name_and_no_two_options_of_one() -> None:
    commands = all_commands()

    assert len({command.words for command in commands}) == len(commands)
    for command in commands:
        spelled = [argument.spelled for argument in command.arguments]
        assert len(set(spelled)) == len(spelled), command.spelled


@pytest.mark.parametrize("group", ["slots", "actions", "lessons", "crystals"])
def test_a_group_alone_lists_and_takes_the_options_of_the_list(group: str) -> None:
    request = parse([group, "--project", "."])

    assert isinstance(request, Request)
    assert request.command.spelled == f"{group} list"
    assert request.arguments == {"project": "."}

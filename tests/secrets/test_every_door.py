"""Every verb of every door is handed a secret in each of its texts; then every byte that was written is searched."""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Iterable
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.operations import Effect, Shape, operations_of
from recollect.redaction.clean_records import clean
from recollect.surfaces.catalogue.parameters import Parameter, parameters_of
from recollect.surfaces.hooks.departure import leave
from recollect.surfaces.hooks.intake import attendant_of
from recollect.surfaces.hooks.shim import ShimAnswer
from recollect.surfaces.reception.records import REQUESTS
from tests.redaction.corpus import Planted
from tests.secrets.vendors import bytes_under, left_in, ordinary_lines, vendors
from tests.surfaces.doors import DOORS, Door, Refusal
from tests.surfaces.http.client import served

# Parameters that are no text of a memory: they name what is there, say where something is, or are read and not kept.
NAMES = frozenset(
    "action_id anchors clear commit confirm cursor depends_on derived_from ignore job_id key label lines name"
    " note_id other_id path projects question_id receipt_id session_id space ttl url webhook events when zone provider"
    " secret model collection without".split()
)
# Verbs that need nothing but texts.
FREE = ("save", "add", "watch", "learn", "lessons.add", "actions.add", "forget-all", "brain.form")
READING = ("search", "recall", "answer", "context", "remind", "brain.recall")  # of which receipts are kept
CHEAP = ("library", "http", "mcp-http")
BY_COMMAND = ("save", "add", "learn", "slots.set", "observe")  # each takes a process of its own

# What a verb needs besides texts; ids are of notes made before.
NEEDED: dict[str, dict[str, Any]] = {
    "update": {"note_id": "note"},
    "supersede": {"note_id": "note"},
    "feedback": {"note_id": "note", "verdict": "wrong"},
    "retract": {"note_id": "other"},
    "settle": {"note_id": "doubted", "decision": "edit"},
    "eval.edit": {"question_id": "question"},
    "graph.alias": {"entity": "Bea"},
    "graph.merge": {"entity": "Bea", "other": "Ann"},
    "graph.split": {"entity": "Bea", "other": "Ann"},
    "session.start": {"session_id": "s1"},
    "session.link": {"session_id": "s1", "commit": "0123abc"},
    "observe": {"event": "tool_use", "session": "s1"},
    "slots.set": {"label": "guidance"},
    "reset": {"agent": None},
    "slots.append": {"label": "guidance"},
    "spaces.create": {"name": "another"},
    "actions.update": {"action_id": "action"},
    "forget": {"note_id": "other"},
    "webhooks.add": {"webhook": "ops", "url": "https://hooks.example/in"},
    "brain.change": {},
}


# Verbs whose texts only say which sessions, models or times are meant.
PLACES = {"reflect", "maintain", "eval.experiment", "brain.maintain"}


@pytest.fixture(scope="session")
def bytecode(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where processes of this run keep what they compile."""
    return tmp_path_factory.mktemp("bytecode")


@pytest.mark.parametrize("name", CHEAP)
def test_no_verb_lets_a_secret_reach_the_disk(name: str, tmp_path: Path, bytecode: Path) -> None:
    door = DOORS[name](tmp_path / "home", bytecode)
    try:
        sent = _everything_said(door, [*NEEDED, *FREE, *READING])
        told = json.dumps(door.call("export"))
        kept = bytes_under(tmp_path)  # while the log of the database is still there
    finally:
        door.close()
    assert len(sent) > 100
    assert left_in(kept + told.encode() + bytes_under(tmp_path), sent) == []
    assert told.count("[redacted:") > 50


@pytest.mark.parametrize("name", CHEAP)
def test_a_key_that_is_a_secret_is_refused_and_kept_nowhere(name: str, tmp_path: Path, bytecode: Path) -> None:
    door = DOORS[name](tmp_path / "home", bytecode)
    one_line = [item for item in vendors() if len(item.text) < 500 and "\n" not in item.text]
    try:
        for item in one_line:
            with pytest.raises(Refusal) as refusal:
                door.call("save", text="Tea", key=item.text)
            assert refusal.value.code == "secret_in_name"
            with pytest.raises(Refusal):
                door.call("get", note_id=f"key:{item.text}")
    finally:
        door.close()
    assert len(one_line) > 20
    assert left_in(bytes_under(tmp_path), one_line) == []


def test_every_verb_that_writes_texts_is_tried() -> None:
    """A new verb, or a new text of one, must be tried here as well."""
    tried = {*NEEDED, *FREE, "ingest"}
    writing = {verb for verb, operation in operations_of(Memory).items() if operation.effect is not Effect.READ}
    without = {"crystals.make", "slots.delete", "restore", "vault.open", "sync", "revert"}  # nothing of theirs is kept
    without |= PLACES
    assert {verb for verb in writing if _texts(verb)} - without == tried


def test_no_command_lets_a_secret_reach_the_disk(tmp_path: Path, bytecode: Path) -> None:
    door = DOORS["cli"](tmp_path / "home", bytecode)
    sent = _everything_said(door, BY_COMMAND)
    assert left_in(bytes_under(tmp_path), sent) == []
    assert bytes_under(tmp_path).count(b"[redacted:") > 20


def test_no_import_lets_a_secret_reach_the_disk_and_doing_it_again_changes_nothing(tmp_path: Path) -> None:
    with Memory(home=tmp_path / "one") as memory:
        for number in range(len(vendors())):
            word = f"word{number:03}x"
            memory.save(word, title=word, tags=[word], metadata={word: word}, source=word, subject=word, key=word)
            said = [{"role": "user", "content": f"I said {word}.", "name": word}]
            memory.add(said, session=f"s{number}", metadata={word: word})
        lines = [json.dumps(record) for record in memory.export(limit=1000).records]
    for number, item in enumerate(vendors()):
        lines = [line.replace(f"word{number:03}x", json.dumps(item.text)[1:-1]) for line in lines]
    assert left_in("".join(lines).encode(), vendors()) != []
    with Memory(home=tmp_path / "two") as memory:
        report = memory.import_(lines)
        assert (report.failures, memory.import_(lines).imported) == ((), 0)
    assert left_in(bytes_under(tmp_path / "two"), vendors()) == []


def test_no_hook_leaves_a_secret_on_disk_and_none_comes_from_the_spool(tmp_path: Path) -> None:
    for number, item in enumerate(vendors()):
        texts = (item.text, f"{'word ' * 1590}{item.text}")  # whole, and cut in two where texts are cut
        common = {"session_id": f"s{number}", "cwd": "/nowhere", "transcript_path": "/nowhere"}
        for said in texts:
            _left(tmp_path, "UserPromptSubmit", {**common, "prompt": said})
            tool = {
                "tool_name": "Bash",
                "tool_input": {"command": said, item.text: 1},
                "tool_response": {"stdout": said},
            }
            _left(tmp_path, "PostToolUse", {**common, **tool})
        _left(tmp_path, "SessionStart", {**common, "session_id": item.text, "source": item.text})
    assert left_in(bytes_under(tmp_path), vendors()) == []
    with Memory(home=tmp_path) as memory:
        attendant = attendant_of(memory, tmp_path)
        assert attendant.drain(wait=True).left is False
    assert left_in(bytes_under(tmp_path), vendors()) == []


def test_no_file_that_is_taken_in_leaves_its_secrets_behind(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    named = [item for item in vendors() if "/" not in item.text]
    for number, item in enumerate(vendors()):
        (folder / f"{number}.md").write_text(f"# About {item.text}\n\nIt is {item.text}\n", encoding="utf-8")
    for item in named:
        (folder / f"{item.text}.txt").write_text("nothing in it but words", encoding="utf-8")
    with Memory(home=tmp_path / "home") as memory:
        first, second = memory.ingest(str(folder)), memory.ingest(str(folder))
    assert first.read > len(vendors()) + len({min(item.kinds) for item in named}) // 2
    assert (second.read, second.gone) == (0, 0), "a name without its secret is known again"
    assert left_in(bytes_under(tmp_path / "home"), vendors()) == []


def test_no_line_of_the_log_holds_a_secret(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    plain = [item for item in vendors() if item.secret == item.text and item.text.replace("-", "").isalnum()]
    with Memory(home=tmp_path) as memory, served(memory) as client, caplog.at_level(logging.INFO, logger=REQUESTS):
        logging.getLogger(REQUESTS).propagate = True
        known = client.with_token(memory.access.issue(scope="admin", name="tester").secret)
        for item in plain:
            known.post(f"/v1/spaces/{item.text}/search", {"query": "tea"}, X_Request_Id=item.text)
    assert len(caplog.records) >= len(plain) > 5
    assert left_in("\n".join(record.getMessage() for record in caplog.records).encode(), plain) == []


def test_ordinary_lines_are_left_alone() -> None:
    lines = ordinary_lines(10_000)
    changed = [line for line in lines if clean(line) != line]
    print(f"{len(changed)} of {len(lines):,} ordinary lines were changed")  # noqa: T201 - a figure of docs/security.md
    assert len(changed) <= 0.005 * len(lines), changed[:10]


def _left(home: Path, event: str, said: dict[str, Any]) -> None:
    leave(home, "claude-code", event, ShimAnswer(json.dumps(said).encode(), "2026-01-02T03:04:05+00:00", "k", None))


def _everything_said(door: Door, verbs: Iterable[str]) -> list[Planted]:
    """Call verbs with a secret of another vendor in each of their texts; the secrets."""
    ids = {name: door.call("save", text=f"Some {name} about the green tea of Ana.")["id"] for name in ("note", "other")}
    ids["action"] = door.call("actions.add", text="make tea")["id"]
    ids["question"] = door.call("eval.build", limit=1)["questions"][0]["id"]
    door.call("save", text="Bea's manager is Ann.", subject="Bea", attribute="manager", value="Ann")
    ids["doubted"] = door.call("feedback", note_id=ids["note"], verdict="wrong")["id"]
    secrets, sent = cycle(item for seed in (1, 2, 3) for item in vendors(seed)), list[Planted]()
    for verb in verbs:
        for _ in range(2):
            arguments = {name: ids.get(value, value) for name, value in NEEDED.get(verb, {}).items()}
            for parameter in _texts(verb):
                if parameter.name not in arguments:
                    sent.append(next(secrets))
                    arguments[parameter.name] = _said(parameter, sent[-1].text, verb)
            try:
                door.call(verb, **arguments)
            except Refusal as problem:
                assert problem.code in ("not_active", "attribute_missing", "nothing_to_do", "merge_not_found"), (
                    verb,
                    problem.error,
                )
    return sent


def _texts(verb: str) -> list[Parameter]:
    parameters = parameters_of(getattr(Memory, operations_of(Memory)[verb].method))
    shapes = (Shape.TEXT, Shape.TEXTS, Shape.OBJECT, Shape.MESSAGES, Shape.FILES)
    return [each for each in parameters if each.shape in shapes and not each.choices and each.name not in NAMES]


def _said(parameter: Parameter, text: str, verb: str) -> Any:
    match parameter.shape:
        case Shape.TEXTS:
            return [text]
        case Shape.OBJECT if parameter.name == "where":
            return {"tag": text, "metadata.deeper": {"in": [text]}, "or": [{"subject": text}, {"attribute": text}]}
        case Shape.OBJECT:
            return {text: {"deeper": [text]}, "plain": text}
        case Shape.FILES:
            data = base64.b64encode(f"It is {text} and\nnothing else.".encode()).decode()
            return [{"name": f"{text}.txt", "data": data, "alt": text, "caption": f"this is {text}"}]
        case Shape.MESSAGES:
            return [{"role": "user", "content": f"My name is Ana. {text}", "name": text}]
        case _:
            return f"remember that {text}" if verb == "watch" and parameter.name == "text" else text

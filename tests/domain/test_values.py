"""What verbs answer with: plain at a word, short at a glance, and a sequence where it holds one."""

from __future__ import annotations

import dataclasses
import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest

from recollect import InvalidInput, Memory, NotFound
from recollect.domain.answers.recollections import Coverage, Hit, Recollection
from recollect.domain.dataclass import dataclass, field
from recollect.domain.selections import Page
from recollect.domain.values import Series, Value, to_plain
from recollect.operations import operations_of
from recollect.surfaces.catalogue.parameters import parameters_of, types_of
from tests.support.writing import a_note

PATHS = {"path", "folder", "target", "remote"}


def answers() -> dict[str, type]:
    """Every value that some verb answers with, by its name."""
    found: dict[str, type] = {}
    for operation in operations_of(Memory).values():
        told = types_of(getattr(Memory, operation.method))["return"]
        for each in (told, *get_args(told), *(part for arg in get_args(told) for part in get_args(arg))):
            kind = get_origin(each) or each
            if dataclasses.is_dataclass(kind) and isinstance(kind, type):
                found[kind.__name__] = kind
    return found


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(store=":memory:", home=tmp_path, principal="tester") as opened:
        opened.add("I live in Berlin. " + "The harbour is cold in winter and loud in summer. " * 40)
        for number in range(30):
            opened.save(f"{number} " + "a long note about the harbour, the boats and the people in it. " * 20)
        yield opened


@pytest.mark.parametrize("kind", answers().values(), ids=answers())
def test_every_answer_of_a_verb_is_a_value(kind: Any) -> None:
    held = [field.name for field in dataclasses.fields(kind) if field.type.startswith("tuple")]
    assert issubclass(kind, Value)
    assert kind.__repr__ is Value.__repr__, "made with `repr=False`"
    if issubclass(kind, Series) and "_series" not in vars(kind):
        assert kind._held in held


@pytest.mark.parametrize(
    ("verb", "given"),
    [
        ("search", {"query": "harbour", "explain": True}),
        ("recall", {"query": "harbour"}),
        ("brief", {"topic": "harbour"}),
        ("list", {}),
        ("profile", {}),
        ("context", {}),
        ("timeline", {"anchor": "2030-01-01"}),
        ("sessions", {}),
        ("slots", {}),
        ("export", {}),
        ("audit", {}),
        ("doctor", {}),
        ("status", {}),
    ],
)
def test_an_answer_is_plain_at_a_word_and_short_at_a_glance(memory: Memory, verb: str, given: dict[str, str]) -> None:
    answer: Any = getattr(memory, verb)(**given)
    assert answer.to_dict() == to_plain(answer)
    assert json.loads(json.dumps(answer.to_dict())) == answer.to_dict()
    assert len(repr(answer)) <= 200
    assert repr(answer).startswith(f"{type(answer).__name__}(")
    if isinstance(answer, Series):
        assert len(answer) == len(list(answer)) > 0
        assert answer[0] == next(iter(answer))
        assert answer[:1] == (answer[0],)
        assert all(len(repr(each)) <= 200 for each in answer if isinstance(each, Value))


def test_a_search_is_walked_through_like_a_list(memory: Memory) -> None:
    found = memory.search("harbour", limit=3)
    assert [hit.text for hit in found] == [hit.text for hit in found.hits]
    assert (len(found), found[-1]) == (3, found.hits[2])


def test_an_empty_answer_is_false_as_an_empty_list_is(memory: Memory) -> None:
    assert not Recollection("x", (), Coverage.NONE)
    assert not Page(())
    assert memory.search("harbour")
    assert not memory.search("harbour", space="elsewhere")


def test_a_repr_says_how_many_there_are_and_how_the_first_begins(memory: Memory) -> None:
    shown = repr(memory.search("where do I live", limit=2))
    assert "query='where do I live'" in shown
    assert "hits=[2: '" in shown
    assert "coverage=" in shown


def test_what_must_not_be_shown_is_in_no_repr(clock: Any) -> None:
    @dataclass(frozen=True, slots=True, repr=False)
    class Told(Value):
        name: str
        secret: str = field(repr=False)

    assert repr(Told("ana", "swordfish")) == "Told(name='ana')"
    assert repr(Hit(a_note(clock, text="tea " * 100), 1.0, ())).count("tea") < 20


def test_every_parameter_that_is_a_path_takes_a_path() -> None:
    for operation in operations_of(Memory).values():
        for each in parameters_of(getattr(Memory, operation.method)):
            if each.name in PATHS:
                assert Path in get_args(each.annotation), f"{operation.name} {each.name}"


def test_paths_are_taken_where_paths_are_meant(memory: Memory, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("The cellar is damp.")
    assert memory.ingest(letter).read == 1
    assert memory.start_session("s1", folder=tmp_path).folder == str(tmp_path)
    assert memory.inject(path=tmp_path).budget
    note = memory.save("The cellar is damp, says the letter")
    assert memory.anchor(note.id, path=tmp_path, anchors=["file:letter.txt"]).metadata
    with pytest.raises(NotFound, match="There is no folder"):
        memory.backups(target=tmp_path / "nowhere")


@pytest.mark.parametrize("verb", ["search", "recall"])
def test_an_empty_question_is_answered_with_how_to_ask(memory: Memory, verb: str) -> None:
    with pytest.raises(InvalidInput, match="`query` is empty") as refusal:
        getattr(memory, verb)(" ")
    assert "`list` shows everything" in refusal.value.hint
    assert "remembered" not in refusal.value.hint


def test_no_value_hides_a_method_of_its_own() -> None:
    for kind in answers().values():
        methods = {name for name, _ in inspect.getmembers(Value, inspect.isfunction)}
        assert methods.isdisjoint(field.name for field in dataclasses.fields(kind))

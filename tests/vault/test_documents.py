"""A file is taken apart and put together again byte for byte, and only what changed is spelled anew."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.vault.documents import LARGEST, Malformed, parsed, with_fields, written
from recollect.vault.front_matter import Entry, spelled, value_of
from tests.vault.making import ANAMNESIS, BY_HAND, edits


@pytest.mark.parametrize("content", [ANAMNESIS, BY_HAND, BY_HAND.replace(b"\n", b"\r\n"), ANAMNESIS[:-1]])
def test_a_file_nobody_changed_keeps_every_byte(content: bytes) -> None:
    assert written(parsed(content)) == content


def test_a_file_of_anamnesis_is_understood() -> None:
    said = parsed(ANAMNESIS).fields
    assert said["title"].endswith("wraps it at the eightieth column")
    assert (said["supersedes"], said["tags"]) == (("01J9Z8YPM7Q3X2V4WT6B5N0KGD",), ("css", "reflection"))
    assert (said["confidence"], said["created_at"]) == (0.8, "2026-06-24T19:01:55+00:00")


def test_only_the_line_of_a_changed_key_is_written_anew() -> None:
    changed = written(with_fields(parsed(BY_HAND), {"type": "episodic", "subject": "alice"}))
    assert changed == BY_HAND.replace(b"type: 'semantic'\n", b"type: episodic\n").replace(
        b'"where"]\n', b'"where"]\nsubject: alice\n'
    )


def test_keys_stand_in_the_order_anamnesis_writes_them() -> None:
    plain = parsed(ANAMNESIS)
    anew = written(type(plain)(plain.fields, plain.text)).decode()
    keys = [line.partition(":")[0] for line in anew.splitlines() if ":" in line]
    assert keys[:16] == [
        "id", "type", "title", "project", "machine_id", "scope", "user_id", "workspace_id", "prov_source", "confidence",
        "prov_model", "prov_session", "supersedes", "created_at", "updated_at", "tags",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"just text", "does not begin with front matter"),
        (b"---\nid: x\n", "has no end"),
        (b"---\nid: x\n---\n\xff\xfe", "not UTF-8"),
        (b"---\nid: x\n---\na\x00b", "control character"),
        (b"---\nid: x\nid: y\n---\n", "twice"),
        (b"---\n<<<<<<< HEAD\nid: x\n---\n", "neither a key nor a comment"),
        (b"---\n  id: x\n---\n", "belongs to no key"),
        (b"---\nconfidence: high\n---\n", "not a number"),
        (b"---\nupdated_at: yesterday\n---\n", "not a date"),
        (b"---\npinned: perhaps\n---\n", "neither true nor false"),
        (b"---\ntitle: 'open\n---\n", "does not end"),
        (b"---\nmetadata: {a: b}\n---\n", "not JSON"),
        (b"---\ntitle: &anchor x\n---\n", "begins with"),
        (b"---\nid: x\n---\n" + b"a" * LARGEST, "at most"),
        (b"---\nid: x\nk: " + b"a" * 50_000 + b"\n---\nb", "front matter is over"),
    ],
)
def test_a_file_that_is_no_note_says_why(content: bytes, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        parsed(content)


@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_what_we_spell_every_reader_of_yaml_understands(text: str) -> None:
    entry = spelled("title", text)
    assert value_of(entry) == text or (text == "" and value_of(entry) in ("", None))
    if text.isprintable():
        assert _yaml(entry.raw) == {"title": text}


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=20), max_size=5))
def test_lists_are_spelled_so_that_they_are_read_back(items: list[str]) -> None:
    assert value_of(spelled("tags", items)) == tuple(items)


@given(st.text(st.sampled_from("ab '\"#:-\\né"), min_size=1, max_size=120))
def test_what_yaml_writes_we_read_as_it_was(text: str) -> None:
    yaml: Any = importlib.import_module("yaml")
    told = yaml.safe_dump({"title": text}, sort_keys=False, allow_unicode=True)
    assert value_of(Entry("title", told)) == text


@given(edits())
def test_whatever_somebody_edits_is_read_back(document: Any) -> None:
    again = parsed(written(document))
    assert (again.fields, again.text) == (document.fields, document.text)
    assert written(again) == written(document)
    comments = [line for line in BY_HAND.splitlines() if line.startswith((b"#", b"aliases", b"  ", b"nested"))]
    assert all(line in written(document) for line in comments[:6])


def _yaml(text: str) -> object:
    yaml: Any = importlib.import_module("yaml")
    return yaml.safe_load(text)

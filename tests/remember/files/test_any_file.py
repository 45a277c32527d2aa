"""Whatever the bytes and whatever the name: a document that may be kept, or a reason why not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from recollect.redaction.clean_records import checked_name, checked_text
from recollect.remember.files.chunks import MAX, FileDocument, FileKind, Unreadable
from recollect.remember.files.file_reader import parse_document, read_document
from recollect.verbs.listening import ROLES

NAMES = st.sampled_from(["a.md", "a.txt", "a.html", "a.pdf", "a.py", "a.go", "a.json", "a.jsonl", "README", "a.csv"])
MARKS = """< > </ <!-- --> <p> </p> <h1> <pre> <li> <script> <svg> <a=' " ' = & &#x &amp; &#9; é \0 # --- ```
a: {" ": [ ] { } , null "role" "content" 1e9 %PDF- obj << >> def class @ \\"""
MARKUP = st.lists(st.sampled_from([*MARKS.split(), "\n", " "]), max_size=60).map(lambda marks: "".join(marks).encode())
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(
                ["role", "content", "text", "parts", "mapping", "current_node", "parent", "message", "author", "title",
                 "chat_messages", "messages", "conversations", "sender", "created_at", "create_time", "id", "name",
                 "attachments", "extracted_content", "type", "metadata", "a", "user"]
            ),
            inner | st.sampled_from(["user", "a", "assistant", "tool_result", "2026-01-01"]),
            max_size=5,
        ),
    ),
    max_leaves=25,
)  # fmt: skip
RECORDS = VALUES.map(lambda value: json.dumps(value).encode())


@given(NAMES, st.one_of(st.binary(max_size=400), MARKUP, RECORDS, st.text().map(str.encode)))
@settings(max_examples=200, deadline=None)
@example("a.json", b'{"mapping": {"a": {"parent": "a", "message": {"author": 1}}}, "current_node": "a"}')
@example("a.jsonl", b'{"role": "user", "content": [[]]}\n\n{"role": ["x"], "content": {}}')
def test_no_file_breaks_the_reader_and_what_it_hands_on_may_be_kept(name: str, source: bytes) -> None:
    found = parse_document(name, source)
    if isinstance(found, Unreadable):
        assert found.path == name
        assert found.code
        checked_text(found.message)
        return
    for chunk in found.chunks:
        assert checked_text(chunk.text) == chunk.text
        assert len(chunk.text) <= MAX
        assert all(checked_name(title, field="title") == title for title in chunk.title_path)
    for conversation in found.conversations:
        assert checked_name(conversation.id, field="id") == conversation.id
        assert conversation.title is None or checked_name(conversation.title, field="title") == conversation.title
        assert conversation.turns
        for turn in conversation.turns:
            assert turn.role in ROLES
            assert checked_text(turn.text) == turn.text
            assert turn.speaker is None or checked_name(turn.speaker, field="speaker") == turn.speaker
            assert turn.at is None or turn.at.tzinfo is not None
    assert parse_document(name, source) == found


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.md", FileKind.MARKDOWN), ("A.MARKDOWN", FileKind.MARKDOWN), ("README", FileKind.TEXT),
        ("a.log", FileKind.TEXT), ("a.unknown", FileKind.TEXT), ("a.htm", FileKind.HTML), ("a.py", FileKind.CODE),
        ("Makefile", FileKind.CODE), ("a.tsx", FileKind.CODE), ("a.yaml", FileKind.CODE), ("a.json", FileKind.JSON),
        ("a.ndjson", FileKind.JSON), (".hidden", FileKind.TEXT), ("md", FileKind.TEXT),
    ],
)  # fmt: skip
def test_a_file_is_read_for_what_its_name_says(tmp_path: Path, name: str, kind: FileKind) -> None:
    (tmp_path / name).write_text("text")
    document = read_document(tmp_path / name, root=tmp_path)
    assert isinstance(document, FileDocument)
    assert (document.kind, len(document.chunks)) == (kind, 1)

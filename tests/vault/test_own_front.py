"""Front matter as we write it is read quickly, and to the very same end as any other front matter."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.origin import Channel, Origin
from recollect.vault import documents
from recollect.vault.documents import Document, Malformed, in_order, parsed, translated, written
from recollect.vault.front_matter import DEFAULTS, KEYS, Entry, NotUnderstood, entries_of, read_field, spell_field
from recollect.vault.own_front import own_front
from tests.vault.making import ANAMNESIS, BY_HAND, FIRST, edits

CREATED = "2025-12-31T10:00:00.000005+00:00"

_TOLD = st.one_of(
    st.text(min_size=1, max_size=12),
    st.text("aZ0 '\":#-_/~[]{}|>\\.é\u2028\t", min_size=1, max_size=8),
    st.sampled_from(["null", "Null", "yes", "12", "a: b", "a #b", "a:", " a", "a ", "'", "''", "1e3", "AKIA" * 5]),
)


def _block(document: Document) -> str:
    updated = document.fields["updated_at"] or CREATED
    whole = Document({**document.fields, "created_at": CREATED, "updated_at": updated}, document.text)
    return "".join(entry.raw for entry in in_order(whole).front)


def _read_in_full(block: str) -> tuple[tuple[Entry, ...], dict[str, Any]]:
    front = entries_of(block)
    return front, {entry.key: read_field(entry) for entry in front if entry.key in KEYS}


@given(edits(), st.dictionaries(st.sampled_from(["title", "subject", "value", "project", "external_key"]), _TOLD))
def test_what_is_read_quickly_is_what_is_read_with_care(document: Document, other: dict[str, str]) -> None:
    block = _block(Document({**document.fields, **other}, document.text))
    quick = own_front(block)
    assert quick is None or quick == _read_in_full(block)


@given(edits())
def test_front_matter_that_we_wrote_is_read_quickly(document: Document) -> None:
    assert own_front(_block(Document(document.fields, document.text))) is not None


_LINES = st.one_of(
    st.sampled_from([line for each in (ANAMNESIS, BY_HAND) for line in each.decode().split("\n")]),
    st.builds(lambda key, said: f"{key}: {said}", st.sampled_from(sorted(KEYS)), _TOLD),
    st.builds(lambda said: f"- {said}", _TOLD),
)


@given(st.lists(_LINES, max_size=6), st.integers(0, 20))
def test_other_lines_among_ours_are_never_misread(lines: list[str], at: int) -> None:
    ours = _block(Document(FIRST.fields, FIRST.text)).split("\n")[:-1]
    block = "\n".join([*ours[:at], *lines, *ours[at:]]) + "\n"
    quick = own_front(block)
    if quick is not None:
        assert quick == _read_in_full(block)


@given(edits(), st.sampled_from([None, "1", "-"]), st.booleans())
def test_a_note_is_the_same_whichever_way_its_page_was_read(
    document: Document, number: str | None, local: bool
) -> None:
    said = {**DEFAULTS, **document.fields, "created_at": CREATED, "prov_model": number}
    said["scope"] = "machine-local" if local else "portable"
    content = written(in_order(Document(said, document.text)))
    with pytest.MonkeyPatch.context() as patch:
        quick = _translated(content)
        patch.setattr(documents, "own_front", lambda _: None)
        careful = _translated(content)
    assert quick == careful


def _translated(content: bytes) -> object:
    try:
        note, own = translated(parsed(content), space="alice", machine="here", before=None, origin=Origin(Channel.SYNC))
    except (Malformed, NotUnderstood) as problem:
        return str(problem)
    return note, written(own), own.fields


@pytest.mark.parametrize("front", ['metadata: {"vault": "x"}\n', 'metadata: {"vault":  "x"}\n'])
def test_a_page_may_have_metadata_under_the_name_that_we_keep_ours_under(front: str) -> None:
    lines = _block(Document({**FIRST.fields, "machine_id": "here", "metadata": {}}, FIRST.text))
    assert own_front(lines) is not None
    read = parsed(f"---\n{lines}{front}---\nIt is so.\n".encode())
    note, own = translated(read, space="alice", machine="here", before=None, origin=Origin(Channel.SYNC))
    assert note.text == "It is so."
    assert written(own)


def test_a_secret_in_a_page_of_ours_does_not_stay_in_the_file_of_its_note() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    lines = _block(Document(FIRST.fields, FIRST.text))
    assert own_front(lines) is not None
    note, own = translated(
        parsed(f"---\n{lines}---\nIt is {secret} now.\n".encode()),
        space="alice",
        machine="here",
        before=None,
        origin=Origin(Channel.SYNC),
    )
    assert secret not in note.text
    assert secret.encode() not in written(own)


@pytest.mark.parametrize("value", [1.0, 0, True])
def test_a_number_in_another_spelling_is_left_to_the_careful_reader(value: float | bool) -> None:
    lines = _block(Document(FIRST.fields, FIRST.text))
    told = lines.replace(spell_field("confidence", FIRST.fields["confidence"]).raw, f"confidence: {value}00\n")
    quick = own_front(told)
    assert quick is None or quick == _read_in_full(told)


@pytest.mark.parametrize("deep", range(940, 1000, 3))
def test_metadata_of_any_depth_is_read_or_refused_in_words(deep: int) -> None:
    lines = _block(Document({**FIRST.fields, "metadata": {}}, FIRST.text))
    with suppress(Malformed):
        parsed(f'---\n{lines}metadata: {{"a": {"[" * deep}{"]" * deep}}}\n---\nIt is so.\n'.encode())


def test_more_tags_than_a_note_may_have_are_left_to_the_careful_reader() -> None:
    lines = _block(Document({**FIRST.fields, "tags": ()}, FIRST.text))
    tags = "".join(f"- t{number:04}\n" for number in range(70))
    assert own_front(f"{lines}tags:\n{tags}") is None

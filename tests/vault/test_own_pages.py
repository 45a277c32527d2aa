"""Many pages of our own become notes at once: the very notes that each becomes when it is read with care."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.notes import LINKS
from recollect.domain.origin import Channel, Origin
from recollect.vault import documents
from recollect.vault.documents import TIMES, Document, in_order, parsed, translated, written
from recollect.vault.front_matter import DEFAULTS
from recollect.vault.own_pages import OwnPages
from recollect.vault.pages import file_bytes
from tests.vault.making import FIRST, edits

SYNC = Origin(Channel.SYNC)
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
OTHER = "01J9ZB0C4F8H2K6M3P9R7S5T1W"
MOMENT = "2026-01-01T00:00:01.000002+00:00"

_ODD: dict[str, list[object]] = {
    **{name: ["", " ", "a ", "x" * 300, SECRET, "a\tb", "e\u0301", "pin"] for name in ("title", "subject", "value")},
    **{name: ["", "x", SECRET] for name in ("external_key", "attribute", "source", "review", "principal")},
    **{name: [(OTHER,), (OTHER, "x"), (str(FIRST.id),), (OTHER.lower(),)] for name in LINKS},
    **{name: [MOMENT, "2025-01-01T00:00:00+00:00", "2026-01-01"] for name in TIMES},
    "id": [OTHER, OTHER.lower(), "x", ""],
    "kind": ["lesson", "pattern", "semantic", "odd", ""],
    "state": ["active", "retracted", "odd"],
    "scope": ["machine-local", "odd"],
    "machine_id": ["here", "there", "unknown", ""],
    "conflicts": [("a",)],
    "vault_page": ["", "---\n"],
    "metadata": [
        {"vault": "x"},
        {"vault": {}},
        {"a": float("nan")},
        {"a": [[[[[[[[[[]]]]]]]]]]},
        {"password": SECRET},
        {"a": "\x7f" * 15_000},
    ],
}
_ODDITIES = st.lists(
    st.sampled_from(sorted(_ODD)).flatmap(lambda name: st.tuples(st.just(name), st.sampled_from(_ODD[name]))),
    max_size=3,
).map(dict)
_PAGES = st.tuples(edits(), _ODDITIES, st.sampled_from([None, "", " ", "\n", f"It is {SECRET}.", "a\x07b", "---"]))


def _page(document: Document, odd: Mapping[str, Any], text: str | None) -> bytes:
    said = {**DEFAULTS, **document.fields, "created_at": MOMENT, **odd}
    return written(in_order(Document(said, document.text if text is None else text)))


def _with_care(content: bytes) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "own_front", lambda _: None)
        note, own = translated(parsed(content), space="alice", machine="here", before=None, origin=SYNC)
    return note, written(own), own.fields


@given(st.lists(_PAGES, min_size=1, max_size=8))
def test_notes_made_together_are_those_made_with_care(pages: list[tuple[Document, dict[str, Any], str | None]]) -> None:
    contents = {str(number): _page(*each) for number, each in enumerate(pages)}
    # The first page of each kind is read with care, so all are read once more when every kind is known.
    own = OwnPages("alice", "here", SYNC)
    for made in (own.notes(contents), own.notes(contents)):
        for name, (note, document) in made.items():
            assert (note, written(document), document.fields) == _with_care(contents[name])
            assert file_bytes(document) == file_bytes(in_order(document))
            assert SECRET not in note.text


def _usual(number: int, **said: object) -> bytes:
    fields = {"id": f"01J9ZB0C4F8H2K6M3P9R7S5T{number:02}", "title": f"The page {number}", "updated_at": MOMENT}
    return _page(FIRST, {**fields, **said}, f"It is page {number} of many.")


def test_pages_that_differ_in_their_own_fields_alone_are_of_one_kind() -> None:
    own = OwnPages("alice", "here", SYNC)
    contents = {
        str(number): _usual(number, value=f"v{number}", subject="me", supersedes=(OTHER,)) for number in range(20)
    }
    assert len(own.notes(contents)) == len(contents)
    assert len(own.likes) == 1


@pytest.mark.parametrize(
    "odd",
    [
        {"title": SECRET},
        {"value": SECRET},
        {"vault_page": ""},
        {"source": "a file"},
        {"metadata": {"vault": {}}},
        {"metadata": {"a": "\x7f" * 15_000}},
    ],
    ids=["title", "value", "page", "source", "ours", "too large when it is spelled"],
)
def test_an_unusual_page_is_left_to_be_read_with_care(odd: dict[str, Any]) -> None:
    own = OwnPages("alice", "here", SYNC)
    assert own.notes({"usual": _usual(1), "odd": _usual(2, **odd)}).keys() == {"usual"}


def test_a_file_that_somebody_wrote_is_left_to_be_read_with_care() -> None:
    ours = _usual(1)
    others = [
        ours.replace(b"\n", b"\r\n"),
        ours.replace(b"title: ", b"title:  "),
        b"",
        b"---\n",
        ours[:40],
        b"\xff" + ours,
    ]
    assert OwnPages("alice", "here", SYNC).notes({str(number): each for number, each in enumerate(others)}) == {}

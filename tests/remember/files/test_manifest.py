"""A second run: what is new, what changed, what is gone, and what only could not be read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recollect.remember.files.file_reader import FolderDifference, changed

MANIFESTS = st.dictionaries(st.sampled_from(["a", "b", "c/d", "c/e", "f/g/h"]), st.sampled_from(["1", "2"]))


def test_each_path_is_told_by_what_became_of_it() -> None:
    known = {"same.md": "1", "edited.md": "1", "gone.md": "1"}
    found = {"same.md": "1", "edited.md": "2", "new.md": "1"}
    assert changed(found, known) == FolderDifference(("new.md",), ("edited.md",), ("same.md",), ("gone.md",))


def test_what_cannot_be_read_today_is_not_gone() -> None:
    known = {"locked.md": "1", "sub/a.md": "1", "sub/deep/b.md": "1", "subway.md": "1"}
    difference = changed({}, known, unreadable=["locked.md", "sub"])
    assert difference.kept == ("locked.md", "sub/a.md", "sub/deep/b.md")
    assert difference.vanished == ("subway.md",)


def test_if_the_whole_root_cannot_be_read_nothing_is_gone() -> None:
    assert changed({}, {"a.md": "1"}, unreadable=["."]) == FolderDifference(kept=("a.md",))


@given(MANIFESTS, MANIFESTS, st.lists(st.sampled_from(["a", "c", "f/g", "."])))
def test_every_path_is_in_exactly_one_place(found: dict[str, str], known: dict[str, str], refused: list[str]) -> None:
    difference = changed(found, known, refused)
    parts = [difference.added, difference.changed, difference.unchanged, difference.vanished, difference.kept]
    assert sorted(path for part in parts for path in part) == sorted({*found, *known})
    assert changed(found, found) == FolderDifference(unchanged=tuple(sorted(found)))

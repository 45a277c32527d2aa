"""Two edits of one note become one: nothing is lost, and it does not matter who merges."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.origin import lowest
from recollect.vault.documents import Document, parsed, with_fields, written
from recollect.vault.front_matter import authority_of
from recollect.vault.merge import merged, merged_or_gone, merged_text
from tests.vault.making import BY_HAND, FIRST, edits

EARLY, LATE = "2026-03-01T00:00:00+00:00", "2026-03-02T00:00:00+00:00"


def changed(text: str | None = None, **fields: object) -> Document:
    return with_fields(FIRST, fields, text)


@given(edits(), edits(), st.booleans())
def test_it_does_not_matter_whose_side_is_whose(one: Document, two: Document, known: bool) -> None:
    before = FIRST if known else None
    assert written(merged(before, one, two)) == written(merged(before, two, one))


@given(edits(), edits())
def test_merging_again_changes_nothing(one: Document, two: Document) -> None:
    told = merged(FIRST, one, two)
    assert merged(FIRST, told, told) == told
    assert merged(one, told, one) == told
    assert merged(FIRST, one, one) == one
    assert merged(FIRST, FIRST, one) == one


@given(edits(), edits())
def test_every_edit_is_in_the_merged_note_or_named_in_it(one: Document, two: Document) -> None:
    told = merged(FIRST, one, two)
    assert parsed(written(told)) == told
    whole = written(told).decode()
    for side in (one, two):
        for line in set(side.text.split("\n")) - set(FIRST.text.split("\n")):
            assert line in told.text.split("\n")
        for name in ("title", "project", "value", "subject"):
            if side.fields[name] != FIRST.fields[name] and side.fields[name]:
                assert side.fields[name] == told.fields[name] or f"{name}: {side.fields[name]}" in " ".join(
                    told.fields["conflicts"]
                ), whole
        assert set(side.fields["tags"]) - set(FIRST.fields["tags"]) <= set(told.fields["tags"])
    assert "<<<<<<<" not in whole


@given(edits(), edits())
def test_authority_never_rises_by_merging(one: Document, two: Document) -> None:
    told = merged(FIRST, one, two)
    if told not in (one, two):
        assert authority_of(told.fields) is lowest((authority_of(one.fields), authority_of(two.fields)))


def test_tags_merge_as_sets_and_counters_add_up() -> None:
    before = changed(tags=("a", "b"), metadata={"count": 3, "seen": ["x"]}, updated_at=EARLY)
    one = with_fields(
        before, {"tags": ("a", "b", "c"), "metadata": {"count": 5, "seen": ["x", "z"]}, "updated_at": LATE}
    )
    two = with_fields(before, {"tags": ("b",), "metadata": {"count": 4, "seen": ["x", "y"]}, "updated_at": LATE})
    told = merged(before, one, two).fields
    assert told["tags"] == ("b", "c")
    assert told["metadata"] == {"count": 6, "seen": ["x", "y", "z"]}


def test_of_two_titles_the_later_stands_and_the_other_is_named_for_review() -> None:
    told = merged(FIRST, changed(title="one", updated_at=EARLY), changed(title="two", updated_at=LATE)).fields
    assert told["title"] == "two"
    assert told["conflicts"] == (f"{EARLY} title: one",)
    assert "title" in told["review"]
    assert told["updated_at"] > LATE


def test_different_fields_of_one_note_do_not_clash() -> None:
    told = merged(FIRST, changed(title="one", updated_at=EARLY), changed(subject="alice", updated_at=LATE)).fields
    assert (told["title"], told["subject"], told["review"], told["conflicts"]) == ("one", "alice", None, ())


def test_lines_changed_on_both_sides_are_both_kept_without_markers() -> None:
    told = merged_text("a\nb\nc", "a\nB1\nc", "a\nB2\nc")
    assert (told.text, told.clashed) == ("a\nB1\nB2\nc", True)
    assert merged_text("a\nc", "a\nx\nc", "a\nc\ny").text == "a\nx\nc\ny"
    assert merged_text("a\nb", "a", "a\nB") == merged_text("a\nb", "a\nB", "a")


def test_an_edit_is_stronger_than_a_deletion() -> None:
    edited = changed(title="still needed", updated_at=LATE)
    assert merged_or_gone(FIRST, None, edited) == edited
    assert merged_or_gone(FIRST, FIRST, None) is None
    assert merged_or_gone(FIRST, None, None) is None


def test_unknown_keys_and_comments_of_both_sides_survive() -> None:
    one = parsed(BY_HAND.replace(b"aliases:", b"rating: 5 # of 10\naliases:"))
    two = parsed(BY_HAND.replace(b"tags:", b"# another remark\ntags:").replace(b"{two: three}", b"four"))
    told = written(merged(FIRST, one, two)).decode()
    assert "rating: 5 # of 10\n" in told
    assert "# another remark\n" in told
    assert "aliases: [one, four]\n" in told


@given(*(st.lists(st.sampled_from("abc"), max_size=7).map("\n".join) for _ in range(3)))
def test_texts_merge_the_same_from_either_side_and_lose_no_new_line(before: str, one: str, two: str) -> None:
    told = merged_text(before, one, two)
    assert told == merged_text(before, two, one)
    for side in (one, two):
        assert set(side.split("\n")) - set(before.split("\n")) <= set(told.text.split("\n"))

"""Words find the notes that have them, or once had them; and no question, however odd, is an error."""

# ruff: noqa: RUF001 - people write in every script

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.domain.answers.recollections import Coverage
from recollect.domain.errors import InvalidInput
from recollect.domain.selections import Selection
from recollect.stores.sql_store import SqlStore
from tests.support.clock import SteadyClock
from tests.support.raw import rows
from tests.support.writing import edited, saved

EVERYTHING = Selection()


def _found(memory: Memory, query: str) -> list[str]:
    return [hit.text for hit in memory.search(query).hits]


def test_versions_with_the_same_words_share_one_text(store: SqlStore, clock: SteadyClock) -> None:
    note = saved(store, clock, "Alice prefers tea", title="Drinks", tags=("drink",))
    note = edited(store, clock, note, pinned=True)
    note = edited(store, clock, note, confidence=0.5)
    assert rows(store, "SELECT version FROM note_text") == [(1,)]

    note = edited(store, clock, note, text="Alice prefers coffee")
    note = edited(store, clock, note, tags=())
    note = edited(store, clock, note, text="Alice prefers tea", tags=("drink",))
    assert rows(store, "SELECT version FROM note_text ORDER BY version") == [(1,), (4,), (5,)]
    assert [(v.text, v.tags) for v in store.versions("alice", [note.id])] == [
        ("Alice prefers tea", ("drink",)),
        ("Alice prefers tea", ("drink",)),
        ("Alice prefers tea", ("drink",)),
        ("Alice prefers coffee", ("drink",)),
        ("Alice prefers coffee", ()),
        ("Alice prefers tea", ("drink",)),
    ]


def test_an_earlier_wording_still_finds_the_note_and_says_so(memory: Memory) -> None:
    note = memory.save("Alice prefers tea")
    memory.update(note.id, text="Alice prefers coffee")

    [hit] = memory.search("tea").hits
    assert hit.text == "Alice prefers coffee"
    assert "found by an earlier wording" in hit.why
    assert "found by an earlier wording" not in memory.search("coffee").hits[0].why


def test_a_later_wording_does_not_find_what_was_known_before_it(memory: Memory, clock: SteadyClock) -> None:
    note = memory.save("Alice prefers tea")
    before = clock.advance(hours=1)
    memory.update(note.id, text="Alice prefers coffee")

    assert [hit.text for hit in memory.search("tea", known_at=before).hits] == ["Alice prefers tea"]
    assert memory.search("coffee", known_at=before).hits == ()


def test_title_text_and_tags_are_searched(memory: Memory) -> None:
    memory.save("About something", title="Zebras")
    memory.save("About yaks")
    memory.save("About nothing", tags=["xerus"])

    assert _found(memory, "zebra") == ["About something"]
    assert _found(memory, "yak") == ["About yaks"]
    assert _found(memory, "xerus") == ["About nothing"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Le café est noir", "café"),
        ("Le café est noir", "CAFE"),
        ("Le cafe est noir", "café"),
        ("Herr Müller wohnt in Köln", "müller"),
        ("Herr Müller wohnt in Köln", "koln"),
        ("Чайковский написал балет", "чайковский"),
        ("ёлка стоит в углу", "Ёлка"),
        ("Η Αθήνα είναι πόλη", "αθήνα"),
        ("tiếng Việt rất hay", "việt"),
        ("한국어 검색 테스트", "한국어"),
        ("東京都 に 住む", "東京都"),
        ("ガラス の 靴", "ガラス"),
        ("שלום עולם", "שלום"),
        ("مرحبا بالعالم", "مرحبا"),
        ("see src/recollect/memory.py for the verbs", "memory"),
        ("deployed at https://example.com/storefront.html", "storefront"),
        ("deployed at https://example.com/storefront.html", "example.com"),
        ("write to bob@example.org", "bob"),
        ("fixed in version 3.51.3", "51"),
        ("fixed in version 3.51.3", "3.51.3"),
        ("user_id is the key", "user_id"),
        ("Bob's favourite band is The Who", "the who"),
        ("we use node.js and C++", "node"),
        ("she deploys on Fridays", "deploy"),
        ("deploy with make-release", "release"),
    ],
)
def test_a_note_is_found_by_its_words(memory: Memory, text: str, query: str) -> None:
    memory.save("An entirely different matter")
    memory.save(text)
    assert _found(memory, query) == [text]


@pytest.mark.parametrize("query", ["the", "who", "_", "…", "¿", "́", "🙂", "-", "y" * 5000])
def test_a_question_without_a_telling_word_does_not_find_everything(memory: Memory, query: str) -> None:
    for number in range(3):
        memory.save(f"Parrot number {number}")
    recollection = memory.search(query)
    assert recollection.hits == ()
    assert recollection.coverage is Coverage.NONE


HOSTILE = [
    '"', '""', '" OR "', "NEAR(", "NEAR(a b, 5)", "-x", "x -y", "col:", "title: x", "{title}: x", "*", "x*", "^x", "'",
    "''", "\\", "\\'", "&|!:", "a & b", "a | b", "!a", "a <-> b", "a:*", "(", ")", "AND", "OR", "NOT", "a AND",
    "%", "%s", "%(space)s", ":space", "$1", "?", ";", "--", "/* */", "'; DROP TABLE note; --", "\x09", "a\nb",
    "\u202etxet", "\ufeff", "\u2028", "🙂", "👨‍👩‍👧‍👦", "東京", "가", "ﷺ", "ﬁ", "½", "Ⅷ", "e\u0301" * 50, "a" * 10_000,
    " ".join(f"word{number}" for number in range(20_000)), "x " * 50_000,
]  # fmt: skip


@pytest.mark.parametrize("query", HOSTILE, ids=[f"{number:02}" for number in range(len(HOSTILE))])
def test_no_question_is_an_error(store: SqlStore, clock: SteadyClock, memory: Memory, query: str) -> None:
    saved(store, clock, f"Alice said: {query[:5000]}")
    store.matching("alice", [query[:5000]], EVERYTHING, limit=10)
    store.matching("alice", query.split()[:200], EVERYTHING, limit=10)
    memory.save("Something to be searched")
    if query.strip():
        assert len(memory.search(query).hits) <= 1


def test_an_empty_question_is_refused(memory: Memory) -> None:
    for nothing in ("", "  ", "\n\t"):
        with pytest.raises(InvalidInput, match="`query` is empty"):
            memory.search(nothing)


# Printable and not, in every script, with the marks of both query languages more often than chance would have it.
STRINGS = st.lists(
    st.text(
        st.one_of(st.sampled_from("\"'\\*:&|!()-^{}<>%_ aé"), st.characters(exclude_categories=("Cs", "Cc"))),
        max_size=12,
    ),
    min_size=50,
    max_size=50,
)


@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.large_base_example],
)
@given(STRINGS)
def test_ten_thousand_random_strings_are_no_error(store: SqlStore, strings: list[str]) -> None:
    """Fifty strings at a time, as they are: nothing has cleaned them before they reach the store."""
    for number in range(0, len(strings), 10):
        store.matching("alice", strings[number : number + 10], EVERYTHING, limit=10)


def test_the_best_answer_comes_first_and_of_equals_the_newer(memory: Memory) -> None:
    memory.save("Parrots and cats and dogs and many other animals live here")
    older = memory.save("Cats like fish")
    newer = memory.save("Cats like fish")
    best = memory.save("Cats chase parrots")

    assert [hit.id for hit in memory.search("cats parrots").hits][:1] == [best.id]
    assert [hit.id for hit in memory.search("fish").hits] == [newer.id, older.id]


def test_a_pinned_note_wins_against_its_equals(memory: Memory) -> None:
    pinned = memory.save("Cats like fish", pinned=True)
    memory.save("Cats like fish")
    assert memory.search("fish").hits[0].id == pinned.id


def test_a_search_says_how_much_of_the_question_was_answered(memory: Memory) -> None:
    memory.save("Alice lives in Boston")
    for query, coverage in [
        ("where does Alice live", Coverage.FULL),
        ("does Alice have a parrot", Coverage.PARTIAL),
        ("parrots", Coverage.NONE),
    ]:
        assert memory.search(query).coverage is coverage


def test_no_more_hits_are_given_than_were_asked_for(memory: Memory) -> None:
    for number in range(5):
        memory.save(f"Parrot number {number}")
    assert len(memory.search("parrot", limit=3).hits) == 3

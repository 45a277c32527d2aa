"""The plain ways are plain: words that are shared, and the usual fusion."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime

from bench.baselines import BM25, RRF, Plain, fused
from bench.material import Item
from recollect.inference.static import HashedEmbedder

DAY = datetime(2024, 1, 1, tzinfo=UTC)


def test_rankings_are_fused_by_the_reciprocals_of_their_places() -> None:
    # 1/61 + 1/62 for the first two, in either order; the one that was told first goes first.
    assert fused([[0, 1, 2], [1, 0]]) == [0, 1, 2]
    assert fused([[2, 0], [2]]) == [2, 0]


def test_bm25_finds_what_shares_words_and_nothing_else() -> None:
    with closing(Plain(None)) as plain:
        plain.tell([Item("a", "The cat sat.", DAY), Item("b", "A dog ran.", DAY), Item("c", "Cat and dog.", DAY)], ())
        found = plain.ask("cat, dog?", limit=10)
    assert RRF not in found, "without a model there is nothing to fuse"
    assert found[BM25][0].id == "c"
    assert {item.id for item in found[BM25]} == {"a", "b", "c"}


def test_a_question_without_words_finds_nothing() -> None:
    with closing(Plain(None)) as plain:
        plain.tell([Item("a", "The cat sat.", DAY)], ())
        assert plain.ask("?!", limit=10) == {BM25: []}


def test_bm25_knows_word_forms_and_who_speaks() -> None:
    said = [Item("a", "We ran.", DAY, speaker="Ana"), Item("b", "Cycling!", DAY, speaker="Ben"), Item("c", "No.", DAY)]
    with closing(Plain(None)) as plain:
        plain.tell(said, ())
        assert [item.id for item in plain.ask("Who cycles?", limit=10)[BM25]] == ["b"]
        assert [item.id for item in plain.ask("What did Ana do?", limit=10)[BM25]] == ["a"]


def test_names_of_speakers_are_left_out_of_the_question_that_is_embedded() -> None:
    asked: list[str] = []

    class Listening(HashedEmbedder):
        def query(self, text: str) -> bytes:
            asked.append(text)
            return super().query(text)

    embedder = Listening()
    said = [Item("a", "We ran.", DAY, speaker="Ana Lind")]
    with closing(Plain(embedder)) as plain:
        plain.tell(said, embedder.passages([item.words for item in said]))
        for question in ("When did Ana run?", "What is Lind's job?", "Ana?"):
            plain.ask(question, limit=10)
    assert asked == ["When did run?", "What is job?", "Ana?"]

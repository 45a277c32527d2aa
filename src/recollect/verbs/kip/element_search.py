"""SEARCH: concepts and propositions found by the words of their notes, by meaning, or by both.

A concept is found by every note about it: its name, its attributes, and whatever else was remembered of it. Without an
embedding model there is only the search by words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from recollect.dialects.kip.genesis import genesis
from recollect.dialects.kip.nexus import Concept, Nexus, NexusElement
from recollect.domain.graph.mentions import subject_key

if TYPE_CHECKING:
    from recollect.dialects.kip.note_nexus import NoteNexus
    from recollect.domain.notes import Note
    from recollect.engine import Engine

_NOTES = 200  # that are looked at


class NoteSearch:
    """Searches the notes of a space for elements of its nexus."""

    def __init__(self, engine: Engine, space: str, nexus: Nexus, notes: NoteNexus) -> None:
        self._engine, self._space, self._nexus, self._notes = engine, space, nexus, notes

    @property
    def modes(self) -> Sequence[str]:
        return ("keyword",) if self._engine.nearness is None else ("keyword", "semantic", "hybrid")

    def search(
        self, what: str, term: str, *, type: str | None, mode: str, limit: int
    ) -> Sequence[tuple[NexusElement, float]]:
        """Elements with a score from 0 to 1, best first: the share of words found, the likeness, or their mean."""
        by_words = self._scored(what, self._by_words(term), type) if mode != "semantic" else {}
        by_meaning = self._scored(what, self._by_meaning(term), type) if mode != "keyword" else {}
        if mode != "semantic" and what == "CONCEPT":
            for concept, score in _of_genesis(term, type):
                by_words.setdefault(concept.id, (self._nexus.element(concept.id) or concept, score))
        halves = 2 if mode == "hybrid" else 1
        found = {key: element for key, (element, _) in (by_words | by_meaning).items()}
        scores = {
            key: (by_words.get(key, (None, 0.0))[1] + by_meaning.get(key, (None, 0.0))[1]) / halves for key in found
        }
        best = sorted(found, key=lambda key: (-scores[key], key))
        return [(found[key], scores[key]) for key in best[:limit] if scores[key] > 0]

    def _scored(
        self, what: str, hits: Iterable[tuple[Note, float]], type: str | None
    ) -> dict[str, tuple[NexusElement, float]]:
        """The elements behind notes, each with the best score of its notes."""
        found: dict[str, tuple[NexusElement, float]] = {}
        for note, score in hits:
            for element in self._behind(what, note):
                kind = element.type if isinstance(element, Concept) else element.predicate
                if type in (None, kind) and score > found.get(element.id, (None, 0.0))[1]:
                    found[element.id] = (element, score)
        return found

    def _behind(self, what: str, note: Note) -> Iterator[NexusElement]:
        concept = self._notes.known_as(subject_key(note))
        if concept is None:
            return
        if what == "CONCEPT":
            yield concept
            return
        for link in self._nexus.propositions(subject=concept.id, predicate=note.attribute):
            if any(each.id == note.id for each in self._notes.backing(link.id)):
                yield link

    def _by_words(self, term: str) -> Iterator[tuple[Note, float]]:
        words = _words(term)
        holding = self._notes.holding
        for match in self._engine.store.matching(self._space, words, holding, limit=_NOTES) if words else ():
            text = f"{match.found_text} {match.note.subject} {match.note.attribute}"
            yield match.note, _share(words, _words(text))

    def _by_meaning(self, term: str) -> Iterator[tuple[Note, float]]:
        nearness = self._engine.nearness
        near = () if nearness is None else nearness.nearest(self._space, term, limit=_NOTES)
        notes = self._notes.held([each.record_id for each in near])
        for each in near:
            if (note := notes.get(each.record_id)) is not None:
                yield note, min(1.0, max(0.0, each.likeness))


def _of_genesis(term: str, type: str | None) -> Iterator[tuple[Concept, float]]:
    """Concepts that every graph begins with, by name and description."""
    words = _words(term)
    for concept in genesis().concepts(type=type):
        described = concept.attributes.get("description", "")
        score = _share(words, _words(f"{concept.name} {described}"))
        if score > 0:
            yield concept, score


def _share(wanted: Sequence[str], held: Sequence[str]) -> float:
    return len(set(wanted) & set(held)) / len(set(wanted)) if wanted else 0.0


def _words(text: str) -> list[str]:
    from recollect.recall.words import words_of

    return list(words_of(text.replace("_", " ")))

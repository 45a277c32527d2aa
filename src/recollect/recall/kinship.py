"""Expand "my sister" in a question to the known name before searching.

A message about her says "Ana" and not "my sister", so the name is searched for as well.
"""

from __future__ import annotations

from recollect.domain.dataclass import replace
from recollect.domain.notes import ONCE_TRUE
from recollect.domain.selections import Selection
from recollect.domain.statements import USER
from recollect.recall.gather import Sources
from recollect.recall.names import is_kin, kin_called
from recollect.recall.question import Question
from recollect.recall.words import words_of


def acquainted(sources: Sources, question: Question, selection: Selection) -> Question:
    """The question, looked for by the names of those it calls "my sister" or "my boss", too."""
    called = kin_called(question.text)
    names: list[str] = []
    for attribute in dict.fromkeys(called.values()):
        wanted = replace(selection, subject=USER, attribute=attribute, states=ONCE_TRUE)
        notes = sources.store.notes(sources.space, wanted, before=None, limit=sources.weights.breadth.people)
        names += [word for note in notes if is_kin(note, called) for word in words_of(note.value or "")]
    return question.with_words(names) if names else question

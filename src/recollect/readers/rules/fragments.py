"""Sentences without a verb: "Nurse here", "Vercel, not Netlify"."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.attributes.catalogue import attribute_named
from recollect.attributes.records import About
from recollect.domain.statements import UNRESOLVED
from recollect.language import tags
from recollect.readers.rules.quoting import said
from recollect.readers.rules.scene import Finding, Scene
from recollect.readers.rules.sorts.kinds import kind_of
from recollect.readers.rules.sorts.people import is_trade
from recollect.readers.rules.syntax.clauses import Clause
from recollect.readers.rules.syntax.phrases import Phrase, phrase_at
from recollect.readers.rules.syntax.words import Word
from recollect.readers.rules.who import Who, project, user


def read_fragment(clause: Clause, scene: Scene) -> list[Finding]:
    """A piece without a verb in which somebody says what they are: "Nurse here"."""
    return read_lead(clause.words, scene)


def read_lead(lead: Sequence[Word], scene: Scene) -> list[Finding]:
    """Read the words before a clause that are no clause themselves: "Ferry cook here, we sail at six"."""
    phrase, after = phrase_at(lead, 0, len(lead)) if lead else (None, 0)
    trade = _trade(lead, phrase, after, scene) if phrase is not None and not phrase.pronoun else None
    return [trade] if trade is not None else []


def _trade(words: Sequence[Word], phrase: Phrase, after: int, scene: Scene) -> Finding | None:
    """ "Nurse here", "data engineer at a startup": who speaks says what they are."""
    if (
        phrase.det
        or phrase.words[0].tag & (tags.NUM | tags.TIME)
        or after >= len(words)
        or words[after].low not in _PLACED
        or not is_trade(Phrase(phrase.words, "a"))
    ):
        return None
    return Finding(user(scene.company), "role", said(Phrase(phrase.core), scene.text), confidence=0.8)


_PLACED = frozenset(("here", "at"))


def read_replacement(words: Sequence[Word], scene: Scene, old: str) -> list[Finding]:
    """ "Vercel, not Netlify": the attribute is what the names are, or only memory knows it."""
    phrase, _ = phrase_at(words, 0, len(words))
    if phrase is None or phrase.pronoun or not old:
        return []
    value = said(phrase, scene.text)
    attribute = kind_of(value) or kind_of(old) or UNRESOLVED
    return [Finding(owner_of(attribute, scene), attribute, value, old=old, confidence=0.7)]


def owner_of(attribute: str, scene: Scene) -> Who:
    """The owner of such an attribute when nobody is named."""
    known = attribute_named(attribute)
    return project() if known is not None and known.about is About.PROJECT else user(scene.company)

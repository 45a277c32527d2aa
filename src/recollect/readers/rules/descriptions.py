"""Definite descriptions with a clause inside: "the company that produced X is Y", "the school where X studied is Y".

The name inside the relative clause is the subject, and the words around it name the attribute.
"""

from __future__ import annotations

from collections.abc import Sequence

from recollect.language import tags
from recollect.readers.rules.phrases import Phrase, phrase_at
from recollect.readers.rules.quoting import after_of, said
from recollect.readers.rules.scene import Finding, Scene
from recollect.readers.rules.who import thing
from recollect.readers.rules.words import Word

_MOST_BEFORE = 6  # words before "that" or "where"


def read_description(words: Sequence[Word], scene: Scene) -> list[Finding]:
    """What such a sentence says; nothing if it is of any other form."""
    return _described(words, scene) or _titled(words, scene)


def _titled(words: Sequence[Word], scene: Scene) -> list[Finding]:
    """ "Come Together was performed by ...": a title may be a sentence of its own, so it is read as a whole."""
    if (
        len(words) < 5
        or not words[0].text[:1].isupper()
        or not words[1].tag & (tags.NAME | tags.NEG | tags.PREP | tags.MODAL)
    ):
        return []
    copula = next(
        (
            at
            for at in range(1, len(words) - 3)
            if words[at].low in ("is", "was", "were") and not words[at].tag & tags.NAME
        ),
        0,
    )
    title = words[:copula]
    if (
        copula < 2
        or not words[0].tag & (tags.VERB | tags.DO | tags.ADJ)
        or words[0].tag & tags.NAME
        or not _is_title(title)
    ):
        return []
    participle, prep = words[copula + 1], words[copula + 2]
    if not participle.tag & tags.PART or prep.low not in ("by", "in", "with", "to", "for"):
        return []
    value, _ = phrase_at(words, copula + 3, len(words))
    if value is None or value.pronoun:
        return []
    name = said(Phrase(title), scene.text)
    inner = after_of(value, _KINDS)
    return [Finding(thing(name.lower(), name), f"{participle.low} {prep.low}", said(inner, scene.text), confidence=0.7)]


_KINDS = ("city", "country", "language", "sport", "religion", "continent")


def _is_title(words: Sequence[Word]) -> bool:
    return words[-1].tag & (tags.NAME | tags.NUM | tags.PUNCT) != 0 and all(
        word.text[:1].isupper() or word.tag & (tags.DET | tags.PREP | tags.CONJ | tags.PUNCT | tags.NEG | tags.NUM)
        for word in words
    )


def _described(words: Sequence[Word], scene: Scene) -> list[Finding]:
    if len(words) < 7 or words[0].low != "the":
        return []
    relative = next(
        (at for at in range(2, min(_MOST_BEFORE, len(words))) if words[at].low in ("that", "where", "who", "which")), 0
    )
    if not relative or any(word.tag & tags.AUX and not word.tag & tags.NAME for word in words[:relative]):
        return []
    copula = next(
        (
            at
            for at in range(len(words) - 2, relative + 2, -1)
            if words[at].low in ("is", "was", "are") and not words[at].tag & tags.NAME
        ),
        0,
    )
    inside = words[relative + 1 : copula]
    if not copula or not any(word.tag & (tags.VERB | tags.AUX) for word in inside):
        return []
    named = [at for at, word in enumerate(inside) if word.tag & (tags.NAME | tags.NUM | tags.CODE)]
    if not named:
        return []
    name = inside[named[0] : named[-1] + 1]
    around = [word for at, word in enumerate(inside) if not named[0] <= at <= named[-1]]
    value = Phrase([word for word in words[copula + 1 :] if not (word.tag & tags.PUNCT and word.text in ".!")])
    if not value.words or value.words[0].tag & tags.PREP or any(word.tag & tags.CONJ for word in around):
        return []  # "the friend who asked lives in Bukhara but the quiz is for us"
    attribute = " ".join(word.low for word in (*words[1:relative], *around))
    subject = said(Phrase(name), scene.text)
    return [
        Finding(thing(" ".join(word.low for word in name), subject), attribute, said(value, scene.text), confidence=0.8)
    ]

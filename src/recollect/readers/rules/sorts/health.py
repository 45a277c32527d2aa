"""Sorts of phrases about bodies: what people suffer from, what they take for it, and what they do not eat."""

from __future__ import annotations

from collections.abc import Callable

from recollect.language import tags
from recollect.language.lexicon import LEXICON
from recollect.readers.rules.english import kinds as english
from recollect.readers.rules.english import sorts as words
from recollect.readers.rules.naming import singular
from recollect.readers.rules.quoting import said
from recollect.readers.rules.sorts.kinds import is_in, kind_of
from recollect.readers.rules.syntax.phrases import Phrase

Sort = Callable[[Phrase, str], str | None]


def _allergy(phrase: Phrase, text: str) -> str | None:
    if phrase.head.low not in ("allergy", "intolerance", "allergies") or len(phrase.core) < 2:
        return None
    return text[phrase.start : phrase.core[-2].end]


def _intolerant(phrase: Phrase, text: str) -> str | None:
    return phrase.words[0].text if len(phrase.words) == 2 and phrase.head.low == "intolerant" else None


def _allergen(phrase: Phrase, text: str) -> str | None:
    return (
        said(phrase, text)
        if is_in(english.ALLERGENS, phrase.low) or is_in(english.ALLERGENS, singular(phrase.low))
        else None
    )


def _illness(phrase: Phrase, text: str) -> str | None:
    if phrase.det in ("the", "my", "this"):
        return None
    return said(phrase, text) if kind_of(phrase.low) == "health" else None


def _body_part(phrase: Phrase, text: str) -> str | None:
    return (
        f"broken {phrase.head.low}"
        if phrase.det in ("my", "his", "her", "their", "a") and phrase.head.low in _BODY_PARTS
        else None
    )


def _medicine(phrase: Phrase, text: str) -> str | None:
    return said(phrase, text) if any(_is_medicine(word.low) for word in phrase.words) else None


def _is_medicine(low: str) -> bool:
    return low in _MEDICINES or (len(low) > 6 and low.endswith(words.MEDICINE_ENDINGS))


def _drug(phrase: Phrase, text: str) -> str | None:
    """A drug that a doctor puts somebody on: a medicine, or one word that the lexicon does not have."""
    unknown = len(phrase.words) == 1 and phrase.words[0].low not in LEXICON and len(phrase.words[0].low) > 5
    brand = unknown and not phrase.det and not phrase.words[0].low.endswith(("ing", "ist", "diet", "list"))
    return _medicine(phrase, text) or (said(phrase, text) if brand else None)


def _diet(phrase: Phrase, text: str) -> str | None:
    return said(phrase, text) if is_in(english.DIETS, phrase.low) else _last_in(english.DIETS, phrase)


def _last_in(listed: str, phrase: Phrase) -> str | None:
    last = phrase.words[-1]
    return last.text if is_in(listed, last.low) and phrase.words[0].tag & tags.ADV else None


def _diet_noun(phrase: Phrase, text: str) -> str | None:
    if phrase.head.low not in ("diet", "eating", "thing", "lifestyle", "food") or len(phrase.core) < 2:
        return None
    inner = text[phrase.start : phrase.core[-2].end]
    return inner if is_in(english.DIETS, inner.lower()) or phrase.head.low == "diet" else None


def _food(phrase: Phrase, text: str) -> str | None:
    return said(phrase, text) if phrase.low.replace(" ", "-") in _FOODS else None


_BODY_PARTS = frozenset(words.BODY_PARTS.split())
_MEDICINES = frozenset(words.MEDICINES.split())
_FOODS = frozenset(words.FOODS.split())

SORTS_OF_HEALTH: dict[str, Sort] = {
    "allergy": _allergy,
    "intolerant": _intolerant,
    "allergen": _allergen,
    "illness": _illness,
    "bodypart": _body_part,
    "medicine": _medicine,
    "drug": _drug,
    "diet": _diet,
    "dietnoun": _diet_noun,
    "food": _food,
}

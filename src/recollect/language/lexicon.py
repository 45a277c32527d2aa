"""Which words can be what, and the form they are looked up in: built once from the data of a language.

A word that is not in it is guessed from its ending; that is left to the cutting into words, which also sees how the
word is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from recollect.language import tags
from recollect.language.english import closed_words, verbs

Entry = tuple[int, str]  # what it can be; its lemma

_Rules = Sequence[tuple[tuple[str, ...], int, str]]


def inflected(base: str, rules: _Rules, ending: str, doubling: bool = False) -> str:
    """A regular form: by the first rule whose ending fits, else with the plain ending."""
    for endings, taken, put in rules:
        if base.endswith(endings):
            return base[: len(base) - taken] + put
    return base + (base[-1] if doubling else "") + ending


def _built() -> dict[str, Entry]:
    lexicon: dict[str, Entry] = {}

    def put(words: Iterable[str], tag: int, lemma: str | None = None) -> None:
        for word in words:
            known, known_lemma = lexicon.get(word, (0, ""))
            lexicon[word] = (known | tag, known_lemma or lemma or word)

    for base in verbs.REGULAR.split():
        _put_verb(lexicon, base)
    for line in verbs.IRREGULAR.split("|"):
        base, past, *rest = line.split()
        _put_verb(lexicon, base, past, rest[0] if rest else past)
    put(verbs.ALSO_NOUNS.split(), tags.NOUN)
    for noun in verbs.ALSO_NOUNS.split():
        put((inflected(noun, verbs.THIRD_PERSON, verbs.THIRD_PERSON_ENDING),), tags.NOUN, noun)
    put(verbs.ING_NOUNS.split(), tags.NOUN)
    put(closed_words.PASSING_ADJECTIVES.split(), tags.ADJ)
    put(closed_words.ADVERBS.split(), tags.ADV)
    put(closed_words.LY_NOUNS.split(), tags.NOUN)
    put(closed_words.LY_ADJECTIVES.split(), tags.ADJ)
    put(closed_words.NUMBERS.split(), tags.NUM)
    put(closed_words.INTERJECTIONS.split(), tags.INTERJ)
    put(closed_words.DETERMINERS.split(), tags.DET)
    put(closed_words.POSSESSIVES.split(), tags.POSS)
    put(closed_words.SUBJECT_PRONOUNS.split(), tags.SUBJECT)
    put(closed_words.OBJECT_PRONOUNS.split(), tags.OBJECT)
    put(closed_words.PREPOSITIONS.split(), tags.PREP)
    put(closed_words.CONJUNCTIONS.split(), tags.CONJ)
    put(closed_words.SUBORDINATORS.split(), tags.SUB)
    put(closed_words.WH_WORDS.split(), tags.WH)
    put(closed_words.NEGATIONS.split(), tags.NEG)
    for words, tag, lemma in (
        (closed_words.BE_FORMS, tags.BE, "be"),
        (closed_words.HAVE_FORMS, tags.HAVE, "have"),
        (closed_words.DO_FORMS, tags.DO, "do"),
    ):
        for word in words.split():
            lexicon[word] = (tag | _form_of_auxiliary(word), lemma)
    for word in closed_words.MODALS.split():
        lexicon[word] = (tags.MODAL, _MODAL_LEMMAS.get(word, word))
    lexicon["there"] = (tags.THERE | tags.ADV, "there")
    return lexicon


_MODAL_LEMMAS = {"'ll": "will", "wo": "will", "'d": "would", "ca": "can", "sha": "shall"}
_AUXILIARY_FORMS = {
    tags.BASE: "be have do 've",
    tags.THIRD: "am is are has does 'm 're ai",
    tags.PAST: "was were had did",
    tags.PART: "been had done",
    tags.ING: "being having doing",
}


def _form_of_auxiliary(word: str) -> int:
    return sum(form for form, words in _AUXILIARY_FORMS.items() if word in words.split())


def _put_verb(lexicon: dict[str, Entry], base: str, past: str = "", participle: str = "") -> None:
    double = base in _DOUBLING
    forms = [
        (base, tags.BASE),
        (inflected(base, verbs.THIRD_PERSON, verbs.THIRD_PERSON_ENDING), tags.THIRD),
        (inflected(base, verbs.ING_FORM, verbs.ING_ENDING, double), tags.ING),
        (past or inflected(base, verbs.PAST_FORM, verbs.PAST_ENDING, double), tags.PAST),
        (participle or inflected(base, verbs.PAST_FORM, verbs.PAST_ENDING, double), tags.PART),
    ]
    if double:  # "traveling" beside "travelling"
        forms.append((inflected(base, verbs.ING_FORM, verbs.ING_ENDING), tags.ING))
        forms.append((inflected(base, verbs.PAST_FORM, verbs.PAST_ENDING), tags.PAST | tags.PART))
    for word, form in forms:
        known, lemma = lexicon.get(word, (0, ""))
        lexicon[word] = (known | tags.VERB | form, lemma or base)


_DOUBLING = frozenset(verbs.DOUBLING.split())

LEXICON: dict[str, Entry] = _built()
CHANGING = frozenset(verbs.CHANGING.split())
ENDING = frozenset(verbs.ENDING.split())

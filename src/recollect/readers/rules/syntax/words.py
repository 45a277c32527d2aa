"""A message becomes words: each with what it can be, its lemma, and where it stands in the text.

The cutting keeps together what belongs together: versions, addresses, "Fly.io", `code`. It takes "don't" and "I'm"
apart, because a negation and a verb are two things. Everything refers to the text by position, so that quotes and
values are always the words that were said.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from recollect.language import tags
from recollect.language.english import closed_words
from recollect.language.lexicon import LEXICON
from recollect.readers.rules.gazetteer.technology import TECHNOLOGY


class Word(NamedTuple):
    """One word. `low` is in lower case with a plain apostrophe; `tag` are bits of `tags`."""

    text: str
    low: str
    start: int
    end: int
    tag: int
    lemma: str


_TOKEN = re.compile(
    r"(?P<code>`[^`\n]+`|(?:https?://|www\.)[^\s<>\"']*[^\s<>\"'.,;:!?)]|"
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+)|(?P<number>[+]?\d+(?:[.,:/-]\d+)*(?:%|\w+)?)|"
    r"(?P<word>[^\W\d_][^\W_]*(?:[-_.&/’'][^\W_]+)*(?:\+\+?|#)?)|(?P<mark>[^\w\s])"
)
_SEVERAL = re.compile(
    r"\b(?:"
    + "|".join(
        re.escape(name.strip().lower())
        for names in TECHNOLOGY.values()
        for name in names.split(",")
        if re.search(r" (?:and|on|of|the|to|or) ", name)
    )
    + r")\b"
)
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'"})
_S_IS_A_VERB_AFTER = frozenset(
    "it he she that what who there here where how everyone everything nobody when let".split()
)


def words_of(text: str) -> list[Word]:
    """The words and marks of a text, in order."""
    found: list[Word] = []
    put = found.append
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        said = match.group()
        start = match.start()
        if kind == "word":
            if "'" in said or "’" in said:
                _put_contracted(found, said, start)
            elif (typed := _TYPED.get(said.lower())) is not None and not said.isupper():
                _put_apart(found, said, start, *typed)
            else:
                put(_word(said, start, _begins(found)))
        elif kind == "mark":
            if (
                said in "'’"
                and found
                and found[-1].end == start
                and found[-1].low.endswith("s")
                and text[start + 1 : start + 2] == " "
            ):
                put(Word(said, "'s", start, start + 1, tags.OWNER, "'s"))  # "our kids' school"
                continue
            put(Word(said, said, start, start + 1, _MARKS.get(said, tags.PUNCT), said))
        elif kind == "number":
            put(Word(said, said.lower(), start, start + len(said), tags.NUM, said))
        else:
            inner = said.strip("`")
            put(Word(said, inner.lower(), start, start + len(said), tags.CODE, inner))
    return _with_numerals(_with_owners(_joined(found, text)))


_MARKS = {"&": tags.CONJ | tags.PUNCT}
_SENTENCE_MARKS = frozenset('.!?:;"“(-•*–—>')


def _begins(found: list[Word]) -> bool:
    """Whether the next word begins a sentence, so that its capital letter says nothing."""
    if not found:
        return True
    last = found[-1]
    if last.text == "." and len(found) > 1 and len(found[-2].text) == 1 and found[-2].text != "I":
        return False  # "A. A. Milne"
    return last.text in _SENTENCE_MARKS


def _word(said: str, start: int, begins: bool) -> Word:
    low, tag, lemma = _looked_up(said, begins)
    return Word(said, low, start, start + len(said), tag, lemma)


@lru_cache(maxsize=16_384)
def _looked_up(said: str, begins: bool) -> tuple[str, int, str]:
    low = said.lower()
    entry = LEXICON.get(low)
    tag, lemma = entry or _guessed(low)
    if said != low and low != "i":
        if not begins:
            # Not "The" of a title: what a name is made of stays a name, whatever else the word can be.
            tag = tags.NAME | (tag & (tags.DET | tags.PREP | tags.CONJ | tags.SUBJECT | tags.POSS | tags.MODAL))
            if tag != tags.NAME and said.isupper() and len(said) > 1:
                tag = tags.NAME
        elif entry is None or (not said[1:].islower() and len(said) > 1):
            tag |= tags.NAME
    return low, tag, lemma


def _guessed(low: str) -> tuple[int, str]:
    if low.endswith("ly") and len(low) > 4:
        return tags.ADV, low
    if low.endswith("ing") and len(low) > 5:
        return tags.VERB | tags.ING, low[:-3]
    if low.endswith("ed") and len(low) > 4:
        return tags.PART | tags.ADJ, low
    return tags.NOUN, low


def _put_contracted(found: list[Word], said: str, start: int) -> None:
    """Take "don't", "I'm" and "Ana's" apart; leave "O'Brian" whole."""
    plain = said.translate(_APOSTROPHES)
    low = plain.lower()
    cut = _cut_of(low)
    if cut <= 0:
        if low.endswith("'"):
            said, low = said[:-1], low[:-1]
        found.append(_word(said, start, _begins(found)))
        return
    found.append(_word(said[:cut], start, _begins(found)))
    rest = low[cut:]
    tag, lemma = LEXICON.get(rest, (0, rest))
    if rest == "'s":
        verbal = low[:cut] in _S_IS_A_VERB_AFTER
        tag, lemma = (tags.BE | tags.THIRD, "be") if verbal else (tags.OWNER, "'s")
    found.append(Word(said[cut:], rest, start + cut, start + len(said), tag, lemma))


def _put_apart(found: list[Word], said: str, start: int, cut: int, rest: str) -> None:
    """Take "im" and "dont" apart, as if the apostrophe had been typed."""
    tag, lemma = (tags.BE | tags.THIRD, "be") if rest == "'s" else LEXICON[rest]
    found.append(_word(said[:cut], start, _begins(found)))
    found.append(Word(said[cut:], rest, start + cut, start + len(said), tag, lemma))


def _typed() -> dict[str, tuple[int, str]]:
    """Contractions without their apostrophe: where they are cut, and what the second part stands for."""
    return {
        base + ending.replace("'", ""): (len(base), ending)
        for ending, bases in closed_words.TYPED_CONTRACTIONS.items()
        for base in bases.split()
    }


_TYPED = _typed()
_BEFORE_NOT = "|".join(closed_words.TYPED_CONTRACTIONS["n't"].split())
_TYPED_NOT = re.compile(rf"\b({_BEFORE_NOT})nt\b")


def spelled_out(low: str) -> str:
    """A text in lower case with the apostrophe in "dont" that was not typed."""
    return _TYPED_NOT.sub(r"\1n't", low) if "nt" in low else low


def _cut_of(low: str) -> int:
    if low.endswith("n't"):
        return len(low) - 3
    cut = low.rfind("'")
    if low[cut:] == "'s":
        return cut
    return cut if low[cut:] in _ENDINGS and low[:cut] in _CONTRACTED else -1


_CONTRACTED = frozenset(
    "i you he she it we they who what that there where how this these those everyone nobody".split()
)
_ENDINGS = frozenset(("'m", "'re", "'ve", "'ll", "'d", "'s"))


def _joined(found: list[Word], text: str) -> list[Word]:
    """Names with a small word inside are one word: "fork and pull request", "Ruby on Rails"."""
    if " and " not in text and " on " not in text and " the " not in text:
        return found
    spans = [match.span() for match in _SEVERAL.finditer(text.lower())]
    for begin, end in reversed(spans):
        inside = [at for at, word in enumerate(found) if begin <= word.start and word.end <= end]
        if len(inside) > 1:
            said = text[begin:end]
            tag = tags.NAME if said != said.lower() else tags.NOUN
            found[inside[0] : inside[-1] + 1] = [Word(said, said.lower(), begin, end, tag, said.lower())]
    return found


def _with_numerals(found: list[Word]) -> list[Word]:
    """In "Paul I of Russia" the "I" is a number, not the speaker."""
    for at in range(1, len(found) - 1):
        word = found[at]
        if word.text == "I" and found[at - 1].tag & tags.NAME and found[at + 1].low in _AFTER_NUMERALS:
            found[at] = word._replace(tag=tags.NAME)
    return found


_AFTER_NUMERALS = frozenset(("is", "was", "of", "the", "has"))


def _with_owners(found: list[Word]) -> list[Word]:
    """After a noun, 's owns what follows, unless what follows cannot be owned: "the car's broken"."""
    for at, word in enumerate(found):
        if not word.tag & tags.OWNER:
            continue
        after = found[at + 1] if at + 1 < len(found) else None
        owned = after is not None and not after.tag & tags.PUNCT
        if (
            after is not None and owned and after.tag & (tags.DET | tags.POSS | tags.NEG | tags.PREP | tags.SUBJECT)
        ) or (after is not None and owned and after.low in _NEVER_OWNED):
            owned = False
        if not owned:
            found[at] = word._replace(tag=tags.BE | tags.THIRD, lemma="be")
    return found


_NEVER_OWNED = frozenset(
    "now still been going getting called named based allergic also just really very in at on".split()
)

"""A message becomes words and sentences: each word with what it can be, its lemma and its place.

The cutting keeps together what belongs together: versions, addresses, "Fly.io", `code`. It takes "don't" and "I'm"
apart, because a negation and a verb are two things. Everything refers to the text by position, so that quotes and
values are always the words that were said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from recollect.language import tags
from recollect.language.english import closed_words
from recollect.language.english.closed_words import ABBREVIATIONS
from recollect.language.lexicon import LEXICON
from recollect.readers.rules.gazetteer import TECHNOLOGY


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


class Sentence(NamedTuple):
    """The words of a sentence without its final mark; `asks` if it is a question."""

    words: Sequence[Word]
    asks: bool
    start: int
    end: int


MOST_WORDS = 120  # nobody says more in one breath; it also keeps the reading linear in the length of a text
_ENDS = frozenset(".!?…")
_ABBREVIATIONS = frozenset(ABBREVIATIONS.split())
_ASKING = frozenset(
    "what who where when why how which whose whom is are am was were do does did can could would should shall will "
    "have has had may might".split()
)


def sentences_of(words: Sequence[Word], text: str) -> list[Sentence]:
    """The words grouped into sentences. Marks inside abbreviations and names do not end one; a new line does."""
    found: list[Sentence] = []
    begin = 0
    size = len(words)
    for at in range(size):
        word = words[at]
        breaks = False
        if word.tag & tags.PUNCT and word.text in _ENDS:
            breaks = _ends_here(words, at, text)
        after = at + 1
        if after - begin >= MOST_WORDS:
            breaks = True
        if not breaks and after < size and _apart(text, word.end, words[after].start):
            breaks = True
            if not (word.tag & tags.PUNCT and word.text in _ENDS):
                _put(found, words, begin, after, text)
                begin = after
                continue
        if breaks:
            _put(found, words, begin, after, text)
            begin = after
    _put(found, words, begin, size, text)
    return found


def _apart(text: str, end: int, start: int) -> bool:
    """Whether two words stand too far apart for one sentence: a new line, or something blanked out between them."""
    return start - end > _WIDEST_GAP or (start > end and "\n" in text[end:start])


_WIDEST_GAP = 4  # characters


def _put(found: list[Sentence], words: Sequence[Word], begin: int, end: int, text: str) -> None:
    stop = end
    asks = False
    while (
        stop > begin
        and words[stop - 1].tag & tags.PUNCT
        and words[stop - 1].text in "!?…\"'”’)."
        and words[stop - 1].text != ")"
    ):
        asks = asks or words[stop - 1].text == "?"
        stop -= 1
    while begin < stop and words[begin].tag & tags.PUNCT and words[begin].text in "-•*–—…\"'“‘.,;:)>#!?":
        begin += 1
    if stop > begin:
        inside = words[begin:stop]
        inverted = _inverted(inside)
        asked = _asked_after(inside) if asks and not inverted else 0
        if asked:
            told = inside[: asked - 1]
            found.append(Sentence(told, False, told[0].start, told[-1].end))
            inside = inside[asked:]
        found.append(Sentence(inside, asks or inverted, inside[0].start, words[end - 1].end))


def _asked_after(words: Sequence[Word]) -> int:
    """Where the question begins that follows a statement: "They put me on it, is coffee ok?" 0 if none does."""
    if words[0].low in _ASKING or words[0].tag & tags.SUB:
        return 0
    for at in range(len(words) - 2, 2, -1):
        if words[at - 1].text == "," and words[at].low in _ASKING and not words[at].tag & tags.NAME:
            return at
    return 0


def _ends_here(words: Sequence[Word], at: int, text: str) -> bool:
    if at + 1 == len(words):
        return True
    word, following = words[at], words[at + 1]
    if following.start == word.end:
        return following.tag & tags.PUNCT != 0 and following.text not in _ENDS
    if word.text != ".":
        return True
    before = words[at - 1] if at else None
    if before is not None and before.end == word.start:
        if (
            before.low in _ABBREVIATIONS
            and following.text[:1].isupper()
            and before.low not in ("etc", "inc", "ltd", "jr", "sr", "co", "no")
        ):
            return False
        if len(before.text) == 1 and before.text.isupper() and before.text != "I" and following.text[:1].isupper():
            return False
        if (before.low in _ABBREVIATIONS or "." in before.text) and following.text[:1].islower():
            return False
        if "." in before.text and before.text.isupper() and len(before.text) == 3:
            return False  # "J.K. Rowling"
    return True


def _inverted(words: Sequence[Word]) -> bool:
    """A question without its mark: "what is the capital of France", "can you help"."""
    first = words[0].low
    if first not in _ASKING or len(words) < 2:
        return False
    second = words[1]
    if first in ("what", "who", "where", "when", "why", "how", "which", "whose", "whom"):
        return not (first in ("when", "where") and second.tag & (tags.SUBJECT | tags.DET | tags.POSS))
    if second.tag & tags.NEG:
        return len(words) > 2 and bool(words[2].tag & tags.SUBJECT)
    return (bool(second.tag & tags.SUBJECT) and not second.tag & tags.NAME) or second.low == "there"

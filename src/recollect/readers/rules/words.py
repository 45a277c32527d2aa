"""Words and noun phrases: what a message is made of, with what each word can be, its lemma and its place.

Versions, addresses, "Fly.io" and `code` stay whole; "don't" and "I'm" are taken apart. A phrase goes on from where it
begins until a word cannot belong to it. Everything refers to the text by position, so that quotes and
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
    return _with_owners(found)


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
_STOPS = tags.PREP | tags.CONJ | tags.SUB | tags.WH | tags.SUBJECT | tags.OBJECT | tags.AUX | tags.NEG | tags.TIME
_CARRIES = tags.NAME | tags.CODE | tags.NUM
_MERELY_ADVERB = tags.ADV | tags.INTERJ


class Phrase(NamedTuple):
    """The words of a phrase without the determiner, which is `det` in lower case, or empty."""

    words: Sequence[Word]
    det: str = ""

    @property
    def start(self) -> int:
        return self.words[0].start

    @property
    def end(self) -> int:
        return self.words[-1].end

    @property
    def core(self) -> Sequence[Word]:
        """The words up to the first "of"."""
        for at, word in enumerate(self.words):
            if word.low == "of" and at:
                return self.words[:at]
        return self.words

    @property
    def head(self) -> Word:
        """The word the phrase is about: the last before "of"."""
        return self.core[-1]

    @property
    def low(self) -> str:
        words = self.words
        return words[0].low if len(words) == 1 else " ".join([word.low for word in words])

    @property
    def named(self) -> bool:
        """Whether it is, or ends in, something written like a name."""
        return any(word.tag & (tags.NAME | tags.CODE) for word in self.words)

    @property
    def pronoun(self) -> bool:
        return len(self.words) == 1 and bool(self.words[0].tag & (tags.SUBJECT | tags.OBJECT)) and not self.det


def phrase_at(words: Sequence[Word], at: int, end: int) -> tuple[Phrase | None, int]:
    """The phrase that begins at a place, and where it ends; `None` if none begins there."""
    if at >= end:
        return None, at
    first = words[at]
    if first.tag & (tags.SUBJECT | tags.OBJECT) and not first.tag & (tags.NAME | tags.POSS | tags.NUM):
        return Phrase(words[at : at + 1]), at + 1
    if first.low == "her" and at + 1 < end and words[at + 1].tag & tags.DET:
        return Phrase(words[at : at + 1]), at + 1  # "I bought her a bike"
    det = ""
    begin = at
    while begin < end and words[begin].tag & (tags.DET | tags.POSS):
        word = words[begin]
        following = words[begin + 1] if begin + 1 < end else None
        if word.tag & tags.NAME and following is not None and (following.tag & tags.NAME or following.text == "."):
            break  # "The Cage", in the middle of a sentence, is how it is called; so is "A. Milne"
        det = word.low
        begin += 1
        if begin < end and words[begin].low == "of" and word.low in _PARTITIVES:
            begin += 1
    stop = _end_of(words, begin, end)
    if stop == begin:
        if det in _ALONE:
            return Phrase(words[at : at + 1]), at + 1
        return None, at
    return Phrase(words[begin:stop], det), stop


_NAMING = frozenset(("called", "named"))  # "a dog named Bruno" is one phrase
_PARTITIVES = frozenset(("all", "some", "both", "each", "one", "any"))
_ALONE = frozenset(("this", "that", "these", "those", "all", "her"))


def _end_of(words: Sequence[Word], begin: int, end: int) -> int:
    at = begin
    while at < end:
        word = words[at]
        tag = word.tag
        following = words[at + 1] if at + 1 < end else None
        if tag & _CARRIES and not tag & tags.TIME:
            if tag & (tags.PREP | tags.CONJ) and not (following is not None and following.tag & tags.NAME):
                break
            at += 1
        elif tag & tags.PUNCT:
            joins = at > begin and (word.text == "&" or (word.text == "." and abbreviates(words[at - 1], word)))
            if not (joins and following is not None and following.tag & tags.NAME):
                break
            at += 1
        elif tag & tags.OWNER:
            at += 1
        elif word.low == "of" and at > begin:
            if following is None or not following.tag & (tags.NOMINAL | tags.DET | tags.POSS | tags.ING):
                break
            at += 1
            while at < end and words[at].tag & (tags.DET | tags.POSS) and not words[at].tag & tags.NAME:
                at += 1
        elif (tag & _STOPS and not (tag & tags.ADJ and at == begin)) or tag & tags.DET or tag & tags.POSS:
            break
        elif tag & _MERELY_ADVERB and not tag & (tags.NOUN | tags.ADJ):
            if at > begin or following is None or following.tag & (tags.PUNCT | _STOPS | tags.ADV):
                break
            at += 1
        elif word.low in _NAMING and at > begin and following is not None and following.tag & (tags.NAME | tags.PUNCT):
            at += 1
            if following.tag & tags.PUNCT:
                break
        elif tag & tags.VERB and not _is_noun_here(word, begin, at, words, following):
            break
        elif tag & tags.PART and not tag & tags.VERB and at > begin and (following is None or following.tag & _STOPS):
            break  # an unknown verb in -ed: "my iPhone shattered"
        else:
            at += 1
    while at > begin and (words[at - 1].low == "of" or (words[at - 1].tag & tags.OWNER and at == end)):
        at -= 1
    return at


def abbreviates(before: Word, stop: Word) -> bool:
    """Whether a full stop belongs to the word before it: "Dr.", "L."."""
    short = before.low in ABBREVIATED or len(before.text) == 1 or "." in before.text
    return before.end == stop.start and short


ABBREVIATED = frozenset(ABBREVIATIONS.split())


def _is_noun_here(word: Word, begin: int, at: int, words: Sequence[Word], following: Word | None) -> bool:
    tag = word.tag
    if tag & tags.ADJ:
        return True
    if at == begin:
        # After "the" or "my" a verb's form stands for a thing; alone only if it is a noun or an -ing form.
        return (begin > 0 and bool(words[begin - 1].tag & (tags.DET | tags.POSS))) or bool(tag & (tags.NOUN | tags.ING))
    if tag & tags.ING and not tag & tags.NOUN:
        if following is None or following.tag & (tags.PUNCT | tags.TIME | tags.CONJ):
            return True  # "public speaking"
        return bool(following.tag & tags.NOMINAL) and not following.tag & tags.DET
    after_determiner = begin > 0 and bool(words[begin - 1].tag & (tags.DET | tags.POSS))
    if tag & tags.BASE and not tag & tags.NOUN and after_determiner:
        return following is not None and bool(following.tag & tags.NOUN) and not following.tag & tags.VERB
    if tag & tags.PART and not tag & (tags.NOUN | tags.BASE):
        described = following is not None and bool(following.tag & tags.NOMINAL) and not following.tag & tags.DET
        return described and after_determiner
    if tag & tags.NOUN:
        # "the team meeting", but not "my dad drives a Saab"
        return not (
            tag & (tags.THIRD | tags.BASE)
            and following is not None
            and following.tag & (tags.DET | tags.POSS | tags.SUBJECT | tags.OBJECT)
        )
    return False

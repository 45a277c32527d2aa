"""Noun phrases: "my old flat in Ghent" is a possessor, a head and its companions.

A phrase is found by walking right from where it begins until a word cannot belong to it. It knows its words and the
small word in front of it; what it means is for others to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from recollect.language import tags
from recollect.language.english.closed_words import ABBREVIATIONS
from recollect.readers.rules.syntax.words import Word

_STOPS = (
    tags.PREP
    | tags.CONJ
    | tags.SUB
    | tags.WH
    | tags.SUBJECT
    | tags.OBJECT
    | tags.MODAL
    | tags.BE
    | tags.HAVE
    | tags.DO
    | tags.NEG
    | tags.TIME
)
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
        elif (
            tag & tags.TIME
            and at == begin
            and word.low.isdigit()
            and following is not None
            and following.tag & (tags.NOUN | tags.NAME)
        ):
            at += 1  # "the 2019 prototype"
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
    short = before.low in _ABBREVIATIONS or len(before.text) == 1 or "." in before.text
    return before.end == stop.start and short


_ABBREVIATIONS = frozenset(ABBREVIATIONS.split())


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
